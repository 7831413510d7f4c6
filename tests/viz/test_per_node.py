import numpy as np
import pandas as pd
import pytest

from smoothgraph.viz.per_node import Categories, read_labels


def read(labels):
    return read_labels(labels, 4)


@pytest.mark.parametrize(
    ("labels", "names", "codes"),
    [
        ([10, 9, None, 2], ["2", "9", "10"], [2, 1, -1, 0]),
        ([True, False, None, True], ["False", "True"], [1, 0, -1, 1]),
        (np.array([1, "", 2, None], dtype=object), ["1", "2"], [0, -1, 1, -1]),
        ([1, "a", 1.0, np.nan], ["1", "a"], [0, 1, 0, -1]),
        ("abca", ["a", "b", "c"], [0, 1, 2, 0]),
        (pd.Series([3, 1, pd.NA, 3], dtype="Int64"), ["1", "3"], [1, 0, -1, 1]),
        (pd.Series([True, pd.NA, False, True], dtype="boolean"), ["False", "True"], [1, -1, 0, 1]),
        (pd.Categorical(["b", "a", None, "b"], ["c", "b", "a"]), ["b", "a"], [0, 1, -1, 0]),
        (pd.Categorical([30, 7, 7, 30], [30, 7]), ["30", "7"], [0, 1, 1, 0]),
        (
            np.array(["2026-03-01", "NaT", "2026-02-01", "2026-03-01"], dtype="datetime64[D]"),
            ["2026-02-01", "2026-03-01"],
            [1, -1, 0, 1],
        ),
    ],
)
def test_categories(labels, names, codes):
    found = read(labels)
    assert isinstance(found, Categories)
    assert found.names == names
    assert found.codes.tolist() == codes


@pytest.mark.parametrize(
    "labels",
    [
        [0.5, None, 2, np.inf],
        np.array([0.5, np.nan, 2, -np.inf], dtype=np.float32),
        pd.Series([0.5, pd.NA, 2, None], dtype="Float64", index=[7, 8, 9, 10]),
    ],
)
def test_numbers(labels):
    found = read(labels)
    assert isinstance(found, np.ndarray)
    np.testing.assert_array_equal(found, [0.5, np.nan, 2, np.nan])


def test_whole_numbers_with_many_values_are_numbers():
    assert isinstance(read_labels(np.arange(40) // 2, 40), Categories)
    assert isinstance(read_labels([*range(21)], 21), np.ndarray)
