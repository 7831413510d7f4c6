"""What an estimator reads: tables of nodes, their names, their distances."""

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.candidates.choice import NeighborChoice
from smoothgraph.candidates.nodes import NodeData, Nodes, check_node_count
from smoothgraph.cluster import is_elsewhere
from smoothgraph.estimators.checkpoint import digest_of
from smoothgraph.estimators.containers import arrange, check_numbers, node_names
from smoothgraph.estimators.groups import Groups
from smoothgraph.estimators.identical_rows import Places, rows_of_distances
from smoothgraph.estimators.known_graph import KnownGraph
from smoothgraph.estimators.mixed_table import Categories
from smoothgraph.pairs.distances import distances_to
from smoothgraph.pairs.measure import Measure
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree, list_some

# What is stored in the type it came in; all else becomes the first of these types.
STORED_TYPES = [np.float64, np.float32, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.bool_]
_LARGEST = 1e140  # whose square, and a sum of many of them, is still a number


def open_nodes(estimator: Any, X: Any, groups: Any = None, prior_graph: Any = None) -> Nodes:
    """The nodes in ``X`` with their ``groups`` or a known graph, and scikit-learn's record of it in the estimator."""
    if prior_graph is not None and (groups is not None or is_elsewhere(X)):
        raise InputError("A fit takes prior_graph only without groups and without Dask workers; leave it out.")
    if is_elsewhere(X):
        if groups is not None:
            raise InputError("Dask workers learn no graph with groups; leave out groups, or give the data in memory.")
        from smoothgraph.cluster.fit import NodesOnWorkers  # an extra

        return NodesOnWorkers.open(estimator, X)
    options = {"accept_sparse": "csr", "ensure_all_finite": False, "dtype": STORED_TYPES}
    X, side = arrange(X, estimator.nodes)
    mixed = estimator.metric == "gower" and side == "rows"
    estimator._categories = categories = Categories.of(X) if mixed else None
    numbers = X if categories is None else categories.encode(X)
    # A copy: what is stored must not change with the caller's array.
    table = read_table(estimator, numbers, nodes=side, copy=True, **options)
    columns = side == "columns"
    names = node_names(X, columns=columns, n_nodes=table.shape[0])
    if columns and table.shape[1] > 1:
        _warn_of_constants(table, names)
    return NodesInMemory(
        table,
        names,
        merge=estimator.merge_identical,
        groups=Groups.read(groups, len(names)),
        known=KnownGraph.read(prior_graph, len(names)),
    )


@dataclass(frozen=True, eq=False)
class NodesInMemory:
    """The rows of a table, or a matrix of distances."""

    table: Any
    names: np.ndarray
    merge: bool = False  # identical rows
    groups: Groups | None = None
    known: KnownGraph | None = None

    def digest(self) -> str:
        """A hash of the table, and of the groups or the known graph."""
        digest = digest_of(self.table)
        if self.known is not None:
            digest += digest_of(self.known.adjacency)
        return digest if self.groups is None else digest + digest_of(self.groups.number)

    def find_pairs(
        self, choice: NeighborChoice, state: dict[str, np.ndarray] | None = None, folder: Path | None = None
    ) -> NodeData:
        """The candidate pairs, or those of a checkpoint's ``state``."""
        check_node_count(self.table)
        kept = None if choice.measure.metric == "precomputed" else self.table
        places = None
        if self.merge:
            places = Places.of(self._with_groups(rows_of_distances(self.table) if kept is None else self.table))
        if places is None:
            return self._data(kept, self.table, choice, state, None)
        rows = self.table[places.first]
        if kept is None:
            rows = rows[:, places.first]
        if len(places.first) < 2:
            raise InputError(
                f"All {len(self.names)} nodes have identical data: there is no graph to learn. Check the data, or use "
                "merge_identical=False."
            )
        return self._data(kept, rows, choice, state, places)

    def _data(self, kept: Any, rows: Any, choice: NeighborChoice, state: Any, places: Places | None) -> NodeData:
        """The candidates among the rows, whose nodes are split if there are groups."""
        groups = self.groups
        if groups is not None:
            groups = groups if places is None else groups.take(places.first)
            choice = replace(choice, groups=groups.number)
        candidates, known = choice.candidates(rows, state), self.known
        if known is None:
            return NodeData(kept, self.names, candidates, places, groups)
        known = known if places is None else known.merge(places)
        known.join(candidates, rows, choice)
        return NodeData(kept, self.names, candidates, places, groups, known.adjacency)

    def _with_groups(self, rows: Any) -> Any:
        """Rows that are identical if those of the nodes are, and the groups are the same."""
        if self.groups is None:
            return rows
        column = self.groups.number[:, None].astype(float)
        return sp.hstack([rows, column], format="csr") if sp.issparse(rows) else np.hstack([rows, column])


def read_table(estimator: Any, X: Any, *, nodes: str, **options: Any) -> Any:
    """``X`` as numbers with one row per node, and scikit-learn's record of it in the estimator.

    ``options`` are those of scikit-learn's ``check_array``. Unless they say otherwise, the numbers are of type float64.
    """
    X, side = arrange(X, nodes)
    table = check_numbers(estimator, X, **({"dtype": np.float64} | options))
    return table if side == "rows" else table.T


def _warn_of_constants(table: Any, names: np.ndarray) -> None:
    """Warn of nodes whose signals never change, such as the columns of sensors that are dead."""
    if sp.issparse(table):
        lowest, highest = table.min(axis=1).toarray(), table.max(axis=1).toarray()
    else:
        lowest, highest = np.fmin.reduce(table, axis=1), np.fmax.reduce(table, axis=1)  # which pass over NaN
    constant = np.flatnonzero(lowest == highest)
    if constant.size:
        warnings.warn(
            f"{constant.size} of {len(names)} columns {agree(constant.size, 'is', 'are')} constant: "
            f"{list_some(names[constant])}. The graph joins such a column to whatever is near its value; leave it out "
            "unless this is meant.",
            stacklevel=5,
        )


def check_squares(table: np.ndarray) -> None:
    """An InputError if squares of the numbers, NaN aside, would overflow or vanish."""
    largest = float(np.nanmax(np.abs(table), initial=0.0))
    if largest and not 1 / _LARGEST <= largest <= _LARGEST:
        raise InputError(f"The largest number in X is {largest:.2g}, whose square is out of range; rescale X.")


def distances_to_fitted(new: Any, fitted: Any, measure: Measure) -> np.ndarray:
    """The ``(n, m)`` distances of new rows to the fitted ones; infinite where not a candidate.

    ``fitted`` is None for precomputed distances, which ``new`` then holds; a sparse matrix holds the candidates.
    """
    if measure.metric != "precomputed":
        return distances_to(new, fitted, measure)
    z = np.array(new, dtype=float) if not sp.issparse(new) else np.full(new.shape, np.inf)
    if sp.issparse(new):
        coo = new.tocoo()
        z[coo.row, coo.col] = coo.data
    if np.any(np.isnan(z)) or np.any(z < 0):
        raise InputError("Distances to the fitted nodes must be numbers >= 0.")
    return z
