"""The base installation and each extra alone do their work, and say what else to install.

Each test runs a fresh interpreter in which all packages are hidden but those that the extra
requires, directly or not.
"""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOR_DEVELOPERS = {"paper", "test", "docs", "dev", "bench", "bench-scale"}

HIDE = """
import sys

class Visible:
    '''A finder that does not find the hidden modules.'''

    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, *arguments):
        hidden = name.partition(".")[0] in HIDDEN
        return None if hidden else self.finder.find_spec(name, *arguments)

    def __getattr__(self, name):
        return getattr(self.finder, name)

sys.meta_path[:] = map(Visible, sys.meta_path)
for name in [name for name in sys.modules if name.partition(".")[0] in HIDDEN]:
    del sys.modules[name]
"""


def requirements_of(package, extras):
    """What the package itself, then its extras, ask for on this machine."""
    if package == "smoothgraph":
        lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    else:
        lines = distribution(package).requires or []
    for line in lines:
        requirement = Requirement(line)
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield canonicalize_name(requirement.name), frozenset(requirement.extras)


def closure(extras):
    """The packages that ``pip install 'smoothgraph[extras]'`` installs; skip if one is missing."""
    seen, waiting = set(), [("smoothgraph", frozenset(extras))]
    while waiting:
        found = waiting.pop()
        if found not in seen:
            seen.add(found)
            try:
                waiting.extend(requirements_of(*found))
            except PackageNotFoundError as error:
                pytest.skip(f"needs {error}")
    return {package for package, _ in seen}


def run(code, folder, *extras):
    """The outcome of the code in an interpreter that sees nothing but the extras."""
    installed = closure(extras)
    hidden = {
        module
        for module, owners in packages_distributions().items()
        if installed.isdisjoint(map(canonicalize_name, owners))
    }
    return subprocess.run(
        [sys.executable, "-c", f"HIDDEN = {hidden!r}\n{HIDE}\n{code}"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


BASE = """
import sys
from importlib import import_module
from pkgutil import walk_packages
import numpy as np
from sklearn.datasets import load_iris
import smoothgraph as sg

X, y = load_iris(return_X_y=True)
graph = sg.LogDegreeGraph(edges_per_node=8).fit(X)
assert graph.is_exact_
assert len(set(sg.tasks.SpectralGraphClustering(3, learner=graph).fit_predict(X))) == 3
assert sg.methods.KNeighborsGraph(5).fit(X).adjacency_.nnz
assert sg.generate.random_geometric(50, random_state=0).adjacency.nnz
sg.io.write_graph("graph.npz", graph)
assert sg.io.read_graph("graph.npz").adjacency.nnz == graph.adjacency_.nnz
np.save("table.npy", X)
assert sg.io.read_table("table.npy").values.shape == X.shape
assert sg.viz.layout(graph).shape == (150, 2)
sg.viz.write_report("report.html", graph, attributes={"species": y.astype(str)})
assert "smoothgraph-card" in graph._repr_html_()

need_an_extra = (
    "smoothgraph.__main__", "smoothgraph.cli.", "smoothgraph.pyg", "smoothgraph.viz.plots.", "smoothgraph.viz.notebook."
)
for module in walk_packages(sg.__path__, "smoothgraph."):
    if not module.name.startswith(need_an_extra):
        import_module(module.name)
"""

CODE = {
    "cli": """
import sys
from pathlib import Path
from sklearn.datasets import load_iris
from smoothgraph.cli import main

rows = [",".join(map(str, row)) for row in load_iris().data]
Path("table.csv").write_text("\\n".join(["a,b,c,d", *rows]))
sys.argv = ["smoothgraph", "learn", "table.csv", "--out", "graph.graphml", "--picture", "graph.png"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
assert Path("graph.graphml").exists() and Path("graph.png").exists()
""",
    "dask": """
import dask.array
import numpy as np
from distributed import Client
from smoothgraph import LogDegreeGraph

X = np.random.default_rng(0).normal(size=(200, 3))
options = {"processes": False, "n_workers": 1, "dashboard_address": "127.0.0.1:0"}
if __name__ == "__main__":
    with Client(**options):
        learned = LogDegreeGraph(5).fit(dask.array.from_array(X, chunks=(100, 3)))
        assert learned.adjacency_.shape == (200, 200)
""",
    "excel": """
import openpyxl
from smoothgraph.io import read_table

book = openpyxl.Workbook()
for row in (["a", "b"], [1, 2], [3, 4]):
    book.active.append(row)
book.save("table.xlsx")
assert read_table("table.xlsx").values.shape == (2, 2)
""",
    "hdf5": """
import h5py
import numpy as np
from smoothgraph.io import read_table

with h5py.File("table.h5", "w") as file:
    file["X"] = np.ones((4, 3))
assert read_table("table.h5").values.shape == (4, 3)
""",
    "igraph": """
import numpy as np
from smoothgraph.convert import to_igraph

assert to_igraph(np.ones((3, 3))).ecount() == 3
""",
    "netcdf": """
import numpy as np
import xarray
from smoothgraph.io import read_table

array = xarray.DataArray(np.eye(3), dims=["time", "station"], name="x")
for engine in ("scipy", "h5netcdf"):
    array.to_dataset().to_netcdf("table.nc", engine=engine)
    assert read_table("table.nc").values.shape == (3, 3)
""",
    "networkx": """
from smoothgraph.convert import to_networkx
from smoothgraph.generate import barabasi_albert
from smoothgraph.io import read_graph, write_graph

graph = barabasi_albert(20, random_state=0)
write_graph("graph.graphml", graph.adjacency)
assert read_graph("graph.graphml").adjacency.nnz == graph.adjacency.nnz
assert to_networkx(graph).number_of_nodes() == 20
""",
    "notebook": """
from sklearn.datasets import load_iris
from smoothgraph import LogDegreeGraph

graph = LogDegreeGraph(8).fit(load_iris().data)
widget = graph.explore()
widget.selection = [3, 5]
assert widget.selected_names == ["3", "5"]
""",
    "pandas": """
import pandas
from pathlib import Path
from smoothgraph import LogDegreeGraph
from smoothgraph.io import read_table

Path("table.csv").write_text("name,x\\na,1\\nb,2\\nc,4\\nd,3\\n")
table = read_table("table.csv")
frame = pandas.DataFrame(table.values, index=table.row_names)
assert list(LogDegreeGraph(2).fit(frame).node_names_) == ["a", "b", "c", "d"]
""",
    "parquet": """
import numpy as np
import pandas
from smoothgraph.io import read_graph, read_table, write_graph

pandas.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}).to_parquet("table.parquet")
assert read_table("table.parquet").values.shape == (2, 2)
write_graph("graph.parquet", np.ones((3, 3)))
assert read_graph("graph.parquet").adjacency.nnz == 6
""",
    "plot": """
from pathlib import Path
import numpy as np
from smoothgraph.viz import draw_graph, save_picture

save_picture("graph.png", draw_graph(np.ones((4, 4)), labels=["a", "b", "a", "c"]))
assert Path("graph.png").read_bytes().startswith(b"\\x89PNG")
""",
    "pyg": """
import numpy as np
import smoothgraph.pyg
from smoothgraph.convert import to_pyg

assert to_pyg(np.ones((3, 3))).num_edges == 6
assert smoothgraph.pyg.LearnedGraph
""",
    "pygsp": """
import numpy as np
from smoothgraph.convert import to_pygsp

assert to_pygsp(np.ones((3, 3))).n_edges == 3
""",
    "scanpy": """
import anndata
import scanpy
from sklearn.datasets import load_iris
from smoothgraph import LogDegreeGraph
from smoothgraph.convert import to_anndata

adata = anndata.AnnData(load_iris().data)
to_anndata(adata, LogDegreeGraph(8).fit(adata.X))
scanpy.tl.leiden(adata, flavor="igraph", n_iterations=2, directed=False)
assert adata.obs["leiden"].nunique() > 1
""",
}


def test_the_base_installation_learns_and_writes_graphs(tmp_path):
    done = run(BASE, tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("extra", sorted(CODE))
def test_an_extra_alone_is_enough(extra, tmp_path):
    done = run(CODE[extra], tmp_path, extra)
    assert done.returncode == 0, done.stderr


def test_every_extra_is_tested_and_part_of_all():
    everything = set(EXTRAS) - FOR_DEVELOPERS - {"all"}
    assert set(CODE) == everything
    [line] = EXTRAS["all"]
    assert Requirement(line).extras == everything


# What a call needs beyond the base installation.
NEEDS = {
    "convert.to_igraph(W)": "igraph",
    "convert.to_networkx(W)": "networkx",
    "convert.to_pyg(W)": "torch-geometric",
    "convert.to_pygsp(W)": "pygsp2",
    "generate.erdos_renyi(9, p=0.1)": "networkx",
    "generate.barabasi_albert(9)": "networkx",
    "io.read_table('table.csv')": "pandas",
    "io.read_table('table.h5')": "h5py",
    "io.read_table('table.parquet')": "pyarrow",
    "io.read_table('table.xlsx')": "openpyxl",
    "io.read_table('table.nc')": "xarray",
    "io.write_graph('graph.csv', W)": None,
    "io.write_graph('graph.gexf', W)": "networkx",
    "io.write_graph('graph.parquet', W)": "pyarrow",
    "viz.draw_graph(W)": "matplotlib",
    "viz.explore(W)": "anywidget",
    "LogDegreeGraph(3).fit(X).plot()": "matplotlib",
    "LogDegreeGraph(3).fit(X).explore()": "anywidget",
}


def packages_of(extra):
    """The packages that an extra names, or another extra that it names."""
    for line in EXTRAS[extra]:
        requirement = Requirement(line)
        if requirement.name == "smoothgraph":
            for other in requirement.extras:
                yield from packages_of(other)
        yield requirement.name


def test_a_missing_package_is_named_with_an_extra_that_has_it(tmp_path):
    (tmp_path / "table.csv").write_text("x,y\n1,2\n3,4\n")
    (tmp_path / "table.h5").write_bytes(b"\x89HDF\r\n\x1a\n")
    for name in ("table.parquet", "table.xlsx", "table.nc"):
        (tmp_path / name).write_bytes(b"PAR1")
    code = f"""
import numpy as np
import smoothgraph as sg

W, X = np.ones((4, 4)), np.random.default_rng(0).normal(size=(30, 2))
for call in {list(NEEDS)}:
    try:
        eval(f"sg.{{call}}")
        print("done")
    except ImportError as error:
        print(error)
"""
    done = run(code, tmp_path)
    assert done.returncode == 0, done.stderr
    said = dict(zip(NEEDS, done.stdout.splitlines(), strict=True))
    for call, package in NEEDS.items():
        if package is None:
            assert said[call] == "done"
        else:
            hint = re.search(r"needs .*: pip install 'smoothgraph\[(\w+)\]'$", said[call])
            assert hint, f"{call}: {said[call]}"
            assert package in packages_of(hint[1]), f"{call}: {said[call]}"


def test_the_program_without_its_extra_says_how_to_install_it(tmp_path):
    code = "from runpy import run_module\nrun_module('smoothgraph', run_name='__main__')"
    done = run(code, tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.endswith("pip install 'smoothgraph[cli]'")
