"""Parameters for a density, against a look at all of them."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_digits

from paper.graphs.constructions import CONSTRUCTIONS
from paper.graphs.tuning import LIST, closest_of_k_nn
from smoothgraph.methods import KNeighborsGraph
from smoothgraph.methods.neighbor_lists import Neighbors

TUNED = [name for name, construction in CONSTRUCTIONS.items() if construction.tune is not None]


@pytest.fixture(scope="module")
def X():
    return load_digits().data[:200] + 0.1 * np.random.default_rng(0).normal(size=(200, 64))


@pytest.fixture(scope="module")
def neighbors(X):
    return Neighbors.of(X, LIST)


def density_with(name, X, parameters):
    return clone(CONSTRUCTIONS[name].learner).set_params(**parameters).fit(X).edges_per_node_


@pytest.mark.parametrize("asked", [2.0, 5.0])
@pytest.mark.parametrize("name", ["k-NN", "mutual", "UMAP", "CAN", "NNK", "t-SNE"])
def test_no_number_of_neighbors_comes_closer(name, asked, X, neighbors):
    construction = CONSTRUCTIONS[name]
    found = construction.tune(construction.learner, X, neighbors, asked)
    every = [density_with(name, X, {"n_neighbors": k}) for k in range(construction.learner.fewest, 10)]
    closest = min(abs(density - asked) for density in every)
    assert abs(density_with(name, X, found) - asked) == pytest.approx(closest)


@pytest.mark.parametrize("asked", [3.0, 9.0])
def test_a_factor_gives_the_density(asked, X, neighbors):
    construction = CONSTRUCTIONS["continuous"]
    found = construction.tune(construction.learner, X, neighbors, asked)
    assert density_with("continuous", X, found) == pytest.approx(asked, abs=0.02)


def test_a_width_gives_the_density_within_a_hundredth(X, neighbors):
    construction = CONSTRUCTIONS["NNK-30"]
    found = construction.tune(construction.learner, X, neighbors, 12.0)
    assert density_with("NNK-30", X, found) == pytest.approx(12.0, rel=0.01)


def test_more_than_there_is_gives_the_densest(X, neighbors):
    construction = CONSTRUCTIONS["k-NN"]
    assert construction.tune(construction.learner, X, neighbors, 500.0) == {"n_neighbors": LIST - 1}


@pytest.mark.parametrize("asked", [2.0, 4.0, 10.0])
def test_all_are_asked_for_the_density_of_a_k_nn_graph(asked, X, neighbors):
    every = [KNeighborsGraph(k).fit(X).edges_per_node_ for k in range(1, 15)]
    assert closest_of_k_nn(neighbors, asked) == min(every, key=lambda density: abs(density - asked))


def test_the_graphs_differ(X):
    titles = [construction.title for construction in CONSTRUCTIONS.values()]
    assert len(set(titles)) == len(titles)
    assert len(titles) >= 12
    assert len(TUNED) == len(titles) - 3
