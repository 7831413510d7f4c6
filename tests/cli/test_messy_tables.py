"""Real tables are messy: each gives the graph of the clean one, or a sentence with the remedy that does."""

import gzip
import io
import re
import shlex
import zipfile

import numpy as np
import pandas as pd
import pytest
from command_line import refused, smoothgraph, succeeds
from messy import CITIES, sensors

from smoothgraph import LogDegreeGraph
from smoothgraph.io import read_graph

NAMES = ["Zürich", "Málaga", *CITIES[2:]]


def clean():
    """Readings with two decimals, so that no format loses any."""
    return sensors(90).round(2).set_axis(NAMES, axis=1)


@pytest.fixture(scope="module")
def expected():
    frame = clean()
    return LogDegreeGraph(3, nodes="columns").fit((frame - frame.mean()) / frame.std(ddof=0)).adjacency_.toarray()


def dated(frame=None):
    frame = clean() if frame is None else frame
    return frame.set_axis(pd.Index(pd.date_range("2020-03-01", periods=90).astype(str), name="date"))


def text(frame, **options):
    return frame.to_csv(**options)


def numbered(frame):
    return frame.set_axis(pd.Index(range(1, 91), name="day")).reset_index()


def german():
    return dated().map(lambda value: f"{value:.2f}".replace(".", ","))


def excel(frame):
    file = io.BytesIO()
    frame.to_excel(file)
    return file.getvalue()


def zipped(data):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("inside.csv", data)
    return file.getvalue()


def with_gaps():
    return dated().mask(np.arange(90)[:, None] * 8 + np.arange(8) == 77)


# The name of the file and its content; what learn says of it without help, and the options that help.
RIGHT = {
    "a counter": ("t.csv", text(numbered(clean()), index=False)),
    "YYYYMMDD": ("t.csv", text(dated().rename(index=lambda day: int(day.replace("-", ""))))),
    "a dead sensor": ("t.csv", text(dated().assign(dead=7))),
    "decimal commas": ("t.csv", text(german(), sep=";")),
    "Latin-1": ("t.csv", text(dated()).encode("latin-1")),
    "UTF-16": ("t.csv", text(dated()).encode("utf-16")),
    "a byte-order mark": ("t.csv", text(dated()).encode("utf-8-sig")),
    "units": ("t.csv", text(dated()).replace("\n", "\n" + ",°C" * 8 + "\n", 1)),
    "Excel": ("t.xlsx", excel(dated())),
    "gzip": ("t.csv.gz", gzip.compress(text(dated()).encode())),
    "zip": ("t.zip", zipped(text(dated()).encode())),
}
REMEDIED = {
    "text above the header": ("t.csv", "Readings of 2020\nby hand\n\n" + text(dated()), "--skip-rows 3"),
    "a totals row": ("t.csv", text(pd.concat([dated(), dated().sum().to_frame("Total").T])), "--drop Total"),
    "a totals column": ("t.csv", text(dated().assign(all=lambda frame: frame.sum(axis=1))), "--drop all"),
    "two columns of the same name": (
        "t.csv",
        text(dated().assign(more=dated()["Lima"] ** 2)).replace(",more", ",Lima"),
        "--drop 'Lima (2)'",
    ),
    "a long table": (
        "t.csv",
        text(dated().reset_index().melt("date", var_name="city", value_name="level"), index=False),
        "--long date,city,level --nodes columns",
    ),
}


def assert_right(out, expected):
    graph = read_graph(out)
    assert sorted(graph.names) == sorted(NAMES)
    order = [graph.names.index(name) for name in NAMES]
    np.testing.assert_allclose(graph.adjacency.toarray()[np.ix_(order, order)], expected, rtol=1e-6)


def learn(folder, name, content, *options):
    path, out = folder / name, folder / "graph.npz"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return ["learn", path, "--standardize", "-k", 3, "--force", "--out", out, *options], out


@pytest.mark.parametrize("mess", RIGHT)
def test_the_graph_is_right(mess, tmp_path, expected):
    arguments, out = learn(tmp_path, *RIGHT[mess], "--nodes", "columns")
    succeeds(*arguments)
    assert_right(out, expected)


@pytest.mark.parametrize("mess", REMEDIED)
def test_the_remedy_is_told_and_helps(mess, tmp_path, expected):
    name, content, remedy = REMEDIED[mess]
    arguments, out = learn(tmp_path, name, content)
    nodes = () if "--nodes" in remedy else ("--nodes", "columns")
    said = smoothgraph(*arguments, *nodes).stderr
    assert remedy in said or (mess.startswith("two columns") and "'Lima (2)'" in said and "--drop" in said), said
    succeeds(*arguments, *nodes, *shlex.split(remedy))
    assert_right(out, expected)


def test_a_sentinel_is_as_good_as_a_gap(tmp_path):
    gaps, sentinels = with_gaps(), with_gaps().fillna(-999)
    graphs = []
    for name, frame, options in (("gaps", gaps, ()), ("sentinels", sentinels, ("--missing", "-999"))):
        arguments, out = learn(tmp_path, f"{name}.csv", text(frame), "--nodes", "columns", *options)
        succeeds(*arguments)
        graphs.append(read_graph(out).adjacency.toarray())
    np.testing.assert_array_equal(*graphs)
    arguments, _ = learn(tmp_path, "sentinels.csv", text(sentinels), "--nodes", "columns")
    assert "use --missing -999" in succeeds(*arguments).stderr


@pytest.mark.parametrize("mess", [*RIGHT, *REMEDIED])
def test_check_ends_with_the_command_or_tells_the_remedy(mess, tmp_path, expected, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, content, *_ = {**RIGHT, **REMEDIED}[mess]
    learn(tmp_path, name, content)
    result = smoothgraph("check", name)
    if result.exit_code == 2:
        found = re.search(r"--skip-rows \d+", refused("check", name))
        result = succeeds("check", name, *found[0].split())
    command = result.stdout.splitlines()[-1]
    if mess.startswith("two columns"):
        command += " --drop 'Lima (2)'"
    succeeds(*shlex.split(command)[1:], "-k", 3)
    assert_right("graph.graphml", expected)
