"""``python -m paper graphs``, with few graphs of a few nodes."""

import json
from dataclasses import replace

import pytest
from pictures import assert_drawn
from typer.testing import CliRunner

from paper.commands import app
from paper.graphs import benchmark, run_graphs
from paper.graphs.benchmark import experiments, unpack
from paper.graphs.run_graphs import write_all_graph_pages
from paper.results import ResultsFolder

TASKS = ("harmonic, 10%", "Poisson, 5 per class", "spectral, ARI", "spectral, NMI")


def graphs(*arguments):
    env = {"SMOOTHGRAPH_DATA": None, "COLUMNS": "200", "TERMINAL_WIDTH": "200"}
    return CliRunner().invoke(app, ["graphs", *map(str, arguments)], env=env)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return the results of a run in which one graph fails."""
    tiny = replace(
        experiments()["digits"],
        QUICK=replace(
            experiments()["digits"].QUICK,
            constructions=("smooth", "k-NN", "relative"),
            densities=(4.0, 8.0),
            clusterings=("spectral",),
            most_nodes=120,
        ),
    )
    folder = tmp_path_factory.mktemp("graphs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_graphs, "experiments", lambda: {"digits": tiny})
        patch.setattr(benchmark, "MOST_WITH_ALL_DISTANCES", 100)
        result = graphs("digits", "--quick", "--out", folder, "--jobs", 1)
        assert result.exit_code == 0, result.output
        assert "self-tuned" not in result.output
        assert "quick.md" in result.output
        yield folder


def test_every_cell_is_there(folder):
    summary = json.loads((folder / "quick-results" / "digits.json").read_text(encoding="utf-8"))
    cells = summary["results"]["cells"]
    made = [cell for cell in cells if "failure" not in cell]
    assert [(cell["graph"], cell["asked"]) for cell in made] == [
        (name, asked) for name in ("smooth", "k-NN") for asked in (4.0, 8.0)
    ]
    for cell in made:
        assert tuple(cell["scores"]) == TASKS
        assert len(unpack(cell["scores"]["harmonic, 10%"])) == 4
        assert cell["edges_per_node"] == pytest.approx(cell["density"], rel=0.1)
    assert [cell["failure"] for cell in cells if "failure" in cell] == ["needs all distances of 120 nodes"]


def test_the_pages_show_every_graph_and_the_failure(folder):
    index = (folder / "quick.md").read_text(encoding="utf-8")
    assert "- relative neighborhood on digits: needs all distances of 120 nodes (1 cells)." in index
    assert "| SmoothGraph against | harmonic, 10% | Poisson, 5 per class | spectral, ARI | all |" in index
    page = (folder / "quick-digits.md").read_text(encoding="utf-8")
    for task in TASKS:
        assert f"## {task}\n" in page
    assert "| relative neighborhood |  |  | - |" in page
    for text in (index, page):
        for part in text.split("](figures/")[1:]:
            assert_drawn(folder / "figures" / part.split(")")[0])


def test_pages_are_written_again_from_the_results_alone(folder):
    page = folder / "quick.md"
    before = page.read_text(encoding="utf-8")
    page.unlink()
    write_all_graph_pages(ResultsFolder(folder, quick=True))
    assert page.read_text(encoding="utf-8") == before


def test_missing_data_are_named(tmp_path):
    result = graphs("MNIST", "--quick", "--out", tmp_path / "out", "--data-dir", tmp_path)
    assert result.exit_code == 2
    assert "mnist.npz" in result.output
    assert "Traceback" not in result.output


def test_unknown_data_are_refused(tmp_path):
    result = graphs("digit", "--out", tmp_path)
    assert result.exit_code == 2
    assert "COIL-20" in result.output
