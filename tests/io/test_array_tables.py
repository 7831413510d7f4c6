"""NPY, NPZ and Matrix Market."""

import itertools
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp

from smoothgraph.io import FileError, read_table


@pytest.fixture
def npz(tmp_path):
    """A function that writes arrays with NumPy and returns the table that is read."""

    def read(options=None, **arrays):
        np.savez(tmp_path / "table.npz", allow_pickle=True, **arrays)
        return read_table(tmp_path / "table.npz", **(options or {}))

    return read


@pytest.fixture
def npy(tmp_path):
    def read(array, **options):
        np.save(tmp_path / "table.npy", array, allow_pickle=True)
        return read_table(tmp_path / "table.npy", **options)

    return read


X = np.array([[0.1 + 0.2, 2.0, np.nan], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize("dtype", [float, np.float32, np.int8, np.uint64, bool, ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_npy(npy, rng, dtype, order):
    array = np.asarray(rng.integers(0, 2, size=(4, 3)), dtype=dtype, order=order)
    found = npy(array)
    np.testing.assert_array_equal(found.values, array)
    assert found.values.dtype == np.float64
    assert found.values.flags.c_contiguous
    assert found.row_names is None
    assert found.column_names is None
    assert found.notes == []


def test_missing_values_are_counted(npy):
    assert npy(X).notes == ["Missing values: 1 of 6 (17%)."]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones(3), r"got shape \(3,\); a single signal is a table with one column, x\[:, None\]"),
        (np.ones((2, 3, 4)), r"got shape \(2, 3, 4\); save it as a table with one row per node"),
        (np.ones((2, 2)) * 1j, "expected an array of real numbers, got complex numbers"),
        (np.array([["a", "b"]]), "expected an array of real numbers, got text"),
        (np.array([[None]]), "holds Python objects, which are never unpickled"),
        (np.array([[1.0, 2.0], [np.inf, 3.0]]), "row 2, column 1: expected a finite number"),
        (np.ones((0, 3)), "got 0 rows and 3 columns"),
        (np.ones((3, 0)), "got 3 rows and 0 columns"),
    ],
)
def test_other_arrays_are_refused(npy, npz, array, message):
    with pytest.raises(FileError, match=rf"table\.npy: .*{message}"):
        npy(array)
    with pytest.raises(FileError, match=rf"table\.npz: .*{message}"):
        npz(X=array)


def test_a_header_that_claims_too_much_is_not_trusted(npy, tmp_path):
    npy(np.ones((2, 3)))
    data = (tmp_path / "table.npy").read_bytes()
    (tmp_path / "table.npy").write_bytes(data.replace(b"(2, 3), }        ", b"(200000000, 3), }"))
    with pytest.raises(FileError, match="expected 600000000 values, as its header says, got 176"):
        read_table(tmp_path / "table.npy")


def test_columns_of_an_npy_can_be_set_aside(npy):
    found = npy(np.arange(6.0).reshape(2, 3), aside=["column 2"])
    assert found.values.tolist() == [[0, 2], [3, 5]]
    assert found.values.flags.c_contiguous
    assert found.row_attributes["column 2"].tolist() == [1, 4]
    with pytest.raises(FileError, match=r"got 'column 9'; did you mean"):
        npy(X, aside=["column 9"])
    with pytest.raises(FileError, match=r"got names=.column 1. for one that holds a matrix only"):
        npy(X, names="column 1")


# -- NPZ ---------------------------------------------------------------------


def test_the_array_x_or_the_only_matrix_is_taken(npz):
    np.testing.assert_array_equal(npz(other=X + 1, X=X).values, X)
    found = npz(signals=X, y=np.arange(2), text=np.array([["a"]]))
    np.testing.assert_array_equal(found.values, X)
    assert "The signals come from the array 'signals'." in found.notes
    with pytest.raises(FileError, match=r"got 2 of them among its arrays: a \(2, 3\), b \(2, 3\)"):
        npz(a=X, b=X)
    np.testing.assert_array_equal(npz({"aside": ["a"]}, a=X + 1, b=X).values, X)


def test_the_key_chooses(npz):
    np.testing.assert_array_equal(npz({"key": "b"}, a=X, b=X + 1, X=X).values, X + 1)
    with pytest.raises(FileError, match=r"arrays, 'Xtrain', 'y', got 'Xtrian'; did you mean"):
        npz({"key": "Xtrian"}, Xtrain=X, y=np.arange(2))


def test_arrays_beside_the_rows_and_columns(npz):
    found = npz(
        X=X,
        y=np.array([1, 2]),
        city=np.array(["é", "b"]),
        code=np.array([b"x", b"y"]),
        day=np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"),
        truth=np.array([True, False]),
        latlon=np.ones((2, 2)),
        wide=np.ones((2, 4)),
        scale=np.array([1.0, 2.0, 3.0]),
        unrelated=np.ones(7),
        pickled=np.array([None, None]),
    )
    rows = {name: array.tolist() for name, array in found.row_attributes.items()}
    assert rows == {
        "y": [1, 2],
        "city": ["é", "b"],
        "code": ["x", "y"],
        "day": ["2020-01-01", "NaT"],
        "truth": [1, 0],
        "latlon": [[1, 1], [1, 1]],
    }
    assert found.column_attributes["scale"].tolist() == [1, 2, 3]
    assert any("wide (2, 4), unrelated (7,), pickled (2,)" in note for note in found.notes)


def test_rows_come_first_if_there_are_as_many_columns(npz):
    found = npz(X=np.eye(3), y=np.arange(3), columns=np.array(["a", "b", "c"]))
    assert list(found.row_attributes) == ["y"]
    assert found.column_names == ["a", "b", "c"]


def test_a_wide_array_is_kept_if_asked_for(npz):
    assert npz({"aside": ["wide"]}, X=X, wide=np.ones((2, 9))).row_attributes["wide"].shape == (2, 9)


def test_names(npz):
    found = npz(X=X, names=np.array(["a", "b"]), genes=np.array(["u", "v", "w"]))
    assert found.row_names == ["a", "b"]
    assert found.column_names == ["u", "v", "w"]
    assert found.row_attributes == found.column_attributes == {}
    found = npz({"names": "id"}, X=X, names=np.array(["a", "b"]), id=np.array([7, 8]))
    assert found.row_names == ["7", "8"]
    assert list(found.row_attributes) == ["names"]


@pytest.mark.parametrize("names", [["a", "a"], ["a", ""], [1, 2]])
def test_invalid_row_names_are_an_attribute(npz, names):
    found = npz(X=X, names=np.array(names))
    assert found.row_names is None
    assert found.row_attributes["names"].tolist() == names


def test_names_that_are_asked_for_must_fit(npz):
    with pytest.raises(FileError, match="row 1 and row 2: expected names that are all different"):
        npz({"names": "y"}, X=X, y=np.array(["a", "a"]))
    with pytest.raises(FileError, match=r"expected one name per row, 2, got an array 'y' of shape"):
        npz({"names": "y"}, X=X, y=np.arange(3))
    with pytest.raises(FileError, match=r"arrays, 'X', got 'y'"):
        npz({"names": "y"}, X=X)


def test_a_named_column_can_be_set_aside(npz):
    found = npz({"aside": ["b"]}, X=X, columns=np.array(["a", "b", "c"]), scale=np.arange(3))
    assert found.column_names == ["a", "c"]
    assert found.values.shape == (2, 2)
    assert found.row_attributes["b"].tolist() == [2, 5]
    assert found.column_attributes["scale"].tolist() == [0, 2]
    assert found.notes[-1] == "Missing values: 1 of 4 (25%)."


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_sparse_npz(tmp_path, rng, form, kind):
    dense = rng.poisson(0.5, size=(6, 4))
    matrix = getattr(sp, f"{form}_{kind}")(dense)
    sp.save_npz(tmp_path / "table.npz", matrix)
    found = read_table(tmp_path / "table.npz")
    assert isinstance(found.values, sp.csr_array)
    assert found.values.dtype == np.float64
    np.testing.assert_array_equal(found.values.toarray(), dense)
    assert found.row_attributes == found.column_attributes == {}


def test_a_column_of_a_sparse_table_can_be_set_aside(tmp_path):
    sp.save_npz(tmp_path / "table.npz", sp.csr_array(np.arange(6.0).reshape(2, 3)))
    found = read_table(tmp_path / "table.npz", aside=["column 1"])
    assert found.values.toarray().tolist() == [[1, 2], [4, 5]]
    assert found.row_attributes["column 1"].tolist() == [0, 3]


def test_an_infinite_value_in_a_sparse_table_is_located(tmp_path):
    sp.save_npz(tmp_path / "table.npz", sp.csr_array(np.array([[0, 0], [0, np.inf]])))
    with pytest.raises(FileError, match="row 2, column 2: expected a finite number, got inf"):
        read_table(tmp_path / "table.npz")


# -- Matrix Market -----------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "dense", "symmetry"),
    [
        *itertools.product(["real", "integer"], [False, True], ["general", "symmetric", "skew-symmetric"]),
        ("pattern", False, "general"),
        ("pattern", False, "symmetric"),
    ],
)
def test_matrix_market(tmp_path, rng, field, symmetry, dense):
    matrix = np.triu(rng.integers(1, 9, size=(5, 5)) * (rng.random((5, 5)) < 0.6), k=1)
    matrix = matrix + (-matrix if symmetry == "skew-symmetric" else matrix).T
    matrix = matrix[:, :3] if symmetry == "general" else matrix
    matrix = {"real": matrix / 7, "integer": matrix, "pattern": matrix != 0}[field]
    given = matrix if dense else sp.coo_array(matrix)
    scipy.io.mmwrite(tmp_path / "t.mtx", given, comment="made\n up", field=field, symmetry=symmetry)
    found = read_table(tmp_path / "t.mtx").values
    assert sp.issparse(found) != dense
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found if dense else found.toarray(), matrix)


def test_matrix_market_as_others_write_it(tmp_path):
    text = "%%MatrixMarket MATRIX Coordinate Real General\n%\n\n 2  3 2\n1\t1  1e0\n\n2 3 nan"
    (tmp_path / "t.mtx").write_bytes(text.replace("\n", "\r\n").encode())
    found = read_table(tmp_path / "t.mtx")
    np.testing.assert_array_equal(found.values.toarray(), [[1, 0, 0], [0, 0, np.nan]])
    assert found.notes == ["Missing values: 1 of 6 (17%)."]


@pytest.mark.parametrize("value", [5e-324, 1e300, 0.1 + 0.2, 1 / 3])
def test_matrix_market_keeps_the_last_bit(tmp_path, value):
    scipy.io.mmwrite(tmp_path / "t.mtx", sp.coo_array([[value]]))
    assert read_table(tmp_path / "t.mtx").values[0, 0] == value


@pytest.mark.parametrize(
    ("sizes", "entry", "message"),
    [
        ("2 2 1", "0 1 1", "expected rows and columns from 1 to 2, got others"),
        ("2 2 1", "1 3 1", "expected rows and columns from 1 to 2, got others"),
        ("2 2 999999999", "1 1 1", "expected 999999999 entries, as its header says"),
        ("999999999999 2 1", "1 1 1", "got a shape of .* with only 1 value; correct its header"),
    ],
)
def test_matrix_market_headers_are_not_trusted(tmp_path, sizes, entry, message):
    text = f"%%MatrixMarket matrix coordinate real general\n{sizes}\n{entry}\n"
    (tmp_path / "t.mtx").write_text(text)
    with pytest.raises(FileError, match=rf"t\.mtx: .*{message}"):
        read_table(tmp_path / "t.mtx")


def test_matrix_market_errors_name_the_row(tmp_path):
    text = "%%MatrixMarket matrix coordinate real general\n% a comment\n2 2 2\n1 1 1\n2 2 x\n"
    (tmp_path / "t.mtx").write_text(text)
    with pytest.raises(FileError, match=r"t\.mtx: row 5: expected 3 numbers, got 'x'"):
        read_table(tmp_path / "t.mtx")
    (tmp_path / "t.mtx").write_text(text.replace("2 2 x", "2 2 1"))
    with pytest.raises(FileError, match=r"got names='a' for one that holds a matrix only"):
        read_table(tmp_path / "t.mtx", names="a")


def test_an_archive_that_would_fill_the_memory_is_refused(tmp_path):
    """By the sizes in its directory, before anything is unpacked."""
    np.savez_compressed(tmp_path / "t.npz", X=np.zeros((3, 4)))
    with zipfile.ZipFile(tmp_path / "t.npz", "a") as archive:
        archive.writestr("more.npy", b"")
        archive.infolist()[0].file_size = 2**40
    with pytest.raises(FileError, match=r"expected 1099511627776 bytes for all arrays, got .* the file is damaged"):
        read_table(tmp_path / "t.npz")
