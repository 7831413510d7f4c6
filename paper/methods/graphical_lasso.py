"""The graphical lasso: a sparse inverse covariance, read as a graph."""

from typing import Any

import numpy as np
from scipy.linalg import cho_solve

from smoothgraph.estimators.graph_method import GraphMethod, MethodResult
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError

_CHECK_EVERY = 10  # iterations: a check of the gap costs about as much as one iteration
_RELAXATION = 1.6  # Boyd et al. (2011), section 3.4.3, recommend 1.5 to 1.8
_PENALTY_FACTOR = 5.0  # a change of the penalty is at most this, and at least its fourth root


class GraphicalLassoGraph(GraphMethod):
    """``min -log det(T) + tr(C T) + alpha sum_ij |T_ij|``, then ``w_ij = max(0, -T_ij)``.

    This is the problem of Banerjee, El Ghaoui and d'Aspremont (2008), "Model selection through sparse maximum
    likelihood estimation", over positive definite T. C holds the correlations between nodes over the signals, so
    neither the units of the nodes nor the scale of the data matter. As in that paper, the sum includes the
    diagonal: the solution is scikit-learn's ``graphical_lasso`` of ``C + alpha I``. There may be fewer signals than
    nodes. A node that does not vary over the signals has no correlations and stays isolated.

    An edge is a positive partial correlation, because the off-diagonal entries of a Laplacian are not positive.
    Negative ones cannot be edges; they are left out but counted. The solver is the alternating direction method of
    multipliers, which computes an eigendecomposition in every iteration: use it for at most a few thousand nodes.

    Parameters
    ----------
    alpha : float
        The penalty, above 0. From the largest correlation between two nodes on, no edge is left.
    nodes, tol, max_iter
        See :mod:`smoothgraph.methods`.

    Attributes
    ----------
    precision_ : array
        T, which also has the negative partial correlations.
    n_negative_ : int
        The number of pairs left out because of a negative partial correlation.
    dual_gap_ : float
        The duality gap divided by the number of nodes, which is ``tr(T inv(T))``. It proves how close to the
        optimum T is.
    objective_, n_iter_, adjacency_, laplacian_, edges_per_node_, node_names_
        See :mod:`smoothgraph.methods`.

    Examples
    --------
    >>> import numpy as np
    >>> from paper.methods import GraphicalLassoGraph
    >>> walks = np.cumsum(np.random.default_rng(0).normal(size=(5, 1000)), axis=0)
    >>> graph = GraphicalLassoGraph(alpha=0.05).fit(walks)
    >>> graph.adjacency_.toarray().argmax(axis=1).tolist(), graph.dual_gap_ <= 1e-6
    ([1, 2, 3, 4, 3], True)
    """

    def __init__(self, alpha: float = 0.1, *, nodes: str = "rows", tol: float = 1e-6, max_iter: int = 5000) -> None:
        self.alpha = alpha
        self.nodes = nodes
        self.tol = tol
        self.max_iter = max_iter

    def _find(self, table: np.ndarray) -> MethodResult:
        alpha = check_number("alpha", self.alpha, above=0)
        tol = check_number("tol", self.tol, above=0)
        max_iter = check_count("max_iter", self.max_iter, minimum=1)
        precision, objective, gap, n_iter = _solve(_correlations(table), alpha, tol=tol, max_iter=max_iter)
        self._warn_unless_certified(gap, tol=tol, n_iter=n_iter)
        upper = np.triu(precision, 1)
        edges = PairSet.from_mask(upper < 0)
        attributes: dict[str, Any] = {"objective_": objective, "dual_gap_": gap, "n_iter_": n_iter}
        attributes |= {"precision_": precision, "n_negative_": int(np.count_nonzero(upper > 0))}
        return MethodResult(edges, edges.weights_of(upper), attributes)


def _correlations(table: np.ndarray) -> np.ndarray:
    """Return C; a node that does not vary is correlated only with itself."""
    if table.shape[1] < 2:
        raise InputError(
            f"Correlations between nodes need at least two signals, got n_features={table.shape[1]}"
            "; signals are columns unless nodes='columns'."
        )
    spread = np.ptp(table, axis=1, keepdims=True)
    varies = spread > 0
    unit = table - table.mean(axis=1, keepdims=True)
    unit /= np.where(varies, spread, 1)  # so that squares neither overflow nor vanish
    unit /= np.where(varies, np.linalg.norm(unit, axis=1, keepdims=True), 1)
    C = unit @ unit.T
    np.fill_diagonal(C, 1.0)
    return (C + C.T) / 2


def _solve(C: np.ndarray, alpha: float, *, tol: float, max_iter: int) -> tuple[np.ndarray, float, float, int]:
    """Return T, the objective, the gap and the iterations of the method of multipliers.

    See Boyd et al. (2011), "Distributed optimization and statistical learning via the alternating direction method
    of multipliers", section 6.5. The problem is split by ``T = sparse``. One half has a closed form in the
    eigenvectors of a symmetric matrix, the other is a soft threshold. The ``penalty`` of the split balances its two
    residuals.
    """
    sparse, multiplier, penalty = np.eye(len(C)) / (1 + alpha), np.zeros_like(C), 1.0
    objective, gap = _certify(C, sparse, alpha)
    if gap <= tol:  # no correlation is larger than alpha
        return sparse, objective, gap, 0
    for n_iter in range(1, max_iter + 1):
        T = _likelihood_step(C, sparse - multiplier, penalty)
        relaxed = _RELAXATION * T + (1 - _RELAXATION) * sparse + multiplier
        shrunk = np.maximum(np.abs(relaxed) - alpha / penalty, 0)
        before, sparse = sparse, np.sign(relaxed) * shrunk
        multiplier = relaxed - sparse
        if n_iter % _CHECK_EVERY == 0 or n_iter == max_iter:
            objective, gap = _certify(C, sparse, alpha)
            if gap <= tol:
                break
            factor = _penalty_change(T, sparse, before, multiplier)
            penalty, multiplier = penalty * factor, multiplier / factor
    return sparse, objective, gap, n_iter


def _likelihood_step(C: np.ndarray, target: np.ndarray, penalty: float) -> np.ndarray:
    """``argmin_T -log det(T) + tr(C T) + penalty / 2 |T - target|^2``."""
    values, vectors = np.linalg.eigh(penalty * target - C)
    total = np.abs(values) + np.sqrt(values**2 + 4 * penalty)  # avoids cancellation
    T = (vectors * np.where(values > 0, total / (2 * penalty), 2 / total)) @ vectors.T
    return (T + T.T) / 2


def _penalty_change(T: np.ndarray, sparse: np.ndarray, before: np.ndarray, multiplier: np.ndarray) -> float:
    """Return the factor for the penalty that makes both relative residuals equally large."""
    primal = np.linalg.norm(T - sparse) / np.linalg.norm(T)
    dual = np.linalg.norm(sparse - before) / np.linalg.norm(multiplier)
    if primal == 0 or dual == 0:
        return 1.0
    factor = float(np.clip(np.sqrt(primal / dual), 1 / _PENALTY_FACTOR, _PENALTY_FACTOR))
    return factor if abs(np.log(factor)) > np.log(_PENALTY_FACTOR) / 4 else 1.0


def _certify(C: np.ndarray, T: np.ndarray, alpha: float) -> tuple[float, float]:
    """Return the objective and ``(objective - dual(V)) / m``, where ``dual(V) = log det(V) + m``.

    V is the inverse of T clipped to ``|V - C| <= alpha``. Both numbers are infinite unless T and V are positive
    definite.
    """
    try:
        factor = np.linalg.cholesky(T)
        inverse = cho_solve((factor, True), np.eye(len(C)))
        V = np.clip((inverse + inverse.T) / 2, C - alpha, C + alpha)
        log_det_V = _log_det(np.linalg.cholesky(V))
    except np.linalg.LinAlgError:
        return np.inf, np.inf
    objective = float(-_log_det(factor) + np.sum(C * T) + alpha * np.sum(np.abs(T)))
    return objective, abs(objective - log_det_V - len(C)) / len(C)


def _log_det(factor: np.ndarray) -> float:
    return 2 * float(np.sum(np.log(np.diag(factor))))
