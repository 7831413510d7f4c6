"""What the readers are fuzzed with: files made of odd parts, and damaged copies of good and malformed ones."""

import io
import json
import tempfile
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import scipy.sparse as sp

from smoothgraph.io import GRAPH_FORMATS, TABLE_FORMATS, FileError, GraphFile, read_graph, read_table, write_graph
from smoothgraph.io.file_format import PARTS_FORMATS
from smoothgraph.io.graph_file import Edges
from smoothgraph.io.row_files import file_at
from tests.malformed import good_graphs, good_tables, malformed_graphs, malformed_tables

Files = dict[str, bytes]  # content by path; the path of a single file is ""

CELLS = ["", "0", "1", "-1", "2.5", "1e400", "-0", "nan", "inf", "NA", "true", "x", "é", "a b", '"', '""', "\0", "\r"]
CELLS += ["1,5", "1_000", "0x1F", "2020-01-01", "source", "target", "weight", "id", "\ufeff", "\u2028", "9" * 400, "½"]
TOKENS = [cell.encode() for cell in CELLS] + [b",", b";", b"\t", b"\n", b"\r\n", b"|", b"{}", b"null", b"[]", b"[[]]"]
TOKENS += [b"-" * 20, b"\xff\xfe", b"\xff" * 8, bytes(8), b"<", b"/>", b"&amp;", b"&x;", b"<node/>", b"<edge/>"]
NAMES = ["X", "y", "names", "columns", "a", "label", "", "é", "format", "shape", "data", "indices", "indptr", "row"]
NAMES += ["col", "coords", "offsets", "info", "attribute_a", "attribute_"]
HDF5_PATHS = [*NAMES[:7], "X/data", "X/indices", "X/indptr", "obs/_index", "var/_index", "obs/a", "obs/a/codes"]
HDF5_PATHS += ["obs/a/categories", "obs/a/values", "obs/a/mask", "obsm/X_pca", "obsm/b", "layers/c", "raw/X", "obs"]
JSONS: list[Any] = [None, 0, -1, 3, 2**70, 1.5, "x", [], {}, ["a", "b", "c"], ["a", "a"], [1, 2, 3], {"a": [1]}, True]


# -- targets -----------------------------------------------------------------


def check_table_reader(name: str, rng: np.random.Generator, folder: Path) -> str:
    """Read a table, with odd options now and then: what comes is a table, or a FileError that names the file."""
    suffix = TABLE_FORMATS[name].suffixes[0]
    path = write_files(make_files(f"table{suffix}", rng), folder / f"fuzz{suffix}")
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["names"] = _pick(rng, [None, "name", *NAMES])
        options["aside"] = [_pick(rng, ["a", "b", "c", *NAMES])]
        options["header"] = _pick(rng, [None, True, False])
    if rng.random() < 0.3:
        options["missing"] = [_pick(rng, CELLS)]
        options["drop"] = [_pick(rng, ["a", "x", "1", *NAMES])]
        options["skip_rows"] = int(rng.integers(3))
    if rng.random() < 0.2:
        options["long"] = rng.permutation(["a", "b", "name", *NAMES[:4]])[:3].tolist()
    if TABLE_FORMATS[name].has_keys and rng.random() < 0.2:
        options["key"] = _pick(rng, HDF5_PATHS)
    try:
        table = read_table(path, **options)
    except FileError as error:
        return _refused(error, path)
    shape = table.values.shape
    assert len(shape) == 2, shape
    assert 0 not in shape, shape
    assert table.values.dtype == np.float64, table.values.dtype
    assert not np.isinf(table.values.data if sp.issparse(table.values) else table.values).any(), "infinite"
    for names, n in zip((table.row_names, table.column_names), shape, strict=True):
        assert names is None or (len(set(names)) == len(names) == n and all(type(x) is str for x in names)), names
    for attributes, n in zip((table.row_attributes, table.column_attributes), shape, strict=True):
        for label, array in attributes.items():
            assert len(array) == n, (label, array.shape)
            assert array.dtype.kind in "Uiuf", (label, array.dtype)
    return "accepted"


def check_graph_reader(name: str, rng: np.random.Generator, folder: Path) -> str:
    """Read a graph: what comes is a graph that can be written and read again, or a FileError that names the file."""
    suffix = GRAPH_FORMATS[name].suffixes[0]
    path = write_files(make_files(f"graph{suffix}", rng), folder / f"fuzz{suffix}")
    return _check_graph_at(path, rng)


def check_parts_reader(name: str, rng: np.random.Generator, folder: Path) -> str:
    """Read a graph in parts in a folder, likewise."""
    path = write_files(make_files(f"parts {name}", rng), folder / "fuzz")
    return _check_graph_at(path, rng)


def check_row_reader(suffix: str, rng: np.random.Generator, folder: Path) -> str:
    """Read rows as a worker does: what comes has the shape that the header says, or is a FileError."""
    path = write_files(make_files(f"rows{suffix}", rng), folder / f"fuzz{suffix}")
    try:
        file = file_at(path)
        n_rows = file.shape[0]
        start = int(rng.integers(min(n_rows, 10)))
        stop = min(n_rows, start + int(rng.integers(1, 10)))
        rows = file.reader(start, stop)()
    except FileError as error:
        return _refused(error, path)
    assert rows.shape == (stop - start, file.shape[1]), rows.shape
    assert rows.dtype == file.dtype, rows.dtype
    return "accepted"


def _check_graph_at(path: Path, rng: np.random.Generator) -> str:
    try:
        graph = read_graph(path)
    except FileError as error:
        return _refused(error, path)
    check_adjacency(graph.adjacency)
    assert graph.names is None or len(set(graph.names)) == len(graph.names) == graph.adjacency.shape[0]
    copy = path.parent / f"copy.{_pick(rng, list(GRAPH_FORMATS))}"
    try:
        write_graph(copy, graph)
    except FileError as error:
        return _refused(error, copy)
    _check_same(graph, read_graph(copy))
    return "accepted"


def check_adjacency(W: Any) -> None:
    """An AssertionError unless this is the adjacency of an undirected graph."""
    assert isinstance(W, sp.csr_array), type(W)
    assert W.shape[0] == W.shape[1], W.shape
    assert np.all(np.isfinite(W.data)), "weights that are not finite"
    assert np.all(W.data >= 0), "negative weights"
    assert not np.any(W.diagonal()), "loops"
    assert abs(W - W.T).nnz == 0, "not symmetric"


def _check_same(graph: GraphFile, copy: GraphFile) -> None:
    assert sorted(copy.ids) == sorted(graph.ids), "other names"
    place = {name: k for k, name in enumerate(copy.ids)}
    order = np.array([place[name] for name in graph.ids])
    assert abs(copy.adjacency[order][:, order] - graph.adjacency).nnz == 0, "other weights"


def _refused(error: FileError, path: Path) -> str:
    assert str(error).startswith(str(path)), str(error)
    assert "expected" in str(error), str(error)
    return "refused"


# -- files -------------------------------------------------------------------


def make_files(kind: str, rng: np.random.Generator) -> Files:
    """Files of a kind such as "table.csv", made anew or by damage to those of the corpus."""
    builder = BUILDERS.get(kind.split(".")[-1])
    if builder is not None and rng.random() < 0.4:
        return {"": builder(rng)}
    corpus = load_corpus()[kind]
    files = dict(_pick(rng, corpus))
    other = _pick(rng, corpus)
    for _ in range(_pick(rng, [1, 1, 1, 2, 3])):
        path = _pick(rng, sorted(files))
        files[path] = damage(files[path], other.get(path, b""), rng)
    if len(files) > 1 and rng.random() < 0.1:
        del files[_pick(rng, sorted(files))]
    return files


def write_files(files: Files, path: Path) -> Path:
    """Write one file, or several into a folder."""
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return path


@cache
def load_corpus() -> dict[str, list[Files]]:
    """The good and malformed files of the tests, by kind."""
    corpus: dict[str, list[Files]] = {}

    def add(kind: str, name: str, data: bytes) -> None:
        corpus.setdefault(kind + Path(name).suffix, []).append({"": data})

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        graphs = good_graphs(folder)
        for _ in range(60):  # so that damage often has only one cause
            for path, data in good_tables().items():
                add("table", path, data)
                add("rows", path, data)
            for path, data in graphs.items():
                add("graph", path, data)
        for label, path in malformed_tables(folder):
            add("table", label, path.read_bytes())
        for label, path in malformed_graphs(folder):
            add("graph", label, path.read_bytes())
        corpus |= {f"parts {name}": [_good_parts(name, folder / name)] for name in PARTS_FORMATS}
        corpus["rows.zarr"] = [_good_zarr(folder / "rows.zarr")]
    corpus["table.hdf5"] = corpus["table.h5"]
    return corpus


def _good_parts(name: str, folder: Path) -> Files:
    parts = PARTS_FORMATS[name]
    folder.mkdir()
    for k in range(2):
        edges = Edges(np.array([k, k]), np.array([2, 3]), np.array([0.5, 1.5]))
        parts.write_part(parts.part_path(folder, k), edges, {"graph": "g", "part": k, "n_nodes": 4})
    parts.write_common(folder, {"graph": "g", "n_nodes": 4, "edges_of_parts": [2, 2], "info": {}})
    return _read_files(folder)


def _good_zarr(folder: Path) -> Files:
    import zarr

    zarr.save_array(folder, np.arange(12.0).reshape(6, 2))
    return _read_files(folder)


def _read_files(folder: Path) -> Files:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- damage ------------------------------------------------------------------


def damage(data: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """The bytes with one thing wrong; an archive gets a wrong member under a right checksum."""
    if data[:2] == b"PK" and rng.random() < 0.8:
        try:
            return _damage_member(data, rng)
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, RuntimeError, ValueError, zlib.error):
            pass
    first, last = sorted(int(k) for k in rng.integers(len(data) + 1, size=2))
    short = min(last, first + int(rng.integers(1, 17)))
    token = _pick(rng, TOKENS)
    return _pick(
        rng,
        [
            lambda: _flip(data, rng),
            lambda: data[:first] + rng.bytes(short - first) + data[short:],
            lambda: data[:first],
            lambda: data[:first] + data[short:],
            lambda: data[:first] + data[last:],
            lambda: data[:last] + data[first:],
            lambda: data[:first] + other[int(rng.integers(len(other) + 1)) :],
            lambda: data[:first] + token + data[first:],
            lambda: data[:first] + token + data[first + len(token) :],
            lambda: _replace_word(data, token, rng),
            lambda: _replace_word(data, token, rng),
        ],
    )()


def _flip(data: bytes, rng: np.random.Generator) -> bytes:
    changed = bytearray(data)
    for place in rng.integers(len(data), size=int(rng.integers(1, 5))) if data else ():
        changed[place] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _replace_word(data: bytes, token: bytes, rng: np.random.Generator) -> bytes:
    """Another word, or the token, in place of one of the words."""
    words = data.split()
    if not words:
        return token
    new = token if rng.random() < 0.5 else _pick(rng, words)
    return data.replace(_pick(rng, words), new, 1)


def _damage_member(data: bytes, rng: np.random.Generator) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    if not members:
        return data
    name = _pick(rng, sorted(members))
    if rng.random() < 0.5:
        members[name] = damage(members[name], b"", rng)
    else:
        members[name] = _npy(odd_array(rng))
    return _zip(members)


# -- files made of odd parts ---------------------------------------------------


def odd_array(rng: np.random.Generator) -> np.ndarray:
    """A small array of any shape and dtype, with values at the edges of what it can hold."""
    shape = _pick(rng, [(), (0,), (1,), (2,), (3,), (3,), (6,), (6,), (6, 3), (6, 3), (6, 6), (3, 0), (2, 3, 1)])
    kind = _pick(rng, ["f8", "f8", "f4", "f2", "i8", "i4", "u8", "u1", "?", "c16", "U3", "S3", "M8[D]", "m8[s]", ">f8"])
    if kind[0] in "US":
        words = np.array(["", "a", "b", "csr", "é", "1", "{}", "a"])
        words = np.char.encode(words, "utf-8") if kind[0] == "S" else words
        return np.asarray(rng.choice(words, size=shape)).astype(kind)
    values = rng.choice([0, 1, 2, 3, 5, 1e-300, 1e300, -1, np.nan, np.inf, 2**31, 2**62], size=shape)
    if rng.random() < 0.7:
        values = rng.integers(0, 4, size=shape)
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(np.int64 if kind[0] in "Mm" else kind).astype(kind)


def build_text(delimiter: str, rng: np.random.Generator) -> bytes:
    """Rows of odd cells."""
    width = int(rng.integers(1, 5))
    plain = CELLS[:6] if rng.random() < 0.5 else CELLS
    rows = []
    for _ in range(rng.integers(0, 7)):
        n = width if rng.random() < 0.95 else int(rng.integers(6))
        rows.append(delimiter.join(_pick(rng, plain) for _ in range(n)))
    end = _pick(rng, ["\n", "\n", "\r\n", "\r"])
    return (end.join(rows) + end * int(rng.integers(2))).encode(_pick(rng, ["utf-8", "utf-8", "utf-8-sig", "utf-16"]))


def build_npz(rng: np.random.Generator) -> bytes:
    """An archive of odd arrays, often with the parts of a sparse matrix."""
    members = {f"{name}.npy": _npy(odd_array(rng)) for name in rng.choice(NAMES, size=int(rng.integers(4)))}
    if rng.random() < 0.7:
        W = sp.random_array((4, 4), density=0.5, rng=rng, format=_pick(rng, ["csr", "csc", "coo", "dia", "bsr"]))
        file = io.BytesIO()
        sp.save_npz(file, W + W.T if rng.random() < 0.5 else W)
        with zipfile.ZipFile(file) as archive:
            members = {name: archive.read(name) for name in archive.namelist()} | members
        members["info.npy"] = _npy(np.array(json.dumps(_pick(rng, JSONS))))
    return _zip(members)


def build_hdf5(rng: np.random.Generator) -> bytes:
    """A file of odd datasets at paths that mean something, with odd attributes."""
    file = io.BytesIO()
    with h5py.File(file, "w") as root:
        for path in rng.choice(HDF5_PATHS, size=int(rng.integers(6))):
            try:
                root[str(path)] = odd_array(rng) if rng.random() < 0.8 else np.array(["a", "b", ""], dtype="O")
            except (TypeError, ValueError, OSError, KeyError):
                continue  # HDF5 holds no such array, or something is at this path
        for path in ("X", "obs", "obs/a"):
            if path in root and rng.random() < 0.7:
                encoding = _pick(rng, ["csr_matrix", "csc_matrix", "categorical", "nullable-integer", "dataframe"])
                root[path].attrs["encoding-type"] = encoding
                root[path].attrs["shape"] = _pick(rng, [np.array([3, 3]), np.array([-1, 2]), 3, "x", np.array([2**40])])
    return file.getvalue()


def build_parquet(rng: np.random.Generator) -> bytes:
    """Odd columns, which may be named as those of a graph, and odd metadata."""
    names = _pick(rng, [["a", "b", "c"], ["source", "target", "weight"], ["source", "target"], ["id", "é"], []])
    n = int(rng.integers(0, 5))
    table = pa.table({name: odd_column(rng, n) for name in names})
    if rng.random() < 0.4:
        about = {key: _pick(rng, JSONS) for key in ("names", "n_nodes", "info")} | {"n_nodes": 3}
        about |= {key: _pick(rng, JSONS) for key in rng.choice(["names", "n_nodes", "info", "x"], size=1)}
        text = json.dumps(about if rng.random() < 0.9 else _pick(rng, JSONS))
        table = table.replace_schema_metadata({b"smoothgraph": text})
    file = io.BytesIO()
    pq.write_table(table, file)
    return file.getvalue()


def odd_column(rng: np.random.Generator, n: int) -> pa.Array:
    """A column of any type of Arrow, with a null now and then."""
    kinds: list[tuple[pa.DataType, list[Any]]] = [
        (pa.float64(), [0.0, 1.0, 2.5, -1.0, np.nan, np.inf]),
        (pa.int64(), [0, 1, 2, -1, 2**62]),
        (pa.uint64(), [0, 1, 2**64 - 1]),
        (pa.string(), ["a", "b", "", "1", "0"]),
        (pa.large_string(), ["a", "b"]),
        (pa.binary(), [b"a", b"\xff", b""]),
        (pa.bool_(), [True, False]),
        (pa.timestamp("ns"), [0, 2**62]),
        (pa.date32(), [0, 2_000_000]),
        (pa.time64("us"), [0, 1]),
        (pa.duration("s"), [0, 2**62]),
        (pa.list_(pa.int64()), [[], [1]]),
        (pa.struct([("a", pa.int64())]), [{"a": 1}]),
        (pa.null(), [None]),
        (pa.dictionary(pa.int8(), pa.string()), ["a", "b"]),
        (pa.float16(), [np.float16(1.0), np.float16(2.0)]),
    ]
    kind, values = _pick(rng, kinds[:4] if rng.random() < 0.6 else kinds)
    values = [*values, None] if rng.random() < 0.3 else values
    return pa.array([_pick(rng, values) for _ in range(n)], type=kind)


def build_mtx(rng: np.random.Generator) -> bytes:
    """A banner of known words, sizes, and a few numbers."""
    words = ["%%MatrixMarket", "matrix"]
    choices = (
        ["coordinate", "array"],
        ["real", "integer", "pattern", "complex", "double", "unsigned-integer"],
        ["general", "symmetric", "skew-symmetric", "hermitian"],
    )
    words += [_pick(rng, known) for known in choices]
    numbers = ["0", "1", "2", "3", "-1", "1.5", "nan", "inf", "1e400", "x", "99999999999999999999"]
    about = json.dumps({key: _pick(rng, JSONS) for key in rng.choice(["names", "info", "x", "adjacency"], size=1)})
    lines = [" ".join(words), _pick(rng, ["%", f"%smoothgraph:{about}", "%smoothgraph:[1]", ""])]
    n, width = int(rng.integers(4)), 1 if words[2] == "array" else 2 if words[3] == "pattern" else 3
    lines.append(" ".join(["2", "2", str(n)][: 2 if words[2] == "array" else 3]))
    plain = numbers[1:3] if rng.random() < 0.6 else numbers
    lines += [" ".join(_pick(rng, plain) for _ in range(width)) for _ in range(4 if words[2] == "array" else n)]
    return "\n".join(lines).encode()


BUILDERS = {
    "csv": lambda rng: build_text(_pick(rng, [",", ",", ";", "|", "\t"]), rng),
    "tsv": lambda rng: build_text("\t", rng),
    "npy": lambda rng: _npy(odd_array(rng)),
    "npz": build_npz,
    "h5": build_hdf5,
    "hdf5": build_hdf5,
    "h5ad": build_hdf5,
    "parquet": build_parquet,
    "mtx": build_mtx,
}


def _pick(rng: np.random.Generator, options: Any) -> Any:
    return options[int(rng.integers(len(options)))]


def _npy(array: np.ndarray) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def _zip(members: Files) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()
