"""Fits that were interrupted go on from their checkpoints."""

import subprocess
import sys
import time
from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse as sp
from engines import BruteForce, brute_force, misled_and_shuffled
from helpers import uneven

import smoothgraph as sg
from smoothgraph.estimators.checkpoint import digest_of

FIT = """
import sys, numpy, smoothgraph
X = numpy.load(sys.argv[1])
smoothgraph.LogDegreeGraph(edges_per_node=10, checkpoint=sys.argv[2]).fit(X)
"""


def interrupted(X, path, n_saves):
    """The checkpoint of a process that was killed as soon as it had saved ``n_saves`` states."""
    table = path.with_name("X.npy")
    np.save(table, X)
    process = subprocess.Popen([sys.executable, "-c", FIT, table, path])
    seen = set()
    while process.poll() is None and len(seen) < n_saves:
        if path.exists():
            seen.add(path.stat().st_ino)
        time.sleep(0.001)
    process.kill()
    process.wait()
    assert len(seen) == n_saves


@pytest.mark.parametrize("n_saves", [1, 2])
def test_a_killed_fit_goes_on_to_the_same_graph(tmp_path, n_saves):
    X, path = uneven(9000, 30), tmp_path / "state"
    whole = sg.LogDegreeGraph(edges_per_node=10).fit(X)
    interrupted(X, path, n_saves)
    resumed = sg.LogDegreeGraph(edges_per_node=10, checkpoint=path).fit(X)
    assert not path.exists()
    assert (whole.adjacency_ != resumed.adjacency_).nnz == 0
    np.testing.assert_array_equal(whole.dual_, resumed.dual_)


class StoppedError(Exception):
    """What a solver that gives up raises."""


@dataclass(frozen=True)
class GivesUp(sg.Newton):
    """Newton's method, but for a run that is cut short: it solves so many problems and no more."""

    def __repr__(self):
        return "Newton"  # the same parameters, as a checkpoint sees them

    budget: int = 0

    def solve(self, problem, *, start=None):
        solved.append(len(solved))
        if self.budget and len(solved) > self.budget:
            raise StoppedError
        return super().solve(problem, start=start)


solved = []


@pytest.mark.parametrize("engine", ["exact", misled_and_shuffled])
@pytest.mark.parametrize(
    "model",
    [
        {"edges_per_node": 6},
        {"beta": 50.0},
        {"edges_per_node": 6, "scale": "local", "connected": True},
        {"edges_per_node": 6, "min_edges": 4},
    ],
)
def test_an_interrupted_fit_goes_on_where_it_was(tmp_path, engine, model):
    X = uneven(4100 if engine == "exact" else 500, 5)
    goes_on_where_it_was(X, model | {"neighbors": engine, "checkpoint": tmp_path / "state"})


@pytest.mark.parametrize("scale", ["global", "local"])
def test_an_interrupted_fit_with_groups_goes_on_where_it_was(tmp_path, scale):
    options = {"edges_per_node": 6, "checkpoint": tmp_path / "state", "scale": scale}
    goes_on_where_it_was(uneven(4100, 3), options, groups=np.arange(4100) % 2)


def goes_on_where_it_was(X, options, groups=None):
    solved.clear()
    whole = sg.LogDegreeGraph(**options, solver=GivesUp()).fit(X, groups=groups)
    n_all = len(solved)
    assert not options["checkpoint"].exists()
    solved.clear()
    with pytest.raises(StoppedError):
        sg.LogDegreeGraph(**options, solver=GivesUp(budget=n_all - 1)).fit(X, groups=groups)
    assert options["checkpoint"].exists()
    solved.clear()
    resumed = sg.LogDegreeGraph(**options, solver=GivesUp()).fit(X, groups=groups)
    assert not options["checkpoint"].exists()
    assert len(solved) < n_all
    assert resumed.is_exact_
    assert (whole.adjacency_ != resumed.adjacency_).nnz == 0
    np.testing.assert_array_equal(whole.dual_, resumed.dual_)


@pytest.mark.parametrize("neighbors", [lambda table: BruteForce(table), brute_force])
def test_a_checkpoint_belongs_to_its_engine(tmp_path, neighbors):
    path, solver = tmp_path / "state", GivesUp(budget=1)
    options = {"beta": 50.0, "checkpoint": path, "solver": solver}
    for engine, error in ((misled_and_shuffled, StoppedError), (neighbors, ValueError)):
        solved.clear()
        with pytest.raises(error):
            sg.LogDegreeGraph(neighbors=engine, **options).fit(uneven(300))


def test_a_checkpoint_of_one_nameless_engine_is_not_that_of_another(tmp_path):
    options = {"beta": 50.0, "checkpoint": tmp_path / "state", "solver": GivesUp(budget=1)}
    solved.clear()
    with pytest.raises(StoppedError):
        sg.LogDegreeGraph(neighbors=lambda table: misled_and_shuffled(table), **options).fit(uneven(300))
    with pytest.raises(ValueError, match="other data or other parameters"):
        sg.LogDegreeGraph(neighbors=lambda table: BruteForce(table), **options).fit(uneven(300))


def test_a_checkpoint_belongs_to_its_degrees(tmp_path):
    path, degree = tmp_path / "state", np.ones(4200)
    options = {"beta": 1.0, "checkpoint": path, "solver": GivesUp(budget=1)}
    solved.clear()
    with pytest.raises(StoppedError):
        sg.DoublyStochasticGraph(degree=degree, **options).fit(uneven(4200))
    degree[2000] = 1.5
    with pytest.raises(ValueError, match="other data or other parameters"):
        sg.DoublyStochasticGraph(degree=degree, **options).fit(uneven(4200))


def test_a_checkpoint_of_other_data_is_refused(tmp_path):
    X, path = uneven(9000, 30), tmp_path / "state"
    interrupted(X, path, 1)
    for table, k in ((X + 1, 10), (X, 9)):
        with pytest.raises(ValueError, match="other data or other parameters"):
            sg.LogDegreeGraph(edges_per_node=k, checkpoint=path).fit(table)
    assert path.exists()


def test_where_the_rows_of_a_sparse_table_end_belongs_to_the_data():
    one, other = sp.csr_array([[1.0, 2.0], [0.0, 0.0]]), sp.csr_array([[1.0, 0.0], [0.0, 2.0]])
    assert digest_of(one) == digest_of(one.copy())
    assert digest_of(one) != digest_of(other)


@pytest.mark.parametrize("content", [b"", b"PK garbage", b"\x00" * 100])
def test_a_broken_checkpoint_is_named_and_kept(tmp_path, content):
    path = tmp_path / "state.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"state\.npz"):
        sg.LogDegreeGraph(edges_per_node=5, checkpoint=path).fit(uneven(4300))
    assert path.read_bytes() == content


def test_a_density_path_takes_no_checkpoint(tmp_path):
    with pytest.raises(ValueError, match="one graph"):
        sg.density_path(uneven(50), [3], learner=sg.LogDegreeGraph(checkpoint=tmp_path / "state"))
