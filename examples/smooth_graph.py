"""
The graph to start with
=======================

Learn a connected graph of handwritten digits without setting anything, and see how its density was chosen.
"""

# %%
# ``SmoothGraph`` is a log-degree graph with other defaults: local scales, one component, identical
# rows merged, and a number of edges per node that is chosen from the data.

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse.csgraph import connected_components
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph

from smoothgraph import SmoothGraph
from smoothgraph.viz import draw_density_choice, draw_graph

X, y = load_digits(return_X_y=True)
X, y = X[:1000], y[:1000]
graph = SmoothGraph().fit(X)
print(f"{graph.edges_per_node_:.2f} edges per node, {graph.n_components_} component")
print("proved optimal:", graph.is_exact_)

# %%
# The learner starts with few edges per node and adds more until at most 1% of the images are in
# fragments, components of fewer than 15 nodes. The choice has half as many edges more.

print(graph.density_choice_)
draw_density_choice(graph, ax=plt.subplots(figsize=(6, 3.5), layout="constrained")[1])

# %%
# The colors are the classes, which the learner has not seen.

figure, ax = plt.subplots(figsize=(9, 7), layout="constrained")
draw_graph(graph, labels=y, ax=ax)

# %%
# For comparison, learn a denser graph, and build the symmetric k-NN graph whose density is closest. A
# few images are among the nearest of very many others. These hubs have far more neighbors in the
# k-NN graph than any image has in the learned graph.


def nearest(k):
    """Return the symmetric k-NN graph."""
    W = kneighbors_graph(X, k)
    return W.maximum(W.T).tocsr()


denser = SmoothGraph(12).fit(X)
k_nn = min((nearest(k) for k in range(2, 12)), key=lambda W: abs(W.nnz / len(X) - denser.edges_per_node_))
most = {name: np.diff(W.indptr).max() for name, W in {"learned": denser.adjacency_, "k-NN": k_nn}.items()}
print("most neighbors:", most)
print("components of the k-NN graph:", connected_components(k_nn)[0])
plt.show()
