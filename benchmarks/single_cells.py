"""Compare graphs of cells before scanpy's tools: Leiden's clusters, and UMAP's picture.

    python -m benchmarks.single_cells [--seeds 3]

The data, pbmc68k_reduced, comes with scanpy. All graphs are of 50 principal components. All numbers are means over
seeds of the tool.

- *clusters*, *ARI*: the clusters of ``sc.tl.leiden`` at its default resolution, and their adjusted Rand index with the
  cell types.
- *10-NN in UMAP*: how often a vote of the 10 nearest cells in the picture gives the cell type, by five-fold
  cross-validation.

The weights, divided by the largest, are those of ``to_anndata``. The alternatives are relative to the strongest edges
at their two ends, and joined as UMAP joins the two views of an edge; the square roots of these; and ones.
"""

import argparse
import warnings
from collections.abc import Callable

import numpy as np
import scanpy as sc
import scipy.sparse as sp
from rich.console import Console
from rich.table import Table
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

from smoothgraph import LogDegreeGraph, SmoothGraph
from smoothgraph.convert import to_anndata

DENSITIES = (10, 15, 22)
CHOSEN = (SmoothGraph, 22)  # of smoothgraph.scanpy.neighbors, with which other weights are compared
COLUMNS = ("edges per node", "weights", "clusters", "ARI", "10-NN in UMAP")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="seeds of Leiden and UMAP (default: 3)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    sc.settings.verbosity = 0
    console = Console()
    if not console.is_terminal:
        console.width = 160
    table = Table("graph", *COLUMNS)
    adata = sc.datasets.pbmc68k_reduced()
    sc.pp.neighbors(adata, n_neighbors=15)
    table.add_row("scanpy", "22.7", "UMAP's", *judge(adata, options.seeds))
    for model in (LogDegreeGraph, SmoothGraph):
        for density in DENSITIES:
            graph = model(density).fit(adata.obsm["X_pca"])
            to_anndata(adata, graph)
            compared = weights() if (model, density) == CHOSEN else {"learned": weights()["learned"]}
            for name, weigh in compared.items():
                adata.obsp["connectivities"] = sp.csr_matrix(weigh(graph.adjacency_))
                table.add_row(model.__name__, f"{density}", name, *judge(adata, options.seeds))
    console.print(table)


def weights() -> dict[str, Callable[[sp.csr_array], sp.csr_array]]:
    """Return ways to make connectivities of learned weights."""
    return {
        "learned": lambda W: W / W.max(),
        "relative": _relative,
        "roots of relative": lambda W: _relative(W).sqrt(),
        "ones": lambda W: (W > 0).astype(float),
    }


def _relative(W: sp.csr_array) -> sp.csr_array:
    """``p + p' - p p'`` with ``p`` the weights divided by the largest of their row."""
    p = sp.csr_array(sp.diags_array(1 / W.max(axis=1).toarray().ravel()) @ W)
    return sp.csr_array(p + p.T - p * p.T)


def judge(adata: sc.AnnData, n_seeds: int) -> list[str]:
    """Return the numbers of a row of the table."""
    types = adata.obs["bulk_labels"].astype(str).to_numpy()
    numbers = []
    for seed in range(n_seeds):
        sc.tl.leiden(adata, flavor="igraph", n_iterations=2, directed=False, random_state=seed)
        sc.tl.umap(adata, random_state=seed)
        clusters = adata.obs["leiden"]
        votes = cross_val_score(KNeighborsClassifier(10), adata.obsm["X_umap"], types, cv=5)
        numbers.append((clusters.nunique(), adjusted_rand_score(types, clusters), np.mean(votes)))
    n_clusters, rand, votes = np.mean(numbers, axis=0)
    return [f"{n_clusters:.1f}", f"{rand:.2f}", f"{votes:.3f}"]


if __name__ == "__main__":
    main()
