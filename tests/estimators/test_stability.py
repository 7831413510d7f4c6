import numpy as np
import pandas as pd
import pytest

from smoothgraph import GaussianGraph, LogDegreeGraph, edge_stability
from smoothgraph.methods import KNeighborsGraph


@pytest.fixture(scope="module")
def chain():
    """A random walk over 20 nodes: neighbours in the chain are truly close."""
    rng = np.random.default_rng(0)
    return np.cumsum(rng.normal(size=(20, 60)), axis=0)


def test_frequencies_are_shares_of_the_resamples(chain):
    frequency, learner = edge_stability(chain, LogDegreeGraph(edges_per_node=3), n_resamples=20, random_state=0)
    F = frequency.toarray()
    np.testing.assert_array_equal(F, F.T)
    np.testing.assert_allclose(F * 20, np.round(F * 20), atol=1e-9)
    assert F.max() <= 1
    assert np.all(F.diagonal() == 0)
    assert abs(F.sum() / 20 - 3) < 0.4  # the mean density over resamples
    assert learner.adjacency_.shape == (20, 20)


def test_true_neighbours_are_more_stable_than_others(chain):
    F = edge_stability(chain, LogDegreeGraph(edges_per_node=3), n_resamples=20, random_state=0).frequency.toarray()
    neighbours = np.diag(F, k=1)
    distant = F[np.triu_indices(20, k=4)]
    assert neighbours.mean() > 0.9
    assert distant.mean() < 0.1


def test_the_seed_decides(chain):
    learner = LogDegreeGraph(beta=100.0)
    one, same, other = (
        edge_stability(chain, learner, n_resamples=5, random_state=seed).frequency.toarray() for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, same)
    assert np.any(one != other)


def test_columns_of_a_table(chain):
    table = pd.DataFrame(chain.T, columns=[f"s{i}" for i in range(20)])
    learner = LogDegreeGraph(beta=100.0, nodes="columns")
    by_columns = edge_stability(table, learner, n_resamples=5, random_state=0)
    by_rows = edge_stability(chain, LogDegreeGraph(beta=100.0), n_resamples=5, random_state=0)
    np.testing.assert_allclose(by_columns.frequency.toarray(), by_rows.frequency.toarray())
    assert by_columns.learner.node_names_[4] == "s4"


def test_a_dense_model_always_has_every_edge(chain):
    F = edge_stability(chain, GaussianGraph(), n_resamples=3, random_state=0).frequency
    np.testing.assert_array_equal(F.toarray(), 1 - np.eye(20))


def test_bad_arguments(chain):
    with pytest.raises(ValueError, match="n_resamples"):
        edge_stability(chain, n_resamples=0)
    with pytest.raises(ValueError, match="give the data itself"):
        edge_stability(np.zeros((3, 3)), LogDegreeGraph(metric="precomputed"))


def test_other_methods_are_refused_by_name():
    with pytest.raises(ValueError, match=r"such as LogDegreeGraph .* got KNeighborsGraph"):
        edge_stability(np.eye(5), KNeighborsGraph(2), n_resamples=2)
