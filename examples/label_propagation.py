"""Classify handwritten digits from one label in ten, on learned graphs of several densities.

Run it with ``python examples/label_propagation.py``.
"""

import warnings

import numpy as np
from sklearn.datasets import load_digits

from smoothgraph import density_path
from smoothgraph.tasks import HarmonicClassifier, UnreachableWarning


def main() -> None:
    X, y = load_digits(return_X_y=True)
    X, y = X[:600], y[:600]
    known = np.random.default_rng(0).random(len(y)) < 0.1
    partly = np.where(known, y, -1)
    for graph in density_path(X, [3, 6, 12, 24]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachableWarning)  # counted below
            model = HarmonicClassifier().fit(graph.adjacency_, partly)
        wrong = np.mean(model.transduction_[~known] != y[~known])
        print(
            f"{graph.edges_per_node_:5.1f} edges per node: {wrong:.1%} wrong, "
            f"{model.unreachable_.sum()} nodes out of reach"
        )


if __name__ == "__main__":
    main()
