"""PairSet.with_values, contains and mirror against plain dictionaries."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import PairSet
from smoothgraph.pairs import pair_kernels as kernels

N = 9
NODE = st.integers(0, N - 1)
PAIRS = st.lists(st.tuples(NODE, NODE).filter(lambda pair: pair[0] != pair[1]), max_size=60)


def ends(pairs):
    array = np.array(pairs, dtype=np.int32).reshape(-1, 2)
    return array[:, 0], array[:, 1]


def value_of(pair):
    """Of a pair in either order the same."""
    return 100.0 * min(pair) + max(pair) + 0.5


def built(pairs):
    return PairSet.with_values(*ends(pairs), np.array([value_of(p) for p in pairs], float), N)


def sorted_pairs(pairs):
    return sorted({(min(pair), max(pair)) for pair in pairs})


@given(PAIRS)
def test_with_values_merges_repeats_and_sorts(pairs):
    edges, values = built(pairs)
    expected = sorted_pairs(pairs)
    assert list(zip(edges.rows.tolist(), edges.cols.tolist(), strict=True)) == expected
    assert values.tolist() == [value_of(pair) for pair in expected]
    assert edges.indptr.tolist() == [sum(i < row for i, _ in expected) for row in range(N + 1)]


@given(st.lists(st.tuples(NODE, NODE, st.floats(0, 9)), min_size=1, max_size=60))
def test_of_repeats_one_is_kept(triples):
    triples = [(i, j, value) for i, j, value in triples if i != j]
    given_values = {}
    for i, j, value in triples:
        given_values.setdefault((min(i, j), max(i, j)), set()).add(value)
    i, j = ends([triple[:2] for triple in triples])
    edges, values = PairSet.with_values(i, j, np.array([t[2] for t in triples], float), N)
    assert len(values) == len(given_values)
    for a, b, value in zip(edges.rows.tolist(), edges.cols.tolist(), values, strict=True):
        assert value in given_values[a, b]


@given(PAIRS, st.lists(st.tuples(NODE, NODE), min_size=1, max_size=60))
def test_contains_in_either_order(pairs, asked):
    here = set(sorted_pairs(pairs))
    expected = [(min(pair), max(pair)) in here for pair in asked]
    assert built(pairs)[0].contains(*ends(asked)).tolist() == expected


def test_contains_of_no_pairs():
    assert built([(0, 1)])[0].contains(*ends([])).shape == (0,)


@given(PAIRS)
def test_mirror_holds_every_pair_at_both_ends(pairs):
    edges, values = built(pairs)
    indptr, cols, both = edges.mirror(values)
    neighbors = {node: {} for node in range(N)}
    for i, j in sorted_pairs(pairs):
        neighbors[i][j] = neighbors[j][i] = value_of((i, j))
    assert len(cols) == len(both) == indptr[-1] == 2 * edges.n_pairs
    for node in range(N):
        part = slice(indptr[node], indptr[node + 1])
        assert len(cols[part]) == len(neighbors[node])
        assert dict(zip(cols[part].tolist(), both[part].tolist(), strict=True)) == neighbors[node]


@given(PAIRS, st.integers(0, N))
def test_threads_mirror_their_own_nodes(pairs, cut):
    """Blocks of nodes one after the other give what all nodes at once give."""
    edges, values = built(pairs)
    indptr, cols, both = edges.mirror(values)
    own_cols, own_both = np.full_like(cols, -1), np.full_like(both, np.nan)
    for first, last in ((0, cut), (cut, N)):
        kernels.mirror(first, last, edges.indptr, edges.cols, values, indptr, own_cols, own_both)
    np.testing.assert_array_equal(own_cols, cols)
    np.testing.assert_array_equal(own_both, both)
