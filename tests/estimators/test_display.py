"""What a notebook shows of a fitted learner."""

import re

import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import connected_components
from sklearn import config_context
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import estimator_html_repr

from smoothgraph import L2DegreeGraph, LogDegreeGraph, SmoothGraph
from smoothgraph.estimators.floor import FewNeighborsWarning
from smoothgraph.methods import KNeighborsGraph

WAYS = {"html": lambda graph: graph._repr_html_(), "bundle": lambda graph: graph._repr_mimebundle_()["text/html"]}


@pytest.fixture
def X(rng):
    return np.concatenate([rng.normal(size=(20, 2)), 50 + rng.normal(size=(15, 2))])


def facts_of(html):
    card = html.partition('<div class="smoothgraph-card">')[2]
    return dict(re.findall(r"<b>(.*?)</b><span>(.*?)</span>", card))


@pytest.mark.parametrize("show", WAYS.values(), ids=WAYS)
def test_the_card_tells_what_was_learned(X, show):
    graph = LogDegreeGraph(5, connected=True).fit(X)
    html = show(graph)
    facts = facts_of(html)
    W = graph.adjacency_.toarray()
    neighbors = (W > 0).sum(axis=1)
    assert facts["Nodes"] == "35"
    assert facts["Neighbors per node"] == (
        f"{neighbors.mean():.1f} on average, from {neighbors.min()} to {neighbors.max()}"
    )
    assert facts["Edges"] == str(neighbors.sum() // 2)
    assert facts["Components"] == "1"
    assert facts["Bridges"] == "1"
    assert facts["Proved"].startswith("This is the optimum over all pairs of nodes. No weight is off by more than ")
    assert "Warning" not in facts
    assert "<summary>Parameters</summary>" in html or "sk-toggleable" in html  # scikit-learn's table


def test_the_picture_has_every_node_edge_and_bridge(X):
    graph = LogDegreeGraph(5, connected=True).fit(X)
    learned, bridges, nodes = re.findall(r'<path d="(.*?)"', graph._repr_html_().partition("smoothgraph-card")[2])
    assert nodes.count("M") == nodes.count("h0") == 35
    assert bridges.count("M") == 1
    assert learned.count("M") == graph.adjacency_.nnz // 2 - 1


def test_components_and_isolated_nodes_are_counted(X):
    graph = KNeighborsGraph(2).fit(X)
    facts = facts_of(graph._repr_html_())
    assert facts["Components"] == str(connected_components(graph.adjacency_)[0])
    assert "Proved" not in facts
    X[0] = 500
    alone = L2DegreeGraph(2).fit(X)
    count, component = connected_components(alone.adjacency_)
    n_isolated = np.sum(np.bincount(component) == 1)
    assert n_isolated > 1
    assert facts_of(alone._repr_html_())["Components"] == f"{count}, {n_isolated} of them isolated nodes"


def test_the_card_repeats_warnings_with_escaped_names(rng):
    X = pd.DataFrame(rng.normal(size=(60, 2)), index=[f"<script>{k}" for k in range(60)])
    with pytest.warns(FewNeighborsWarning, match="<script>"):
        graph = LogDegreeGraph(5, min_edges=5).fit(X)
    html = graph._repr_html_()
    assert "&lt;script&gt;" in facts_of(html)["Warning"]
    assert not re.search(r"<script>\d", html)


def test_what_is_not_proved_is_said(X):
    with pytest.warns(ConvergenceWarning):
        graph = LogDegreeGraph(beta=1e4, tol=1e-12, max_iter=1).fit(X)
    facts = facts_of(graph._repr_html_())
    assert facts["Proved optimal"] == "No: not all weights are proved."
    assert "did not reach tol=1e-12" in facts["Warning"]
    given = LogDegreeGraph(3, metric="precomputed").fit(np.square(np.subtract.outer(X[:, 0], X[:, 0])))
    assert facts_of(given._repr_html_())["Proved"]
    graph = graph.set_params(tol=1e-6, max_iter=500).fit(X)
    assert "Warning" not in facts_of(graph._repr_html_()), "those of the last fit only"


def test_beyond_2000_nodes_there_is_no_picture(rng):
    graph = LogDegreeGraph(3).fit(rng.normal(size=(2001, 1)))
    html = graph._repr_html_()
    assert "<path" not in html.partition("smoothgraph-card")[2]
    assert "up to 2,000 nodes" in facts_of(html)["Picture"]


def test_showing_a_learner_computes_no_distances(X):
    graph = LogDegreeGraph(5).fit(X)
    html = graph._repr_html_()
    assert "distances_" not in vars(graph)
    assert "distances_" not in html
    graph.distances_  # noqa: B018
    graph._repr_html_()


def test_a_learner_without_its_rows_can_be_shown(X):
    graph = LogDegreeGraph(3, nodes="columns").partial_fit(X.T[:1]).partial_fit(X.T[1:])
    assert facts_of(graph._repr_html_())["Nodes"] == "35"


@pytest.mark.parametrize("show", WAYS.values(), ids=WAYS)
def test_before_the_fit_scikit_learn_alone_shows_the_learner(show):
    assert "smoothgraph-card" not in show(SmoothGraph())


def test_the_rest_is_as_in_scikit_learn(X):
    graph = SmoothGraph(5).fit(X[:20])
    assert repr(graph) == "SmoothGraph(edges_per_node=5)"
    assert "smoothgraph-card" not in estimator_html_repr(graph)
    with config_context(display="text"):
        assert not hasattr(graph, "_repr_html_")
        assert graph._repr_mimebundle_() == {"text/plain": "SmoothGraph(edges_per_node=5)"}


def test_plot_draws_on_axes_that_show_themselves(X):
    graph = LogDegreeGraph(5).fit(X)
    ax = graph.plot(labels=["a"] * 20 + ["b"] * 15, title="Two clouds")
    assert ax.get_title() == "Two clouds"
    ax.set_title("Changed")
    picture, size = ax._repr_png_()
    assert picture.startswith(b"\x89PNG")
    wide, high = np.frombuffer(picture[16:24], ">u4")  # as a PNG file says in its header
    np.testing.assert_allclose([wide / size["width"], high / size["height"]], 2, rtol=0.01)
