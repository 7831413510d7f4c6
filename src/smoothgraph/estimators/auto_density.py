"""The number of edges per node, chosen from the data: as few as leave hardly any fragments, and half as many more.

A graph that is too sparse falls into fragments of a few nodes. One that is too dense joins what does not belong
together. On the data of ``python -m paper graphs``, label propagation was near its best a little above the density at
which the fragments are gone, for most data sets. A few outliers, which stay fragments up to high densities, do not
decide for all nodes: bridges can join them. On nine more data sets, a limit of 1% chose densities at which label
propagation was as good as with no limit on four, better on three (up to 1.3 points), and worse on two (up to 0.3
points). In small data, three nodes are more than 1%. So a few more nodes may stay in fragments if the next density does
not join them either: of 25 data sets this changed two, one for the better (by 3.6 points), and one for the worse (by
0.2).
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from smoothgraph.density import DensityWarning
from smoothgraph.estimators.learning import Learning
from smoothgraph.estimators.model import Learned, Start
from smoothgraph.pairs.local_scale import NEIGHBOR

_TRIED = (4.0, 6.0, 8.0, 10.0, 12.0, 15.0, 20.0)
_ROUNDING = 1e-12
_OUTLIERS = 0.01  # of the nodes, which may stay in fragments at any density
_FAR_OUTLIERS, _FEW = 0.05, 3  # of the nodes, or so many, which may stay if the next density does not join them either
_MORE = 1.5  # times the density at which the other fragments are gone


class DensityChoice(NamedTuple):
    """How ``edges_per_node="auto"`` chose: the densities tried, the share of nodes in fragments at each, the choice.

    A fragment is a component of fewer than 15 nodes: less than the neighborhood that sets the local scale. Where ties
    between distances allow no graph of some density, the nearest one that was found stands for it.
    """

    densities: np.ndarray
    fragments: np.ndarray
    chosen: float

    def __str__(self) -> str:
        tried = ", ".join(f"{k:.3g}: {share:.1%}" for k, share in zip(self.densities, self.fragments, strict=True))
        return f"{self.chosen:.3g} edges per node; share of the nodes in fragments, by edges per node: {tried}"


def learn_at_chosen_density(learning: Learning) -> Learned:
    """Learn denser and denser graphs until only outliers are in fragments, then one 1.5 times as dense.

    Outliers are at most 1% of the nodes, or at most 5% (or three nodes) that the next density leaves in fragments, too.
    Of the fitted attributes, ``density_choice_`` tells how the density was chosen. Nobody asked for its number, so
    that no DensityWarning tells that ties allow another one only.
    """
    n_nodes = learning.n_nodes
    most = min(max(1.0, (n_nodes - 1) / 2), learning.candidates.make_room(0.0))
    tried, found, fragments = [], [], []
    for density in [k for k in _TRIED if k <= most] or [most]:
        learned = _learn(replace(learning, floor=None), density)
        learning = replace(learning, start=Start.of(learned))
        tried.append(density)
        found.append(_density_of(learned, density))
        fragments.append(_share_in_fragments(learned, n_nodes))
        if fragments[-1] <= _OUTLIERS or _few_stay(fragments, n_nodes):
            break
    enough = tried[-2] if _few_stay(fragments, n_nodes) else tried[-1]
    wanted = _whole(min(_MORE * enough, most), n_nodes)
    learned = _learn(learning, wanted)
    choice = DensityChoice(np.array(found), np.array(fragments), _density_of(learned, wanted))
    told = tuple(warning for warning in learned.warnings if not isinstance(warning, DensityWarning))
    return learned._replace(parameters=learned.parameters | {"density_choice_": choice}, warnings=told)


def _learn(learning: Learning, density: float) -> Learned:
    density = _whole(density, learning.n_nodes)
    learning.candidates.make_room(density)
    return replace(learning, model=replace(learning.model, edges_per_node=density)).run()


def _density_of(learned: Learned, wanted: float) -> float:
    """The density wanted, or that of the graph if there is none with the one wanted."""
    missed = any(isinstance(warning, DensityWarning) for warning in learned.warnings)
    return learned.solution.edges_per_node if missed else wanted


def _few_stay(fragments: list[float], n_nodes: int) -> bool:
    """Whether a few nodes are in fragments, and as many as at the density before."""
    return len(fragments) > 1 and fragments[-1] == fragments[-2] <= max(_FAR_OUTLIERS, _FEW / n_nodes)


def _whole(density: float, n_nodes: int) -> float:
    """The density of a graph with a whole number of edges."""
    return float(2 * np.ceil(density * n_nodes / 2 * (1 - _ROUNDING)) / n_nodes)


def _share_in_fragments(learned: Learned, n_nodes: int) -> float:
    component = learned.solution.edges.components(learned.solution.weights)
    sizes = np.bincount(component)
    return float(sizes[sizes < min(NEIGHBOR, n_nodes / 2)].sum() / n_nodes)
