"""The main job on data that scikit-learn ships: the graph of 1797 handwritten digits."""

from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE

from smoothgraph.density import log_degree_with
from smoothgraph.distances import distances
from smoothgraph.edges import EdgeSet
from smoothgraph.io import write_graph, written_whole
from smoothgraph.plotting import draw_graph
from smoothgraph.solution import Solution


@dataclass(frozen=True)
class DemoResult:
    """The learned graph, what it took, and where it and its picture were written."""

    solution: Solution
    theta: float
    seconds: float
    graph: Path
    picture: Path


def run(folder: Path, edges_per_node: float) -> DemoResult:
    """Learn the graph of the digits, save it and draw it."""
    digits = load_digits()
    started = perf_counter()
    edges = EdgeSet.all_pairs(len(digits.data))
    z = distances(digits.data, edges)
    solution, theta = log_degree_with(edges, z, edges_per_node=edges_per_node)
    seconds = perf_counter() - started
    graph, picture = folder / "digits.npz", folder / "digits.png"
    write_graph(graph, solution.adjacency)
    positions = TSNE(init="pca", random_state=0).fit_transform(digits.data)
    figure = Figure(figsize=(8, 8), layout="constrained")
    ax = draw_graph(solution.adjacency, positions, labels=digits.target, ax=figure.subplots())
    ax.set_title(
        f"{edges.n_nodes} digits, {solution.edges_per_node:.1f} edges per node "
        "(positions: t-SNE, colours: the digit)"
    )
    with written_whole(picture) as temporary:
        figure.savefig(temporary, dpi=150)
    return DemoResult(solution, theta, seconds, graph, picture)
