"""
Classification from few labels
==============================

Classify digits from a tenth of the labels, on learned graphs and k-NN graphs of several densities.
"""

# %%
# Known labels spread along the edges: the value of an unlabeled image is the weighted mean of its
# neighbors. Images in a component without labels stay unclassified and count as wrong.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

from smoothgraph import density_path
from smoothgraph.tasks import HarmonicClassifier, UnreachableWarning

X, y = load_digits(return_X_y=True)
rng = np.random.default_rng(0)
draws = [rng.random(len(y)) < 0.1 for _ in range(5)]


def errors(W):
    """Return the shares of wrong labels and of unreachable nodes, averaged over the draws."""
    wrong, unreachable = [], []
    for known in draws:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachableWarning)  # as we count these nodes
            model = HarmonicClassifier().fit(W, np.where(known, y, -1))
        wrong.append(np.mean(model.transduction_[~known] != y[~known]))
        unreachable.append(np.mean(model.unreachable_[~known]))
    return np.mean(wrong), np.mean(unreachable)


# %%
# One path over the densities gives all learned graphs. Making a k-NN graph symmetric gives it more
# than k neighbors per node; the plot shows it at its actual density.

learned = [graph.adjacency_ for graph in density_path(X, [3, 4, 6, 8, 12, 16, 24, 32])]
nearest = [kneighbors_graph(X, k) for k in (2, 3, 4, 6, 8, 12, 16, 24)]
nearest = [W.maximum(W.T) for W in nearest]

curves = {}
for name, graphs in {"learned": learned, "k-NN": nearest}.items():
    rows = [(W.nnz / len(y), *errors(W)) for W in graphs]
    curves[name] = np.array(rows)
    for density, wrong, unreachable in rows:
        print(f"{name:8} {density:5.1f} edges per node: {wrong:.1%} wrong, {unreachable:.1%} cut off")

# %%
# Sparse learned graphs have many components, and each node that no label reaches is an error (the
# thin lines); there, k-NN is better. From about 10 edges per node on, the learned graph is better,
# and it suffers much less from too high a density.

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
for (name, rows), color in zip(curves.items(), ("C0", "C3"), strict=True):
    density, wrong, unreachable = rows.T
    ax.plot(density, 100 * wrong, color=color, marker="o", label=f"{name}: wrong")
    ax.plot(density, 100 * unreachable, color=color, lw=0.8, label=f"{name}: out of reach")
ax.set(xscale="log", xlabel="edges per node", ylabel="% of unknown labels", ylim=(0, 10.5))
ax.set_xticks([3, 5, 10, 20, 40], ["3", "5", "10", "20", "40"])
ax.minorticks_off()
ax.legend(frameon=False)
plt.show()
