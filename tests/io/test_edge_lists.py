"""Lists of edges from other programs."""

import numpy as np
import pandas as pd
import pytest

from smoothgraph.io import FileError, read_graph


@pytest.fixture
def edges(tmp_path):
    """A function that returns the graph in a text."""

    def read(text, name="edges.csv"):
        (tmp_path / name).write_text(text)
        return read_graph(tmp_path / name)

    return read


def weights(graph):
    return graph.adjacency.toarray().tolist()


@pytest.mark.parametrize(
    "header", ["", "source,target,weight\n", "from,to,weight\n", "Source,TARGET, Weight \n", "from,to,w\n"]
)
def test_headers_of_all_kinds_and_none(edges, header):
    found = edges(header + "a,b,0.5\nb,c,2\n")
    assert found.names == ["a", "b", "c"]
    assert weights(found) == [[0, 0.5, 0], [0.5, 0, 2], [0, 2, 0]]


def test_headers_in_another_order(edges):
    found = edges("weight,to,from\n2,b,a\n")
    assert found.names == ["a", "b"]
    assert weights(found) == [[0, 2], [2, 0]]


@pytest.mark.parametrize("header", ["", "source,target\n", "from,to\n"])
def test_without_weights_all_are_one(edges, header):
    found = edges(header + "a,b\nb,c\nd,\n")
    assert found.names == ["a", "b", "c", "d"]
    assert weights(found)[1] == [1, 0, 1, 0]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_other_delimiters(edges, delimiter):
    found = edges("source,target,weight\na,b,0.5\n".replace(",", delimiter))
    assert weights(found) == [[0, 0.5], [0.5, 0]]


def test_decimal_commas(edges):
    assert weights(edges("a;b;0,5\n")) == [[0, 0.5], [0.5, 0]]


def test_tsv(edges):
    assert edges("a b\tc,d\t2\n", name="edges.tsv").names == ["a b", "c,d"]


def test_numbers_are_sorted_if_none_is_missing(edges):
    found = edges("2,0,5\n1,2,6\n")
    assert found.names is None
    assert weights(found) == [[0, 0, 5], [0, 0, 6], [5, 6, 0]]
    assert edges("1,2,5\n2,3,6\n").names == ["1", "2", "3"]
    assert edges("0,01,5\n").names == ["0", "01"]


def test_nodes_in_the_order_of_their_appearance(edges):
    assert edges("z,b\na,z\nc,\nb,y\n").names == ["z", "b", "a", "c", "y"]


def test_both_directions_and_repetitions_with_the_same_weight(edges):
    assert weights(edges("a,b,0.5\nb,a,0.5\na,b,0.50\n")) == [[0, 0.5], [0.5, 0]]


def test_loops_and_zero_weights_are_dropped(edges):
    found = edges("a,b,0.5\na,a,7\nb,c,0\n")
    assert found.names == ["a", "b", "c"]
    assert found.adjacency.nnz == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,1\nb,c,3\n\nb,a,2\n", "row 1 and row 4: expected one weight per edge, got 1.0 and"),
        ("a,b,1\na,b,2\n", "row 1 and row 2: expected one weight"),
        ("source,target,weight\na,b,-0.5\n", "row 2: expected a finite weight >= 0, got -0.5"),
        ("a,b,1\nb,c,inf\n", "row 2: expected a finite weight >= 0, got inf"),
        ("a,b,1\nb,c,nan\n", "row 2: expected a target and a weight"),
        ("a,b,1\nb,c,\n", "row 2: expected a target and a weight"),
        ("a,b,1\nb,,1\n", "row 2: expected a target and a weight"),
        ("a,b,1\n,c,1\n", "row 2: expected a node as source, got an empty cell"),
        ("a,b,1\nb,c,x\n", "row 2, column 3: expected a number as weight, got 'x'"),
        ("one,two,three\na,b,1\n", "row 1, column 3: .*begin with a header row source"),
        ("a,b,1\nb,c\n", "row 2: expected 3 fields between ',' as in the first row, got 2"),
        ("a,b,1,x\n", "expected 2 or 3 columns, source, target and weight, got 4"),
        ("a\nb\n", "expected 2 or 3 columns, source, target and weight, got 1"),
        ("source,target,from\na,b,1\n", "expected one column each for source"),
        ("source,target,weight\n", "expected rows of edges below the header, got none"),
        ("", "expected rows of values, got an empty file"),
    ],
)
def test_errors_name_the_row(edges, text, message):
    with pytest.raises(FileError, match=rf"edges\.csv: {message}"):
        edges(text)


# -- Parquet -----------------------------------------------------------------


@pytest.fixture
def parquet(tmp_path):
    pytest.importorskip("pyarrow")

    def read(columns):
        pd.DataFrame(columns).to_parquet(tmp_path / "edges.parquet")
        return read_graph(tmp_path / "edges.parquet")

    return read


def test_parquet_files_from_other_programs(parquet):
    found = parquet({"From": ["b", "c", "d"], "To": ["c", "b", None], "note": [1, 2, 3]})
    assert found.names == ["b", "c", "d"]
    assert weights(found) == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    found = parquet({"weight": [0.5, 2], "target": [1, 2], "source": [0, 0]})
    assert found.names is None
    assert weights(found)[0] == [0, 0.5, 2]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1], "b": [2]}, "expected columns source, target and weight, got a, b"),
        ({"source": ["a"], "target": ["b"], "weight": [-1.0]}, "row 1: expected a finite weight"),
        ({"source": ["a"], "target": ["b"], "weight": [np.nan]}, "row 1: expected a target and"),
        ({"source": [None, "a"], "target": ["b", "b"]}, "row 1: expected a node as source"),
        ({"source": ["a", "b"], "target": ["b", "a"], "weight": [1.0, 2.0]}, "row 1 and row 2: expected one weight"),
    ],
)
def test_parquet_errors_name_the_row(parquet, columns, message):
    with pytest.raises(FileError, match=rf"edges\.parquet: {message}"):
        parquet(columns)
