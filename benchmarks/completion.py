"""Compare ways to fill in missing temperatures: matrix completion on graphs, and baselines.

    python -m benchmarks.completion --data-dir DIR [--out FILE]

DIR holds ``molene.npz`` (key ``X``: 37 stations, 744 hours). The script hides entries at random, or
turns every station off on 9 of 31 days. It reports the root mean squared error in kelvin at the
hidden entries, as a mean over the draws. To choose a parameter (strengths, the rank of the SVD), it
holds out a tenth of the known entries and takes the value with the smallest error there.
"""

import argparse
import json
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.impute import KNNImputer

from smoothgraph.tasks import MatrixCompletion, UnreachableWarning

DRAWS = 3
STRENGTHS = (0.01, 0.03, 0.1, 0.3, 1.0)
RANKS = (1, 2, 3, 4, 6)
HOURS_OFF, DAYS_OFF = 24, 9
WIDTH = 100  # characters per line of the table

Fill = Callable[[np.ndarray], np.ndarray]


def main() -> None:
    options = _parser().parse_args()
    with np.load(options.data_dir / "molene.npz") as content:
        truth = content["X"].astype(float)
    methods = fills(truth.shape[1])
    errors = {
        hiding: {name: mean_error(fill, truth, hiding) for name, fill in methods.items()}
        for hiding in ("30%", "50%", "70%", "days")
    }
    table = Table("", *errors, title="root mean squared error, kelvin", title_justify="left")
    for name in methods:
        table.add_row(name, *(f"{column[name]:.2f}" for column in errors.values()))
    Console(width=WIDTH).print(table)
    if options.out is not None:
        options.out.write_text(json.dumps({"draws": DRAWS, "errors": errors}, indent=1) + "\n")


def mean_error(fill: Fill, truth: np.ndarray, hiding: str) -> float:
    errors = []
    for seed in range(DRAWS):
        table = np.where(hidden(truth.shape, hiding, np.random.default_rng(seed)), np.nan, truth)
        errors.append(_error(fill(table), truth, np.isnan(table)))
    return float(np.mean(errors))


def hidden(shape: tuple[int, int], hiding: str, rng: np.random.Generator) -> np.ndarray:
    if hiding == "days":
        off = rng.permuted(np.tile(np.arange(shape[1] // HOURS_OFF) < DAYS_OFF, (shape[0], 1)), axis=1)
        return np.repeat(off, HOURS_OFF, axis=1)
    return rng.random(shape) < float(hiding.removesuffix("%")) / 100


def fills(n_hours: int) -> dict[str, Fill]:
    hour_after_hour = np.eye(n_hours, k=1) + np.eye(n_hours, k=-1)
    on_graphs = MatrixCompletion(tol=1e-4)
    return {
        "means of the hours": means,
        "KNNImputer, stations": KNNImputer().fit_transform,
        "KNNImputer, hours": lambda table: KNNImputer().fit_transform(table.T).T,
        "iterative SVD, rank chosen": lambda table: chosen(
            table, [lambda known, rank=rank: iterative_svd(known, rank) for rank in RANKS]
        ),
        "nuclear norm": on_graph_with(on_graphs, rows=None, columns=None, rank_strength=0.03),
        "graphs, default": on_graphs.fit_transform,
        "graphs, strengths chosen": best_strengths(on_graphs),
        "stations learned, hours in line": best_strengths(on_graphs, columns=hour_after_hour),
    }


def on_graph_with(model: MatrixCompletion, **options: object) -> Fill:
    return MatrixCompletion(**(model.get_params(deep=False) | options)).fit_transform


def best_strengths(model: MatrixCompletion, **options: object) -> Fill:
    """Return a method that learns the graphs once and chooses the strengths on held-out entries."""

    def fill(table: np.ndarray) -> np.ndarray:
        graphs = MatrixCompletion(**(model.get_params(deep=False) | options)).fit(table)
        on = {"rows": graphs.row_graph_, "columns": graphs.column_graph_}
        grid = [
            on_graph_with(model, **on, row_strength=row, column_strength=column)
            for row in STRENGTHS
            for column in STRENGTHS
        ]
        return chosen(table, grid)

    return fill


def chosen(table: np.ndarray, candidates: list[Fill]) -> np.ndarray:
    """Complete the table by the candidate that is best on a held-out tenth of the known entries."""
    held_out = ~np.isnan(table) & (np.random.default_rng(DRAWS).random(table.shape) < 0.1)
    shown = np.where(held_out, np.nan, table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnreachableWarning)
        errors = [_error(fill(shown), table, held_out) for fill in candidates]
    return candidates[int(np.nanargmin(errors))](table)


def means(table: np.ndarray) -> np.ndarray:
    """Fill in the mean of each hour, or the overall mean if an hour has no known entry."""
    known = ~np.isnan(table)
    counts = known.sum(axis=0)
    by_hour = np.where(known, table, 0).sum(axis=0) / np.maximum(counts, 1)
    return np.broadcast_to(np.where(counts > 0, by_hour, np.nanmean(table)), table.shape)


def iterative_svd(table: np.ndarray, rank: int, n_iter: int = 200) -> np.ndarray:
    """Start from the means and repeatedly replace unknown entries by those of a truncated SVD."""
    unknown, filled = np.isnan(table), means(table)
    for _ in range(n_iter):
        filled = np.where(unknown, filled, table)
        center = filled.mean()
        left, sizes, right = np.linalg.svd(filled - center, full_matrices=False)
        filled = center + (left[:, :rank] * sizes[:rank]) @ right[:rank]
    return filled


def _error(filled: np.ndarray, truth: np.ndarray, where: np.ndarray) -> float:
    return float(np.sqrt(np.mean((filled - truth)[where] ** 2)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of molene.npz")
    parser.add_argument("--out", type=Path, help="JSON file to write")
    return parser


if __name__ == "__main__":
    main()
