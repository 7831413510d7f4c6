"""Bridges between components are a minimum spanning forest, by SciPy's over all pairs."""

import numpy as np
import pytest
import scipy.sparse as sp
from engines import BruteForce
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree
from scipy.spatial.distance import cdist

from smoothgraph import Pairs, PairSet
from smoothgraph.candidates.source import EngineSource
from smoothgraph.candidates.spanning_forest import join_components
from smoothgraph.search import TiledSearch
from smoothgraph.search.scaled_engine import ScaledEngine


def forest_length(Z, component):
    """The length of a minimum spanning forest of the components, by SciPy."""
    n = component.max() + 1
    between = np.full((n, n), np.inf)
    np.minimum.at(between, (component[:, None], component[None]), Z)
    np.fill_diagonal(between, np.inf)
    # By ranks, which count from 1: SciPy takes a zero for a missing pair.
    rank = np.unique(between, return_inverse=True)[1].reshape(n, n) + 1
    tree = minimum_spanning_tree(np.where(np.isfinite(between), rank, 0)).tocoo()
    return between[tree.row, tree.col].sum()


def all_pairs(Z):
    return Pairs.from_distances(Z)


def nearest_pairs(X, k, metric="sqeuclidean"):
    """Candidates of a source: near pairs only, most of them within components."""
    source = EngineSource(TiledSearch.of(X, metric))
    return source, source.nearest(k, 1.0).pairs


def assert_is_minimal(bridges, component, Z):
    """As many bridges as it takes, between different components, and together as short as can be."""
    i, j, z = bridges
    n = component.max() + 1
    assert len(i) == n - 1
    assert np.all(i < j)
    merged = sp.coo_array((np.ones(len(i)), (component[i], component[j])), shape=(n, n))
    assert connected_components(merged, directed=False)[0] == 1
    np.testing.assert_allclose(z, Z[i, j], rtol=1e-9, atol=1e-30)
    np.testing.assert_allclose(z.sum(), forest_length(Z, component), rtol=1e-9)


def gaussian(m, rng):
    return rng.normal(size=(m, 3))


def islands(m, rng):
    centers = 10.0 ** rng.uniform(0, 6, size=(9, 1)) * rng.normal(size=(9, 3))
    return centers[rng.integers(9, size=m)] + rng.normal(size=(m, 3))


def grid(m, rng):
    """Integers: nearly all distances are ties, and some rows are copies."""
    return rng.integers(0, 6, size=(m, 3)).astype(float)


CASES = st.tuples(
    st.sampled_from([gaussian, islands, grid]),
    st.sampled_from([12, 80, 300]),
    st.sampled_from([2, 3, 10, 10**6]),
    st.integers(0, 10**6),
)


def drawn(case):
    """Rows, and components: at random, or near places, some of a single node."""
    kind, m, n_components, seed = case
    rng = np.random.default_rng(seed)
    X = kind(m, rng)
    n = min(n_components, m)
    label = rng.integers(n, size=m)
    if rng.random() < 0.5:
        label = cdist(X, X[rng.choice(m, n, replace=False)]).argmin(axis=1)
    label[0] = n  # alone
    return X, np.unique(label, return_inverse=True)[1], rng


@settings(max_examples=40)
@given(CASES, st.sampled_from(["sqeuclidean", "euclidean"]), st.booleans())
def test_bridges_are_a_minimum_spanning_forest(case, metric, local):
    """Among all pairs at hand, and by search from a few near pairs, with and without scales."""
    X, component, rng = drawn(case)
    Z = cdist(X, X, metric)
    source, near = nearest_pairs(X, 3, metric)
    pairs = all_pairs(Z)
    if local:
        s = rng.uniform(0.5, 2, size=len(X))
        Z, source = (Z / np.outer(s, s)) ** 2, source.with_scale(s)
        near, pairs = near.localize(s), pairs.localize(s)
    assert_is_minimal(join_components(component, pairs, None), component, Z)
    assert_is_minimal(join_components(component, near, source), component, Z)


@settings(max_examples=10)
@given(CASES)
def test_an_engine_of_a_user_finds_the_forest_too(case):
    X, component, rng = drawn(case)
    engine = BruteForce(X + 1e-3 * rng.normal(size=X.shape), "cityblock")
    source = EngineSource(ScaledEngine(engine))
    near = source.nearest(3, 1.0).pairs
    assert_is_minimal(join_components(component, near, source), component, engine.Z)


def test_hundreds_of_far_islands(rng):
    """Candidates reach no other island, and distances are up to 10^12 times those within."""
    centers = 10.0 ** rng.uniform(2, 6, size=(150, 1)) * rng.normal(size=(150, 2))
    component = np.repeat(np.arange(150), 8)
    X = centers[component] + 0.1 * rng.normal(size=(1200, 2))
    component = np.unique(cdist(X, centers).argmin(axis=1), return_inverse=True)[1]
    source, near = nearest_pairs(X, 4)
    assert_is_minimal(join_components(component, near, source), component, cdist(X, X, "sqeuclidean"))


def test_one_component_needs_no_bridge(rng):
    X = gaussian(20, rng)
    source, near = nearest_pairs(X, 3)
    i, j, z = join_components(np.zeros(20, int), near, source)
    assert len(i) == len(j) == len(z) == 0


def test_the_largest_component_is_reached_from_outside(rng):
    """A single node beside 2,000 others, and a pair of nodes far from both."""
    X = np.concatenate([rng.normal(size=(2000, 2)), [[5.0, 5.0], [400.0, 0.0], [401.0, 0.0]]])
    component = np.concatenate([np.zeros(2000, int), [1, 2, 2]])
    source, near = nearest_pairs(X, 3)
    assert_is_minimal(join_components(component, near, source), component, cdist(X, X, "sqeuclidean"))


@pytest.mark.parametrize("seed", range(5))
def test_candidates_that_do_not_connect_all_leave_several_components(seed):
    """Without a search, bridges are candidates: a forest, not a tree."""
    rng = np.random.default_rng(seed)
    half = rng.integers(2, size=60)
    mask = np.triu((half[:, None] == half) & (rng.random((60, 60)) < 0.5), 1)
    pattern = PairSet.from_mask(mask)
    z = rng.uniform(1, 2, size=pattern.n_pairs)
    Z = np.full((60, 60), np.inf)
    Z[pattern.rows, pattern.cols] = Z[pattern.cols, pattern.rows] = z
    component = np.unique(2 * rng.integers(6, size=60) + half, return_inverse=True)[1]
    i, j, length = join_components(component, Pairs(pattern, z), None)
    assert len(i) == component.max() + 1 - 2
    assert np.all(half[i] == half[j])
    np.testing.assert_allclose(length.sum(), forest_length(Z, component), rtol=1e-12)
