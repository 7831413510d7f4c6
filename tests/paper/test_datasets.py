import os
from pathlib import Path
from urllib.error import URLError

import numpy as np
import pytest
import sklearn.datasets
from sklearn.utils import Bunch

from paper.datasets import load_coil20, load_mnist, load_usps

DIGITS = range(10)
OBJECTS = range(1, 21)


@pytest.fixture
def real(request):
    """The folder of the real files, or a skip if the named one is not there."""
    folder, file = os.environ.get("SMOOTHGRAPH_DATA"), request.param
    if not folder or not (Path(folder) / file).exists():
        pytest.skip(f"needs {file}: set SMOOTHGRAPH_DATA to the folder that holds it")
    return Path(folder)


@pytest.fixture
def unset(monkeypatch):
    monkeypatch.delenv("SMOOTHGRAPH_DATA", raising=False)
    return monkeypatch


def images(n_columns, low, high, *, labels=DIGITS):
    """An image per label: the low value, but the high one in the column with the label's number."""
    X = np.full((len(labels), n_columns), low)
    X[np.arange(len(labels)), list(labels)] = high
    return {"X": X, "y": np.array(labels)}


def usps_like(**changes):
    return images(256, -1.0, 1.0) | changes


class Armed:
    """Calls an alarm if it is unpickled."""

    rang = False

    def __reduce__(self):
        return Armed.ring, ()

    @staticmethod
    def ring():
        Armed.rang = True


@pytest.mark.parametrize(
    ("load", "real", "shape", "low", "counts"),
    [
        (load_usps, "usps.npz", (9298, 256), -1, [1553, 1269, 929, 824, 852, 716, 834, 792, 708, 821]),
        (load_mnist, "mnist.npz", (70000, 784), 0, [6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958]),
        (load_coil20, "coil20_32.npz", (1440, 1024), 0, [0] + 20 * [72]),
    ],
    indirect=["real"],
)
def test_the_real_files(load, real, shape, low, counts):
    X, y = load(real)
    assert X.shape == shape
    assert X.dtype == np.float64
    assert (X.min(), X.max()) == (low, 1)
    np.testing.assert_array_equal(np.bincount(y), counts)


@pytest.mark.parametrize("real", ["coil20.npz"], indirect=True)
def test_the_real_large_coil20_is_the_small_one(real, tmp_path):
    (tmp_path / "coil20.npz").symlink_to(real / "coil20.npz")
    large, small = load_coil20(tmp_path), load_coil20(real)
    np.testing.assert_array_equal(large.X.astype(np.float32), small.X.astype(np.float32))
    np.testing.assert_array_equal(large.y, small.y)


def test_mnist_comes_in_unit_range(tmp_path):
    content = images(784, np.uint8(0), np.uint8(255))
    content["X"][0, 5] = 51
    np.savez(tmp_path / "mnist.npz", **content)
    X, y = load_mnist(str(tmp_path))
    np.testing.assert_allclose(X, content["X"] / 255, rtol=1e-15)
    assert X[0, 5] == pytest.approx(0.2, rel=1e-15)
    assert y.dtype == np.int64


def test_large_coil20_is_averaged_over_blocks(tmp_path):
    large = images(128 * 128, np.uint8(0), np.uint8(255), labels=OBJECTS)
    np.savez(tmp_path / "coil20.npz", **large)
    X, y = load_coil20(tmp_path)
    # one pixel of 16 is white, that in the first row and the column of the label
    expected = np.zeros((20, 32 * 32))
    expected[np.arange(20), np.arange(1, 21) // 4] = 1 / 16
    np.testing.assert_allclose(X, expected, rtol=1e-15)
    np.testing.assert_array_equal(y, OBJECTS)


def test_the_small_coil20_is_preferred(tmp_path):
    np.savez(tmp_path / "coil20.npz", X=np.zeros(3), y=np.zeros(3))
    np.savez(tmp_path / "coil20_32.npz", **images(32 * 32, 0.0, 1.0, labels=OBJECTS))
    assert load_coil20(tmp_path).X.shape == (20, 1024)


def test_data_dir_wins_over_the_variable(tmp_path, unset):
    for name, n_rows in ("given", 10), ("variable", 4):
        (tmp_path / name).mkdir()
        content = {key: array[:n_rows] for key, array in usps_like().items()}
        np.savez(tmp_path / name / "usps.npz", **content)
    unset.setenv("SMOOTHGRAPH_DATA", str(tmp_path / "variable"))
    assert len(load_usps().X) == 4
    assert len(load_usps(tmp_path / "given").X) == 10


@pytest.mark.parametrize("origin", ["data_dir", "SMOOTHGRAPH_DATA"])
def test_a_missing_file_is_named_with_what_to_do(origin, tmp_path, unset):
    unset.setenv("SMOOTHGRAPH_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError) as error:
        load_usps(tmp_path if origin == "data_dir" else None)
    message = str(error.value)
    assert str(tmp_path / "usps.npz") in message
    assert f"from {origin}" in message
    assert "--data-dir" in message
    assert "fetched from OpenML" in message


def test_a_missing_coil20_names_both_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"coil20_32\.npz or .*coil20\.npz.*OpenML"):
        load_coil20(tmp_path)


@pytest.mark.parametrize("kept", [0, 10, 0.5, 0.99])
def test_a_truncated_file(kept, tmp_path):
    path = tmp_path / "usps.npz"
    np.savez_compressed(path, **usps_like())
    whole = path.read_bytes()
    path.write_bytes(whole[: kept if kept >= 1 else int(kept * len(whole))])
    with pytest.raises(ValueError, match=r"usps\.npz cannot be read: .*X \(256 columns\) and y"):
        load_usps(tmp_path)


def test_damaged_bytes_within_a_file(tmp_path):
    path = tmp_path / "usps.npz"
    np.savez(path, **usps_like())
    content = bytearray(path.read_bytes())
    content[1000:1010] = bytes(10)
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"usps\.npz cannot be read: .*CRC"):
        load_usps(tmp_path)


@pytest.mark.parametrize("key", ["X", "y"])
def test_nothing_is_unpickled(key, tmp_path):
    armed = np.array([Armed()], dtype=object)
    np.savez(tmp_path / "usps.npz", **usps_like(**{key: armed}))
    with pytest.raises(ValueError, match=r"usps\.npz cannot be read: .*without pickled objects"):
        load_usps(tmp_path)
    assert not Armed.rang


def test_a_single_array_is_not_a_data_set(tmp_path):
    with (tmp_path / "usps.npz").open("wb") as file:
        np.save(file, np.zeros((3, 256)))
    with pytest.raises(ValueError, match=r"usps\.npz cannot be read: .*a single array"):
        load_usps(tmp_path)


@pytest.mark.parametrize(
    ("content", "found"),
    [({"data": np.zeros(3), "y": np.zeros(3)}, "data, y"), ({"X": np.zeros(3)}, "X"), ({}, "none")],
)
def test_wrong_keys(content, found, tmp_path):
    np.savez(tmp_path / "usps.npz", **content)
    with pytest.raises(ValueError, match=rf"usps\.npz .*arrays X \(256 .*y, got {found}\."):
        load_usps(tmp_path)


NAN = usps_like()["X"]
NAN[3, 3] = np.nan


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (images(255, -1.0, 1.0), r"256 columns, got shape \(10, 255\)"),
        ({"X": np.zeros((10, 16, 16))}, r"256 columns, got shape \(10, 16, 16\)"),
        ({"X": np.zeros((0, 256)), "y": np.zeros(0)}, r"256 columns, got shape \(0, 256\)"),
        ({"X": np.full((10, 256), "a")}, "table of numbers .* of <U1"),
        ({"X": (usps_like()["X"] + 1) / 2}, "values from -1 to 1, got 0 to 1"),
        ({"X": images(256, np.uint8(0), np.uint8(255))["X"]}, "from -1 to 1, got 0 to 255"),
        ({"X": NAN}, "values from -1 to 1, got nan to nan"),
        ({"y": np.arange(9)}, r"each of the 10 rows of X, got shape \(9,\)"),
        ({"y": np.eye(10)}, r"each of the 10 rows of X, got shape \(10, 10\)"),
        ({"y": np.arange(1, 11)}, "labels from 0 to 9, got .*10"),
        ({"y": np.arange(10) / 2}, "labels from 0 to 9, got .*0.5"),
        ({"y": np.array(list("abcdefghij"))}, "labels from 0 to 9, got .*'a'"),
    ],
)
def test_wrong_content(changes, message, tmp_path):
    np.savez(tmp_path / "usps.npz", **usps_like(**changes))
    with pytest.raises(ValueError, match=rf"of .*usps\.npz must .*{message}"):
        load_usps(tmp_path)


def openml_with(known, asked):
    """A stand-in for scikit-learn's ``fetch_openml`` that notes what it was asked."""

    def fetch_openml(*, data_id, as_frame, parser):
        asked.append((data_id, as_frame))
        labels = np.array([str(label) for label in known["y"]], dtype=object)
        return Bunch(data=known["X"], target=labels)

    return fetch_openml


@pytest.mark.parametrize("variable", [None, ""])
def test_openml_numbers_the_digits_of_usps_from_one(variable, unset):
    if variable is not None:
        unset.setenv("SMOOTHGRAPH_DATA", variable)
    asked = []
    known = usps_like(y=np.arange(1, 11))
    unset.setattr(sklearn.datasets, "fetch_openml", openml_with(known, asked))
    X, y = load_usps()
    assert asked == [(41082, False)]
    np.testing.assert_array_equal(X, known["X"])
    np.testing.assert_array_equal(y, DIGITS)
    assert y.dtype == np.int64


def test_openml_has_mnist_in_bytes(unset):
    asked = []
    known = images(784, 0, 255)
    unset.setattr(sklearn.datasets, "fetch_openml", openml_with(known, asked))
    X, y = load_mnist()
    assert asked == [(554, False)]
    np.testing.assert_allclose(X, known["X"] / 255, rtol=1e-15)
    np.testing.assert_array_equal(y, DIGITS)


def test_a_surprise_from_openml_is_an_error(unset):
    known = usps_like(y=np.arange(2, 12))
    unset.setattr(sklearn.datasets, "fetch_openml", openml_with(known, []))
    with pytest.raises(ValueError, match=r"openml\.org/d/41082 must .*from 1 to 10, got '11'"):
        load_usps()


@pytest.mark.parametrize("highest", [1, 255])
@pytest.mark.parametrize("first", [0, 1])
def test_openml_may_count_the_objects_and_scale_the_pixels_of_coil20_either_way(highest, first, unset):
    asked = []
    known = images(1024, 0, highest)
    known["y"] = np.arange(first, first + len(known["X"]))
    unset.setattr(sklearn.datasets, "fetch_openml", openml_with(known, asked))
    X, y = load_coil20()
    assert asked == [(46783, False)]
    np.testing.assert_allclose(X, known["X"] / highest, rtol=1e-15)
    np.testing.assert_array_equal(y, np.arange(1, 1 + len(known["X"])))


def test_without_a_network_the_message_says_what_to_do(unset):
    def fetch_openml(**_):
        raise URLError("Name or service not known")

    unset.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
    with pytest.raises(OSError, match="No local folder was given") as error:
        load_usps()
    assert isinstance(error.value.__cause__, URLError)
    message = str(error.value)
    for part in ("USPS", "OpenML", "URLError", "Name or service not known", "usps.npz"):
        assert part in message
    for remedy in ("data_dir", "--data-dir", "SMOOTHGRAPH_DATA"):
        assert remedy in message


def test_a_folder_is_never_replaced_by_openml(tmp_path, unset):
    asked = []
    unset.setattr(sklearn.datasets, "fetch_openml", openml_with(usps_like(), asked))
    with pytest.raises(FileNotFoundError):
        load_usps(tmp_path)
    assert asked == []
