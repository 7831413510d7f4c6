"""The parameters of GSPBox, as a learner."""

from smoothgraph.estimators.graph_learner import GraphLearner
from smoothgraph.estimators.l2_degree import L2DegreeGraph
from smoothgraph.estimators.log_degree import LogDegreeGraph
from smoothgraph.support.input_error import InputError


def from_gspbox(a: float = 1.0, b: float | None = None, k: float | None = None) -> GraphLearner:
    """Return the learner that minimizes what a function of GSPBox minimizes; fit it to the same distances ``Z``.

    =============================================================  ========================
    GSPBox                                                         here
    =============================================================  ========================
    ``gsp_learn_graph_log_degrees(Z, a, b)``                       ``from_gspbox(a, b)``
    ``gsp_learn_graph_log_degrees(theta * Z, 1, 1)`` with          ``from_gspbox(k=k)``
    ``theta = gsp_compute_graph_learning_theta(Z, k)``
    ``gsp_learn_graph_l2_degrees(Z, a)``                           ``from_gspbox(a)``
    =============================================================  ========================

    Parameters
    ----------
    a, b : float
        Those of GSPBox. Without ``b``, the model is that of ``gsp_learn_graph_l2_degrees``.
    k : float, optional
        The number of edges per node. GSPBox estimates a ``theta`` for it; here, it is met within 1%, by ``theta_``.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.convert import from_gspbox
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> Z = np.sum((X[:, None] - X[None]) ** 2, axis=2)
    >>> round(from_gspbox(k=5).fit(Z).edges_per_node_)
    5
    """
    if k is not None:
        if a != 1 or b not in (None, 1):
            raise InputError(
                f"Expected a and b of 1 with k, for which GSPBox scales Z, got a={a!r} and b={b!r}; leave out k, or a "
                "and b."
            )
        return LogDegreeGraph(edges_per_node=k, metric="precomputed")
    if b is None:
        return L2DegreeGraph(alpha=a / 2, metric="precomputed")
    return LogDegreeGraph(alpha=a, beta=b, metric="precomputed")
