"""Replace the k-NN graph of other packages by a learned one, in at most two lines, and compare what comes out.

    python -m benchmarks.ecosystem --data-dir FOLDER [--seeds 3]

Everything is at default settings, on the digits of scikit-learn and on 2000 images of USPS. ``CALLS`` holds the lines:
those with a k-NN graph, and those with a learned one, as in ``docs/ecosystem.md``. The scores, means over seeds:

- *ARI*: the adjusted Rand index of clusters and classes, in which rows that HDBSCAN leaves out are a cluster;
- *accuracy*: of the labels that are not known, with 5 known ones per class, or of new rows (a quarter of all) for
  KNeighborsClassifier;
- *10-NN*: how often a vote of the 10 nearest points in a picture gives the class, by five-fold cross-validation.
"""

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.cluster import HDBSCAN, SpectralClustering
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE, Isomap
from sklearn.metrics import adjusted_rand_score
from sklearn.model_selection import cross_val_score, train_test_split
from sklearn.neighbors import KNeighborsClassifier, kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.semi_supervised import LabelSpreading

from benchmarks.measured import WIDTH
from paper.datasets import load_usps
from smoothgraph import GraphNeighborsTransformer, SmoothGraph
from smoothgraph.convert import to_knn

_KNOWN = 5  # labels per class
_EPOCHS = 200


class Task(NamedTuple):
    """Data, a seed, and the labels that are known: -1 for the others."""

    X: np.ndarray
    y: np.ndarray
    known: np.ndarray
    seed: int

    @classmethod
    def draw(cls, X: np.ndarray, y: np.ndarray, seed: int) -> "Task":
        """Draw which labels are known."""
        order = np.random.default_rng(seed).permutation(len(y))
        labeled = np.concatenate([order[y[order] == label][:_KNOWN] for label in np.unique(y)])
        known = np.full(len(y), -1)
        known[labeled] = y[labeled]
        return cls(X, y, known, seed)

    def rand(self, clusters: Any) -> float:
        """Return the adjusted Rand index."""
        return float(adjusted_rand_score(self.y, clusters))

    def accuracy(self, labels: Any) -> float:
        """Return the share of hidden labels that are right."""
        hidden = self.known < 0
        return float(np.mean(np.asarray(labels)[hidden] == self.y[hidden]))

    def votes(self, positions: Any) -> float:
        """Return how often the nearest points give the class."""
        return float(np.mean(cross_val_score(KNeighborsClassifier(10), positions, self.y, cv=5)))


def spectral(t: Task, *, learned: bool) -> float:
    if not learned:
        model: Any = SpectralClustering(10, affinity="nearest_neighbors", random_state=t.seed)
    else:
        model = make_pipeline(SmoothGraph(), SpectralClustering(10, affinity="precomputed", random_state=t.seed))
    return t.rand(model.fit_predict(t.X))


def spreading(t: Task, *, learned: bool) -> float:
    kernel: Any = (lambda A, B: SmoothGraph().fit(A).transform(B).T) if learned else "knn"
    return t.accuracy(LabelSpreading(kernel=kernel).fit(t.X, t.known).transduction_)


def classifier(t: Task, *, learned: bool) -> float:
    X, new, y, wanted = train_test_split(t.X, t.y, random_state=t.seed)
    model: Any = KNeighborsClassifier()
    if learned:
        model = make_pipeline(GraphNeighborsTransformer(n_neighbors=5), KNeighborsClassifier(metric="precomputed"))
    return float(model.fit(X, y).score(new, wanted))


def isomap(t: Task, *, learned: bool) -> float:
    model: Any = Isomap()
    if learned:
        own = Isomap(n_neighbors=None, radius=np.inf, metric="precomputed")
        model = make_pipeline(GraphNeighborsTransformer(), own)
    return t.votes(model.fit_transform(t.X))


def t_sne(t: Task, *, learned: bool) -> float:
    model: Any = TSNE(random_state=t.seed)
    if learned:
        own = TSNE(metric="precomputed", init="random", random_state=t.seed)
        model = make_pipeline(GraphNeighborsTransformer(n_neighbors=91), own)
    return t.votes(model.fit_transform(t.X))


def umap(t: Task, *, learned: bool) -> float:
    from umap import UMAP

    model = UMAP(random_state=t.seed)
    if learned:
        knn = tuple(to_knn(SmoothGraph().fit(t.X), 15))
        model = UMAP(precomputed_knn=knn, force_approximation_algorithm=True, random_state=t.seed)
    return t.votes(model.fit_transform(t.X))


def hdbscan(t: Task, *, learned: bool) -> float:
    model: Any = HDBSCAN(copy=True)
    if learned:
        model = make_pipeline(GraphNeighborsTransformer(), HDBSCAN(metric="precomputed", copy=True))
    return t.rand(model.fit_predict(t.X))


def leiden(t: Task, *, learned: bool) -> float:
    import anndata
    import scanpy as sc

    import smoothgraph.scanpy

    adata = anndata.AnnData(t.X)
    if learned:
        smoothgraph.scanpy.neighbors(adata, use_rep="X")
    else:
        sc.pp.neighbors(adata, use_rep="X")
    sc.tl.leiden(adata, flavor="igraph", n_iterations=2, directed=False, random_state=t.seed)
    return t.rand(adata.obs["leiden"])


def network(t: Task, *, learned: bool) -> float:
    """Return the accuracy of two graph convolutions; k = 6 is the default of KNNGraph."""
    import torch
    from torch_geometric.data import Data
    from torch_geometric.nn import GCNConv
    from torch_geometric.utils import from_scipy_sparse_matrix

    from smoothgraph.pyg import LearnedGraph

    torch.manual_seed(t.seed)
    data = Data(x=torch.tensor(t.X / np.abs(t.X).max(), dtype=torch.float32))
    if learned:
        data = LearnedGraph()(data)
    else:
        data.edge_index, data.edge_attr = from_scipy_sparse_matrix(kneighbors_graph(t.X, 6).T)[0], None
    first, second = GCNConv(t.X.shape[1], 32), GCNConv(32, 10)
    adam = torch.optim.Adam([*first.parameters(), *second.parameters()], lr=0.01, weight_decay=5e-4)
    wanted, labeled = torch.tensor(t.y), torch.tensor(t.known >= 0)

    def classify(*, train: bool) -> Any:
        hidden = torch.dropout(first(data.x, data.edge_index, data.edge_attr).relu(), p=0.5, train=train)
        return second(hidden, data.edge_index, data.edge_attr)

    for _ in range(_EPOCHS):
        adam.zero_grad()
        torch.nn.functional.cross_entropy(classify(train=True)[labeled], wanted[labeled]).backward()
        adam.step()
    with torch.no_grad():
        return t.accuracy(classify(train=False).argmax(dim=1).numpy())


CALLS: dict[str, tuple[str, Callable[..., float]]] = {
    "SpectralClustering": ("ARI", spectral),
    "LabelSpreading": ("accuracy", spreading),
    "KNeighborsClassifier": ("accuracy", classifier),
    "Isomap": ("10-NN", isomap),
    "TSNE": ("10-NN", t_sne),
    "UMAP": ("10-NN", umap),
    "HDBSCAN": ("ARI", hdbscan),
    "scanpy, Leiden": ("ARI", leiden),
    "PyTorch Geometric, GCN": ("accuracy", network),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of usps.npz")
    parser.add_argument("--seeds", type=int, default=3, help="draws of labels and starts (default: 3)")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    console = Console()
    if not console.is_terminal:
        console.width = WIDTH
    table = Table("call", "score", "digits, k-NN", "digits, learned", "USPS, k-NN", "USPS, learned")
    for name, (score, call) in CALLS.items():
        row = []
        for X, y in data_sets(options.data_dir):
            tasks = [Task.draw(X, y, seed) for seed in range(options.seeds)]
            row += [f"{np.mean([call(t, learned=learned) for t in tasks]):.3f}" for learned in (False, True)]
        print(name, *row, flush=True)
        table.add_row(name, score, *row)
    console.print(table)


def data_sets(folder: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    digits = load_digits(return_X_y=True)
    usps = load_usps(folder)
    chosen = np.random.default_rng(0).choice(len(usps.y), 2000, replace=False)
    return [digits, (usps.X[chosen].astype(float), usps.y[chosen])]


if __name__ == "__main__":
    main()
