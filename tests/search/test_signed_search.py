"""Search among rows and their negatives; test_levels has the properties that it shares with other searches."""

import numpy as np
from scipy.spatial.distance import cdist

from smoothgraph.search.signed_search import SignedSearch


def smaller_distances(X):
    Z = np.minimum(cdist(X, X, "sqeuclidean"), cdist(X, -X, "sqeuclidean"))
    np.fill_diagonal(Z, np.inf)
    return Z


def test_a_pair_within_reach_with_both_signs_comes_once_at_the_smaller_distance(rng):
    X = rng.normal(size=(60, 3))
    Z, search, far = smaller_distances(X), SignedSearch.of(X), np.full(60, 1e9)
    for found, expected in (
        (search.within(far), 60 * 59 // 2),
        (search.within(far, np.arange(7)), 7 * 59),
        (search.within_either(far), 60 * 59 // 2),
        (search.between(np.arange(60) % 2, far, np.arange(10)), 10 * 30),
    ):
        assert len(set(zip(found.i.tolist(), found.j.tolist(), strict=True))) == len(found.i) == expected
        np.testing.assert_allclose(found.z, Z[found.i, found.j], rtol=1e-9)


def test_the_nearest_are_distinct_and_other_nodes(rng):
    X = rng.normal(size=(40, 2))
    for k in (1, 5, 39):
        ids, z = SignedSearch.of(X).nearest(k)
        np.testing.assert_allclose(z, np.sort(smaller_distances(X), axis=1)[:, :k], rtol=1e-9)
        np.testing.assert_allclose(z, np.take_along_axis(smaller_distances(X), ids, 1), rtol=1e-9)
        assert all(len(set(row)) == k for row in ids.tolist())


def test_the_order_numbers_every_node_once(rng):
    assert sorted(SignedSearch.of(rng.normal(size=(700, 3))).order) == list(range(700))
