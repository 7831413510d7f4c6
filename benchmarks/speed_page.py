"""Write docs/speed/index.md from what was measured.

    python -m benchmarks.scale --data-dir DIR --out docs/speed/scale.json
    python -m benchmarks.uneven --nodes 20000 --out docs/speed/uneven.json
    python -m benchmarks.speed_page

Nothing on the page is written by hand but the explanations below.
"""

import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.scale import growth

FOLDER = Path(__file__).parents[1] / "docs" / "speed"
_REFERENCE = "pynndescent"
_TITLES = {
    "mnist": "MNIST (784 pixels)",
    "deformed": "deformed images of MNIST (50 principal components)",
    "clusters": "clusters of uneven size and width (50 features)",
}
_INTRODUCTION = """# How fast large fits are

These tables show the time from the data to a log-degree graph with 10 edges per node, the search for the density
included. All runs were made on two cores of a shared machine, one run per line and each in its own process. Read the
ratios rather than the seconds.

- *of pynndescent* is the time as a multiple of that of the 30-NN graph of pynndescent, once it is compiled.
- *First call* is a call on 20,000 rows, with imports, and with compiling or loading compiled code. The seconds do not
  include it.
- *Index*, *neighbors*, *solve*, and *pairs* are the stages of a fit. In the last one, missing pairs are looked for.
- *Missing* is the share of the graph's edges that are no candidates, estimated from 1000 nodes. It is 0 if the graph is
  proved optimal over all pairs.
- A package without a row was not run at that size.
"""
_UNEVEN = """## Clusters of uneven width

20,000 points in 100 clusters, whose widths spread log-uniformly over a factor. The numbers are CPU seconds of the whole
fit. In parentheses is the multiple of the time for as many points in clusters of even width. A fit that was not proved
is marked as *not exact*.
"""


def speed_page(folder: Path = FOLDER) -> str:
    """Return the page as Markdown."""
    scale, uneven = (json.loads((folder / f"{name}.json").read_text()) for name in ("scale", "uneven"))
    parts = [_INTRODUCTION, _made(scale["made"], "benchmarks.scale --data-dir DIR")]
    runs = scale["runs"]
    for (data, n_nodes), group in groupby(runs, key=lambda run: (run["data"], run["n_nodes"])):
        parts.append(f"## {n_nodes:,} x {_TITLES[data]}\n\n" + _table(_SCALE_COLUMNS, _scale_rows(list(group))))
    parts.append(
        "## Growth\n\nHow the time grows with the number of nodes m:\n\n" + "\n".join(_growth_lines(runs)) + "\n"
    )
    made = _made(uneven["made"], "benchmarks.uneven --nodes 20000")
    parts += [_UNEVEN, made, _table(*_uneven_table(uneven["runs"]))]
    return "\n".join(parts)


_SCALE_COLUMNS = ["", "seconds", "of pynndescent", "CPU seconds", "first call", "peak GB", "index", "neighbors"]
_SCALE_COLUMNS += ["solve", "pairs", "edges per node", "missing"]


def _scale_rows(runs: list[dict[str, Any]]) -> Iterator[list[str]]:
    reference = next((run["seconds"] for run in runs if run["run"] == _REFERENCE), None)
    for run in runs:
        ratio = f"{run['seconds'] / reference:.2f}" if reference else ""
        stages = [_short(run.get(stage)) for stage in ("index", "neighbors", "solve", "pairs")]
        missing = "" if "missing share" not in run else "0 (proved)" if run["exact"] else f"{run['missing share']:.2%}"
        times = [_short(run[column]) for column in ("CPU seconds", "first call", "peak GB")]
        yield [
            run["run"],
            _short(run["seconds"]),
            ratio,
            *times,
            *stages,
            _short(run.get("edges per node"), 4),
            missing,
        ]


def _growth_lines(runs: list[dict[str, Any]]) -> Iterator[str]:
    for name, data in dict.fromkeys((run["run"], run["data"]) for run in runs):
        exponents = growth(runs, name, data)
        if name.startswith("smoothgraph") and exponents:
            whole, solve = exponents["seconds"], exponents.get("solve", float("nan"))
            yield f"- {name}, {_TITLES[data]}: $m^{{{whole:.2f}}}$, and its solves $m^{{{solve:.2f}}}$."


def _uneven_table(runs: list[dict[str, Any]]) -> tuple[list[str], list[list[str]]]:
    factors = list(dict.fromkeys(run["factor"] for run in runs))
    rows = []
    for (model, dimensions), group in groupby(runs, key=lambda run: (run["model"], run["dimensions"])):
        cells = [
            f"{_short(run['CPU seconds'])} ({run['ratio']:.1f}){'' if run['exact'] else ' *not exact*'}"
            for run in group
        ]
        rows.append([model, str(dimensions), *cells])
    return ["model", "dimensions", *(f"factor {factor:g}" for factor in factors)], rows


def _made(made: dict[str, str], command: str) -> str:
    packages = ", ".join(f"{name} {number}" for name, number in made.items() if name not in ("date", "commit"))
    return f"`python -m {command}`, run on {made['date']} at commit {made['commit']}, with {packages}.\n"


def _table(columns: list[str], rows: Iterable[list[str]]) -> str:
    lines = [columns, ["---"] + ["---:"] * (len(columns) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _short(value: float | None, digits: int = 3) -> str:
    return "" if value is None else f"{value:.{digits}g}"


def main() -> None:
    (FOLDER / "index.md").write_text(speed_page())


if __name__ == "__main__":
    main()
