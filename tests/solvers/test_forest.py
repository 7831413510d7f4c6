"""The forest of the stiffest pairs, which preconditions Newton's equations."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components, minimum_spanning_tree

from smoothgraph import Pairs, PairSet
from smoothgraph.pairs.curvature_in_memory import CurvatureInMemory
from smoothgraph.problem import Curvature
from smoothgraph.solvers.forest import Forest
from smoothgraph.solvers.linear_system import LinearSystem


def random_matrix(m, share, seed, order=None):
    """Some of all pairs with curvatures over twelve decades, and the dense matrix."""
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(m, 1)
    kept = rng.random(len(i)) < share
    pattern = PairSet.from_pairs(i[kept], j[kept], m)
    c, diagonal = 10 ** rng.uniform(-6, 6, pattern.n_pairs), 10 ** rng.uniform(-3, 3, m)
    hessian = Curvature(CurvatureInMemory(Pairs(pattern, np.ones(pattern.n_pairs), order), c), diagonal, None)
    return hessian, np.column_stack([hessian @ column for column in np.eye(m)])


@given(st.integers(2, 25), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_it_is_the_matrix_without_the_pairs_that_close_a_cycle(m, share, seed):
    hessian, matrix = random_matrix(m, share, seed)
    off = matrix - np.diag(np.diag(matrix))
    off[off <= 0.02 * np.minimum.outer(np.diag(matrix), np.diag(matrix))] = 0  # weak pairs
    strongest = -minimum_spanning_tree(sp.csr_array(-off)).toarray()
    expected = np.diag(np.diag(matrix)) + strongest + strongest.T
    forest = Forest.of(hessian)
    inverse = np.column_stack([forest.solve(column) for column in np.eye(m)])
    scale = np.sqrt(np.diag(matrix))
    np.testing.assert_allclose(inverse @ expected * scale[:, None] / scale, np.eye(m), atol=1e-6)


@given(st.integers(2, 40), st.floats(0, 1), st.integers(0, 2**32 - 1))
def test_it_is_symmetric_and_positive(m, share, seed):
    hessian, matrix = random_matrix(m, share, seed)
    inverse = np.column_stack([Forest.of(hessian).solve(column) for column in np.eye(m)])
    scale = np.sqrt(np.diag(matrix))
    scaled = inverse * scale[:, None] * scale
    np.testing.assert_allclose(scaled, scaled.T, atol=1e-8 * np.abs(scaled).max())
    assert np.linalg.eigvalsh((scaled + scaled.T) / 2).min() > 0


def test_nodes_may_be_stored_in_another_order(rng):
    m = 30
    order = rng.permutation(m).astype(np.int32)
    hessian, matrix = random_matrix(m, 0.05, 3, order)
    b = rng.normal(size=m)
    np.testing.assert_allclose(matrix @ LinearSystem(hessian).solve(b, 1e-12), b, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("n_nodes", [4000, 20_000])
def test_long_stiff_paths_are_solved(n_nodes, rng):
    """Too many nodes for a factorization of any matrix, and a path that conjugate gradients alone cannot follow."""
    i = np.arange(n_nodes - 1)
    chord = rng.integers(n_nodes - 10, size=3 * n_nodes)
    pattern = PairSet.from_pairs(np.concatenate([i, chord]), np.concatenate([i + 1, chord + 7]), n_nodes)
    stiff = np.abs(pattern.rows - pattern.cols) == 1
    c = np.where(stiff, 1e6, 1e-6)
    hessian = Curvature(CurvatureInMemory(Pairs(pattern, np.ones(pattern.n_pairs)), c), np.full(n_nodes, 1.0), None)
    assert connected_components(pattern.adjacency(c))[0] == 1
    b = rng.normal(size=n_nodes)
    residual = hessian @ LinearSystem(hessian).solve(b, 1e-6) - b
    assert residual @ residual <= 1e-10 * (b @ b)
