"""Sinkhorn's method in the log domain: a start for Newton where weights are exponentials and degrees are fixed.

A far-away node needs a multiplier at which all its weights at any ordinary start vanish in double precision, and
with them the derivatives that Newton would follow. The logarithms of its degree do not vanish.
"""

import numpy as np

from smoothgraph.problem import Problem

_CLOSE = 0.1  # the logarithms of all degrees, for Newton to take over
_MOST_ROUNDS = 1000


def scale_to_degrees(problem: Problem, u: np.ndarray) -> np.ndarray:
    """Move every ``u_i`` half of the way to where its node has the wanted degree, and repeat."""
    temperature = problem.edge_prior.temperature
    assert temperature is not None, "weights are exponentials"
    wanted = np.log(problem.degree_prior.maximizer(u))
    for _ in range(_MOST_ROUNDS):
        miss = wanted - problem.evaluate(u).log_degrees()
        if np.max(np.abs(miss)) <= _CLOSE:
            break
        u = u + temperature / 2 * miss
    return u
