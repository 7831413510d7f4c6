"""
Labels from one in ten
======================

Digits are classified from a tenth of the labels, on learned graphs and k-NN graphs of several
densities.
"""

# %%
# Known labels spread along the edges: the value of an unlabelled image is the weighted mean of
# its neighbours. Images in a component without any label stay unclassified and count as wrong.

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
    """The share of wrong labels and of nodes out of reach, as means over the draws."""
    wrong, unreachable = [], []
    for known in draws:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnreachableWarning)  # counted here
            model = HarmonicClassifier().fit(W, np.where(known, y, -1))
        wrong.append(np.mean(model.transduction_[~known] != y[~known]))
        unreachable.append(np.mean(model.unreachable_[~known]))
    return np.mean(wrong), np.mean(unreachable)


# %%
# The learned graphs come from one path over the densities. A k-NN graph is made symmetric, which
# gives it more than k neighbours per node; it is drawn at the density that it has.

learned = [graph.adjacency_ for graph in density_path(X, [3, 4, 6, 8, 12, 16, 24, 32])]
nearest = [kneighbors_graph(X, k) for k in (2, 3, 4, 6, 8, 12, 16, 24)]
nearest = [W.maximum(W.T) for W in nearest]

curves = {}
for name, graphs in {"learned": learned, "k-NN": nearest}.items():
    rows = [(W.nnz / len(y), *errors(W)) for W in graphs]
    curves[name] = np.array(rows)
    for density, wrong, unreachable in rows:
        print(
            f"{name:8} {density:5.1f} edges per node: {wrong:.1%} wrong, {unreachable:.1%} cut off"
        )

# %%
# Sparse learned graphs fall into many components, and what no label reaches is an error (the
# thin lines): there k-NN is better. From about 10 edges per node on, the learned graph is, and it
# minds a density that is too high much less.

figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
for (name, rows), colour in zip(curves.items(), ("C0", "C3"), strict=True):
    density, wrong, unreachable = rows.T
    ax.plot(density, 100 * wrong, color=colour, marker="o", label=f"{name}: wrong")
    ax.plot(density, 100 * unreachable, color=colour, lw=0.8, label=f"{name}: out of reach")
ax.set(xscale="log", xlabel="edges per node", ylabel="% of unknown labels", ylim=(0, 10.5))
ax.set_xticks([3, 5, 10, 20, 40], ["3", "5", "10", "20", "40"])
ax.minorticks_off()
ax.legend(frameon=False)
plt.show()
