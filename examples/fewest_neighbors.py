"""
Enough neighbors for every node
===============================

Give outliers as many neighbors as you need, and see what that costs the other nodes.
"""

# %%
# A crowd of 150 points, and five outliers.

import matplotlib.pyplot as plt
import numpy as np

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import draw_graph

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(size=(150, 2)), [[5, 5], [-5, 4], [6, -4], [-4, -6], [0, 7]]])
outlier = np.arange(len(X)) >= 150

# %%
# Both graphs have 8 edges per node on average. With ``min_edges``, every node has at least 6.

plain = LogDegreeGraph(8, scale="local").fit(X)
floored = LogDegreeGraph(8, scale="local", min_edges=6).fit(X)
figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
for ax, (title, graph) in zip(axes, {"no floor": plain, "min_edges=6": floored}.items(), strict=True):
    draw_graph(graph, X, labels=np.where(outlier, "outlier", "crowd"), ax=ax).set_title(title)
    neighbors = np.diff(graph.adjacency_.indptr)
    print(f"{title}: fewest neighbors {neighbors.min()}, on average {neighbors.mean():.1f}")

# %%
# The nodes that would have too few neighbors count for more in the barrier of the model. The graph
# is the proved optimum with these weights.

raised = floored.node_weights_ > 1
print(f"{raised.sum()} nodes count for more, {raised[outlier].sum()} of them are outliers")
print("proved optimal:", floored.is_exact_)
plt.show()
