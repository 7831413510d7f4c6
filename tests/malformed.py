"""Malformed files; reading any of them must raise a FileError, which says what is wrong if a person made the file."""

import gzip
import io
import pickle
import struct
import zipfile
from pathlib import Path

import h5py
import numpy as np
import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.io
import scipy.sparse as sp
import xarray

from smoothgraph.io import GRAPH_FORMATS, write_graph

VALUES = np.random.default_rng(0).normal(size=(6, 3))
WEIGHTS = np.abs(np.random.default_rng(1).normal(size=(6, 6)))
WEIGHTS = np.triu(WEIGHTS, k=1) + np.triu(WEIGHTS, k=1).T

Files = dict[str, bytes]  # the content by "label.suffix"


def malformed_tables(folder):
    """Write files that do not hold a table, and return their labels and paths."""
    good = good_tables()
    files = {
        **tables_by_hand(),
        **_truncate({name: good[name] for name in good if name.split(".")[1] not in ("csv", "tsv")}),
        **_flip_bits(good),
        **_rename(good, readable=_READABLE_TABLES),
        **_random([name.split(".")[1] for name in good]),
        "graph.graphml": good_graphs(Path(folder))["graph.graphml"],
        "graph.gexf": good_graphs(Path(folder))["graph.gexf"],
        "a table.txt": b"a,b\n1,2\n",
        "a table": b"a,b\n1,2\n",
    }
    return _write(Path(folder), files)


def malformed_graphs(folder):
    """Write files that do not hold a graph, and return their labels and paths."""
    good = good_graphs(Path(folder))
    files = {
        **graphs_by_hand(good),
        **_truncate({name: good[name] for name in good if name.split(".")[1] not in ("csv", "tsv")}),
        **_flip_bits(good),
        **_rename(good, readable={("tsv", "csv")}),
        **_random(GRAPH_FORMATS),
        "edges.txt": b"a,b,1\n",
    }
    return _write(Path(folder), files)


def good_tables() -> Files:
    """Return one good file of every format."""
    rows = [[f"row {k}", *map(repr, row)] for k, row in enumerate(VALUES.tolist())]
    rows.insert(0, ["name", "a", "b", "c"])
    return {
        "table.csv": "".join(",".join(row) + "\n" for row in rows).encode(),
        "table.tsv": "".join("\t".join(row) + "\n" for row in rows).encode(),
        "table.parquet": _parquet({f"c{k}": column for k, column in enumerate(VALUES.T)}),
        "table.npy": _npy(VALUES),
        "table.npz": _npz(X=VALUES, y=np.arange(6)),
        "table.mtx": _mtx(VALUES),
        "table.h5": _hdf5({"X": VALUES}),
        "table.h5ad": _h5ad(),
        "table.xlsx": _xlsx(rows),
        "table.nc": _netcdf(),
    }


def good_graphs(folder: Path) -> Files:
    """Return one good file of every format."""
    files = {}
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in GRAPH_FORMATS:
        path = folder / f"good.{suffix}"
        write_graph(path, WEIGHTS, names=[f"node {k}" for k in range(6)], info={"gap": 1e-7})
        files[f"graph.{suffix}"] = path.read_bytes()
        path.unlink()
    return files


# -- written by hand ---------------------------------------------------------


def tables_by_hand() -> Files:
    """Return files that each have one fault."""
    return {**_text_tables(), **_array_tables(), **_matrix_market_tables(), **_hdf5_tables(), **_parquet_tables()}


def graphs_by_hand(good: Files) -> Files:
    """Return files that each have one fault."""
    return {**_edge_lists(), **_xml_graphs(good), **_matrix_graphs(), **_parquet_graphs()}


def _text_tables() -> Files:
    texts = {
        "empty": "",
        "only blank lines": "\n\n  \n",
        "only a header": "a,b\n",
        "only one column of text": "name\nx\ny\n",
        "only text": "a,b\nx,y\nz,z\n",
        "only empty columns": "a,b\n,\n,\n",
        "a short row": "a,b,c\n1,2,3\n4,5\n",
        "a long row": "a,b\n1,2\n3,4,5\n",
        "a long last row": "1,2\n3,4\n5,6,7\n",
        "row names without a header": "a,b\nx,1,2\ny,3,4\n",
        "an open quote": 'a,b\n1,"2\n3,4\n',
        "an open quote at the end": 'a,b\n1,2\n3,"4',
        "text behind a quote": 'a,b\n1,"2"x\n',
        "text above the header": "My table\n\na,b\n1,2\n3,4\n",
        "infinity": "a,b\n1,inf\n2,3\n",
        "minus infinity": "a,b\n1,2\n-Infinity,3\n",
        "too large a number": "a,b\n1,2\n1e400,3\n2,3\n",
        "text among numbers": "a,b\n1,2\n3,x\n4,5\n",
        "a number with a unit": "a,b\n1,2\n3,4 m\n4,5\n",
        "a thousands comma": 'a,b\n1,"1,000"\n3,4\n4,5\n',
        "a hexadecimal number": "a,b\n1,0x1F\n3,4\n4,5\n",
        "a number with underscores": "a,b\n1,1_000\n3,4\n4,5\n",
        "two kinds of decimals": "a;b\n1,5;2\n2.5;3\n3,5;4\n",
        "a complex number": "a,b\n1,1+2j\n3,4\n4,5\n",
        "dots in a header only": "...\n",
        "JSON": '{"a": [1, 2],\n "b": [3, 4]}\n',
        "HTML": "<html>\n<body>404 not found</body>\n</html>\n",
        "prose": "This is no table.\nIt has sentences, though.\n",
    }
    data = {label: text.encode() for label, text in texts.items()}
    data |= {
        "UTF-8 beside Latin-1": "a,b\n1,2\nü,3\n".encode() + "é,4\n".encode("latin-1"),
        "Latin-1 with a control character": b"a,b\n1,2\n\xe9,\x013\n",
        "too much that is not ASCII": "a,b\n1,2\nééééé,3\n".encode("latin-1"),
        "NUL bytes": b"a,b\n1,2\n\0\0\0,3\n",
        "half a UTF-16 character": "a,b\n1,2\n".encode("utf-16")[:-1],
        "UTF-32": "a,b\n1,2\n".encode("utf-32"),
        "gzip": gzip.compress(b"a,b\n1,2\n"),
    }
    tabbed = {
        f"{label} (tabs).tsv": text.replace(b",", b"\t")
        for label, text in data.items()
        if label not in ("a thousands comma", "two kinds of decimals", "gzip")
    }
    return {f"{label}.csv": text for label, text in data.items()} | tabbed


def _array_tables() -> Files:
    npy = {
        "a vector": VALUES[0],
        "a cube": VALUES[None],
        "a number": np.float64(1),
        "complex": VALUES + 1j,
        "text": VALUES.astype(str),
        "bytes": VALUES.astype("S5"),
        "objects": VALUES.astype(object),
        "dates": np.zeros((2, 2), dtype="datetime64[D]"),
        "a record array": np.zeros((2, 2), dtype=[("a", float), ("é", int)]),
        "no rows": VALUES[:0],
        "no columns": VALUES[:, :0],
        "infinite": np.where(VALUES > 1, np.inf, VALUES),
    }
    files = {f"{label}.npy": _npy(array) for label, array in npy.items()}
    files |= {f"{label}.npz": _npz(X=array) for label, array in npy.items()}
    big = 2**61
    csr = {"format": b"csr", "data": np.ones(2), "indices": np.array([0, 1])}
    coo = {"format": b"coo", "data": np.ones(1)}
    files |= {
        "huge rows.npy": _npy_claiming((10**12, 3)),
        "overflowing.npy": _npy_claiming((2**40, 2**40)),
        "large and short.npy": _npy_claiming((2**24, 100)),
        "negative.npy": _npy_claiming((-1, 3)),
        "a header that runs.npy": _npy_header("__import__('os').getcwd()"),
        "no header.npy": b"\x93NUMPY\x01\x00",
        "version 9.npy": b"\x93NUMPY\x09\x00" + b"\x10\x00" + b" " * 64,
        "a header longer than the file.npy": b"\x93NUMPY\x01\x00" + struct.pack("<H", 60000),
        "a long header.npy": _npy_header("{" + " " * 50000 + "}"),
        "values behind the end.npy": _npy(VALUES) + b"more",
        "a pickle.npy": pickle.dumps(VALUES),
        "a pickle.npz": pickle.dumps({"X": VALUES}),
        "huge rows.npz": _zip({"X.npy": _npy_claiming((10**12, 3))}),
        "overflowing.npz": _zip({"X.npy": _npy_claiming((2**40, 2**40))}),
        "a wrong bit in the values.npz": _npz(X=VALUES).replace(VALUES.tobytes(), bytes(144)),
        "no array in it.npz": _zip({"X.npy": b"text"}),
        "an empty archive.npz": _zip({}),
        "no table.npz": _npz(y=np.arange(3)),
        "two tables.npz": _npz(a=VALUES, b=VALUES),
        "a pickled table among others.npz": _npz(X=VALUES.astype(object), y=np.arange(6)),
        "sparse without shape.npz": _npz(**csr, indptr=np.array([0, 1, 2])),
        "sparse without indptr.npz": _npz(**csr, shape=np.array([2, 2])),
        "sparse, indptr not whole.npz": _npz(**csr, indptr=np.array([0.0, np.nan, 2.0]), shape=np.array([2, 2])),
        "sparse, index outside.npz": _npz(
            **csr | {"indices": np.array([0, big])}, indptr=np.array([0, 1, 2]), shape=[2, 2]
        ),
        "sparse, negative index.npz": _npz(
            **csr | {"indices": np.array([0, -5])}, indptr=np.array([0, 1, 2]), shape=[2, 2]
        ),
        "sparse, indptr too long.npz": _npz(**csr, indptr=np.array([0, 1, 99]), shape=[2, 2]),
        "sparse, indptr falls.npz": _npz(**csr, indptr=np.array([0, 5, 2]), shape=[2, 2]),
        "sparse, unknown format.npz": _npz(**csr | {"format": b"lil"}, shape=[2, 2]),
        "sparse, complex.npz": _npz(**csr | {"data": np.ones(2) * 1j}, indptr=np.array([0, 1, 2]), shape=[2, 2]),
        "sparse, huge shape.npz": _npz(**coo, row=np.array([0]), col=np.array([0]), shape=[10**12, 2]),
        "sparse, negative shape.npz": _npz(**coo, row=np.array([0]), col=np.array([0]), shape=[-4, 2]),
    }
    return files


def _matrix_market_tables() -> Files:
    banner = "%%MatrixMarket matrix"
    return {
        f"{label}.mtx": text.encode()
        for label, text in {
            "empty": "",
            "only a banner": f"{banner} coordinate real general\n",
            "no banner": "2 2 1\n1 1 1.0\n",
            "a vector": "%%MatrixMarket vector coordinate real general\n2 1\n1 1.0\n",
            "an unknown layout": f"{banner} lists real general\n2 2 1\n1 1 1.0\n",
            "an unknown field": f"{banner} coordinate quaternion general\n2 2 1\n1 1 1.0\n",
            "an unknown symmetry": f"{banner} coordinate real crooked\n2 2 1\n1 1 1.0\n",
            "complex": f"{banner} coordinate complex general\n2 2 1\n1 1 1.0 2.0\n",
            "a dense pattern": f"{banner} array pattern general\n1 1\n1\n",
            "no sizes": f"{banner} coordinate real general\n% a comment\n",
            "two sizes": f"{banner} coordinate real general\n2 2\n1 1 1.0\n",
            "negative sizes": f"{banner} coordinate real general\n-2 2 1\n1 1 1.0\n",
            "sizes in words": f"{banner} coordinate real general\ntwo 2 1\n1 1 1.0\n",
            "huge shape": f"{banner} coordinate real general\n{10**15} 2 1\n1 1 1.0\n",
            "huge shape beyond 64 bits": f"{banner} coordinate real general\n{10**30} 2 1\n1 1 1\n",
            "huge number of entries": f"{banner} coordinate real general\n2 2 {10**12}\n1 1 1.0\n",
            "huge dense shape": f"{banner} array real general\n{10**9} {10**9}\n1.0\n",
            "too few entries": f"{banner} coordinate real general\n2 2 3\n1 1 1.0\n2 2 1.0\n",
            "too many entries": f"{banner} coordinate real general\n2 2 1\n1 1 1.0\n2 2 1.0\n",
            "no entries but text": f"{banner} coordinate real general\n2 2 0\nhello\n",
            "no rows": f"{banner} coordinate real general\n0 2 0\n",
            "row 0": f"{banner} coordinate real general\n2 2 1\n0 1 1.0\n",
            "row 3 of 2": f"{banner} coordinate real general\n2 2 1\n3 1 1.0\n",
            "row 1.5": f"{banner} coordinate real general\n2 2 1\n1.5 1 1.0\n",
            "column -1": f"{banner} coordinate real general\n2 2 1\n1 -1 1.0\n",
            "a huge row": f"{banner} coordinate real general\n2 2 1\n{2**70} 1 1.0\n",
            "text for a value": f"{banner} coordinate real general\n2 2 1\n1 1 x\n",
            "a missing value": f"{banner} coordinate real general\n2 2 2\n1 1 1.0\n2 2\n",
            "an additional value": f"{banner} coordinate real general\n2 2 1\n1 1 1.0 2.0\n",
            "two more values": f"{banner} coordinate real general\n2 2 1\n1 1 1.0 2.0 3.0\n",
            "infinite": f"{banner} coordinate real general\n2 2 1\n1 1 inf\n",
            "too large": f"{banner} coordinate real general\n2 2 1\n1 1 1e400\n",
            "garbage at the end": f"{banner} coordinate real general\n2 2 1\n1 1 1.0@",
            "symmetric, not square": f"{banner} coordinate real symmetric\n2 3 1\n1 1 1.0\n",
            "dense with text": f"{banner} array real general\n2 1\n1.0\nx\n",
            "dense and too short": f"{banner} array real general\n2 2\n1.0\n2.0\n3.0\n",
            "dense and too long": f"{banner} array real general\n1 2\n1.0\n2.0\n3.0\n",
        }.items()
    }


def _hdf5_tables() -> Files:
    anndata = {"obs/_index": np.array([b"a"] * 6), "var/_index": np.array([b"a"] * 3)}
    sparse = {"X/data": np.ones(2), "X/indices": np.array([0, 1]), "X/indptr": np.array([0, 1, 2])}
    attributes = {"X": {"encoding-type": "csr_matrix", "shape": np.array([2, 2])}}
    return {
        "no dataset.h5": _hdf5({}),
        "a vector.h5": _hdf5({"X": VALUES[0]}),
        "a cube.h5": _hdf5({"X": VALUES[None]}),
        "text.h5": _hdf5({"X": np.array([[b"a", b"b"]])}),
        "complex.h5": _hdf5({"X": VALUES + 1j}),
        "infinite.h5": _hdf5({"X": VALUES * np.inf}),
        "two tables.h5": _hdf5({"a": VALUES, "b": VALUES}),
        "no rows.h5": _hdf5({"X": VALUES[:0]}),
        "huge and empty.h5": _hdf5({}, claiming=(10**9, 10**6)),
        "no table.hdf5": _hdf5({"y": np.arange(3)}),
        "no matrix.h5ad": _hdf5(anndata),
        "another HDF5 file.h5ad": _hdf5({"data": VALUES}),
        "a vector.h5ad": _hdf5({**anndata, "X": VALUES[0]}),
        "X is a group.h5ad": _hdf5({**anndata, "X/values": VALUES}),
        "sparse without indptr.h5ad": _hdf5(
            {key: array for key, array in sparse.items() if key != "X/indptr"}, attributes
        ),
        "sparse, indices not whole.h5ad": _hdf5({**sparse, "X/indices": np.array([0.0, 1.0])}, attributes),
        "sparse, index outside.h5ad": _hdf5({**sparse, "X/indices": np.array([0, 7])}, attributes),
        "sparse, indptr falls.h5ad": _hdf5({**sparse, "X/indptr": np.array([0, 7, 2])}, attributes),
        "sparse, huge shape.h5ad": _hdf5(
            sparse, {"X": {"encoding-type": "csr_matrix", "shape": np.array([10**12, 2])}}
        ),
        "codes outside.h5ad": _hdf5(
            {
                "X": VALUES,
                "obs/label/codes": np.full(6, 9, dtype=np.int8),
                "obs/label/categories": np.array([b"a", b"b"]),
            },
            {"obs/label": {"encoding-type": "categorical"}},
        ),
    }


def _parquet_tables() -> Files:
    good = _parquet({"a": VALUES[:, 0]})
    twice = pa.table([pa.array([1.0]), pa.array([2.0])], names=["a", "a"])
    return {
        "no rows.parquet": _parquet({"a": np.zeros(0)}),
        "no columns.parquet": _parquet({}),
        "only text.parquet": _parquet({"a": ["x", "y"], "b": ["x", "x"]}),
        "infinite.parquet": _parquet({"a": [1.0, np.inf]}),
        "text among numbers.parquet": _parquet({"a": [1.0, 2.0, 3.0], "b": ["1", "2", "x"]}),
        "the same name twice.parquet": _parquet_bytes(twice),
        "no magic at the end.parquet": good[:-4] + b"XXXX",
        "a footer longer than the file.parquet": good[:-8] + struct.pack("<I", 2**31) + b"PAR1",
        "a footer of length 0.parquet": good[:-8] + struct.pack("<I", 0) + b"PAR1",
        "only magic.parquet": b"PAR1PAR1",
        "zeros inside.parquet": b"PAR1" + bytes(len(good) - 12) + good[-8:],
        "empty.parquet": b"",
    }


def _edge_lists() -> Files:
    texts = {
        "empty": "",
        "only a header": "source,target,weight\n",
        "one column": "a\nb\n",
        "four columns": "a,b,1,2\n",
        "a short row": "source,target,weight\na,b,1\nb,c\n",
        "a long row": "source,target,weight\na,b,1\nb,c,1,2\n",
        "an open quote": 'source,target,weight\na,"b,1\n',
        "no source": "source,target,weight\na,b,1\n,c,1\n",
        "no weight": "source,target,weight\na,b,1\nb,c,\n",
        "a weight without a target": "source,target,weight\na,b,1\nb,,1\n",
        "a weight in words": "source,target,weight\na,b,one\n",
        "another header": "first,second,how much\na,b,1\n",
        "the source twice": "source,target,from\na,b,1\n",
        "negative": "source,target,weight\na,b,-1\n",
        "infinite": "source,target,weight\na,b,inf\n",
        "too large": "source,target,weight\na,b,1e400\n",
        "not a number": "source,target,weight\na,b,nan\n",
        "two weights": "source,target,weight\na,b,1\na,b,2\n",
        "two directions": "source,target,weight\na,b,1\nb,a,2\n",
        "prose": "There is no graph here.\n",
    }
    data = {f"{label}.csv": text.encode() for label, text in texts.items()}
    tabs = {f"{label}.tsv": text.replace(",", "\t").encode() for label, text in texts.items()}
    return {
        **data,
        **tabs,
        "Latin-1.csv": "source,target,weight\né,b,1\n".encode("latin-1"),
        "NUL bytes.csv": b"source,target,weight\na\0,b,1\n",
    }


def _xml_graphs(good: Files) -> Files:
    graphml, gexf = good["graph.graphml"], good["graph.gexf"]
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (98 + k, b"&%c;" % (97 + k) * 50) for k in range(10)
    )
    return {
        "empty.graphml": b"",
        "empty.gexf": b"",
        "not XML.graphml": b"a graph",
        "not XML.gexf": b"a graph",
        "other XML.graphml": b"<html><body/></html>",
        "other XML.gexf": b"<html><body/></html>",
        "no graph.graphml": b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"/>',
        "no nodes.graphml": graphml[: graphml.index(b"<node")] + b"</graph></graphml>",
        "a node without an id.graphml": graphml.replace(b'<node id="node 3"', b"<node"),
        "an edge without a target.graphml": graphml.replace(b' target="node 3"', b"", 1),
        "an edge without a source.gexf": gexf.replace(b' source="node 0"', b"", 1),
        "a weight in words.graphml": graphml.replace(b"<edge", b"<data/><edge", 1).replace(b">0.", b">zero", 1),
        "an undefined key.graphml": graphml.replace(b"<key ", b"<no ", 1),
        "an unknown type.graphml": graphml.replace(b'"double"', b'"triple"', 1),
        "directed.graphml": graphml.replace(b"undirected", b"directed"),
        "directed.gexf": gexf.replace(b'"undirected"', b'"directed"'),
        "a negative weight.gexf": gexf.replace(b' weight="', b' weight="-', 1),
        "an infinite weight.gexf": gexf.replace(b' weight="', b' weight="1e400', 1),
        "a weight in words.gexf": gexf.replace(b' weight="', b' weight="x', 1),
        "no version of GEXF.gexf": gexf.replace(b"gexf.net", b"gexf.example"),
        "a control character.graphml": graphml.replace(b"node 3", b"node \x01"),
        "an open tag.graphml": graphml.replace(b"</graph>", b""),
        "Latin-1 that says UTF-8.graphml": graphml.replace(b"node 3", b"node \xe9"),
        "a billion laughs.graphml": laughs + b"]><graphml>&k;</graphml>",
    }


def _matrix_graphs() -> Files:
    banner = "%%MatrixMarket matrix coordinate real"
    return {
        "not square.npz": _sparse(VALUES),
        "directed.npz": _sparse(np.triu(WEIGHTS)),
        "negative.npz": _sparse(-WEIGHTS),
        "infinite.npz": _sparse(np.where(WEIGHTS > 0, np.inf, 0)),
        "not a number.npz": _sparse(np.where(WEIGHTS > 0, np.nan, 0)),
        "dense.npz": _npz(W=WEIGHTS),
        "too few names.npz": _sparse(WEIGHTS, names=np.array(["a", "b"])),
        "the same name twice.npz": _sparse(WEIGHTS, names=np.array(list("abcdea"))),
        "numbers as names.npz": _sparse(WEIGHTS, names=np.arange(6)),
        "names are objects.npz": _sparse(WEIGHTS, names=np.array(list("abcdef"), dtype=object)),
        "info is no JSON.npz": _sparse(WEIGHTS, info=np.array("{")),
        "an attribute too short.npz": _sparse(WEIGHTS, attribute_label=np.arange(3)),
        "not square.mtx": _mtx(VALUES),
        "directed.mtx": f"{banner} general\n2 2 1\n1 2 1.0\n".encode(),
        "negative.mtx": f"{banner} symmetric\n2 2 1\n2 1 -1.0\n".encode(),
        "infinite.mtx": f"{banner} symmetric\n2 2 1\n2 1 inf\n".encode(),
        "names are no JSON.mtx": f"{banner} symmetric\n%smoothgraph:[\n2 2 1\n2 1 1.0\n".encode(),
        "huge.mtx": f"{banner} symmetric\n{10**12} {10**12} 1\n2 1 1.0\n".encode(),
    }


def _parquet_graphs() -> Files:
    ends = {"source": ["a", "b"], "target": ["b", "c"]}
    about = b'{"names": ["a", "b"], "n_nodes": 2, "info": {}}'
    changed = pa.table({**ends, "weight": [1.0, 2.0]}).replace_schema_metadata({b"smoothgraph": about})
    broken = changed.replace_schema_metadata({b"smoothgraph": b"{"})
    return {
        "no source.parquet": _parquet({"target": ["a"], "weight": [1.0]}),
        "an empty source.parquet": _parquet({"source": [None, "a"], "target": ["a", "b"]}),
        "negative.parquet": _parquet({**ends, "weight": [1.0, -1.0]}),
        "not a number.parquet": _parquet({**ends, "weight": [1.0, np.nan]}),
        "a weight in words.parquet": _parquet({**ends, "weight": ["one", "two"]}),
        "two weights.parquet": _parquet({"source": ["a", "b"], "target": ["b", "a"], "weight": [1.0, 2.0]}),
        "a node that its metadata does not name.parquet": _parquet_bytes(changed),
        "metadata that is no JSON.parquet": _parquet_bytes(broken),
    }


# -- what the message must say -------------------------------------------------

TABLE_CAUSES = {
    "empty.csv": "got an empty file",
    "only a header.csv": "got a header only",
    "only text.csv": "got only text or empty columns, which begin with 'y'",
    "a short row.csv": "row 3: expected 3 fields between ',' as in the first row, got 2; add the missing fields",
    "a long row.csv": "row 3: expected 2 fields between ',' as in the first row, got 3; quote cells",
    "row names without a header.csv": "a column of row names needs a name in the header too",
    "an open quote.csv": "row 2: expected quotes around whole cells",
    "text above the header.csv": "row 3: expected the header in the first row, got 'My table' there",
    "infinity.csv": "row 2, column 'b': expected a finite number, got inf",
    "minus infinity.csv": "row 3, column 'a': expected a finite number, got -inf",
    "too large a number.csv": "row 3, column 'a': expected a finite number, got inf",
    "text among numbers.csv": "row 3, column 'b': expected a number, got 'x'",
    "text among numbers (tabs).tsv": "row 3, column 'b': expected a number, got 'x'",
    "a number with a unit.csv": "row 3, column 'b': expected a number, got '4 m'",
    "a thousands comma.csv": "got '1,000'; write numbers without thousands separators",
    "two kinds of decimals.csv": "row 3, column 'a': expected a number, got '2.5'",
    "UTF-8 beside Latin-1.csv": "row 4: expected UTF-8 text, got the byte 0xe9",
    "NUL bytes.csv": "row 3: expected text, got a NUL byte",
    "half a UTF-16 character.csv": "row 2: expected UTF-16 text",
    "gzip.csv": "it has control characters, too",
    "a vector.npy": "got shape (3,); a single signal is a table with one column",
    "a cube.npz": "got shape (1, 6, 3); save it as a table with one row per node",
    "complex.npy": "got complex numbers",
    "text.npz": "expected an array of real numbers, got text",
    "objects.npy": "Python objects, which are never unpickled",
    "no rows.npy": "got 0 rows and 3 columns",
    "infinite.npy": "row 3, column 1: expected a finite number, got inf",
    "huge rows.npy": "expected 3000000000000 values, as its header says",
    "version 9.npy": "got version (9, 0)",
    "values behind the end.npy": "expected 18 values, as its header says, got more bytes",
    "no table.npz": "got 0 of them among its arrays: y (3,)",
    "two tables.npz": "got 2 of them among its arrays: a (6, 3), b (6, 3); choose one with key=",
    "sparse without indptr.npz": "got none called indptr",
    "sparse, indptr not whole.npz": "expected integers as the indices of a sparse matrix, got numbers of type float64",
    "sparse, indices not whole.h5ad": "expected integers as the indices of a sparse matrix",
    "sparse, unknown format.npz": "got 'lil'",
    "sparse, complex.npz": "expected a sparse matrix of real numbers, got complex128",
    "sparse, huge shape.npz": "got a shape of (1000000000000, 2) with only 1 value",
    "no banner.mtx": "expected a first line '%%MatrixMarket matrix coordinate real general'",
    "two sizes.mtx": "expected a line of 3 sizes below the comments, got '2 2'",
    "huge number of entries.mtx": "expected 1000000000000 entries, as its header says",
    "too many entries.mtx": "expected 1 entries, as its header says, got 2",
    "row 3 of 2.mtx": "expected rows and columns from 1 to 2",
    "text for a value.mtx": "row 3: expected 3 numbers, got 'x'",
    "a missing value.mtx": "row 4: expected 3 numbers, got 2",
    "infinite.mtx": "row 1, column 1: expected a finite number, got inf",
    "symmetric, not square.mtx": "expected as many rows as columns in a symmetric matrix, got shape (2, 3)",
    "huge and empty.h5": "bytes for /X of shape (1000000000, 1000000), got 0 bytes in the file",
    "two tables.h5": "a (6, 3), b (6, 3); choose one with key=",
    "another HDF5 file.h5ad": "if it is another HDF5 file, name the format hdf5",
    "X is a group.h5ad": "/X: expected a dense or sparse matrix, got a group",
    "codes outside.h5ad": "expected categories 0 to 1, got 9",
    "no rows.parquet": "expected at least one row, got none",
    "infinite.parquet": "row 2, column 'a': expected a finite number, got inf",
    "text among numbers.parquet": "row 3, column 'b': expected a number, got 'x'",
    "the same name twice.parquet": "column 1 and column 2: expected names that are all different",
}

GRAPH_CAUSES = {
    "only a header.csv": "expected rows of edges below the header, got none",
    "four columns.csv": "expected 2 or 3 columns, source, target and weight, got 4",
    "a short row.tsv": "row 3: expected 3 fields",
    "no source.csv": "row 3: expected a node as source, got an empty cell",
    "no weight.csv": "row 3: expected a target and a weight, or neither",
    "a weight in words.csv": "row 2, column 3: expected a number as weight, got 'one'",
    "another header.csv": "begin with a header row source, target, weight",
    "the source twice.csv": "expected one column each for source, target and weight",
    "negative.csv": "row 2: expected a finite weight >= 0, got -1.0",
    "two directions.csv": "row 2 and row 3: expected one weight per edge, got 1.0 and 2.0",
    "no nodes.graphml": "expected a graph with at least one node, got none",
    "a node without an id.graphml": "expected nodes with an id and edges with a source and a target",
    "directed.gexf": "must be symmetric, but W and its transpose differ",
    "a negative weight.gexf": "row 1: expected a finite weight >= 0, got -0.",
    "not square.npz": "Expected a square adjacency matrix, got shape (6, 3)",
    "negative.npz": "the weights of a graph must be >= 0",
    "not a number.npz": "contains NaN",
    "dense.npz": "expected a sparse adjacency, got the arrays W",
    "too few names.npz": "expected one name per node, 6, got 2",
    "the same name twice.npz": "node 0 and node 5: expected names that are all different, got 'a' twice",
    "numbers as names.npz": "node 0: expected a name",
    "info is no JSON.npz": "expected the names and the info of a graph as a JSON object, got '{'",
    "an attribute too short.npz": "expected an attribute 'label' with one entry per node, 6, got shape (3,)",
    "names are no JSON.mtx": "expected the names and the info of a graph as a JSON object, got '['",
    "huge.mtx": "with only 1 value; correct its header",
    "no source.parquet": "expected columns source, target and weight, got target, weight",
    "negative.parquet": "row 2: expected a finite weight >= 0, got -1.0",
    "a weight in words.parquet": "column weight: expected numbers, got the type string",
    "two weights.parquet": "row 1 and row 2: expected one weight per edge",
    "a node that its metadata does not name.parquet": "row 2: expected one of the 2 nodes in its metadata",
    "metadata that is no JSON.parquet": "expected the names and the info of a graph as a JSON object",
}

# What the libraries that were given a damaged file say about it; all other files are judged by this package.
TABLE_REASONS_OF_OTHERS = {
    "negative.npy": "Expected (-1, 3)",
    "a header that runs.npy": "malformed node or string",
    "no header.npy": "reading array header length",
    "a header longer than the file.npy": "expected 60000 bytes got 0",
    "a long header.npy": "Header info length (50003) is large",
    "a pickle.npy": "the magic string is not correct",
    "a pickle.npz": "File is not a zip file",
    "a wrong bit in the values.npz": "Bad CRC-32 for file 'X.npy'",
    "no array in it.npz": "reading magic string",
    "sparse, index outside.npz": "indices must be < 2",
    "sparse, negative index.npz": "indices must be >= 0",
    "sparse, indptr too long.npz": "Last value of index pointer",
    "sparse, indptr falls.npz": "indptr must be a non-decreasing sequence",
    "sparse, negative shape.npz": "'shape' elements cannot be negative",
    "sparse without indptr.h5ad": "object 'indptr' doesn't exist",
    "sparse, index outside.h5ad": "indices must be < 2",
    "sparse, indptr falls.h5ad": "indptr must be a non-decreasing sequence",
    "sparse, huge shape.h5ad": "index pointer size 3 should be 1000000000001",
    "no magic at the end.parquet": "magic bytes not found",
    "a footer longer than the file.parquet": "smaller than the size reported by footer",
    "a footer of length 0.parquet": "thrift",
    "only magic.parquet": "Parquet file size is 8 bytes",
    "zeros inside.parquet": "thrift",
    "empty.parquet": "Parquet file size is 0 bytes",
}

GRAPH_REASONS_OF_OTHERS = {
    "empty.graphml": "no element found: line 1",
    "empty.gexf": "no element found: line 1",
    "not XML.graphml": "syntax error: line 1",
    "not XML.gexf": "syntax error: line 1",
    "other XML.graphml": "not successfully read as graphml",
    "other XML.gexf": "No <graph> element",
    "no graph.graphml": "not successfully read as graphml",
    "a weight in words.graphml": "could not convert string to float: 'zero",
    "an undefined key.graphml": "no key d3",
    "an unknown type.graphml": "'triple'",
    "an infinite weight.gexf": "could not convert string to float: '1e400",
    "a weight in words.gexf": "could not convert string to float: 'x",
    "no version of GEXF.gexf": "No <graph> element",
    "a control character.graphml": "invalid token",
    "an open tag.graphml": "mismatched tag",
    "Latin-1 that says UTF-8.graphml": "invalid token",
    "a billion laughs.graphml": "amplification",
}


# -- derived from good files --------------------------------------------------


def _truncate(good: Files) -> Files:
    """Return truncated files, but no text: a number may lose its last digits unnoticed."""
    return {
        f"{k} tenths of a {name}": data[: len(data) * k // 10]
        for name, data in good.items()
        if name.split(".")[1] not in ("csv", "tsv")
        for k in range(10)
    }


def _flip_bits(good: Files) -> Files:
    """Return files with one bit flipped in the bytes that identify the format."""
    files = {}
    for name, data in good.items():
        suffix = name.split(".")[1]
        places = []
        if suffix in ("h5", "h5ad", "npy", "mtx"):
            places = range(4)
        elif suffix == "npz":
            places = [0, 1, data.index(b"PK\x05\x06") + 1]
        elif suffix == "parquet":
            places = [len(data) - 1, len(data) - 4]
        elif suffix in ("graphml", "gexf"):
            places = [data.index(b"<graph "), data.rindex(b">")]
        for place in places:
            for bit in (0, 5):
                changed = bytearray(data)
                changed[place] ^= 1 << bit
                if not (suffix == "mtx" and bit == 5):  # case does not matter
                    files[f"bit {bit} at {place} of a {name}"] = bytes(changed)
    return files


_READABLE_TABLES = {("tsv", "csv"), ("h5ad", "h5"), ("h5", "h5ad"), ("h5", "nc"), ("h5ad", "nc")}


def _rename(good: Files, *, readable: set[tuple[str, str]]) -> Files:
    """Return files with the suffix of another format."""
    suffixes = [name.split(".")[1] for name in good]
    return {
        f"a {name} named.{other}": data
        for name, data in good.items()
        for other in suffixes
        if other != name.split(".")[1] and (name.split(".")[1], other) not in readable
    }


def _random(suffixes) -> Files:
    rng = np.random.default_rng(0)
    return {f"{size} random bytes.{suffix}": rng.bytes(size) for suffix in suffixes for size in (10, 100, 1000)}


# -- helpers -----------------------------------------------------------------


def _write(folder: Path, files: Files) -> list[tuple[str, Path]]:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return [(name, folder / name) for name in files]


def _npy(array) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def _npy_header(text: str) -> bytes:
    padded = text.encode() + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(padded)) + padded


def _npy_claiming(shape) -> bytes:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    return _npy_header(header) + bytes(64)


def _zip(members: Files) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


def _npz(**arrays) -> bytes:
    return _zip({f"{name}.npy": _npy(array) for name, array in arrays.items()})


def _sparse(matrix, **others) -> bytes:
    W = sp.csr_array(matrix)
    return _npz(
        format=np.array(b"csr"), shape=np.array(W.shape), data=W.data, indices=W.indices, indptr=W.indptr, **others
    )


def _mtx(matrix) -> bytes:
    file = io.BytesIO()
    scipy.io.mmwrite(file, sp.coo_array(matrix))
    return file.getvalue()


def _parquet(columns) -> bytes:
    return _parquet_bytes(pa.table(columns))


def _parquet_bytes(table) -> bytes:
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def _hdf5(arrays, attributes=None, claiming=None) -> bytes:
    file = io.BytesIO()
    with h5py.File(file, "w") as root:
        for name, array in arrays.items():
            root[name] = array
        for name, items in (attributes or {}).items():
            root[name].attrs.update(items)
        if claiming is not None:
            root.create_dataset("X", shape=claiming, dtype=float, chunks=(1000, 1000))
    return file.getvalue()


def _xlsx(rows) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def _netcdf() -> bytes:
    return bytes(xarray.DataArray(VALUES, dims=["time", "station"], name="X").to_dataset().to_netcdf(engine="scipy"))


def _h5ad() -> bytes:
    return _hdf5(
        {
            "X": VALUES,
            "obs/_index": np.array([f"cell {k}".encode() for k in range(6)]),
            "var/_index": np.array([b"g1", b"g2", b"g3"]),
        }
    )
