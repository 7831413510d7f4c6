"""GL-SigRep: a Laplacian, learned together with signals that are smooth on it."""

import warnings
from dataclasses import KW_ONLY, dataclass

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.estimators.l2_degree import L2DegreeGraph
from smoothgraph.methods.joint import JointGraph
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError


@dataclass(eq=False, repr=False)
class SigRepGraph(GraphMethod):
    """``min |X - Y|^2 + alpha tr(Y'LY) + beta |L|_F^2`` with ``tr(L) = m``, over Y and L.

    L is the Laplacian of a graph of m nodes. This is the algorithm GL-SigRep of Dong, Thanou, Frossard and
    Vandergheynst (2016), "Learning Laplacian matrix in smooth graph signal representations". It alternates between
    learning L from Y and Y from L. Each step is exact, so the objective never increases, but the result is only a
    local minimum. It is a :class:`smoothgraph.JointGraph` of an :class:`smoothgraph.L2DegreeGraph` whose ``alpha`` is
    ``2 beta / alpha``.

    Parameters
    ----------
    edges_per_node : float, optional
        The density of the first graph, that of X itself, which determines beta. The more the signals are smoothed,
        the more the density of the last graph differs from it. The default is 10, or less if there are few nodes.
    alpha : float
        How much to smooth: the graph frequency lambda of a signal is damped by ``1 / (1 + alpha lambda)``. The mean
        degree is 1.
    beta : float, optional
        Takes the place of ``edges_per_node``; a larger beta gives more edges. To get the same graph, scale it with
        the square of the scale of the data.
    nodes
        See :mod:`smoothgraph.methods`.
    tol, max_iter : float, int
        Stop once a round improves the objective by less than the share ``tol``, or with a warning after
        ``max_iter`` rounds.

    Attributes
    ----------
    signals_ : array
        Y, one row per node.
    beta_ : float
        The given beta, or the one that gives the requested density.
    objective_ : list of float
        The objective after the first graph and after every round.
    dual_gap_ : float
        The relative duality gap of the last graph, given the signals it was learned from.
    n_iter_, adjacency_, laplacian_, edges_per_node_, n_components_, node_names_
        The number of rounds, and the graph; see :mod:`smoothgraph.methods`.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.methods import SigRepGraph
    >>> rng = np.random.default_rng(0)
    >>> X = np.cumsum(rng.normal(size=(30, 50)), axis=0) + rng.normal(size=(30, 50))
    >>> graph = SigRepGraph(edges_per_node=4, alpha=0.5).fit(X)
    >>> round(float(graph.laplacian_.trace()), 6), graph.signals_.shape
    (30.0, (30, 50))
    """

    edges_per_node: float | None = None
    _: KW_ONLY
    alpha: float = 0.3
    beta: float | None = None
    nodes: str = "rows"
    tol: float = 1e-4
    max_iter: int = 100

    def _find(self, table: np.ndarray) -> MethodResult:
        alpha = check_number("alpha", self.alpha, above=0)
        check_count("max_iter", self.max_iter, minimum=1)
        unit = float(np.max(np.abs(table))) or 1.0
        table = table / unit
        if self.beta is None:
            beta = alpha * L2DegreeGraph(edges_per_node=self.edges_per_node).fit(table).alpha_ / 2
        elif self.edges_per_node is None:
            beta = check_number("beta", self.beta, above=0) / unit**2
        else:
            given = f"edges_per_node={self.edges_per_node!r} and beta={self.beta!r}"
            raise InputError(f"Give either edges_per_node or beta, not both; got {given}.")
        learner = L2DegreeGraph(alpha=2 * beta / alpha)
        joint = JointGraph(learner, strength=alpha, tol=self.tol, max_iter=self.max_iter).fit(table)
        before, after = joint.objective_[-2:]
        if before - after > self.tol * abs(before):
            warnings.warn(
                f"SigRepGraph did not reach tol={self.tol:g}: the last of {joint.n_iter_} rounds improved the "
                f"objective by the share {(before - after) / abs(before):.2g}; raise max_iter.",
                ConvergenceWarning,
                stacklevel=3,
            )
        edges = PairSet.from_mask(joint.adjacency_)
        attributes = {
            "signals_": unit * joint.signals_,
            "beta_": unit**2 * beta,
            "objective_": [unit**2 * value for value in joint.objective_],
            "dual_gap_": joint.dual_gap_,
            "n_iter_": joint.n_iter_,
        }
        return MethodResult(edges, edges.weights_of(joint.adjacency_), attributes)
