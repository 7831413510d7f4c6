"""Progress in a log and in a notebook, with a screen that records."""

import re
import time

import numpy as np
import pytest

from smoothgraph import LogDegreeGraph, SmoothGraph
from smoothgraph.support import notebook_sign, progress
from smoothgraph.support.notebook_sign import NotebookSign
from smoothgraph.support.progress import in_lines, track
from smoothgraph.support.stages import describe_stages, show_stages, stage


@pytest.fixture
def patient(monkeypatch):
    """Nobody waits in tests."""
    monkeypatch.setattr(notebook_sign, "_PATIENCE", 0.02)
    monkeypatch.setattr(notebook_sign, "_PAUSE", 0.01)
    monkeypatch.setattr(progress, "_LONG", 0.02)


def wait_for(shown, pattern):
    for _ in range(1000):
        if any(re.search(pattern, html) for html in list(shown)):
            return
        time.sleep(0.01)
    pytest.fail(f"{pattern!r} was not shown, but {shown}")


def test_stages_are_added_up(rng):
    assert describe_stages() == ""
    with show_stages("Working", verbose=False):
        for name in ("solve", "pairs", "solve"):
            with stage(name):
                pass
        assert re.fullmatch(r"solve \d+\.\d\d s \(2 times\), pairs \d+\.\d\d s", describe_stages())
        with show_stages("Working inside", verbose=False):
            assert describe_stages() == ""
    assert describe_stages() == ""


def test_verbose_tells_the_seconds_of_each_stage(rng, capsys):
    LogDegreeGraph(5, verbose=True, connected=True).fit(rng.normal(size=(4100, 3)))
    said = capsys.readouterr().out
    names = re.findall(r"(\w+) \d+\.\d\d s", said)
    assert names == ["index", "neighbors", "solve", "pairs", "bridges"]
    assert said.count("\n") == 1
    SmoothGraph(5).fit(rng.normal(size=(50, 3)))
    assert capsys.readouterr() == ("", "")


def test_a_log_has_lines_of_long_stages_only(patient, capsys):
    with in_lines():
        with stage("short"):
            list(track(range(10), "loop"))
        with stage("long"):
            for _ in track(range(3), "slow loop"):
                time.sleep(0.03)
        list(track(range(2), "outside"))
    lines = [line[20:] for line in capsys.readouterr().err.splitlines()]
    assert lines[:-3] == ["slow loop: 1 of 3", "slow loop: 2 of 3", "slow loop: 3 of 3"]
    assert re.fullmatch(r"long: done in 0\.\d s", lines[-3])
    assert lines[-2:] == ["outside: 1 of 2", "outside: 2 of 2"]


def test_a_notebook_shows_the_stage_and_its_bar(patient):
    shown = []
    with NotebookSign("Learning <it>", shown.append) as sign:
        sign.begin("neighbors")
        for item in sign.track("abcd", "tiles", 4):
            if item == "c":
                wait_for(shown, r"<b>neighbors</b> <progress max='4' value='2'")
        sign.end("neighbors", 12.3)
        sign.begin("solve")
        wait_for(shown, r"neighbors 12\.3 s &middot; <b>solve</b> \.\.\.")
        sign.end("solve", 0.5)
        sign.begin("solve")
        sign.end("solve", 0.5)
    assert "Learning &lt;it&gt;: done in" in shown[-1]
    assert "neighbors 12.3 s, solve 1.0 s" in shown[-1]
    assert not any("<it>" in html for html in shown)


def test_what_is_quick_shows_nothing_in_a_notebook():
    shown = []
    with NotebookSign("Learning", shown.append) as sign:
        assert list(sign.track(range(3), "items", None)) == [0, 1, 2]
    assert shown == []


def test_a_notebook_tells_what_was_stopped(patient):
    shown = []

    def stop():
        with NotebookSign("Learning", shown.append):
            wait_for(shown, "Learning")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop()
    assert "Learning: stopped after" in shown[-1]


def test_outside_of_notebooks_and_terminals_nothing_is_shown(capsys):
    assert not notebook_sign.in_notebook()
    graph = LogDegreeGraph(3).fit(np.random.default_rng(0).normal(size=(30, 2)))
    assert graph.is_exact_
    assert capsys.readouterr() == ("", "")
