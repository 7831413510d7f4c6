"""How close a learned graph is to the true one: the five metrics of the paper's tables."""

from collections.abc import Callable
from typing import Any

from smoothgraph.metrics import GraphScores

METRICS = GraphScores._fields
METRIC_NAMES = dict(zip(METRICS, ("F-measure", "edge ℓ1", "edge ℓ2", "degree ℓ1", "degree ℓ2"), strict=True))


def best(metric: str) -> Callable[..., Any]:
    """Return the function that finds the best value: max for the F-measure, min for errors."""
    return max if metric == "f_measure" else min
