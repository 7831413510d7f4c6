"""Tables with holes, filled in along graphs of their rows and columns."""

import warnings
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags

from smoothgraph.estimators.node_data import check_squares, read_table
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.tasks._labels import labelled_like
from smoothgraph.tasks._nuclear import low_rank
from smoothgraph.tasks._smooth_fit import SmoothFit, smoothest
from smoothgraph.tasks._table import Table, graph_of, scaled_laplacian
from smoothgraph.tasks.harmonic import UnreachableWarning


class MatrixCompletion(BaseEstimator):
    """``min 1/2 |P(X - M)|^2 + r/2 tr(X' L_r X) + c/2 tr(X L_c X') + g |X - mean|_*``.

    The table M is known where it is not NaN, which is what P keeps. X is close to it there,
    smooth over a graph of the rows and over a graph of the columns, and of low rank if that is
    asked for: Kalofolias, Bresson, Bronstein and Vandergheynst (2014), "Matrix completion on
    graphs". All entries are of one kind, such as ratings or temperatures; columns in different
    units have to be scaled first.

    Strengths mean the same for every table and every graph. ``L_r`` and ``L_c`` are Laplacians
    divided by the mean degree of their graph: at strength 1 the neighbours of a known entry count
    together as much as the entry itself. ``g`` is ``rank_strength`` times the largest singular
    value of ``P(M - mean)``, where ``mean`` is that of the known entries; from 1 on, X is constant.
    If the table is multiplied by a number or a number is added to it, so is X.

    Without the nuclear norm X is the solution of one linear system, found by conjugate gradients.
    It leaves entries open that no path along rows and columns joins to a known one: they stay NaN
    and are reported, in ``unreachable_`` and by an :class:`UnreachableWarning`. With the nuclear
    norm nothing is left open; X is found by accelerated proximal gradients and certified by a
    duality gap.

    Known entries are smoothed, too. To have them as they were:
    ``np.where(np.isnan(M), model.completed_, M)``.

    Parameters
    ----------
    rows, columns : "learn", graph learner, graph or None
        The graph of each side. A copy of a learner is fitted to the table, or to its transpose:
        as it is if the learner has ``missing="pairwise"``, otherwise after a rough completion by
        the nuclear norm alone. "learn" stands for ``LogDegreeGraph()``. A graph is an adjacency
        matrix or a fitted learner (which scikit-learn's searches, as they clone, would fit anew:
        give them its ``adjacency_``). None is for no graph on that side.
    row_strength, column_strength : float
        How smooth X is along each graph.
    rank_strength : float
        From 0, for any rank, to 1, for a constant.
    tol : float
        The relative residual of the linear system to reach, or, if ``rank_strength > 0``, the
        relative duality gap.
    max_iter : int
        The iterations allowed for it.

    Attributes
    ----------
    completed_ : array or DataFrame
        X, with the labels of the table.
    row_graph_, column_graph_ : CSR arrays or None
        The adjacency matrices, before the division by their mean degrees.
    unreachable_ : bool array
        The entries that are left open.
    objective_ : float
        The minimum.
    residual_ : float
        Of the linear system, relative to its right-hand side; if ``rank_strength == 0``.
    dual_gap_ : float
        The objective is proved to be this close to the minimum, relative to it; if
        ``rank_strength > 0``.
    n_iter_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    Three stations in a row, at four hours. The second measured nothing:

    >>> import numpy as np
    >>> from smoothgraph.tasks import MatrixCompletion
    >>> table = np.array([[1.0, 2.0, 3.0, 2.0], 4 * [np.nan], [3.0, np.nan, 5.0, 4.0]])
    >>> line = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> model = MatrixCompletion(rows=line, columns=None, row_strength=0.01)
    >>> model.fit_transform(table).round(1).tolist()
    [[1.0, 2.0, 3.0, 2.0], [2.0, 2.0, 4.0, 3.0], [3.0, 2.0, 5.0, 4.0]]

    Both graphs learned from a table of which two fifths are missing:

    >>> truth = np.outer(np.linspace(1, 2, 20), np.sin(np.arange(30) / 5))
    >>> unknown = np.random.default_rng(0).random(truth.shape) < 0.4
    >>> completed = MatrixCompletion().fit_transform(np.where(unknown, np.nan, truth))
    >>> bool(np.std(completed - truth) < 0.1 * np.std(truth))
    True
    """

    def __init__(
        self,
        *,
        rows: Any = "learn",
        columns: Any = "learn",
        row_strength: float = 0.1,
        column_strength: float = 0.1,
        rank_strength: float = 0.0,
        tol: float = 1e-6,
        max_iter: int = 5000,
    ) -> None:
        self.rows = rows
        self.columns = columns
        self.row_strength = row_strength
        self.column_strength = column_strength
        self.rank_strength = rank_strength
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X: Any, y: Any = None) -> "MatrixCompletion":
        """Complete the table ``X``, whose unknown entries are NaN, or masked."""
        row_strength = check_number("row_strength", self.row_strength, minimum=0.0)
        column_strength = check_number("column_strength", self.column_strength, minimum=0.0)
        check_number("rank_strength", self.rank_strength, minimum=0.0)
        check_number("tol", self.tol, above=0.0)
        check_count("max_iter", self.max_iter, minimum=1)
        if sp.issparse(X):
            raise ValueError(
                "Expected a dense table with NaN where it is unknown, got a sparse one, whose "
                "zeros would count as known; make those that are unknown NaN."
            )
        if isinstance(X, np.ma.MaskedArray):
            X = np.ma.filled(X.astype(np.float64), np.nan)
        table = Table(read_table(self, X, nodes="rows", ensure_all_finite="allow-nan"))
        check_squares(table.values)
        if not np.any(table.known):
            raise ValueError(
                f"At least one entry must be known, but all {table.known.size} are NaN."
            )
        self.row_graph_ = graph_of("rows", self.rows, table)
        self.column_graph_ = graph_of("columns", self.columns, table)
        m, n = table.values.shape
        deviation = self._minimise(
            SmoothFit(
                table.known,
                table.centred,
                scaled_laplacian(self.row_graph_, m, row_strength),
                scaled_laplacian(self.column_graph_, n, column_strength),
            )
        )
        completed = np.where(self.unreachable_, np.nan, table.mean + deviation)
        self.completed_ = labelled_like(X, completed)
        if np.any(self.unreachable_):
            warnings.warn(
                f"{np.count_nonzero(self.unreachable_)} of {self.unreachable_.size} entries are "
                "joined to no known one and are left NaN. Use denser graphs, or rank_strength > 0.",
                UnreachableWarning,
                stacklevel=2,
            )
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """``fit(X).completed_``."""
        return self.fit(X).completed_

    def _minimise(self, fit: SmoothFit) -> np.ndarray:
        """``X - mean``; sets what else there is to know of it."""
        for name in {"residual_", "dual_gap_"} & set(vars(self)):
            delattr(self, name)  # of an earlier fit
        if self.rank_strength == 0:
            found = smoothest(fit, tol=self.tol, max_iter=self.max_iter)
            self.residual_, what = found.distance, "relative residual"
            self.unreachable_ = fit.unreachable
        else:
            found = low_rank(fit, self.rank_strength, tol=self.tol, max_iter=self.max_iter)
            self.dual_gap_, what = found.distance, "relative duality gap"
            self.unreachable_ = np.zeros_like(fit.known)
        self.objective_, self.n_iter_ = found.objective, found.n_iter
        if found.distance > self.tol:
            warnings.warn(
                f"MatrixCompletion did not reach tol={self.tol:g}: after {found.n_iter} iterations "
                f"the {what} is {found.distance:.2g}; raise max_iter, or tol.",
                ConvergenceWarning,
                stacklevel=3,
            )
        return found.X

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
