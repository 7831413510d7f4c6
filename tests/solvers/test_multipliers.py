from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.solvers.multipliers import add, round_down


@given(seed=st.integers(0, 2**32 - 1), exponent=st.integers(-20, 3))
def test_small_steps_are_not_lost_beside_a_large_multiplier(seed, exponent):
    """Against exact arithmetic: what is lost is a rounding error of the steps, not of the multiplier."""
    rng = np.random.default_rng(seed)
    start = rng.uniform(0.5, 1, size=1)
    steps = rng.normal(size=(10, 1)) * 10.0**exponent
    u, tail = start, np.zeros(1)
    for step in steps:
        u, tail = add(u, tail, step)
    exact = Fraction(start[0]) + sum(Fraction(step[0]) for step in steps)
    lost = abs(Fraction(u[0]) + Fraction(tail[0]) - exact)
    assert lost <= 2.0**-50 * np.sum(np.abs(steps)) + 2.0**-100
    assert Fraction(round_down(u, tail)[0]) <= Fraction(u[0]) + Fraction(tail[0])
