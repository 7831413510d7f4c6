"""Matrix completion along graphs of the rows and columns."""

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from smoothgraph.estimators.node_data import check_squares, read_table
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree
from smoothgraph.tasks.graph_task import copy_labels
from smoothgraph.tasks.node_classifier import UnreachableWarning
from smoothgraph.tasks.partial_table import PartialTable, find_graph, scaled_laplacian
from smoothgraph.tasks.smooth_fit import SmoothFit, solve_low_rank, solve_smooth


@dataclass(eq=False, repr=False)
class MatrixCompletion(BaseEstimator):
    """``min 1/2 |P(X - M)|^2 + r/2 tr(X' L_r X) + c/2 tr(X L_c X') + g |X - mean|_*``.

    M is the table, and P keeps its known entries, those that are not NaN. X is close to them, smooth over a graph
    of the rows and a graph of the columns and, if asked for, of low rank. See Kalofolias, Bresson, Bronstein and
    Vandergheynst (2014), "Matrix completion on graphs". All entries must be of one kind, such as ratings or
    temperatures; scale columns in different units first.

    The strengths r, c and g mean the same for every table and graph. ``L_r`` and ``L_c`` are Laplacians divided by
    the mean degree of their graph: at strength 1 the neighbors of a known entry together count as much as the entry
    itself. ``g`` is ``rank_strength`` times the largest singular value of ``P(M - mean)``, where ``mean`` is the
    mean of the known entries; from ``rank_strength = 1`` on, X is constant. Multiplying the table by a number, or
    adding one to it, does the same to X.

    Without the nuclear norm, X solves one linear system, by conjugate gradients. It does not determine entries that
    no path along rows and columns joins to a known one. They stay NaN and are reported in ``unreachable_`` and by
    an :class:`UnreachableWarning`. The nuclear norm determines all entries; accelerated proximal gradients find X
    and a duality gap certifies it.

    Known entries are smoothed, too. ``np.where(np.isnan(M), model.completed_, M)`` restores them.

    Parameters
    ----------
    rows, columns : "learn", graph learner, graph or None
        The graph of each side. A copy of a learner is fitted to the table or its transpose: to the table itself if
        the learner has ``missing="pairwise"``, otherwise to a rough completion by the nuclear norm alone. "learn"
        means ``LogDegreeGraph()``. A graph is an adjacency matrix or a fitted learner; scikit-learn's parameter
        searches clone and refit the latter, so give them its ``adjacency_``. None means no graph on that side.
    row_strength, column_strength : float
        How smooth X is along each graph.
    rank_strength : float
        From 0, for any rank, to 1, for a constant.
    tol : float
        The relative residual of the linear system to reach, or the relative duality gap if ``rank_strength > 0``.
    max_iter : int
        The largest number of iterations.

    Attributes
    ----------
    completed_ : array or DataFrame
        X, with the labels of the table.
    row_graph_, column_graph_ : CSR arrays or None
        The adjacency matrices, before the division by their mean degrees.
    unreachable_ : bool array
        The entries that are left NaN.
    objective_ : float
        The minimum.
    residual_ : float
        The residual of the linear system, relative to its right-hand side; if ``rank_strength == 0``.
    dual_gap_ : float
        The proved relative distance of the objective from the minimum; if ``rank_strength > 0``.
    n_iter_, n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    Three stations in a row report for four hours. The second one measured nothing:

    >>> import numpy as np
    >>> from smoothgraph.tasks import MatrixCompletion
    >>> table = np.array([[1.0, 2.0, 3.0, 2.0], 4 * [np.nan], [3.0, np.nan, 5.0, 4.0]])
    >>> line = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> model = MatrixCompletion(rows=line, columns=None, row_strength=0.01)
    >>> model.fit_transform(table).round(1).tolist()
    [[1.0, 2.0, 3.0, 2.0], [2.0, 2.0, 4.0, 3.0], [3.0, 2.0, 5.0, 4.0]]

    Both graphs are learned from a table with two fifths of its entries missing:

    >>> truth = np.outer(np.linspace(1, 2, 20), np.sin(np.arange(30) / 5))
    >>> unknown = np.random.default_rng(0).random(truth.shape) < 0.4
    >>> completed = MatrixCompletion().fit_transform(np.where(unknown, np.nan, truth))
    >>> bool(np.std(completed - truth) < 0.1 * np.std(truth))
    True
    """

    _: KW_ONLY
    rows: Any = "learn"
    columns: Any = "learn"
    row_strength: float = 0.1
    column_strength: float = 0.1
    rank_strength: float = 0.0
    tol: float = 1e-6
    max_iter: int = 5000

    def fit(self, X: Any, y: Any = None) -> "MatrixCompletion":
        """Complete the table ``X``, whose unknown entries are NaN or masked."""
        check_number("tol", self.tol, above=0.0)
        check_count("max_iter", self.max_iter, minimum=1)
        for name in ("rank_strength", "row_strength", "column_strength"):
            check_number(name, getattr(self, name), minimum=0.0)
        table = self._read(X)
        self.row_graph_ = find_graph("rows", self.rows, table)
        self.column_graph_ = find_graph("columns", self.columns, table)
        rows = scaled_laplacian(self.row_graph_, table.values.shape[0], self.row_strength)
        columns = scaled_laplacian(self.column_graph_, table.values.shape[1], self.column_strength)
        deviation = self._minimize(SmoothFit(table.known, table.deviations, rows, columns))
        self.completed_ = copy_labels(X, np.where(self.unreachable_, np.nan, table.mean + deviation))
        n_lost = int(np.count_nonzero(self.unreachable_))
        if n_lost:
            warnings.warn(
                f"{n_lost} of {self.unreachable_.size} entries {agree(n_lost, 'is', 'are')} not joined to a known "
                f"one and {agree(n_lost, 'stays', 'stay')} NaN. Use denser graphs, or rank_strength > 0.",
                UnreachableWarning,
                stacklevel=2,
            )
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """``fit(X).completed_``."""
        return self.fit(X).completed_

    def _read(self, X: Any) -> PartialTable:
        if sp.issparse(X):
            raise InputError(
                "Expected a dense table with NaN at its unknown entries, got a sparse one, whose "
                "zeros would count as known; convert it and set its unknown entries to NaN."
            )
        if isinstance(X, np.ma.MaskedArray):
            X = np.ma.filled(X.astype(np.float64), np.nan)
        values = read_table(self, X, nodes="rows", ensure_all_finite="allow-nan")
        check_squares(values)
        return PartialTable(values)

    def _minimize(self, fit: SmoothFit) -> np.ndarray:
        """Return ``X - mean`` and set the attributes that describe it."""
        for name in {"residual_", "dual_gap_"} & set(vars(self)):
            delattr(self, name)  # set by an earlier fit
        if self.rank_strength == 0:
            found = solve_smooth(fit, tol=self.tol, max_iter=self.max_iter)
            self.residual_, what = found.distance, "relative residual"
            self.unreachable_ = fit.unreachable
        else:
            found = solve_low_rank(fit, self.rank_strength, tol=self.tol, max_iter=self.max_iter)
            self.dual_gap_, what = found.distance, "relative duality gap"
            self.unreachable_ = np.zeros_like(fit.known)
        self.objective_, self.n_iter_ = found.objective, found.n_iter
        if found.distance > self.tol:
            warnings.warn(
                f"MatrixCompletion did not reach tol={self.tol:g}: after {found.n_iter} "
                f"{agree(found.n_iter, 'iteration', 'iterations')} "
                f"the {what} is {found.distance:.2g}; raise max_iter or tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return found.X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
