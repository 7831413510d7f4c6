"""What the command line is fuzzed with: odd options for odd files."""

from pathlib import Path

import numpy as np

from benchmarks.fuzz_files import CELLS, make_files, write_files
from smoothgraph.io import GRAPH_FORMATS, TABLE_FORMATS

VALUES = ["0", "1", "2", "-1", "1.5", "nan", "inf", "a", "b", "c", "name", "a,b", "rows", "columns", "X", *CELLS[:6]]
OPTIONS: dict[str, list[str]] = {
    "--nodes": ["rows", "columns", "x"],
    "--names": VALUES,
    "--label": VALUES,
    "--coordinates": ["a,b", "a", "lat,lon", ",", "a,a"],
    "--drop": VALUES,
    "--keep": VALUES,
    "--missing": VALUES,
    "--long": ["name,a,b", "a,name,b", "name,name,a", "a", "x,y,z", "date,name,a"],
    "--anomaly": ["monthly", "weekly", "daily", "x"],
    "--skip-rows": ["0", "1", "-1", "99"],
    "--key": VALUES,
    "--format": [*TABLE_FORMATS, "x"],
    "--model": ["log-degree", "l2-degree", "doubly-stochastic", "x"],
    "--metric": ["cosine", "euclidean", "precomputed", "x", "mahalanobis"],
    "--edges-per-node": VALUES,
}
FLAGS = ["--difference", "--log-returns", "--detrend", "--standardize", "--header", "--no-header", "--json", "--quiet"]


def check_command(rng: np.random.Generator, folder: Path) -> str:
    """Run a command: it ends with code 0, or with code 2 and a sentence and without the file it should write."""
    from tests.command_line import smoothgraph

    arguments = _learn(rng, folder) if rng.random() < 0.7 else _convert(rng, folder)
    result = smoothgraph(*arguments)
    assert result.exit_code in (0, 2), (arguments, result.output)
    assert "Traceback" not in result.output, (arguments, result.output)
    written = (folder / "out.csv").exists()
    assert written == (result.exit_code == 0), (arguments, result.output)
    return "accepted" if written else "refused"


def _learn(rng: np.random.Generator, folder: Path) -> list[object]:
    format_name = _pick(rng, list(TABLE_FORMATS))
    suffix = TABLE_FORMATS[format_name].suffixes[0]
    table = folder / f"fuzz{suffix}"
    good = b"name,a,b,c\nr,1,2,0\ns,3,5,1\nt,4,1,1\nu,0,0,2\n"
    if rng.random() < 0.5:
        good = b"date,a,b,c\n2020-01,1,2,0\n2020-02,3,5,1\n2021-01,4,-999,1\n2021-02,0,0,2\n2022-01,5,7,\n"
    if rng.random() < 0.5:
        table = folder / "fuzz.csv"
        table.write_bytes(good)
    else:
        write_files(make_files(f"table{suffix}", rng), table)
    arguments: list[object] = ["learn", table, "--out", folder / "out.csv"]
    for name in rng.choice(list(OPTIONS), size=int(rng.integers(4))):
        arguments += [str(name), _pick(rng, OPTIONS[str(name)])]
    return [*arguments, *(flag for flag in FLAGS if rng.random() < 0.15)]


def _convert(rng: np.random.Generator, folder: Path) -> list[object]:
    suffix = GRAPH_FORMATS[_pick(rng, list(GRAPH_FORMATS))].suffixes[0]
    graph = write_files(make_files(f"graph{suffix}", rng), folder / f"fuzz{suffix}")
    return ["convert", graph, folder / "out.csv"]


def _pick(rng: np.random.Generator, options: list[str]) -> str:
    return options[int(rng.integers(len(options)))]
