"""The experiments by name, in the order of the report."""

from smoothgraph.experiments import (
    choices,
    coil20,
    filters,
    mnist,
    signals,
    table2,
    table4,
    timing,
    usps,
)
from smoothgraph.experiments.runner import Experiment

EXPERIMENTS: dict[str, Experiment] = {
    "table2": table2,
    "table4": table4,
    "choices": choices,
    "filters": filters,
    "signals": signals,
    "usps": usps,
    "mnist": mnist,
    "coil20": coil20,
    "timing": timing,
}
