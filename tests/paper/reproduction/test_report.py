import json
import re
from dataclasses import asdict
from pathlib import Path

import made_up
import pytest
from pictures import assert_drawn

from paper import published
from paper.draws import paper_graphs
from paper.provenance import source_hash
from paper.reproduction import report_figures
from paper.reproduction.artificial import optimum_column
from paper.reproduction.registry import ENTRIES, EXPERIMENTS
from paper.reproduction.report import report_text, write_report
from paper.reproduction.report_tables import artificial_tables
from paper.results import ResultsFolder
from paper.runner import write_json
from paper.scores import METRICS

NAMES = tuple(EXPERIMENTS)
TITLES = {name: entry.title for name, entry in ENTRIES.items()}
FIGURES = {"filters", "signals", "usps", "mnist", "coil20", "coil20-sizes"}


@pytest.fixture(scope="module")
def summaries():
    return made_up.all_summaries()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    return folder, write_report(store(folder, made_up.all_summaries()))


def page_text(summaries, *, quick=False, outdated=()):
    return report_text(summaries, folder=ResultsFolder(Path(), quick), outdated=outdated)


def store(folder, summaries, *, quick=False, **changes):
    """Put summaries into a folder as the present code would, but for some changes."""
    results = ResultsFolder(folder, quick)
    for name, summary in summaries.items():
        experiment = EXPERIMENTS[name]
        settings = experiment.QUICK if quick else experiment.FULL
        stored = summary | {
            "settings": json.loads(json.dumps(asdict(settings))),
            "sources": source_hash(experiment.SOURCES),
        }
        write_json(folder / results.subfolder / f"{name}.json", stored | changes)
    return results


def cells_of(line):
    """The cells of a line of a Markdown table, in which an escaped bar is text."""
    assert line.startswith("| ")
    assert line.endswith(" |")
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def tables_in(text):
    """Runs of consecutive lines with bars, as lists of cells."""
    tables, current = [], []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|"):
            current.append(cells_of(line))
        elif current:
            tables.append(current)
            current = []
    return tables


def section_of(name, summary):
    """What a page says of one experiment, without the opening and the settings."""
    sections = re.split(r"^## ", page_text({name: summary}), flags=re.MULTILINE)
    (section,) = [s for s in sections if s.startswith(TITLES[name])]
    return section


def test_every_experiment_has_a_made_up_result():
    assert tuple(made_up.all_summaries()) == NAMES


def test_the_page_depends_on_the_summaries_alone(summaries):
    assert page_text(summaries) == page_text(made_up.all_summaries())
    changed = made_up.all_summaries()
    changed["usps"]["results"]["k-NN"]["label_error"]["mean"][0] = 0.777
    assert page_text(changed) != page_text(summaries)


def test_files_written_twice_are_the_same(written, tmp_path):
    folder, page = written
    write_report(store(tmp_path, made_up.all_summaries()))
    assert (tmp_path / "index.md").read_bytes() == page.read_bytes()
    for figure in (folder / "figures").iterdir():
        assert (tmp_path / "figures" / figure.name).read_bytes() == figure.read_bytes()


def test_figures_are_pictures_and_the_page_shows_each(written):
    folder, page = written
    figures = {path.name for path in (folder / "figures").iterdir()}
    assert figures == {f"index-{name}.png" for name in FIGURES}
    for name in figures:
        assert_drawn(folder / "figures" / name)
    shown = re.findall(r"!\[.+?\]\((.+?)\)", page.read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(f"figures/{name}" for name in figures)
    assert {path.name for path in folder.iterdir()} == {"index.md", "figures", "results"}


def test_two_pages_share_a_folder(tmp_path):
    content = {"filters": made_up.summary("filters", made_up.filters_results())}
    assert write_report(store(tmp_path, content)).name == "index.md"
    assert write_report(store(tmp_path, content, quick=True)).name == "quick.md"
    figures = {path.name for path in (tmp_path / "figures").iterdir()}
    assert figures == {"index-filters.png", "quick-filters.png"}
    assert "figures/quick-filters.png" in (tmp_path / "quick.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_lines_of_a_table_have_equally_many_cells(summaries, name):
    tables = tables_in(page_text({name: summaries[name]}))
    assert tables or name in ("filters", "signals")
    for header, marks, *rows in tables:
        assert rows
        assert all(re.fullmatch("---:?", mark) for mark in marks)
        assert {len(row) for row in rows} == {len(header)} == {len(marks)}


@pytest.mark.parametrize("name", NAMES)
def test_each_experiment_has_a_page_of_its_own(summaries, name):
    text = page_text({name: summaries[name]})
    assert text.startswith("# ")
    titles = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [title for title in titles if title in TITLES.values()] == [TITLES[name]]


def test_the_page_says_what_was_run_with_what_and_how_long(summaries):
    text = page_text(summaries, quick=True).split("## Settings and versions")[1]
    ((_, _, *rows),) = tables_in(text)
    expected = ["seed 0, repetitions 20", "13", "2", "0123456789abcdef"]
    assert rows == [[f"[{name}](quick-results/{name}.json)", *expected] for name in NAMES]
    assert text.count("smoothgraph 0.0.7") == 1
    other = made_up.all_summaries()
    other["usps"]["versions"]["smoothgraph"] = "0.0.8"
    assert {"0.0.7", "0.0.8"} <= set(re.findall(r"smoothgraph (\S+)", page_text(other)))


def test_a_page_without_results_can_be_written(tmp_path):
    text = write_report(ResultsFolder(tmp_path)).read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert not any(title in text for title in TITLES.values())


@pytest.mark.parametrize(
    ("name", "table", "shift"), [("table2", published.TABLE_2, 0.011), ("table4", published.TABLE_4, -0.012)]
)
def test_the_tables_have_our_numbers_beside_the_papers(summaries, name, table, shift):
    text = section_of(name, summaries[name])
    for signal in published.SIGNALS:
        section = text.split(f"**{signal} signals**")[1].split("\n**")[0]
        ((_, _, *rows),) = tables_in(section)
        graphs = list(paper_graphs())
        assert len(rows) == 5 * len(graphs)
        for number, row in enumerate(rows):
            graph, metric = graphs[number // 5], METRICS[number % 5]
            expected = []
            for method in published.METHODS:
                theirs = published.published_scores(table, graph, signal, method)[metric]
                ours = f"{round(theirs + shift, 3):.3f}"
                as_run = [] if method == "baseline" else [ours]
                expected += [f"{ours} ± 0.002", *as_run, f"{theirs:.3f}", f"**{shift:+.3f}**"]
            assert row[2:] == expected
            assert row[0] == (graph if number % 5 == 0 else "")


def test_the_optimum_and_the_papers_rule_have_columns_of_their_own(summaries):
    changed = made_up.all_summaries()["table2"]
    cell = changed["results"]["non-uniform"]["heat"]
    cell["log-degree, as run"]["f_measure"] |= {"mean": 0.123, "gap": 0.045, "iterations": 678}
    cell["log-degree, optimum"]["f_measure"]["mean"] = 0.987
    text = page_text({"table2": changed})
    full = tables_in(text.split("**heat signals**")[1])[0][2 + 5]
    assert full[-4:] == ["0.987 ± 0.002", "0.123", "0.830", "**+0.157**"]
    stopping = next(t for t in tables_in(text) if t[0][-1] == "iterations")
    row = ["non-uniform", "heat", "log-degree", "0.830", "0.123 ± 0.002", "0.987 ± 0.002", "4.5e-02", "678"]
    assert row in stopping


def test_the_page_opens_with_the_f_measures_and_the_verdicts(summaries):
    text = page_text(summaries)
    opening = text.split("## In short")[1].split("\n## ")[0]
    ((_, _, *rows),) = tables_in(opening)
    assert len(rows) == 3 * len(paper_graphs())
    assert rows[0][:2] == ["random geometric", "Tikhonov"]
    assert rows[0][2:] == ["0.696 ± 0.002 (0.685)", "0.896 ± 0.002 (0.885)", "0.924 ± 0.002 (0.913)"]
    assert "1001 USPS digits: 7 of 7 statements" in opening
    broken = made_up.all_summaries()
    broken["usps"]["results"]["log-degree"]["isolated"]["mean"][0] = 1.0
    assert "1001 USPS digits: 6 of 7 statements" in page_text(broken)


@pytest.mark.parametrize(("numbers", "words"), [((7, 7), "7 draws"), ((1, 1), "1 draw"), ((7, 9), "the draws")])
def test_the_opening_says_of_how_many_draws_the_means_are(summaries, numbers, words):
    changed = {
        name: summaries[name] | {"settings": summaries[name]["settings"] | {"repetitions": number}}
        for name, number in zip(("table2", "table4"), numbers, strict=True)
    }
    assert f"the standard error of a mean over {words}. The paper" in page_text(changed)


def test_the_numbers_that_agree_and_differ_are_counted():
    results = made_up.table_results(published.TABLE_2)
    own = results["non-uniform"]["heat"][optimum_column("log-degree")]
    own["f_measure"]["mean"] += 0.1
    text = artificial_tables(results, published.TABLE_2)
    assert "log-degree: the F-measure has standard errors of 0.002 to 0.002 (median 0.002). Of its 60" in text
    assert "59 agree with the paper's, 0 are lower and 1 is higher." in text


def test_claims_that_are_not_met_stand_out():
    results = made_up.good_coil20()
    results["curves"]["log-degree"]["components"]["mean"][0] = 500
    table = tables_in(section_of("coil20", made_up.summary("coil20", results)))[0]
    verdicts = {row[0]: row[2] for row in table[2:]}
    assert verdicts.pop("Our graph is better connected.") == "**no**"
    assert set(verdicts.values()) == {"yes"}


def test_curves_are_written_per_density_and_graph(summaries):
    table = tables_in(section_of("usps", summaries["usps"]))[-1]
    assert len(table) == 2 + 3 * 3
    assert table[2 + 3 + 1] == [
        "6",
        "l2-degree",
        "6.0 ± 0.0",
        "0.400 ± 0.000",
        "0.250 ± 0.000",
        "0.100 ± 0.000",
        "35.0 ± 0.0",
        "22.0 ± 0.0",
    ]


def test_mnist_has_a_table_per_proportion(summaries):
    text = section_of("mnist", summaries["mnist"])
    for number, proportion in enumerate(made_up.PROPORTIONS, start=1):
        table = tables_in(text.split(f"**{proportion} (1s to 2s)**")[1])[0]
        counts = ["31.5 ± 0.0", "1.5 ± 0.0", "30.0 ± 0.0"]
        error = f"{0.1 + 0.1 * number:.3f} ± 0.000"
        assert table[3] == ["2", "l2-degree", "2.0 ± 0.0", error, *counts]


@pytest.mark.parametrize(("as_run", "words"), [(0.886, "early explains"), (0.919, "early does not explain")])
def test_whether_stopping_early_explains_the_difference(as_run, words):
    """The paper has 0.885, and 0.92 is the optimum."""
    results = made_up.table_results(published.TABLE_2)
    scores = results["random geometric"]["Tikhonov"]
    scores["l2-degree, optimum"]["f_measure"]["mean"] = 0.92
    scores["l2-degree, as run"]["f_measure"]["mean"] = as_run
    assert words in section_of("table2", made_up.summary("table2", results))


def test_timing_has_a_line_per_solve(summaries):
    table = tables_in(section_of("timing", summaries["timing"]))[-1]
    assert [row[:3] for row in table[2:]] == [
        ["log-degree", "10", "Newton"],
        ["log-degree", "10", "Algorithm 1"],
        ["l2-degree", "10", "Newton"],
        ["l2-degree", "10", "Algorithm 2"],
    ]
    assert [table[2], table[-1]] == [
        ["log-degree", "10", "Newton", "", "1", "7", "0.021", "3.1e-09", "10.00", "5", "0"],
        [*("l2-degree", "10", "Algorithm 2", "0.5", "1", "2043 (stopped)"), *("61.2", "2.7e-01", "9.41", "17", "12")],
    ]


def test_choices_have_their_distances_and_our_f_measures(summaries):
    (table,) = tables_in(section_of("choices", summaries["choices"]))
    ours = ["0.610", "0.620", "0.630", "0.710", "0.720", "0.730"]
    assert table[2:] == [
        ["non-uniform", "decay 2", "0.013", "0.025", *ours],
        ["non-uniform", "decay 10", "0.087", "0.175", *ours],
    ]


# -- drawing -------------------------------------------------------------------


def lines_of(ax):
    return {line.get_label(): line for line in ax.lines}


def test_usps_is_drawn_against_the_density_reached():
    results = made_up.good_usps()
    results["k-NN"]["edges_per_node"]["mean"] = [2.3, 5.9, 10.4]
    figure = report_figures.draw_usps(results)
    names = ("clustering_error", "label_error", "components")
    for ax, name in zip(figure.axes, names, strict=True):
        for graph, label in report_figures.LABELS.items():
            line = lines_of(ax)[label]
            assert line.get_xdata().tolist() == results[graph]["edges_per_node"]["mean"]
            assert line.get_ydata().tolist() == results[graph][name]["mean"]


def test_every_curve_lies_within_its_axes():
    """Also where panels share an axis and the last has the largest numbers."""
    results = made_up.good_mnist()
    for number, curves in enumerate(results["curves"].values(), start=1):
        for graph in report_figures.GRAPHS:
            curves[graph]["label_error"]["mean"] = [0.1 * number, 0.05, 0.05]
            curves[graph]["unreachable"]["mean"] = [10.0 * number, 5.0, 5.0]
    figures = [
        report_figures.draw_mnist(results),
        report_figures.draw_usps(made_up.good_usps()),
        report_figures.draw_coil20(made_up.good_coil20()),
    ]
    for figure in figures:
        for ax in figure.axes:
            low, high = ax.get_ylim()
            for line in ax.lines:
                assert low <= min(line.get_ydata())
                assert max(line.get_ydata()) <= high


def test_the_signals_are_drawn_with_their_smoothness():
    figure = report_figures.draw_signals(made_up.signals_results())
    titles = [ax.get_title() for ax in figure.axes]
    assert any("white noise" in title and "0.610" in title for title in titles)
    assert any("heat" in title and "0.040" in title for title in titles)


def test_the_filters_are_drawn_by_name():
    results = made_up.filters_results()
    (ax,) = report_figures.draw_filters(results).axes
    assert set(lines_of(ax)) == set(published.SIGNALS)
    for name, line in lines_of(ax).items():
        assert line.get_ydata().tolist() == results[name]


# -- results of earlier code ---------------------------------------------------


def test_results_of_the_present_code_need_no_note(tmp_path, summaries):
    text = write_report(store(tmp_path, summaries)).read_text(encoding="utf-8")
    assert "earlier" not in text


@pytest.mark.parametrize("sources", ["fedcba9876543210", None])
def test_results_of_earlier_code_are_shown_and_named(tmp_path, summaries, sources):
    store(tmp_path, {"usps": summaries["usps"]}, sources=sources or "")
    if sources is None:  # as before results carried a hash
        path = tmp_path / "results" / "usps.json"
        summary = json.loads(path.read_text(encoding="utf-8"))
        del summary["sources"]
        write_json(path, summary)
    folder = store(tmp_path, {"filters": summaries["filters"]})
    text = write_report(folder).read_text(encoding="utf-8")
    note = " ".join(line[2:] for line in text.split("\n") if line.startswith("> "))
    assert "earlier version of the code:** 1001 USPS digits." in note
    assert "python -m paper reproduce NAMES" in note
    assert TITLES["filters"] not in note
    rows = {row[0].split("]")[0][1:]: row[-1] for row in tables_in(text)[-1][2:]}
    assert rows["usps"] == f"{sources or 'not recorded'} (earlier)"
    assert rows["filters"] == source_hash(EXPERIMENTS["filters"].SOURCES)


# -- folders -------------------------------------------------------------------


def test_a_report_is_about_the_results_in_the_folder(tmp_path, summaries):
    some = {name: summaries[name] for name in ("coil20", "table2")}
    text = write_report(store(tmp_path, some)).read_text(encoding="utf-8")
    assert text.index(TITLES["table2"]) < text.index(TITLES["coil20"])
    quick = store(tmp_path, {"usps": summaries["usps"]}, quick=True)
    assert write_report(quick).read_text(encoding="utf-8").count(TITLES["usps"]) > 1
    assert TITLES["usps"] not in (tmp_path / "index.md").read_text(encoding="utf-8")


def test_a_report_leaves_out_results_with_other_settings(tmp_path, summaries):
    write_json(tmp_path / "results" / "usps.json", summaries["usps"])
    (tmp_path / "results" / "mnist.json").write_text("{}")
    text = write_report(ResultsFolder(tmp_path)).read_text(encoding="utf-8")
    assert text == page_text({})
