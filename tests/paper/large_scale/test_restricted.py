"""What nearest neighbors miss, against a look at all pairs."""

import cvxpy as cp
import numpy as np
import pytest
from pictures import assert_drawn
from scipy.spatial.distance import pdist, squareform
from typer.testing import CliRunner

from paper.commands import app
from paper.large_scale.restricted import compare, objective, suggest_theta
from smoothgraph import LogDegreeGraph


def edges_of_a_node_alone(z, theta):
    """Count the edges of the optimum for one node whose neighbors have no barrier of their own."""
    w = cp.Variable(len(z), nonneg=True)
    # Alone, a node pays for half of each edge: theta z'w - log(sum w) + |w|^2 / 2.
    cp.Problem(cp.Minimize(theta * z @ w - cp.log(cp.sum(w)) + cp.sum_squares(w) / 2)).solve(solver=cp.CLARABEL)
    return int(np.sum(w.value > 1e-4 * w.value.max()))


@pytest.mark.parametrize("k", [2, 4, 9])
def test_a_node_alone_has_the_edges_asked_for(k, rng):
    z = np.sort(rng.uniform(1, 3, size=25))
    assert edges_of_a_node_alone(z, suggest_theta(z[None], k)) == k


def test_the_objective_has_the_terms_of_the_model(rng):
    X = rng.normal(size=(30, 3))
    graph = LogDegreeGraph(alpha=1.0, beta=1.0).fit(X)
    w, z = squareform(graph.adjacency_.toarray()), pdist(X, "sqeuclidean")
    degrees = graph.adjacency_.sum(axis=1)
    expected = (2 * z @ w, -np.log(degrees).sum(), w @ w)
    np.testing.assert_allclose(objective(graph.adjacency_, X), expected)


def test_with_all_pairs_as_candidates_nothing_is_missed(rng):
    X = rng.normal(size=(31, 4))
    found = compare(X, 10)  # three times as many neighbors are all there are
    assert found["density"]["restricted"] == found["density"]["exact"]
    assert (found["missed"], found["wrong"]) == (0, 0)
    assert abs(found["gap"]) < 1e-3
    assert found["proved"]


def test_what_few_candidates_miss_makes_the_objective_worse(rng):
    hub = np.vstack([np.zeros((1, 60)), rng.normal(size=(150, 60))])  # the center is near to all
    found = compare(hub, 2)
    assert found["missed"] > 1
    assert found["gap"] > 0
    assert found["density"]["asked"] == pytest.approx(2, rel=0.02)


def test_the_command_writes_a_page(tmp_path):
    result = CliRunner().invoke(app, ["large-scale", "--quick", "--out", str(tmp_path)])
    assert result.exit_code == 0, result.output
    text = (tmp_path / "quick.md").read_text(encoding="utf-8")
    assert "| sphere | 3 | 1000 | 10 |" in text
    assert_drawn(tmp_path / "figures" / "quick-missed.png")
