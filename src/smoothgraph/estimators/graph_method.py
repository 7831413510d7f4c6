"""The base class of the methods: it reads the data and stores the graph."""

import warnings
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning

from smoothgraph.candidates.nodes import check_node_count
from smoothgraph.estimators.containers import arrange, node_names
from smoothgraph.estimators.display import Display
from smoothgraph.estimators.node_data import check_squares, read_table
from smoothgraph.pairs.pair_set import PairSet
from smoothgraph.support.connectivity import n_components
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree


class MethodResult(NamedTuple):
    """The weighted edges that a method found, and the fitted attributes of its own."""

    edges: PairSet
    weights: np.ndarray
    attributes: dict[str, Any]


class GraphMethod(Display, BaseEstimator, ABC):
    """A graph of the rows of a table, or of its columns: ``fit``, then ``adjacency_``."""

    nodes: str
    missing: str = "error"
    max_iter: int

    def fit(self, X: Any, y: Any = None) -> "GraphMethod":
        """Find the graph of the rows of ``X``, or of its columns if ``nodes="columns"``."""
        X, side = arrange(X, self.nodes)
        table = read_table(self, X, nodes=side, ensure_all_finite=False)
        check_node_count(table, side)
        usable = np.isfinite(table)
        if self.missing == "pairwise":
            usable |= np.isnan(table)
        if not np.all(usable):
            node = int(np.flatnonzero(~np.all(usable, axis=1))[0])
            raise InputError(
                f"X contains NaN or infinity, first in node {node}; drop such nodes or fill in the "
                "values, for example with smoothgraph.tasks.MatrixCompletion."
            )
        check_squares(table)
        edges, weights, attributes = self._find(table)
        self.adjacency_ = edges.adjacency(weights)
        self.laplacian_ = edges.laplacian(weights)
        self.n_components_ = n_components(self.adjacency_)
        self.edges_per_node_ = self.adjacency_.nnz / len(table)
        self.node_names_ = node_names(X, columns=side == "columns", n_nodes=len(table))
        for name, value in attributes.items():
            setattr(self, name, value)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> sp.csr_array:
        """``fit(X).adjacency_``."""
        return self.fit(X).adjacency_

    @abstractmethod
    def _find(self, table: np.ndarray) -> MethodResult:
        """Find the graph of the rows of an array of finite numbers, or also of NaN with ``missing="pairwise"``."""

    def _warn_unless_certified(self, gap: float, *, tol: float, n_iter: int) -> None:
        if not gap <= tol:  # also if the gap is NaN
            stopped = n_iter >= self.max_iter
            remedy = "raise max_iter" if stopped else "double precision allows no smaller one"
            warnings.warn(
                f"{type(self).__name__} did not reach tol={tol:g}: after {n_iter} "
                f"{agree(n_iter, 'iteration', 'iterations')} the relative duality gap is {gap:.2g}; {remedy}.",
                ConvergenceWarning,
                stacklevel=4,
            )
