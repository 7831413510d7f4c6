"""The experiments by name, in the order of the report."""

from paper.datasets import load_coil20, load_mnist, load_usps
from paper.experiments import (
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
from paper.experiments.runner import Experiment

LOADERS = {"usps": load_usps, "mnist": load_mnist, "coil20": load_coil20, "timing": load_usps}
"""What an experiment reads, if anything."""


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
