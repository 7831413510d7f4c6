"""The pages of the benchmark of graphs: one about all data sets, and one for each with every cell."""

from collections.abc import Collection, Mapping
from typing import Any

from paper.graphs.cells import read_cells, tasks_of
from paper.graphs.constructions import CONSTRUCTIONS, OURS
from paper.graphs.graph_figures import draw_densities, draw_leads
from paper.graphs.graph_tables import (
    Data,
    best_table,
    common_tasks,
    decision_table,
    facts_table,
    failures,
    graphs_of,
    rank_table,
    summary_table,
    tally_table,
    task_table,
    title,
)
from paper.graphs.labeled_data import PUBLISHED_DRAWS_OF
from paper.pages import Summary, outdated_note, provenance_section, write_page
from paper.results import ResultsFolder

_OPENING = """# Graphs, compared by what they are good for

This page compares {n_graphs} ways to make a graph of the rows of a table, on {n_data} labeled data sets, by what
people do with graphs. `python -m paper graphs` computes everything and writes this page.

- *Equal density.* All graphs of a column are asked for equally many edges per node: as many as the k-NN graph has
  whose density is closest to {densities}. Parameters that are whole numbers come as close as they can. A graph that is
  more than a tenth off is marked with its own density in brackets and left out of the counts below. The relative
  neighborhood graph and the Gabriel graph have one density only, and `SmoothGraph` can choose its own (*auto*).
- *Best density.* The first half of the draws chooses the density of every graph, by the mean score of each task. The
  second half judges it. All graphs choose from the same densities by the same rule, which needs labels: it shows what a
  graph can do.
- *Labels.* Scores are percentages of wrong labels among those hidden, with so many known. *harmonic* are harmonic
  functions (Zhu, Ghahramani and Lafferty 2003), *class masses* their class mass normalization, *WNLL* the weighted
  nonlocal Laplacian (Shi, Osher and Zhu 2017), and *Poisson* is Poisson learning (Calder et al. 2020). A node that no
  label reaches counts as wrong.
- *Clusters.* Scores are adjusted Rand indices (ARI) and normalized mutual information (NMI), times 100. *spectral* and
  *normalized spectral* clustering know the number of classes; *Leiden* maximizes modularity and does not. This page
  shows the ARI; the pages of the data sets show both.
- *±* is half of a 95% confidence interval of the mean over draws of labels, or over seeds of clusters. All graphs have
  the same draws and seeds. For a difference of two graphs, draws are paired. Draws and seeds tell how much chance there
  is in the task, not how much there is in the data: other data of the same kind may differ by more.
- *Points* of a lead are percentage points. *Wins / ties / losses* count leads whose 95% interval is above 0, holds 0,
  or is below 0. They are not corrected for the number of comparisons: of 40 true ties, one shows up as a loss.
"""
_SHOWN = ("harmonic, 10%", "Poisson, 5 per class", "Leiden, ARI")
_COMMAND = "python -m paper graphs NAMES"


def write_graph_pages(folder: ResultsFolder, summaries: Mapping[str, Summary], outdated: Collection[str]) -> None:
    """Write the pages, with their figures, about all data sets that the folder has results of."""
    data = {name: read_cells(summary) for name, summary in summaries.items()}
    for name, cells in data.items():
        text = data_text(name, summaries, folder=folder, outdated=outdated)
        own = {name: cells}
        shown = [task for task in _SHOWN if task in tasks_of(cells)]
        drawings = {_file_name(task): draw_densities(own, task) for task in shown}
        write_page(folder.path, data_page_name(folder, name), text, drawings)
    several = main_data(summaries)
    drawings = {"leads": draw_leads(several)}
    drawings |= {_file_name(task): draw_densities(several, task) for task in _shown(several)}
    write_page(folder.path, folder.page, index_text(summaries, folder=folder, outdated=outdated), drawings)


def data_page_name(folder: ResultsFolder, name: str) -> str:
    """Return the name of the page about one data set."""
    return f"quick-{name}" if folder.quick else name


def index_text(summaries: Mapping[str, Summary], *, folder: ResultsFolder, outdated: Collection[str] = ()) -> str:
    """Return the whole page about all data sets."""
    every = {name: read_cells(summary) for name, summary in summaries.items()}
    data = main_data(summaries)
    parts = [
        _opening(data, summaries),
        *outdated_note({name: name for name in summaries}, outdated, _COMMAND),
        "## In short\n",
        "Mean ranks over data sets and tasks, each graph at its own best density. 1 would be the best graph "
        "everywhere, and bold is the least of a column. [Which graph is best?](../best-graph.md) says what follows.\n",
        summary_table(data),
        "The same by task:\n",
        rank_table(data),
        "The graphs with the least mean rank by task:\n",
        decision_table(data),
        f"![Leads of {title(OURS)}](figures/{folder.page}-leads.png)\n",
        f"*Points by which {title(OURS)} leads, each graph at its own best density; bold if the 95% interval does not "
        "hold 0. Green is better, pink is worse.*\n",
        "## Wins, ties, and losses\n",
        f"{title(OURS)} against every other graph, at equal density, over all data sets and densities:\n",
        tally_table(data, at_best=False),
        "Each graph at its own best density, over all data sets:\n",
        tally_table(data, at_best=True),
        "## Scores by density\n",
        *(f"![{task} by density](figures/{folder.page}-{_file_name(task)}.png)\n" for task in _shown(data)),
        "## Every data set\n",
        "\n".join(_links(every, folder)) + "\n",
        "## What failed\n",
        "\n".join(failures(every) or ["Nothing."]) + "\n",
        provenance_section(summaries, outdated, results_folder=folder.subfolder, describe=_describe),
    ]
    return "\n".join(parts)


def data_text(
    name: str, summaries: Mapping[str, Summary], *, folder: ResultsFolder, outdated: Collection[str] = ()
) -> str:
    """Return the whole page about one data set."""
    cells = read_cells(summaries[name])
    figure = data_page_name(folder, name)
    tasks = tasks_of(cells)
    parts = [
        f"# Graphs of {name}\n",
        f"Every cell of [the comparison of graphs]({folder.page}.md) on this data set; that page explains the "
        "columns. A graph with a density of its own, or far from the one asked for, has it in brackets. A dash is a "
        "failure, which the last table names.\n",
        *([_MNIST] if name == PUBLISHED_DRAWS_OF else []),
        *outdated_note({name: name}, outdated, _COMMAND),
        "## Each graph at its own best density\n",
        best_table(cells, graphs_of({name: cells})),
        *(f"![{task} by density](figures/{figure}-{_file_name(task)}.png)\n" for task in _SHOWN if task in tasks),
        *(f"## {task}\n\n{task_table(cells, task)}" for task in tasks),
        "## The graphs\n",
        "*Weight across* is the share of the weight of edges that join different classes, in percent. *Seconds* is the "
        "time of one fit on one core, while other cores were busy: compare these times only with each other.\n",
        facts_table(cells),
    ]
    return "\n".join(parts)


_MNIST = """The protocol of the package graphlearning: all 70,000 images, raw pixels, and the first of its 100 published
draws of labels. *graphlearning: Laplace* and *Poisson* are that package's own solvers, on the same graphs; Laplace
learning is its name for harmonic functions.
"""


def main_data(summaries: Mapping[str, Summary]) -> Data:
    """Return the cells of all data sets but the large one, whose tasks and draws are others.

    If it is all there is, it is that.
    """
    several = {name: summary for name, summary in summaries.items() if name != PUBLISHED_DRAWS_OF} or summaries
    return {name: read_cells(summary) for name, summary in several.items()}


def _shown(data: Data) -> list[str]:
    return [task for task in _SHOWN if task in common_tasks(data)]


def _opening(data: Data, summaries: Mapping[str, Summary]) -> str:
    densities = next(iter(summaries[name]["settings"]["densities"] for name in data))
    return _OPENING.format(
        n_graphs=len(set(graphs_of(data)) & set(CONSTRUCTIONS)),
        n_data=len(data),
        densities=" or ".join([", ".join(f"{k:g}" for k in densities[:-1]), f"{densities[-1]:g}"]).removeprefix(" or "),
    )


def _links(data: Data, folder: ResultsFolder) -> list[str]:
    return [
        f"- [{name}]({data_page_name(folder, name)}.md): {len(cells)} graphs, {len(tasks_of(cells))} scores of each"
        for name, cells in data.items()
    ]


def _describe(settings: dict[str, Any]) -> str:
    return f"{len(settings['constructions'])} graphs, {settings['draws']} draws, {settings['seeds']} seeds"


def _file_name(task: str) -> str:
    return task.lower().replace(",", "").replace("%", "").replace(":", "").replace(" ", "-")
