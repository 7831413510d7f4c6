"""Which pairs a scan wants: the levels of the nodes, as asked for and as widened for coordinates."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from smoothgraph.pairs.local_scale import localize
from smoothgraph.search.coordinates import Coordinates
from smoothgraph.search.lower_bounds import half_reach, margin, widen_level
from smoothgraph.search.tiles import Tiles
from smoothgraph.support.input_error import InputError

_LARGEST_FACTOR = 1e9  # times the smallest number in single precision, it is below SMALLEST_SQUARE


class Levels(NamedTuple):
    """A pair is wanted if ``z_ij < level_i + level_j``, where ``z_ij = |x_i - x_j|^2``.

    With a ``scale``, ``z_ij = (|x_i - x_j|^2 / (scale_i scale_j))^2``. If ``rooted``, the distance itself takes the
    place of its square. If ``either``, a pair is wanted if ``z_ij < level_i`` or ``z_ij < level_j``; there is no scale
    then. Pairs of nodes with the same ``label`` are not wanted, if there are labels. The bounds on pairs with a scale
    are tightest where the sum of two levels is ``typical``, or if that is zero, where one of them is zero.
    """

    level: np.ndarray
    scale: np.ndarray | None = None
    rooted: bool = False
    either: bool = False
    label: np.ndarray | None = None
    typical: float = 0.0

    @classmethod
    def of(cls, reach: np.ndarray, scale: np.ndarray | None, *, rooted: bool) -> "Levels":
        """Return the levels for ``2 z_ij < reach_i + reach_j``; ``reach`` may be minus infinity."""
        level = half_reach(reach)
        if scale is not None or rooted:
            highest = np.max(level, initial=0.0)
            level = np.maximum(level, -highest)  # the sum with any other is still not positive
        positive = level[(level > 0) & np.isfinite(level)]
        typical = 2 * float(np.median(positive)) if scale is not None and positive.size else 0.0
        return cls(level, scale, rooted, typical=typical)

    def take(self, nodes: np.ndarray | slice) -> "Levels":
        """Return the levels of some nodes."""
        scale, label = (None if x is None else x[nodes] for x in (self.scale, self.label))
        return self._replace(level=self.level[nodes], scale=scale, label=label)

    @classmethod
    def concatenate(cls, parts: "Sequence[Levels]") -> "Levels":
        """Join the levels of several groups of nodes."""
        scales = [part.scale for part in parts if part.scale is not None]
        labels = [part.label for part in parts if part.label is not None]
        return parts[0]._replace(
            level=np.concatenate([part.level for part in parts]),
            scale=np.concatenate(scales) if scales else None,
            label=np.concatenate(labels) if labels else None,
        )

    def tell_apart(self, i: np.ndarray, others: "Levels", j: np.ndarray) -> np.ndarray | None:
        """Return which of the pairs of nodes ``i`` with other nodes ``j`` differ in their labels; None for all."""
        return None if self.label is None or others.label is None else self.label[i] != others.label[j]

    def want(self, z: np.ndarray, i: np.ndarray, others: "Levels", j: np.ndarray) -> np.ndarray:
        """Return whether pairs of these nodes ``i`` with other nodes ``j`` are wanted, by their distances."""
        here, there = self.level[i], others.level[j]
        return z < (np.maximum(here, there) if self.either else here + there)

    def widen(self, coordinates: Coordinates) -> "WideLevels":
        """Return levels for stored coordinates; steps 2, 4, and 7 of the error budget."""
        level, unit = widen_level(self.level if self.scale is None else self._bound_roots()), coordinates.unit
        wide = WideLevels.zero(len(level))._replace(margin=margin(coordinates.error))
        if self.label is not None:
            wide = wide._replace(span=np.stack([-self.label, self.label], axis=1))
        if self.either:
            square = level**2 if self.rooted else level
            return wide._replace(lone=(square / unit**2).astype(np.float32))
        if self.scale is None and not self.rooted:
            return wide._replace(margin=wide.margin + level / unit**2)
        if self.scale is None:
            level, s = level / unit, np.ones_like(level)
        else:
            s = (self.scale**2 if self.rooted else self.scale) / unit
        with np.errstate(over="ignore"):
            if self.rooted:  # s_i s_j (l_i + l_j)^2
                level = np.maximum(level, 0)
                left, right = [s * level**2, 2 * s * level, s], [s, s * level, s * level**2]
            else:  # s_i s_j (l_i + l_j)
                left, right = [s * level, s], [s, s * level]
        return wide.with_factors(np.stack(left, axis=1), np.stack(right, axis=1))

    def _bound_roots(self) -> np.ndarray:
        """Return levels ``t`` with ``sqrt(level_i + level_j) <= t_i + t_j``; step 2 of the budget."""
        if self.typical == 0:
            return np.sqrt(np.maximum(self.level, 0))
        root = np.sqrt(self.typical)
        return self.level / (2 * root) + root / 4


class WideLevels(NamedTuple):
    """Coordinates of a wanted pair have ``|q_i - q_j|^2 < margin_i + margin_j + max(lone_i, lone_j) + left_i'right_j``.

    ``span`` are minus the lowest and the highest label of a node, or of a tile; without labels it is empty.
    """

    margin: np.ndarray
    lone: np.ndarray
    left: np.ndarray
    right: np.ndarray
    span: np.ndarray

    @classmethod
    def zero(cls, n_nodes: int) -> "WideLevels":
        """Return levels that want nothing."""
        nothing = np.zeros((n_nodes, 0), np.float32)
        return cls(np.zeros(n_nodes), np.zeros(n_nodes, np.float32), nothing, nothing, nothing)

    def with_factors(self, left: np.ndarray, right: np.ndarray) -> "WideLevels":
        """Return levels with these factors; beside a very large one, another might vanish in single precision.

        A node with such a factor has an infinite margin instead: all its pairs are measured.
        """
        beyond = np.maximum(np.abs(left).max(axis=1), np.abs(right).max(axis=1)) > _LARGEST_FACTOR
        left, right = (np.where(beyond[:, None], 0, factors).astype(np.float32) for factors in (left, right))
        return self._replace(margin=np.where(beyond, np.inf, self.margin), left=left, right=right)

    def highest(self, tiles: Tiles) -> "WideLevels":
        """Return the largest values in each tile, at least zero for factors."""
        margin, lone, left, right, span = (tiles.largest(values) for values in self)
        return WideLevels(margin, lone, np.maximum(left, 0), np.maximum(right, 0), span)

    @classmethod
    def concatenate(cls, parts: "Sequence[WideLevels]") -> "WideLevels":
        """Join the levels of several groups of tiles."""
        return cls(*(np.concatenate(fields) for fields in zip(*parts, strict=True)))

    def bounds_for(self, tile: int, columns: "WideLevels") -> np.ndarray:
        """Return bounds on the squared distances of wanted pairs between a tile of rows and tiles of columns."""
        either = np.maximum(self.lone[tile], columns.lone)
        bounds = self.margin[tile] + columns.margin + either + columns.right @ self.left[tile]
        if columns.span.shape[1]:
            # Two tiles that have one label, and the same, have no pair to offer.
            lowest, highest = np.maximum(self.span[tile], columns.span).T
            bounds = np.where(-lowest == highest, -np.inf, bounds)
        return bounds


def measure(squared: np.ndarray, rows: tuple[Levels, np.ndarray], columns: tuple[Levels, np.ndarray]) -> np.ndarray:
    """Return ``z`` of pairs from their squared distances; ``rows`` and ``columns`` are levels and nodes."""
    (levels, i), (others, j) = rows, columns
    z = np.sqrt(squared) if levels.rooted else squared
    return z if levels.scale is None or others.scale is None else localize(z, levels.scale[i], others.scale[j])


def check_reach(reach: np.ndarray, n_nodes: int) -> np.ndarray:
    """Return ``reach`` as an array, or raise an InputError if it is not one number per node."""
    reach = np.asarray(reach, dtype=float)
    if reach.shape != (n_nodes,) or np.any(np.isnan(reach)):
        raise InputError(
            f"reach must hold one number per node, ({n_nodes},), none of them NaN; got shape {reach.shape}."
        )
    return reach
