"""Groups of nodes: labels that a user gives, and what became of their shares."""

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from smoothgraph.pairs.split import SplitPairs
from smoothgraph.solution import Solution
from smoothgraph.support.input_error import InputError
from smoothgraph.support.wording import agree, list_some

_HUB = 10.0  # times the mean number of neighbors, from which on a group is warned of
_ROUNDING = 1e-9  # of a share


class GroupWarning(UserWarning):
    """Some nodes do not have the share for another group, or a group is too small for what others ask of it."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The different ``labels``, and the ``number`` of the label of each node."""

    labels: np.ndarray
    number: np.ndarray

    @classmethod
    def read(cls, groups: Any, n_nodes: int) -> "Groups | None":
        """From one label per node; None if there are no labels, or, with a warning, one for all."""
        if groups is None:
            return None
        given = np.asarray(groups)
        if given.shape != (n_nodes,):
            raise InputError(f"groups must hold one label per node, ({n_nodes},), got shape {given.shape}.")
        missing = np.array([_is_missing(label) for label in given.tolist()])
        if np.any(missing):
            raise InputError(
                f"groups must hold a label for every node, but node {np.flatnonzero(missing)[0]} has none (NaN or "
                "None); give it a label, or drop the node."
            )
        try:
            labels, number = np.unique(given, return_inverse=True)
        except TypeError as error:
            raise InputError("groups must hold labels of one kind, such as text or integers; convert them.") from error
        if len(labels) > 1:
            return cls(labels, number)
        warnings.warn(
            GroupWarning(
                f"All nodes are in the same group, {str(labels[0])!r}, so that there is no other to have a share for: "
                "the graph is that of a fit without groups, with no group_shares_. Check the labels."
            ),
            stacklevel=5,
        )
        return None

    def take(self, nodes: np.ndarray) -> "Groups":
        """The groups of some of the nodes."""
        return Groups(self.labels, self.number[nodes])

    def per_node(self, solution: Solution) -> dict[str, np.ndarray]:
        """The fitted attributes with one row per node, and one column per group."""
        pairs = solution.problem.pairs
        assert isinstance(pairs, SplitPairs), "groups split the nodes"
        dual = np.full((len(self.number), len(self.labels)), np.nan)
        dual[pairs.parts.node, pairs.parts.group] = solution.u
        return {"group_dual_": dual, "group_shares_": self._shares(solution)}

    def warnings(self, solution: Solution, names: np.ndarray) -> list[Warning]:
        """What the user should know of the shares."""
        return [*self._warn_of_shares(solution, names), *self._warn_of_hubs(solution)]

    def _shares(self, solution: Solution) -> np.ndarray:
        """The share of the learned weight of each node that goes to each group."""
        member = np.eye(len(self.labels))[self.number]
        weights = solution.adjacency @ member
        return weights / weights.sum(axis=1, keepdims=True)

    def _warn_of_shares(self, solution: Solution, names: np.ndarray) -> list[Warning]:
        asked_for = solution.problem.degree_prior.share  # type: ignore[attr-defined]
        shares = self._shares(solution)
        shares[np.arange(len(shares)), self.number] = 1.0
        short = np.any(shares < (1 - _ROUNDING) * asked_for, axis=1)
        if not np.any(short):
            return []
        have, their = agree(np.sum(short), "has", "have"), agree(np.sum(short), "its", "their")
        return [
            GroupWarning(
                f"{np.sum(short)} of {len(short)} nodes {have} less than {asked_for:g} of {their} weight for some "
                f"other group: {list_some(names[short])}. Give candidate pairs with all groups to every node, or "
                "more iterations to the solver."
            )
        ]

    def _warn_of_hubs(self, solution: Solution) -> list[Warning]:
        neighbors = np.diff(solution.adjacency.indptr)
        sizes = np.bincount(self.number)
        of_group = np.bincount(self.number, neighbors) / sizes
        return [
            GroupWarning(
                f"Nodes of the group {str(self.labels[group])!r} (size {sizes[group]}) have {of_group[group]:.0f} "
                "neighbors on average, since every node of the other groups has a share of its weight for them; leave "
                "out so small a group, or join it with another, unless this is meant."
            )
            for group in np.flatnonzero(of_group > _HUB * np.mean(neighbors))
        ]


def _is_missing(label: Any) -> bool:
    """Whether a label is None, NaN, or a missing value of pandas."""
    if label is None:
        return True
    equal = label == label  # noqa: PLR0124
    return not (isinstance(equal, bool | np.bool_) and equal)
