"""Compare graphs of cells from two batches: how well they mix the batches, and keep the cell types apart.

    python -m benchmarks.groups --data-dir DIR [--draws 10]

Cells are divided at random into two batches, one of which is moved by a random vector. Or they are not moved; or they
are, and one cell type is in one batch only. DIR holds ``pbmc68k_reduced.npz`` (keys ``X_pca``, ``y``). All numbers are
means over the draws. ``bbknn`` and ``leidenalg`` are optional.

- *other batch*: the share of a cell's weight for the other batch, and of the cells without any such edge.
- *mixing*: the entropy of a cell's weights between the batches, as a share of the most that is possible.
- *neighbors' vote*: how often the weighted vote of a cell's neighbors is its cell type.
- *transfer*: how often the labels of one batch, spread by harmonic functions, give the types of the other batch.
- *Leiden*: the adjusted Rand index of Leiden's clusters (modularity) with the cell types.
"""

import argparse
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from rich.console import Console
from rich.table import Table
from sklearn.metrics import adjusted_rand_score
from sklearn.neighbors import NearestNeighbors

from smoothgraph import SmoothGraph
from smoothgraph.tasks import HarmonicClassifier

COMPONENTS = 30
SHIFT = 10.0  # about the distance between two cells of one type
DENSITY = 10
ONE_SIDED = 1  # the cell type that is in one batch only: B cells
CASES = {"the batches do not differ": 0.0, "one batch is moved": SHIFT, "moved, and B cells in one batch only": SHIFT}
COLUMNS = ("edges per node", "other batch", "none of it", "mixing", "neighbors' vote", "transfer", "Leiden")
Graph = Callable[[np.ndarray, np.ndarray], sp.csr_array]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of the data set")
    parser.add_argument("--draws", type=int, default=10, help="random batches per case (default: 10)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    console = Console()
    if not console.is_terminal:
        console.width = 160
    with np.load(options.data_dir / "pbmc68k_reduced.npz") as data:
        X, y = data["X_pca"][:, :COMPONENTS].astype(float), data["y"].astype(int)
    for case in CASES:
        table = Table(title=case, title_justify="left", title_style="bold")
        table.add_column("graph")
        for column in COLUMNS:
            table.add_column(column, justify="right")
        for name, learn in graphs().items():
            rows = [judge(learn(*batches), batches[1], y) for batches in draws(case, X, y, options.draws)]
            density, *shares = np.mean(rows, axis=0)
            table.add_row(name, f"{density:.1f}", *(f"{100 * share:.1f}%" for share in shares))
        console.print(table)


def draws(case: str, X: np.ndarray, y: np.ndarray, number: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return the cells and their batches, for several random ones."""
    result = []
    for seed in range(number):
        rng = np.random.default_rng(seed)
        batch = rng.integers(0, 2, size=len(X))
        if "B cells" in case:
            batch[y == ONE_SIDED] = 0
        shift = rng.normal(size=X.shape[1])
        shift *= CASES[case] / np.linalg.norm(shift)
        result.append((X + batch[:, None] * shift, batch))
    return result


def graphs() -> dict[str, Graph]:
    """Return the graphs by name, as functions of the cells and their batches."""
    chosen: dict[str, Graph] = {
        "k-NN": lambda X, batch: balanced_knn(X, np.zeros_like(batch), DENSITY),
        "SmoothGraph": lambda X, _: SmoothGraph(DENSITY).fit_transform(X),
    }
    for share in (0.1, 0.2, 0.3):
        chosen[f"SmoothGraph, groups, share {share}"] = lambda X, batch, share=share: SmoothGraph(
            DENSITY, group_share=share
        ).fit_transform(X, groups=batch)
    chosen["k-NN in each batch"] = lambda X, batch: balanced_knn(X, batch, DENSITY)
    if find_spec("bbknn"):
        chosen["bbknn"] = bbknn_graph
    return chosen


def balanced_knn(X: np.ndarray, batch: np.ndarray, density: int) -> sp.csr_array:
    """Join each cell to its nearest cells in every batch, with equal weights; about ``density`` per cell."""
    k = max(1, round(2 * density / 3 / len(np.unique(batch))))  # most edges are named by one of their ends only
    joined = sp.lil_array((len(X), len(X)))
    for b in np.unique(batch):
        own, others = np.flatnonzero(batch == b), np.flatnonzero(batch != b)
        search = NearestNeighbors(n_neighbors=k).fit(X[own])
        joined[own[:, None], own[search.kneighbors(return_distance=False)]] = 1.0
        if len(others):
            joined[others[:, None], own[search.kneighbors(X[others], return_distance=False)]] = 1.0
    one_way = joined.tocsr()
    return one_way.maximum(one_way.T)


def bbknn_graph(X: np.ndarray, batch: np.ndarray) -> sp.csr_array:
    """Return the connectivities of bbknn, with its default of three neighbors in each batch."""
    import bbknn.matrix

    _, connectivities, _ = bbknn.matrix.bbknn(X, batch.astype(str), n_pcs=X.shape[1], computation="cKDTree")
    return sp.csr_array(connectivities)


def judge(W: sp.csr_array, batch: np.ndarray, y: np.ndarray) -> list[float]:
    """Return the measures of a graph, in the order of ``COLUMNS``."""
    degrees = W.sum(axis=1)
    other = W @ np.eye(2)[batch][:, ::-1]
    share = other[np.arange(len(y)), batch] / degrees
    parts = np.stack([share, 1 - share], axis=1)
    entropy = -np.sum(parts * np.log2(np.where(parts > 0, parts, 1)), axis=1)
    vote = np.argmax(W @ np.eye(y.max() + 1)[y], axis=1)
    return [
        W.nnz / len(y),
        float(np.mean(share)),
        float(np.mean(share == 0)),
        float(np.mean(entropy)),
        float(np.mean(vote == y)),
        transfer(W, batch, y),
        leiden(W, y),
    ]


def transfer(W: sp.csr_array, batch: np.ndarray, y: np.ndarray) -> float:
    """Return how many labels are right when those of batch 0 are known."""
    known = np.where(batch == 0, y, -1)
    found = HarmonicClassifier().fit(W, known).transduction_
    return float(np.mean(found[batch == 1] == y[batch == 1]))


def leiden(W: sp.csr_array, y: np.ndarray) -> float:
    """Return the adjusted Rand index of the clusters with the types; NaN without leidenalg."""
    if not find_spec("leidenalg"):
        return np.nan
    import igraph
    import leidenalg

    upper = sp.triu(W, format="coo")
    graph = igraph.Graph(len(y), list(zip(upper.row.tolist(), upper.col.tolist(), strict=True)))
    found = leidenalg.find_partition(graph, leidenalg.ModularityVertexPartition, weights=upper.data.tolist(), seed=0)
    return float(adjusted_rand_score(y, found.membership))


if __name__ == "__main__":
    main()
