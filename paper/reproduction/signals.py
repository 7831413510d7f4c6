"""The appendix figure of one random signal that three filters smooth on a non-uniform graph."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from paper.draws import filters
from smoothgraph import generate
from smoothgraph.support.connectivity import n_components

SOURCES = (__name__,)
IN_PARALLEL = False
_DIGITS = 4


@dataclass(frozen=True)
class Settings:
    """A graph with the paper's threshold rule and two components, as in its figure."""

    n_nodes: int = 100
    decay: float = 2.0
    strength: float = 10.0
    seed: int = 5


FULL = QUICK = Settings()


def pieces(settings: Settings) -> list[dict[str, Any]]:
    """Return a single piece."""
    del settings
    return [{}]


def compute(settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
    """Return the graph, the signal before and after each filter, and their smoothness.

    The smoothness is ``x'Lx / (x'x |L|)``, between 0 and 1.
    """
    del piece, data_dir
    rng = np.random.default_rng(settings.seed)
    graph = generate.non_uniform(settings.n_nodes, decay=settings.decay, random_state=rng)
    start = rng.normal(size=settings.n_nodes)
    signals = {"white noise": start} | {
        name: generate.filter_signals(graph, response, start) for name, response in filters(settings.strength).items()
    }
    upper = sp.triu(graph.adjacency, k=1).tocoo()
    return {
        "positions": np.round(np.asarray(graph.positions), _DIGITS).tolist(),
        "edges": np.column_stack([upper.row, upper.col]).tolist(),
        "weights": np.round(upper.data, _DIGITS).tolist(),
        "components": n_components(graph.adjacency),
        "signals": {name: np.round(x, _DIGITS).tolist() for name, x in signals.items()},
        "smoothness": {name: _smoothness(graph.adjacency, x) for name, x in signals.items()},
    }


def collect(settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> Any:
    """Return the result of the only piece."""
    del settings
    return results[0][1]


def _smoothness(W: sp.csr_array, x: np.ndarray) -> float:
    L = np.diag(W.sum(axis=1)) - W.toarray()
    return round(float(x @ L @ x / (x @ x * np.linalg.norm(L, 2))), 5)
