"""Newton's equations, also where they are singular."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph import Pairs, PairSet
from smoothgraph.pairs.curvature_in_memory import CurvatureInMemory
from smoothgraph.problem import Curvature
from smoothgraph.solvers.linear_system import LinearSystem


def bipartite(m, width):
    """All pairs of an even with an odd node that is at most ``width`` away: a path, or many pairs."""
    apart = np.arange(m)[:, None] - np.arange(m)
    return PairSet.from_pairs(*np.nonzero((apart % 2 == 1) & (np.abs(apart) <= width)), m)


def curvature(pattern, diagonal, rng):
    pairs = Pairs(pattern, np.ones(pattern.n_pairs))
    return Curvature(CurvatureInMemory(pairs, 10 ** rng.uniform(-6, 6, size=pattern.n_pairs)), diagonal, None)


@given(st.integers(4, 30), st.sampled_from([1, 30]), st.integers(0, 2**32 - 1), st.sampled_from([1e-30, 1e-16, 1e-10]))
def test_every_answer_ascends(m, width, seed, share):
    """The even nodes against the odd ones: along this direction nothing but ``share`` curves."""
    rng = np.random.default_rng(seed)
    b = rng.normal(size=m)
    assert b @ LinearSystem(curvature(bipartite(m, width), np.full(m, share), rng)).solve(b, 1e-6) > 0


@pytest.mark.parametrize("stiffness", [1.0, 1e12, 1e16, 1e24])
def test_stiff_pairs_cost_no_digits(stiffness, rng):
    """``c (x_i + x_j) + d_i x_i = b_i`` for two nodes: in a sum with a large ``c``, their ``d`` would be lost."""
    d, b = np.array([2.0, 3.0]), rng.normal(size=2)
    pairs = Pairs(PairSet.all_pairs(2), np.ones(1))
    hessian = Curvature(CurvatureInMemory(pairs, np.array([stiffness])), d, None)
    x = LinearSystem(hessian).solve(b, 1e-12)
    determinant = d[0] * d[1] + stiffness * d.sum()
    expected = (b * d[::-1] + stiffness * (b - b[::-1])) / determinant
    np.testing.assert_allclose(x, expected, rtol=1e-9)


def test_an_answer_ascends_where_the_matrix_is_singular_along_the_gradient():
    """``I - 11'/m`` along 1: a squared prior whose total leaves no way to balance."""
    m, pairs = 9, Pairs(PairSet.all_pairs(9), np.ones(36))
    hessian = Curvature(CurvatureInMemory(pairs, np.zeros(36)), np.ones(m), np.full(m, 1 / np.sqrt(m)))
    assert np.ones(m) @ LinearSystem(hessian).solve(np.ones(m), 1e-6) > 0


@pytest.mark.parametrize("width", [1, 30])
def test_the_rank_one_part_is_taken_off(width, rng):
    """Of a path, which is factorized at once, and of a graph with more pairs."""
    m, pattern = 20, bipartite(20, width)
    hessian = replace(curvature(pattern, np.full(m, 2.0), rng), r=np.full(m, 0.3))
    matrix = np.column_stack([hessian @ column for column in np.eye(m)])
    b = rng.normal(size=m)
    np.testing.assert_allclose(matrix @ LinearSystem(hessian).solve(b, 1e-10), b, atol=1e-6)
