"""HDF5 and AnnData files."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from smoothgraph.io import FileError, read_table

h5py = pytest.importorskip("h5py")


@pytest.fixture
def hdf5(tmp_path):
    """A function that writes datasets with h5py and returns the table that is read."""

    def read(datasets, **options):
        with h5py.File(tmp_path / "table.h5", "w") as root:
            for name, array in datasets.items():
                root[name] = array
        return read_table(tmp_path / "table.h5", **options)

    return read


def test_the_only_table_wherever_it_is(hdf5, rng):
    X = rng.normal(size=(4, 3)).astype(np.float32)
    found = hdf5(
        {
            "deep/er/signals": X,
            "label": np.array(["ä", "b", "c", "d"], dtype=object),
            "names": np.array([b"p", b"q", b"r", b"s"]),
            "features": np.array(["u", "v", "w"], dtype=object),
            "count": 7,
        }
    )
    np.testing.assert_array_equal(found.values, X)
    assert found.values.dtype == np.float64
    assert found.row_names == ["p", "q", "r", "s"]
    assert found.column_names == ["u", "v", "w"]
    assert found.row_attributes["label"].tolist() == ["ä", "b", "c", "d"]
    assert "The signals come from the array 'deep/er/signals'." in found.notes


def test_the_key_chooses(hdf5):
    both = {"a/x": np.ones((2, 5)), "b": np.zeros((2, 5))}
    assert hdf5(both, key="/a/x").values.sum() == 10
    assert hdf5(both, key="b").values.sum() == 0
    found = hdf5(both, aside=["b"])
    assert found.values.sum() == 10
    assert found.row_attributes["b"].shape == (2, 5)
    with pytest.raises(FileError, match=r"among its arrays: a/x \(2, 5\), b \(2, 5\)"):
        hdf5(both)
    with pytest.raises(FileError, match=r"table\.h5: expected one of its arrays, 'a/x', 'b', got"):
        hdf5(both, key="c")


def test_names_and_aside(hdf5):
    found = hdf5({"X": np.ones((2, 2)), "id": [5, 6], "big": np.ones((2, 9))}, names="id", aside=["big"])
    assert found.row_names == ["5", "6"]
    assert found.row_attributes["big"].shape == (2, 9)


def test_compressed_chunks(tmp_path, rng):
    X = rng.normal(size=(50, 20))
    with h5py.File(tmp_path / "t.hdf5", "w") as root:
        root.create_dataset("X", data=X, compression="gzip", chunks=(7, 3), fletcher32=True)
    np.testing.assert_array_equal(read_table(tmp_path / "t.hdf5").values, X)


def test_a_shape_that_was_never_filled_is_not_trusted(tmp_path):
    with h5py.File(tmp_path / "t.h5", "w") as root:
        root.create_dataset("X", shape=(10**5, 10**4), dtype=float, chunks=(100, 100))
    with pytest.raises(FileError, match=r"expected 8000000000 bytes for /X of shape .*, got 0"):
        read_table(tmp_path / "t.h5")


# -- AnnData -----------------------------------------------------------------

GENES = ["g1", "g2", "g3", "g4"]
CELLS = [f"cell {k}" for k in range(6)]


@pytest.fixture
def adata(rng):
    anndata = pytest.importorskip("anndata")
    obs = pd.DataFrame(
        {
            "kind": pd.Categorical(["a", "b", None, "a", "b", "a"]),
            "grade": pd.Categorical([3, 1, 3, 1, 3, 1]),
            "score": np.arange(6) / 7,
            "batch": list("uuvvww"),
            "good": [True, False] * 3,
            "count": pd.array([1, None, 3, 4, 5, 6], dtype="Int64"),
        },
        index=CELLS,
    )
    var = pd.DataFrame({"variable": [True, False, True, True]}, index=GENES)
    result = anndata.AnnData(rng.poisson(1, size=(6, 4)).astype(np.float32), obs=obs, var=var)
    result.layers["csr"] = sp.csr_matrix(result.X * 2)
    result.layers["csc"] = sp.csc_matrix(result.X * 3)
    result.obsm["X_umap"] = rng.normal(size=(6, 2))
    result.obsm["X_wide"] = rng.normal(size=(6, 5))
    return result


@pytest.fixture
def h5ad(tmp_path):
    def read(adata, **options):
        adata.write_h5ad(tmp_path / "cells.h5ad")
        return read_table(tmp_path / "cells.h5ad", **options)

    return read


def test_anndata_x_with_all_annotations(adata, h5ad):
    found = h5ad(adata)
    np.testing.assert_array_equal(found.values, adata.X)
    assert found.values.dtype == np.float64
    assert found.row_names == CELLS
    assert found.column_names == GENES
    assert found.column_attributes["variable"].tolist() == [1, 0, 1, 1]
    attributes = dict(found.row_attributes)
    np.testing.assert_array_equal(attributes.pop("X_umap"), adata.obsm["X_umap"])
    np.testing.assert_array_equal(attributes.pop("count"), [1, np.nan, 3, 4, 5, 6])
    assert {name: array.tolist() for name, array in attributes.items()} == {
        "kind": ["a", "b", "", "a", "b", "a"],
        "grade": [3, 1, 3, 1, 3, 1],
        "score": (np.arange(6) / 7).tolist(),
        "batch": list("uuvvww"),
        "good": [1, 0] * 3,
    }
    assert found.notes[0].startswith("The signals come from X; the file also has obsm/X_umap,")


@pytest.mark.parametrize(("layer", "factor"), [("csr", 2), ("csc", 3)])
def test_anndata_sparse(adata, h5ad, layer, factor):
    found = h5ad(adata, key=f"layers/{layer}")
    assert isinstance(found.values, sp.csr_array)
    np.testing.assert_array_equal(found.values.toarray(), factor * adata.X)
    assert found.column_names == GENES
    adata.X = sp.csr_matrix(adata.X)
    np.testing.assert_array_equal(h5ad(adata).values.toarray(), adata.X.toarray())


def test_anndata_principal_components_come_first(adata, h5ad, rng):
    adata.obsm["X_pca"] = rng.normal(size=(6, 5))
    found = h5ad(adata)
    np.testing.assert_array_equal(found.values, adata.obsm["X_pca"])
    assert found.row_names == CELLS
    assert found.column_names is None
    assert found.column_attributes == {}
    assert "obsm/X_pca" in found.notes[0]
    np.testing.assert_array_equal(h5ad(adata, key="X").values, adata.X)
    assert "X_umap" not in h5ad(adata, key="obsm/X_umap").row_attributes


def test_anndata_raw(adata, h5ad):
    adata.raw = adata.copy()
    found = h5ad(adata[:, :2].copy(), key="raw/X")
    np.testing.assert_array_equal(found.values, adata.X)
    assert found.column_names == GENES


def test_anndata_nullable_text(adata, tmp_path):
    anndata = pytest.importorskip("anndata")
    adata.obs["note"] = pd.array(["x", None] * 3, dtype="string")
    with anndata.settings.override(allow_write_nullable_strings=True):
        adata.write_h5ad(tmp_path / "cells.h5ad")
    found = read_table(tmp_path / "cells.h5ad")
    assert found.row_attributes["note"].tolist() == ["x", ""] * 3


def test_anndata_names_and_aside(adata, h5ad):
    adata.obs["barcode"] = [f"b{k}" for k in range(6)]
    found = h5ad(adata, names="barcode", aside=["kind", "g2"])
    assert found.row_names == [f"b{k}" for k in range(6)]
    assert found.column_names == ["g1", "g3", "g4"]
    np.testing.assert_array_equal(found.row_attributes["g2"], adata.X[:, 1])
    with pytest.raises(FileError, match="row 1 and row 2: expected names that are all different"):
        h5ad(adata, names="batch")
    with pytest.raises(FileError, match=r"columns of obs, .*got 'bardcode'; did you mean 'barcode'"):
        h5ad(adata, names="bardcode")


def test_anndata_repeated_names_are_left_out(adata, h5ad, recwarn):
    adata.obs_names = ["same"] * 6
    found = h5ad(adata)
    assert found.row_names is None
    assert any("/obs/_index has empty or repeated names" in note for note in found.notes)


def test_anndata_errors_name_the_place(adata, h5ad, tmp_path):
    with pytest.raises(FileError, match=r"'layers/csc', .*got 'layers/cscs'; did you mean"):
        h5ad(adata, key="layers/cscs")
    adata.X[1, 2] = np.inf
    with pytest.raises(FileError, match=r"cells\.h5ad: row 2, column 'g3': expected a finite"):
        h5ad(adata)


def test_the_old_anndata(tmp_path, rng):
    """Before 0.8 categories had their own group; before 0.7 obs was a single dataset."""
    X = rng.normal(size=(3, 2))
    with h5py.File(tmp_path / "seven.h5ad", "w") as root:
        root["X"] = X
        root["obs/index"] = np.array([b"a", b"b", b"c"])
        root["obs"].attrs["_index"] = "index"
        root["obs/kind"] = np.array([1, 0, -1], dtype=np.int8)
        root["obs/__categories/kind"] = np.array([b"u", b"v"])
    found = read_table(tmp_path / "seven.h5ad")
    assert found.row_names == ["a", "b", "c"]
    assert found.row_attributes["kind"].tolist() == ["v", "u", ""]
    with h5py.File(tmp_path / "six.h5ad", "w") as root:
        root["X/data"], root["X/indices"] = np.ones(3), np.array([0, 1, 0])
        root["X/indptr"] = np.array([0, 1, 2, 3])
        root["X"].attrs.update({"h5sparse_format": "csr", "shape": np.array([3, 2])})
        root["obs"] = np.zeros(3, dtype=[("index", "S1")])
    found = read_table(tmp_path / "six.h5ad")
    assert found.values.toarray().tolist() == [[1, 0], [0, 1], [1, 0]]
    assert any("/obs is in the format of an old AnnData" in note for note in found.notes)


def point_elsewhere(root, kind, secret):
    """Make a file whose signals are those of another file."""
    if kind == "external link":
        root["X"] = h5py.ExternalLink(secret, "/X")
    elif kind == "external storage":
        root.create_dataset("X", (3, 4), dtype="f8", external=[(str(secret), 0, 96)])
    else:
        layout = h5py.VirtualLayout((3, 4), dtype="f8")
        layout[:] = h5py.VirtualSource(secret, "X", (3, 4))
        root.create_virtual_dataset("X", layout)


@pytest.mark.parametrize("kind", ["external link", "external storage", "virtual dataset"])
@pytest.mark.parametrize("suffix", [".h5", ".h5ad"])
@pytest.mark.parametrize("group", ["/", "obsm"])
def test_other_files_are_never_read(kind, suffix, group, tmp_path):
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as root:
        root["X"] = np.arange(12.0).reshape(3, 4)
    with h5py.File(tmp_path / f"t{suffix}", "w") as root:
        point_elsewhere(root.require_group(group), kind, secret)
    with pytest.raises(FileError, match=r"expected all data in this file, but .* refers to another one"):
        read_table(tmp_path / f"t{suffix}")
