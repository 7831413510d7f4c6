"""The labeled images of Kalofolias (2016), USPS, MNIST and COIL-20, and the Molène weather data.

Images come from ``data_dir`` if it is given, or else from the folder in the environment variable
``SMOOTHGRAPH_DATA``, or else from OpenML; scikit-learn keeps a copy of what it fetches there.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.npyio import NpzFile

from smoothgraph.support.input_error import InputError

DATA_VARIABLE = "SMOOTHGRAPH_DATA"
_RANGE_TOLERANCE = 0.01  # as a share of the expected range


class Stations(NamedTuple):
    """Weather stations: ``X`` has one row per station and one column per hour."""

    X: np.ndarray
    names: np.ndarray
    latitude: np.ndarray
    longitude: np.ndarray


class Labeled(NamedTuple):
    """Images and their classes: ``X`` has one row per image, ``y`` one label."""

    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True)
class _Form:
    """A stored form of a data set: its file, its pixels, and how to turn them into ``X``."""

    file: str
    n_columns: int
    lowest: float
    highest: float
    convert: Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class _DataSet:
    """A data set: its labels, and its forms in a folder (the first is preferred) and on OpenML."""

    name: str
    labels: range
    forms: tuple[_Form, ...]
    openml_id: int
    openml_forms: tuple[_Form, ...]

    @property
    def files(self) -> str:
        """The names of the files, any one of which is enough."""
        return " or ".join(form.file for form in self.forms)


def _to_float(X: np.ndarray) -> np.ndarray:
    return X.astype(np.float64)


def _from_bytes(X: np.ndarray) -> np.ndarray:
    return np.divide(X, 255, dtype=np.float64)


def _block_means(X: np.ndarray) -> np.ndarray:
    blocks = X.reshape(-1, 32, 4, 32, 4)
    return blocks.mean(axis=(2, 4), dtype=np.float64).reshape(-1, 32 * 32) / 255


_USPS_FORM = _Form("usps.npz", 16 * 16, -1, 1, _to_float)
_MNIST_FORM = _Form("mnist.npz", 28 * 28, 0, 255, _from_bytes)
_COIL20_FORM = _Form("coil20_32.npz", 32 * 32, 0, 1, _to_float)
_USPS = _DataSet("USPS", range(10), (_USPS_FORM,), 41082, (_USPS_FORM,))
_MNIST = _DataSet("MNIST", range(10), (_MNIST_FORM,), 554, (_MNIST_FORM,))
_COIL20 = _DataSet(
    "COIL-20",
    range(1, 21),
    (_COIL20_FORM, _Form("coil20.npz", 128 * 128, 0, 255, _block_means)),
    46783,
    (_COIL20_FORM, replace(_COIL20_FORM, highest=255, convert=_from_bytes)),
)


def load_usps(data_dir: Path | str | None = None) -> Labeled:
    """Return USPS: 9298 digits of 16 x 16 pixels in [-1, 1], with labels 0 to 9.

    Parameters
    ----------
    data_dir : path, optional
        The folder that holds ``usps.npz``; by default the folder in ``SMOOTHGRAPH_DATA``; without
        either, the images come from OpenML.
    """
    return _load(_USPS, data_dir)


def load_mnist(data_dir: Path | str | None = None) -> Labeled:
    """Return MNIST: 70000 digits of 28 x 28 pixels in [0, 1], with labels 0 to 9.

    Parameters
    ----------
    data_dir : path, optional
        The folder that holds ``mnist.npz``, with pixels from 0 to 255; by default the folder in
        ``SMOOTHGRAPH_DATA``; without either, the images come from OpenML.
    """
    return _load(_MNIST, data_dir)


def load_coil20(data_dir: Path | str | None = None) -> Labeled:
    """Return COIL-20: 72 views of 20 objects, 32 x 32 pixels in [0, 1], with labels 1 to 20.

    Parameters
    ----------
    data_dir : path, optional
        The folder that holds ``coil20_32.npz``, or ``coil20.npz`` with 128 x 128 pixels from
        0 to 255; by default the folder in ``SMOOTHGRAPH_DATA``; without either, the images come
        from OpenML.
    """
    return _load(_COIL20, data_dir)


def load_molene(data_dir: Path | str | None = None) -> Stations:
    """Return Molène: temperatures in kelvin of 37 stations in the 744 hours of January 2014.

    Parameters
    ----------
    data_dir : path, optional
        The folder that holds ``molene.npz``, with the arrays ``X``, ``names`` and ``latlon``
        (in degrees); by default the one in ``SMOOTHGRAPH_DATA``. OpenML does not have these data.
        Météo-France measured them in Brittany, and Girault (2015) prepared them:
        github.com/bgirault-usc/Molene-Dataset.
    """
    folder = data_dir if data_dir is not None else os.environ.get(DATA_VARIABLE) or None
    if folder is None or not (Path(folder) / "molene.npz").is_file():
        missing = "No folder was given" if folder is None else f"There is no {folder}/molene.npz"
        raise FileNotFoundError(f"{missing}; for one that holds molene.npz, {_remedy()}.")
    path = Path(folder) / "molene.npz"
    arrays = _read_npz(path, ("X", "names", "latlon"), "X, names and latlon")
    X, names, latlon = arrays["X"], arrays["names"], arrays["latlon"]
    if X.ndim != 2 or names.shape != X.shape[:1] or latlon.shape != (len(X), 2):
        raise InputError(
            f"{path}: expected a table X, one name and one latitude and longitude per row, got "
            f"shapes {X.shape}, {names.shape} and {latlon.shape}."
        )
    return Stations(X.astype(np.float64), names, *latlon.astype(np.float64).T)


def _load(data_set: _DataSet, data_dir: Path | str | None) -> Labeled:
    folder = data_dir if data_dir is not None else os.environ.get(DATA_VARIABLE) or None
    if folder is not None:
        return _from_folder(data_set, Path(folder), given=data_dir is not None)
    return _from_openml(data_set)


def _from_folder(data_set: _DataSet, folder: Path, *, given: bool) -> Labeled:
    """Read the preferred form of those in the folder."""
    for form in data_set.forms:
        path = folder / form.file
        if path.is_file():
            return _convert(_read_images(path, form), form, data_set.labels, str(path))
    origin = "data_dir" if given else DATA_VARIABLE
    wanted = " or ".join(str(folder / form.file) for form in data_set.forms)
    raise FileNotFoundError(
        f"There is no {wanted} (the folder is from {origin}). For another folder, "
        f"{_remedy()}; without any, {data_set.name} is fetched from OpenML."
    )


def _from_openml(data_set: _DataSet) -> Labeled:
    """Fetch the data; OpenML counts some classes from 0 and some from 1."""
    address = f"https://www.openml.org/d/{data_set.openml_id}"
    try:
        bunch = _fetch(data_set.openml_id)
    except Exception as error:
        raise OSError(
            f"No local folder was given, and fetching {data_set.name} from OpenML ({address}) "
            f"failed with {type(error).__name__}: {error}. For a folder that holds "
            f"{data_set.files}, {_remedy()}."
        ) from error
    raw = Labeled(bunch.data, bunch.target)
    form = min(data_set.openml_forms, key=lambda form: abs(form.highest - raw.X.max(initial=0)))
    first = 0 if {0, "0"} & set(raw.y.tolist()) else 1
    X, y = _convert(raw, form, range(first, first + len(data_set.labels)), address)
    return Labeled(X, y - first + data_set.labels.start)


def _fetch(data_id: int) -> Any:
    """Fetch a data set, or read scikit-learn's copy; the parser that needs pandas is faster."""
    from sklearn.datasets import fetch_openml

    parser = "pandas" if find_spec("pandas") else "liac-arff"
    return fetch_openml(data_id=data_id, as_frame=False, parser=parser)


def _read_images(path: Path, form: _Form) -> Labeled:
    """Read ``X`` and ``y`` from an ``.npz`` file."""
    arrays = _read_npz(path, ("X", "y"), f"X ({form.n_columns} columns) and y")
    return Labeled(arrays["X"], arrays["y"])


def _read_npz(path: Path, names: tuple[str, ...], described: str) -> dict[str, np.ndarray]:
    """Read arrays from an ``.npz`` file without unpickling anything."""
    expected = f"expected an .npz file with the arrays {described}"
    try:
        with path.open("rb") as stream:  # NumPy leaves a broken file open
            file = np.load(stream, allow_pickle=False)
            if not isinstance(file, NpzFile):
                raise InputError("it is a single array")
            if set(names) <= set(file.files):
                return {name: file[name] for name in names}
            found = ", ".join(file.files) or "none"
    except Exception as error:
        raise InputError(
            f"{path} cannot be read: {expected}, without pickled objects, got {type(error).__name__}: {error}"
        ) from error
    raise InputError(f"{path} lacks an array: {expected}, got {found}.")


def _convert(raw: Labeled, form: _Form, labels: range, source: str) -> Labeled:
    """Check and convert images and labels; a ValueError names the source of bad ones."""
    X, y = raw
    if X.ndim != 2 or X.shape[1] != form.n_columns or len(X) == 0 or X.dtype.kind not in "uif":
        raise InputError(
            f"X of {source} must be a table of numbers with {form.n_columns} columns, got shape {X.shape} of {X.dtype}."
        )
    if y.shape != X.shape[:1]:
        raise InputError(f"y of {source} must have one label for each of the {len(X)} rows of X, got shape {y.shape}.")
    _check_range(X, form, source)
    return Labeled(form.convert(X), _integers(y, labels, source))


def _check_range(X: np.ndarray, form: _Form, source: str) -> None:
    """Raise a ValueError unless the pixels span their range, so that nothing is scaled twice."""
    lowest, highest = float(X.min()), float(X.max())
    slack = _RANGE_TOLERANCE * (form.highest - form.lowest)
    spans = abs(lowest - form.lowest) <= slack and abs(highest - form.highest) <= slack
    if not spans:  # which is also the case for NaN
        raise InputError(
            f"X of {source} must have values from {form.lowest:g} to {form.highest:g}, got {lowest:g} to {highest:g}."
        )


def _integers(y: np.ndarray, labels: range, source: str) -> np.ndarray:
    """Return labels as integers; OpenML has some as strings."""
    try:
        numbers = y.astype(np.float64)
        known = np.isin(numbers, labels)
    except (TypeError, ValueError):
        known = np.zeros(len(y), dtype=bool)
    if not known.all():
        raise InputError(f"y of {source} must hold labels from {labels[0]} to {labels[-1]}, got {y[~known][0]!r}.")
    return numbers.astype(np.int64)


def _remedy() -> str:
    return f"give data_dir (--data-dir on the command line) or set {DATA_VARIABLE}"
