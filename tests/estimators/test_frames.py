import numpy as np
import pandas as pd
import pytest

from smoothgraph import LogDegreeGraph, SmoothGraph
from smoothgraph.methods import KNeighborsGraph

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture
def X(rng):
    return rng.normal(size=(30, 3))


@pytest.mark.parametrize("frame", [pd.DataFrame, polars.DataFrame, pyarrow.table])
@pytest.mark.parametrize("learner", [SmoothGraph(4), KNeighborsGraph(4)])
def test_text_columns_are_named(frame, learner, X):
    table = frame({"a": X[:, 0], "species": ["x"] * 30, "b": X[:, 1], "site": ["y"] * 30})
    with pytest.raises(ValueError, match=r"but 'species', 'site' hold something else; leave them out.*metric='gower'"):
        learner.fit(table)


def test_a_polars_frame_is_a_table_of_numbers(X):
    table = {"a": X[:, 0], "b": (10 * X[:, 1]).astype(int), "c": X[:, 2] > 0}
    graph = LogDegreeGraph(4).fit(polars.DataFrame(table))
    same = LogDegreeGraph(4).fit(np.column_stack(list(table.values())).astype(float))
    assert abs(graph.adjacency_ - same.adjacency_).max() == 0
    assert list(graph.feature_names_in_) == ["a", "b", "c"]


def test_missing_values_of_polars_are_left_out(X):
    X[0, 0] = np.nan
    table = polars.DataFrame({"a": [None, *X[1:, 0].tolist()], "b": X[:, 1], "c": X[:, 2]})
    graph = LogDegreeGraph(4, missing="pairwise").fit(table)
    assert abs(graph.adjacency_ - LogDegreeGraph(4, missing="pairwise").fit(X).adjacency_).max() == 0


@pytest.mark.parametrize("learner", [SmoothGraph(4), KNeighborsGraph(4)])
def test_masked_values_are_no_data(learner, X):
    masked = np.ma.masked_array(X, mask=np.argsort(np.argsort(X, axis=None)).reshape(X.shape) > 87)
    with pytest.raises(ValueError, match=r"2 values of X are masked.*fill them in"):
        learner.fit(masked)
    whole = learner.fit(np.ma.masked_array(X)).adjacency_
    assert abs(whole - learner.fit(X).adjacency_).max() == 0


@pytest.mark.parametrize("kind", [np.float32, np.uint8, np.int16])
def test_rows_keep_their_type(kind, X):
    rows = (20 * X + 100).astype(kind)
    assert LogDegreeGraph(4).fit(rows).signals_.dtype == kind
