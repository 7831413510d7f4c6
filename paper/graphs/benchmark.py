"""All graphs on one data set: each construction at each density, judged by all tasks on the same draws."""

import warnings
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from paper.graphs.constructions import CONSTRUCTIONS, MOST_WITH_ALL_DISTANCES, Construction
from paper.graphs.judging import JUDGES, cluster_indices, describe, label_errors
from paper.graphs.labeled_data import NAMES, SEED, Labeled, load
from paper.graphs.tuning import LIST, closest_of_k_nn
from smoothgraph import DensityWarning, FewNeighborsWarning
from smoothgraph.methods.neighbor_lists import Neighbors
from smoothgraph.tasks import ComponentsWarning, UnreachableWarning

_EXPECTED = (DensityWarning, FewNeighborsWarning, ComponentsWarning, UnreachableWarning)  # the scores show it
_WARM_UP = 60  # nodes

LabelTask = tuple[str, str]  # a classifier, and how many labels are known


@dataclass(frozen=True)
class Settings:
    """Which graphs at which densities, and which tasks, each on how many draws of labels or seeds."""

    label_tasks: tuple[LabelTask, ...]
    constructions: tuple[str, ...] = tuple(CONSTRUCTIONS)
    densities: tuple[float, ...] = (4.0, 6.0, 10.0, 20.0)
    draws: int = 16
    clusterings: tuple[str, ...] = ("spectral", "normalized spectral", "Leiden")
    seeds: int = 6
    most_nodes: int | None = None


@dataclass(frozen=True)
class GraphsOn:
    """The experiment on one data set; every graph at every density is a piece."""

    data: str
    FULL: Settings
    QUICK: Settings
    IN_PARALLEL: bool = True

    @property
    def SOURCES(self) -> tuple[str, ...]:
        """Return the module of the experiment, with all that it imports."""
        return (__name__,)

    def pieces(self, settings: Settings) -> list[dict[str, Any]]:
        """Return each construction at each density; ``asked`` is None for one that has only its own."""
        return [
            {"graph": name, "asked": asked}
            for name in settings.constructions
            for asked in (settings.densities if CONSTRUCTIONS[name].tune is not None else (None,))
        ]

    def compute(self, settings: Settings, piece: dict[str, Any], data_dir: Path | None) -> dict[str, Any]:
        """Return density, seconds and scores of one graph, or its failure."""
        data = _some_of(load(self.data, data_dir), settings.most_nodes)
        construction = CONSTRUCTIONS[piece["graph"]]
        if construction.needs_all_distances and len(data.X) > MOST_WITH_ALL_DISTANCES:
            return {"failure": f"needs all distances of {len(data.X)} nodes"}
        with warnings.catch_warnings():
            for expected in _EXPECTED:
                warnings.simplefilter("ignore", expected)
            try:
                W, made = _make(construction, data, piece["asked"])
                scores = _judge(W, data, settings, data_dir)
            except (ValueError, ArithmeticError, MemoryError, RuntimeError) as error:
                return {"failure": f"{type(error).__name__}: {error}"}
        return made | describe(W, data.y) | {"scores": {task: _pack(values) for task, values in scores.items()}}

    def collect(self, settings: Settings, results: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
        """Return all cells in order."""
        del settings
        return {"cells": [piece | result for piece, result in results]}


def _judge(W: Any, data: Labeled, settings: Settings, data_dir: Path | None) -> dict[str, list[float]]:
    """Return the scores of a graph in all tasks."""
    scores = {
        f"{method}, {rate}": label_errors(method, W, data.y, data.draws(rate, settings.draws, data_dir))
        for method, rate in settings.label_tasks
    }
    for method in settings.clusterings:
        for index, values in cluster_indices(method, W, data.y, settings.seeds).items():
            scores[f"{method}, {index}"] = values
    return scores


def _make(construction: Construction, data: Labeled, asked: float | None) -> tuple[Any, dict[str, Any]]:
    """Return the adjacency of a graph, and its parameters and the seconds of the fit."""
    parameters: dict[str, Any] = {}
    made: dict[str, Any] = {}
    if asked is not None and construction.tune is not None:
        neighbors = Neighbors.of(data.X, LIST)
        made["density"] = closest_of_k_nn(neighbors, asked)
        parameters = construction.tune(construction.learner, data.X, neighbors, made["density"])
    learner = clone(construction.learner).set_params(**parameters)
    clone(learner).fit(data.X[:_WARM_UP])  # compile before the clock starts
    start = perf_counter()
    W = learner.fit(data.X).adjacency_
    return W, made | {"parameters": parameters, "seconds": float(f"{perf_counter() - start:.3g}")}


def _some_of(data: Labeled, most: int | None) -> Labeled:
    if most is None or len(data.X) <= most:
        return data
    chosen = np.random.default_rng(SEED).choice(len(data.X), most, replace=False)
    return data._replace(X=data.X[chosen], y=data.y[chosen])


def _pack(values: list[float]) -> str:
    """Return the scores of all draws as text, which takes one line of a JSON file."""
    return " ".join(f"{value:.2f}" for value in values)


def unpack(text: str) -> np.ndarray:
    """Return the scores of all draws."""
    return np.array([float(value) for value in text.split()])


_LABELS: tuple[LabelTask, ...] = (
    ("harmonic", "5 per class"),
    ("harmonic", "10%"),
    ("class masses", "5 per class"),
    ("WNLL", "1 per class"),
    ("WNLL", "5 per class"),
    ("Poisson", "1 per class"),
    ("Poisson", "5 per class"),
)
_OF_USPS: tuple[LabelTask, ...] = (
    *(("harmonic", rate) for rate in ("1%", "2%", "5%", "10%")),
    ("WNLL", "5 per class"),
    ("Poisson", "1 per class"),
    ("Poisson", "5 per class"),
)
_OF_MNIST: tuple[LabelTask, ...] = (
    *((method, f"{n} per class") for method in ("WNLL", "Poisson") for n in (1, 2, 3, 4, 5)),
    *(("harmonic", f"{n} per class") for n in (5, 10, 40, 160)),
    *((judge, "5 per class") for judge in JUDGES),
)
_QUICK = Settings(
    (("harmonic", "10%"), ("Poisson", "5 per class")), densities=(6.0, 10.0), draws=4, seeds=2, most_nodes=300
)


@cache
def experiments() -> dict[str, GraphsOn]:
    """Return the experiments by the names of the data sets."""
    full = dict.fromkeys(NAMES, Settings(_LABELS))
    full["USPS"] = Settings(_OF_USPS, densities=(4.0, 6.0, 10.0, 20.0), draws=10)
    full["MNIST"] = Settings(_OF_MNIST, densities=(6.0, 10.0, 20.0), draws=10, clusterings=())
    of_all_mnist = replace(_QUICK, label_tasks=_QUICK.label_tasks[1:])
    return {name: GraphsOn(name, full[name], of_all_mnist if name == "MNIST" else _QUICK) for name in NAMES}
