"""Artificial data: random graphs, and noisy signals that are smooth on them.

Tables 2 and 4 of the paper, its appendix figures and the comparison of methods use these draws.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from paper.published import SIGNALS
from smoothgraph import distances, generate
from smoothgraph.generate import GeneratedGraph
from smoothgraph.support.connectivity import n_components
from smoothgraph.support.input_error import InputError

_MOST_DRAWS = 20_000  # until a graph is connected; the sparser graphs take thousands


@dataclass(frozen=True)
class GraphChoice:
    """A generator of :mod:`smoothgraph.generate` (or of this module) and its arguments."""

    generator: str
    arguments: dict[str, float] = field(default_factory=dict)


SPARSER_GEOMETRIC = GraphChoice("connected_random_geometric", {"sigma": 0.2 / 2**0.5})
"""Weights exp(-d^2 / sigma^2) instead of exp(-d^2 / 2 sigma^2), drawn until connected."""


def paper_graphs(n_nodes: int = 100) -> dict[str, GraphChoice]:
    """Return the four graphs of the paper by name, and a second reading of one of them.

    Where the text of the paper leaves a choice, this is the one whose numbers come closest to the
    paper's (see :mod:`paper.reproduction.choices`). The text states p = 3 / m for the Erdős-Rényi
    graph, but the paper's numbers fit a graph with twice as many edges, as if each of the two
    orders of a pair had been drawn. In a name, the part after a comma distinguishes readings of
    the same row of a table.
    """
    p = 3 / n_nodes
    return {
        "random geometric": GraphChoice("random_geometric"),
        "non-uniform": GraphChoice("non_uniform", {"decay": 2.0, "threshold": 0.01}),
        "Erdős-Rényi": GraphChoice("erdos_renyi", {"p": 1 - (1 - p) ** 2}),
        "Barabási-Albert": GraphChoice("barabasi_albert", {"attachments": 2}),
        "random geometric, sparser": SPARSER_GEOMETRIC,
    }


@dataclass(frozen=True)
class Draws:
    """What to draw: graphs, and noisy smooth signals on them."""

    n_signals: int = 1000
    n_nodes: int = 100
    repetitions: int = 20
    noise: float = 0.1
    strength: float = 10.0
    seed: int = 0
    graphs: dict[str, GraphChoice] = field(default_factory=paper_graphs)


def pieces(settings: Draws) -> list[dict[str, Any]]:
    """Return every combination of graph, signal and repetition."""
    return [
        {"graph": graph, "signal": signal, "repetition": repetition}
        for graph in settings.graphs
        for signal in SIGNALS
        for repetition in range(settings.repetitions)
    ]


def draw(settings: Draws, piece: dict[str, Any]) -> tuple[GeneratedGraph, np.ndarray]:
    """Return the graph of a piece, and noisy smooth signals on it, one row per node."""
    graph, signal = piece["graph"], piece["signal"]
    numbers = [list(settings.graphs).index(graph), SIGNALS.index(signal), piece["repetition"]]
    rng = np.random.default_rng([settings.seed, *numbers])
    choice = settings.graphs[graph]
    make = _GENERATORS.get(choice.generator) or getattr(generate, choice.generator)
    truth = make(settings.n_nodes, **choice.arguments, random_state=rng)
    response = filters(settings.strength)[signal]
    signals = generate.smooth_signals(truth, settings.n_signals, response, noise=settings.noise, random_state=rng)
    return truth, signals


def filters(strength: float) -> dict[str, generate.Filter]:
    """Return the paper's three filters by name; the generative model has no strength."""
    responses = (generate.tikhonov(strength), generate.generative(), generate.heat(strength))
    return dict(zip(SIGNALS, responses, strict=True))


def scale_to_unit_distance(X: np.ndarray) -> np.ndarray:
    """Return the data scaled to a mean squared distance of 1, so that one grid fits all draws."""
    return X / np.sqrt(distances(X).mean())


def _until_connected(make: Callable[..., GeneratedGraph]) -> Callable[..., GeneratedGraph]:
    """Return a generator that repeats ``make`` until the graph is connected."""

    def make_connected(n_nodes: int, **arguments: Any) -> GeneratedGraph:
        for _ in range(_MOST_DRAWS):
            graph = make(n_nodes, **arguments)  # the generator in random_state moves on
            if n_components(graph.adjacency) == 1:
                return graph
        raise InputError(
            f"Expected a connected graph of {n_nodes} nodes, but none of {_MOST_DRAWS} draws with "
            f"{arguments} was connected; ask for more edges."
        )

    return make_connected


_GENERATORS = {
    "connected_random_geometric": _until_connected(generate.random_geometric),
    "connected_erdos_renyi": _until_connected(generate.erdos_renyi),
}
