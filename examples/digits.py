"""
Handwritten digits
==================

The graph of 1000 images of digits, learned and by nearest neighbours, at the same density.
"""

# %%
# Each image is a node, and its 64 pixels are the signals. The learned graph has 8 neighbours per
# node on average; its certificate says that no graph on any of the 499,500 pairs has a better
# objective, up to that relative gap.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import draw_adjacency, draw_graph, draw_histograms

X, y = load_digits(return_X_y=True)
X, y = X[:1000], y[:1000]
graph = LogDegreeGraph(edges_per_node=8).fit(X)
print(f"{graph.edges_per_node_:.2f} edges per node, relative gap {graph.dual_gap_:.0e}")

# %%
# Positions come from the graph alone. Classes are the colours, which the graph has not seen.

figure, ax = plt.subplots(figsize=(9, 7), layout="constrained")
draw_graph(graph, labels=y, ax=ax)

# %%
# For comparison, the k-NN graph with about as many edges: 6 neighbours each, made symmetric.

nearest = kneighbors_graph(X, 6)
nearest = nearest.maximum(nearest.T)
print(f"k-NN: {nearest.nnz / len(X):.2f} edges per node")

figure, axes = plt.subplots(1, 2, figsize=(12, 5.5), layout="constrained")
draw_adjacency(graph, labels=y, ax=axes[0]).set_title("learned")
draw_adjacency(nearest, labels=y, ax=axes[1]).set_title("6-NN")

# %%
# Both join mostly images of the same digit. The learned graph also says how much each edge
# counts, and the edges between different digits count less than their number suggests.


def between_classes(W):
    """The share of the edges that join different digits, and their share of the weight."""
    W = W.tocoo()
    different = y[W.row] != y[W.col]
    return different.mean(), W.data[different].sum() / W.data.sum()


for name, W in {"learned": graph.adjacency_, "6-NN": nearest}.items():
    edges, weight = between_classes(W)
    print(f"{name}: {edges:.1%} of the edges, {weight:.1%} of the weight between digits")

# %%
# A node has as many neighbours as fit, between one and a few dozen: an image in a crowd of
# similar ones has many, a peculiar one few, and none is left alone.

figure, axes = plt.subplots(1, 2, figsize=(10, 3.5), layout="constrained")
draw_histograms(graph, axes=axes)
neighbours = np.diff(graph.adjacency_.indptr)
print(f"from {neighbours.min()} to {neighbours.max()} neighbours")
plt.show()
