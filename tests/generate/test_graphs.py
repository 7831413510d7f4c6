import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist
from scipy.stats import kstest

import smoothgraph
from smoothgraph.generate import barabasi_albert, erdos_renyi, non_uniform, random_geometric

GEOMETRIC = (random_geometric, non_uniform)


def generate(name, n_nodes, seed):
    """Return a graph of each kind, with the parameters of the paper."""
    options = {"p": min(1, 3 / n_nodes)} if name == "erdos_renyi" else {}
    return getattr(smoothgraph.generate, name)(n_nodes, random_state=seed, **options)


NAMES = ("random_geometric", "non_uniform", "erdos_renyi", "barabasi_albert")


def dense_weights(positions, sigma):
    weights = np.exp(-cdist(positions, positions, "sqeuclidean") / (2 * sigma**2))
    np.fill_diagonal(weights, 0)
    return weights


@pytest.mark.parametrize("name", NAMES)
def test_seeds_reproduce(name):
    first, again, other = (generate(name, 60, seed).adjacency for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.toarray(), again.toarray())
    assert abs(first - other).max() > 0
    rng = np.random.default_rng(1)
    np.testing.assert_array_equal(generate(name, 60, rng).adjacency.toarray(), first.toarray())
    assert abs(generate(name, 60, rng).adjacency - first).max() > 0  # the generator moves on


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_nodes", [2, 3, 100])
def test_every_graph_is_a_canonical_adjacency(name, n_nodes):
    W = generate(name, n_nodes, 0).adjacency
    assert W.shape == (n_nodes, n_nodes)
    assert W.format == "csr"
    assert W.dtype == np.float64
    assert W.has_sorted_indices
    assert np.all(W.data > 0)
    assert abs(W - W.T).sum() == 0
    assert not W.diagonal().any()


@pytest.mark.parametrize("name", NAMES)
def test_a_hundred_nodes_unless_asked_otherwise(name):
    assert generate(name, 100, 0).adjacency.shape == (100, 100)
    if name.startswith(("random", "non")):
        assert getattr(smoothgraph.generate, name)().adjacency.shape == (100, 100)


@given(
    seed=st.integers(0, 1000),
    n_nodes=st.integers(2, 60),
    sigma=st.floats(0.01, 3),
    threshold=st.floats(0, 1),
    make=st.sampled_from(GEOMETRIC),
)
def test_weights_against_the_formula(seed, n_nodes, sigma, threshold, make):
    graph = make(n_nodes, sigma=sigma, threshold=threshold, random_state=seed)
    full = dense_weights(graph.positions, sigma)
    full[np.abs(full - threshold) < 1e-12] = 0  # either side of the threshold is correct
    expected = np.where(full >= threshold, full, 0)
    W = graph.adjacency.toarray()
    W[np.abs(W - threshold) < 1e-12] = 0
    np.testing.assert_allclose(W, expected, rtol=1e-9, atol=1e-300)


def test_without_threshold_every_pair_is_joined():
    W = random_geometric(30, sigma=1.0, threshold=0, random_state=0).adjacency
    assert W.nnz == 30 * 29


@given(seed=st.integers(0, 1000), n_nodes=st.integers(2, 80), decay=st.floats(0, 100))
def test_the_rule_removes_all_that_it_can_and_isolates_nobody(seed, n_nodes, decay):
    graph = non_uniform(n_nodes, decay=decay, random_state=seed)
    full = dense_weights(graph.positions, 0.2)
    weakest = full.max(axis=1).min()
    W = graph.adjacency.toarray()
    assert np.all(W.max(axis=1) > 0)
    np.testing.assert_allclose(W[W > 0].min(), weakest, rtol=1e-9)
    assert np.all(W[full > weakest * (1 + 1e-9)] > 0)


def test_positions_are_uniform_on_the_square():
    positions = random_geometric(20000, sigma=1e-3, random_state=0).positions
    for axis in (0, 1):
        assert kstest(positions[:, axis], "uniform").pvalue > 1e-3
    assert abs(np.corrcoef(positions.T)[0, 1]) < 0.02


@pytest.mark.parametrize("decay", [0.0, 1e-320, 1e-17, 1e-12, 1e-6, 0.1, 3.0, 1e3, 1e9])
def test_positions_follow_the_density_on_the_strip(decay):
    """Its distribution function is log(1 + decay x) / log(1 + 5 decay)."""
    positions = non_uniform(20000, decay=decay, sigma=1e-4, threshold=0.9, random_state=0).positions
    assert positions.min() >= 0
    assert np.all(positions.max(axis=0) <= [1, 5])

    def distribution(x):
        return np.log1p(decay * x) / np.log1p(5 * decay) if decay > 1e-15 else x / 5

    assert kstest(positions[:, 1], distribution).pvalue > 1e-3
    assert kstest(positions[:, 0], "uniform").pvalue > 1e-3


def test_many_nodes_without_all_pairs():
    """All pairs of 50000 nodes would take 20 GB."""
    W = random_geometric(50000, sigma=0.004, random_state=0).adjacency
    n_expected = 50000**2 * np.pi * 0.004**2 * -2 * np.log(0.6)
    np.testing.assert_allclose(W.nnz, n_expected, rtol=0.05)


def test_weights_that_round_to_zero_are_refused_by_the_rule():
    with pytest.raises(ValueError, match="take a larger sigma"):
        non_uniform(5, sigma=1e-5, random_state=0)


def test_erdos_renyi_joins_each_pair_alike():
    W = erdos_renyi(1000, p=0.02, random_state=0).adjacency
    pairs = 1000 * 999 / 2
    assert abs(W.nnz / 2 - 0.02 * pairs) < 4 * np.sqrt(0.02 * 0.98 * pairs)
    assert set(W.data) == {1.0}
    degrees = W.sum(axis=1)
    np.testing.assert_allclose(degrees.var(), 0.02 * 0.98 * 999, rtol=0.2)
    np.testing.assert_allclose(degrees[:500].mean(), degrees[500:].mean(), rtol=0.05)


@pytest.mark.parametrize("p", [0, 1e-300, 1])
def test_erdos_renyi_at_the_ends(p):
    W = erdos_renyi(12, p=p, random_state=0).adjacency
    assert W.nnz == round(p) * 12 * 11
    assert W.shape == (12, 12)


@given(seed=st.integers(0, 1000), n_nodes=st.integers(2, 60), attachments=st.integers(1, 6))
def test_barabasi_albert_grows_by_attachments(seed, n_nodes, attachments):
    W = barabasi_albert(n_nodes, attachments=attachments, random_state=seed).adjacency
    older = np.bincount(W.tocoo().row[W.tocoo().row > W.tocoo().col], minlength=n_nodes)
    np.testing.assert_array_equal(older, np.minimum(np.arange(n_nodes), attachments))
    assert connected_components(W)[0] == 1
    assert set(W.data) == {1.0}
    if attachments == 2:
        assert W.nnz / 2 == 1 + 2 * (n_nodes - 2)


def test_barabasi_albert_has_hubs():
    """Degrees fall off like a power of -3: the largest is many times the mean of 4."""
    degrees = barabasi_albert(3000, random_state=0).adjacency.sum(axis=1)
    assert degrees.max() > 60
    assert np.median(degrees) <= 3
    assert degrees[:30].mean() > 5 * degrees[-1500:].mean()


@pytest.mark.parametrize(
    ("options", "message", "makers"),
    [
        ({"n_nodes": 1}, "n_nodes must be a finite number >= 2, got 1", GEOMETRIC),
        ({"n_nodes": 10.5}, r"n_nodes must be an integer >= 2, got 10.5; round it", GEOMETRIC),
        ({"n_nodes": True}, "n_nodes", GEOMETRIC),
        ({"n_nodes": "many"}, "n_nodes", GEOMETRIC),
        ({"sigma": 0}, "sigma must be a finite number > 0", GEOMETRIC),
        ({"sigma": np.nan}, "sigma", GEOMETRIC),
        ({"threshold": -0.1}, "threshold", GEOMETRIC),
        ({"threshold": 1.1}, "threshold must lie between 0 and 1, got 1.1", GEOMETRIC),
        ({"decay": -1}, "decay must be a finite number >= 0", [non_uniform]),
        ({"p": 3}, "p must lie between 0 and 1, got 3", [erdos_renyi]),
        ({"attachments": 0}, "attachments must be a finite number >= 1", [barabasi_albert]),
        ({"attachments": 1.5}, "attachments must be an integer", [barabasi_albert]),
    ],
)
def test_bad_arguments_are_refused(options, message, makers):
    for make in makers:
        with pytest.raises(ValueError, match=message):
            make(**options)


@pytest.mark.parametrize("name", ["erdos_renyi", "barabasi_albert"])
def test_without_networkx_an_error_names_the_command_that_installs_it(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(ImportError, match=r"needs networkx: pip install 'smoothgraph\[networkx\]'"):
        generate(name, 10, 0)
