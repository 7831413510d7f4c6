"""GL-SigRep: a Laplacian and the signals that are smooth on it, together."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from smoothgraph import L2DegreeGraph
from smoothgraph.estimators.joint import JointGraph
from smoothgraph.methods.method import Found, GraphMethod
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count, check_number


class SigRepGraph(GraphMethod):
    """``min |X - Y|^2 + alpha tr(Y'LY) + beta |L|_F^2`` with ``tr(L) = m``, over Y and L.

    The algorithm GL-SigRep of Dong, Thanou, Frossard and Vandergheynst (2016), Learning
    Laplacian matrix in smooth graph signal representations: m nodes, L a Laplacian. It learns
    L from Y, then Y from L, in turns; each step is exact, so that the objective never
    increases, but what is reached is a local minimum. This is a :class:`smoothgraph.JointGraph`
    with an :class:`smoothgraph.L2DegreeGraph` whose own parameter is ``2 beta / alpha``.

    Parameters
    ----------
    edges_per_node : float, optional
        The density of the first graph, that of X itself, from which beta follows; that of the
        last one differs as much as the signals were smoothed. 10 by default, or fewer if there
        are few nodes.
    alpha : float
        How much to smooth: a signal's graph frequency lambda is damped by
        ``1 / (1 + alpha lambda)``. The mean degree is 1.
    beta : float, optional
        In place of ``edges_per_node``: a larger one gives more edges. It grows with the square
        of the scale of the data.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns; the others are the signals.
    tol, max_iter : float, int
        Stop once a round improves the objective by less than the share ``tol``, and after so
        many rounds at the latest, which is warned of.

    Attributes
    ----------
    adjacency_, laplacian_ : CSR arrays
        The graph.
    signals_ : array
        Y, one row per node.
    beta_ : float
        The beta that was given, or that gave the density asked for.
    objective_ : list of float
        The objective after the first graph and after every round.
    dual_gap_ : float
        The relative duality gap of the last graph given the signals it was learned from.
    edges_per_node_ : float
        The mean number of neighbours.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.
    n_iter_ : int
        The rounds needed.

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

    def __init__(
        self,
        edges_per_node: float | None = None,
        *,
        alpha: float = 0.3,
        beta: float | None = None,
        nodes: str = "rows",
        tol: float = 1e-4,
        max_iter: int = 100,
    ) -> None:
        self.edges_per_node = edges_per_node
        self.alpha = alpha
        self.beta = beta
        self.nodes = nodes
        self.tol = tol
        self.max_iter = max_iter

    def _find(self, table: np.ndarray) -> Found:
        alpha = check_number("alpha", self.alpha, above=0)
        check_count("max_iter", self.max_iter, minimum=1)
        unit = float(np.max(np.abs(table))) or 1.0
        table = table / unit
        beta = self._beta(table, alpha, unit)
        joint = JointGraph(
            L2DegreeGraph(alpha=2 * beta / alpha),
            strength=alpha,
            tol=self.tol,
            max_iter=self.max_iter,
        ).fit(table)
        self._warn_unless_settled(joint)
        edges = PairSet.from_mask(joint.adjacency_)
        attributes = {
            "signals_": unit * joint.signals_,
            "beta_": unit**2 * beta,
            "objective_": [unit**2 * value for value in joint.objective_],
            "dual_gap_": joint.dual_gap_,
            "n_iter_": joint.n_iter_,
        }
        return Found(edges, edges.weights_of(joint.adjacency_), attributes)

    def _beta(self, table: np.ndarray, alpha: float, unit: float) -> float:
        """The beta for a table in this unit."""
        if self.beta is None:
            first = L2DegreeGraph(edges_per_node=self.edges_per_node).fit(table)
            return alpha * first.alpha_ / 2
        if self.edges_per_node is not None:
            raise ValueError(
                "Give either edges_per_node or beta, not both; got "
                f"edges_per_node={self.edges_per_node!r} and beta={self.beta!r}."
            )
        return check_number("beta", self.beta, above=0) / unit**2

    def _warn_unless_settled(self, joint: JointGraph) -> None:
        before, after = joint.objective_[-2:]
        if before - after > self.tol * abs(before):
            warnings.warn(
                f"SigRepGraph did not reach tol={self.tol:g}: the last of {joint.n_iter_} rounds "
                f"improved the objective by the share {(before - after) / abs(before):.2g}; "
                "raise max_iter.",
                ConvergenceWarning,
                stacklevel=4,
            )
