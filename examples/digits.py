"""
Handwritten digits
==================

Compare a learned graph of 1000 images of digits with a k-NN graph of the same density.
"""

# %%
# Each image is a node, and its 64 pixels are the signals. The learned graph has 8 neighbors per
# node on average. Its certificate proves that no graph on the 499,500 pairs has a better
# objective, up to the relative gap.

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
# The positions come from the graph alone. The colors are the classes, which the learner has not
# seen.

figure, ax = plt.subplots(figsize=(9, 7), layout="constrained")
draw_graph(graph, labels=y, ax=ax)

# %%
# For comparison, build the k-NN graph with about as many edges: 6 neighbors each, made symmetric.

nearest = kneighbors_graph(X, 6)
nearest = nearest.maximum(nearest.T)
print(f"k-NN: {nearest.nnz / len(X):.2f} edges per node")

figure, axes = plt.subplots(1, 2, figsize=(12, 5.5), layout="constrained")
draw_adjacency(graph, labels=y, ax=axes[0]).set_title("learned")
draw_adjacency(nearest, labels=y, ax=axes[1]).set_title("6-NN")

# %%
# Both graphs mostly join images of the same digit. The learned graph also says how much each edge
# counts, and edges between different digits count less than their number suggests.


def between_classes(W):
    """Return the share of the edges that join different digits, and their share of the weight."""
    W = W.tocoo()
    different = y[W.row] != y[W.col]
    return different.mean(), W.data[different].sum() / W.data.sum()


for name, W in {"learned": graph.adjacency_, "6-NN": nearest}.items():
    edges, weight = between_classes(W)
    print(f"{name}: {edges:.1%} of the edges, {weight:.1%} of the weight between digits")

# %%
# The number of neighbors adapts to the data: an image among many similar ones has many, an unusual
# one has few, and no image is isolated.

figure, axes = plt.subplots(1, 2, figsize=(10, 3.5), layout="constrained")
draw_histograms(graph, axes=axes)
neighbors = np.diff(graph.adjacency_.indptr)
print(f"from {neighbors.min()} to {neighbors.max()} neighbors")
plt.show()
