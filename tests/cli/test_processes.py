"""The program in a process of its own: pipes, interruption, closed output."""

import json
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from smoothgraph import LogDegreeGraph
from smoothgraph.support.child_processes import spare_children_interrupts

PROGRAM = [sys.executable, "-m", "smoothgraph"]


def as_from_a_terminal():
    """A process in the background of a shell would ignore interrupts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def table(tmp_path, rng):
    np.savetxt(tmp_path / "table.csv", rng.normal(size=(50, 3)), delimiter=",")
    return tmp_path / "table.csv"


def test_commands_can_be_chained(table):
    learned = subprocess.run(
        [*PROGRAM, "learn", "-", "--out", "-", "--quiet"], input=table.read_bytes(), capture_output=True, check=True
    )
    assert learned.stderr == b""
    told = subprocess.run([*PROGRAM, "info", "-", "--json"], input=learned.stdout, capture_output=True, check=True)
    facts = json.loads(told.stdout)
    expected = LogDegreeGraph().fit(np.loadtxt(table, delimiter=","))
    assert facts["nodes"] == 50
    assert facts["edges"] == expected.adjacency_.nnz // 2


def test_an_unreadable_file_ends_with_two_and_a_sentence(tmp_path):
    done = subprocess.run([*PROGRAM, "learn", str(tmp_path / "none.csv")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "none.csv" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_interrupted_command_leaves_nothing_but_its_checkpoint(tmp_path, rng):
    np.save(tmp_path / "many.npy", rng.normal(size=(60_000, 30)))
    checkpoint = tmp_path / "state.npz"
    kept = {*tmp_path.iterdir(), checkpoint}
    files = [str(tmp_path / "many.npy"), "--out", str(tmp_path / "graph.npz")]
    process = subprocess.Popen(
        [*PROGRAM, "learn", *files, "--checkpoint", str(checkpoint)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=as_from_a_terminal,
    )
    while not checkpoint.exists() and process.poll() is None:  # packages are still being loaded
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert set(tmp_path.iterdir()) == kept


HALF_MADE = """
import os, signal, sys
from smoothgraph.cli import main

class HalfMade:
    def __init__(self):
        os.kill(os.getpid(), signal.SIGINT)  # as Ctrl-C while a kernel is compiled
        self.pointer = 0
    def __del__(self):
        self.pointer

class Finder:
    def find_spec(self, name, *_):
        if name == "smoothgraph.io":  # which a command loads when it runs
            HalfMade()

sys.meta_path.insert(0, Finder())
sys.argv = ["smoothgraph", "info", "graph.csv"]
main()
"""


def test_an_object_half_made_when_interrupted_does_not_complain():
    done = subprocess.run(
        [sys.executable, "-c", HALF_MADE], capture_output=True, text=True, check=False, preexec_fn=as_from_a_terminal
    )
    assert done.returncode == 130
    assert "Exception ignored" not in done.stderr
    assert "Traceback" not in done.stderr


STORM = """
import os, signal, sys
from smoothgraph.cli import main

class Finder:
    def find_spec(self, name, *_):
        if name == "typer":  # which is loaded before anything else
            for _ in range(3):
                try:
                    os.kill(os.getpid(), signal.SIGINT)
                finally:
                    os.kill(os.getpid(), signal.SIGINT)  # while it is being cleaned up

sys.meta_path.insert(0, Finder())
main()
"""


def test_interrupts_while_packages_are_loaded_end_without_a_traceback():
    done = subprocess.run(
        [sys.executable, "-c", STORM], capture_output=True, text=True, check=False, preexec_fn=as_from_a_terminal
    )
    assert done.returncode == 130
    assert done.stderr == ""


CHILD = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))"


def test_children_leave_interrupts_to_their_parent():
    with spare_children_interrupts():
        inside = subprocess.check_output([sys.executable, "-c", CHILD], text=True)
    outside = subprocess.check_output([sys.executable, "-c", CHILD], text=True)
    assert (inside, outside) == ("True\n", "False\n")


def test_a_graph_that_cannot_be_written_keeps_its_checkpoint(tmp_path, rng):
    np.save(tmp_path / "many.npy", rng.normal(size=(4100, 3)))
    checkpoint = tmp_path / "state.npz"
    learn = [*PROGRAM, "learn", str(tmp_path / "many.npy"), "--quiet", "--checkpoint", str(checkpoint), "--out"]
    done = subprocess.run([*learn, "/dev/full", "--to", "csv"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: /dev/full: no space left on device")
    assert checkpoint.exists()
    subprocess.run([*learn, str(tmp_path / "graph.npz")], check=True)
    assert not checkpoint.exists()


def test_standard_output_without_space_is_named(table):
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PROGRAM, "learn", str(table), "--out", "-", "--quiet"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: standard output: no space left on device")


NO_MEMORY = """
import sys
from smoothgraph.cli import main

class Finder:
    def find_spec(self, name, *_):
        if name in ("smoothgraph.io", "smoothgraph.cluster"):
            raise MemoryError

sys.meta_path.insert(0, Finder())
sys.argv = ["smoothgraph", "info", "graph.csv"]
main()
"""


def test_memory_that_does_not_suffice_to_explain_an_error_is_told():
    done = subprocess.run([sys.executable, "-c", NO_MEMORY], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "Error: There is not enough memory; use fewer rows or columns.\n"


def test_a_reader_that_leaves_early_is_no_error(table):
    learning = subprocess.Popen(
        [*PROGRAM, "learn", str(table), "--out", "-", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    learning.stdout.close()
    said = learning.stderr.read()
    learning.stderr.close()
    learning.wait(timeout=60)
    assert "Traceback" not in said
