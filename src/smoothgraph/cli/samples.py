"""The samples: tables that come with this package, scikit-learn and Matplotlib, and made-up sensors."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

Rows = tuple[list[str], list[Sequence[Any]]]  # the header, and what is below it

_SENSORS, _LATER_SENSORS, _DAYS = 16, 2, 730
_ROUGHNESS = 0.8  # of the field from one day to the next, as the autocorrelation of its days
_REACH = 0.35  # over which the field is alike, in units of the map


@dataclass(frozen=True)
class Sample:
    """A table, where it comes from, and a command for it."""

    what: str
    source: str
    command: str
    make: Callable[[], Rows]


def _from_sklearn(loader: str, label: str | None, key: str | None = None) -> Rows:
    """Return a data set of scikit-learn, with the classes in the column ``label`` and numbered rows as ``key``."""
    from sklearn import datasets

    bunch = getattr(datasets, loader)()
    header = [str(name) for name in bunch.feature_names]
    columns: list[Any] = [column.tolist() for column in np.asarray(bunch.data).T]
    if label is not None:
        header.append(label)
        columns.append([str(bunch.target_names[k]) for k in bunch.target])
    if key is not None:
        header.insert(0, key)
        columns.insert(0, [f"{key} {k + 1}" for k in range(len(bunch.data))])
    return header, list(zip(*columns, strict=True))


def _flowers() -> Rows:
    """Return the measurements that Anderson made and Fisher published in 1936, as scikit-learn has them."""
    header, *rows = csv.reader((files("smoothgraph.cli") / "flowers.csv").read_text(encoding="utf-8").splitlines())
    return header, list(rows)


def _stocks() -> Rows:
    """Return the monthly prices that Matplotlib ships, from the first month in which all are known."""
    from matplotlib.cbook import get_sample_data

    text = Path(get_sample_data("Stocks.csv", asfileobj=False)).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    header, *rows = csv.reader(lines)
    return header, [row for row in rows if all(row)]


def _places() -> np.ndarray:
    """Return the latitudes and longitudes of the made-up sensors."""
    return np.random.default_rng(0).uniform((46.0, 6.0), (48.0, 9.0), size=(_SENSORS + _LATER_SENSORS, 2)).round(3)


def _names() -> list[str]:
    return [f"S{k + 1:02d}" for k in range(_SENSORS + _LATER_SENSORS)]


def _sensors(chosen: slice) -> Rows:
    """Return readings of some sensors that are alike at places that are close, and from one day to the next."""
    places = (_places() - (46.0, 6.0)) / (2.0, 3.0)
    squares = np.sum((places[:, None] - places) ** 2, axis=2)
    spread = np.linalg.cholesky(np.exp(-squares / (2 * _REACH**2)) + 0.05 * np.eye(len(places)))
    random = np.random.default_rng(1)
    field = np.zeros(len(places))
    readings = []
    for _ in range(_DAYS):
        field = _ROUGHNESS * field + np.sqrt(1 - _ROUGHNESS**2) * (spread @ random.normal(size=len(places)))
        readings.append(field)
    days = np.datetime64("2023-01-01") + np.arange(_DAYS)
    values = (12 + 4 * np.array(readings)[:, chosen]).round(2).tolist()
    return ["day", *_names()[chosen]], [[str(day), *row] for day, row in zip(days, values, strict=True)]


def _sensor_places() -> Rows:
    pairs = zip(_names()[:_SENSORS], _places()[:_SENSORS].tolist(), strict=True)
    return ["sensor", "lat", "lon"], [[name, *place] for name, place in pairs]


def _known() -> Rows:
    """Return the species of every tenth flower."""
    _, rows = _flowers()
    return ["flower", "kind"], [(row[0], row[-1]) for row in rows[::10]]


_SKLEARN, _FISHER = "scikit-learn", "Fisher, 1936"
SAMPLES = {
    "flowers": Sample(
        "150 iris flowers of three species, four lengths each",
        _FISHER,
        "smoothgraph learn {file} --label species",
        _flowers,
    ),
    "known": Sample(
        "the species of 15 of the flowers",
        _FISHER,
        "smoothgraph propagate graph.graphml --labels kind --node-table {file}",
        _known,
    ),
    "wine": Sample(
        "178 wines of three cultivars, 13 measurements in different units",
        _SKLEARN,
        "smoothgraph learn {file} --label cultivar --standardize",
        partial(_from_sklearn, "load_wine", "cultivar"),
    ),
    "digits": Sample(
        "1797 handwritten digits, 64 pixels each",
        _SKLEARN,
        "smoothgraph learn {file} --label digit",
        partial(_from_sklearn, "load_digits", "digit", "image"),
    ),
    "cells": Sample(
        "569 tumors, benign or malignant, 30 measurements of their cells",
        _SKLEARN,
        "smoothgraph learn {file} --label diagnosis --standardize",
        partial(_from_sklearn, "load_breast_cancer", "diagnosis"),
    ),
    "stocks": Sample(
        "monthly prices of stocks and two indices; columns are nodes",
        "Matplotlib",
        "smoothgraph learn {file} --nodes columns --log-returns --standardize -k 3",
        _stocks,
    ),
    "sensors": Sample(
        "daily readings of 16 sensors over two years; columns are nodes",
        "made up",
        "smoothgraph learn {file} --nodes columns --standardize -k 4",
        partial(_sensors, slice(_SENSORS)),
    ),
    "more-sensors": Sample(
        "readings of two more sensors on the same days",
        "made up",
        "smoothgraph join sensors.csv {file} --nodes columns --standardize -k 4",
        partial(_sensors, slice(_SENSORS, None)),
    ),
    "places": Sample(
        "the places of the 16 sensors",
        "made up",
        "smoothgraph learn sensors.csv --nodes columns --standardize -k 4 --node-table {file}",
        _sensor_places,
    ),
}
