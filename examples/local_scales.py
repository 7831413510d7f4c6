"""
Local scales and bridges
========================

See what local scales and bridges do to the graph of a dense and a sparse group of points.
"""

# %%
# There are as many points in a dense group as in a sparse one. A few far points form an island.

import matplotlib.pyplot as plt
import numpy as np

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import draw_graph

rng = np.random.default_rng(0)
dense = rng.normal([0, 0], 0.3, size=(60, 2))
sparse = rng.normal([4, 0], 1, size=(60, 2))
island = rng.normal([1, 5], 0.3, size=(20, 2))
X = np.vstack([dense, sparse, island])
group = np.repeat(["dense", "sparse", "island"], [60, 60, 20])

# %%
# All four graphs are asked for 6 edges per node. Only the scale and the connection differ.

learners = {
    "global scale": LogDegreeGraph(6),
    "local scales": LogDegreeGraph(6, scale="local"),
    "global scale, connected": LogDegreeGraph(6, connected=True),
    "local scales, connected": LogDegreeGraph(6, scale="local", connected=True),
}
figure, axes = plt.subplots(2, 2, figsize=(11, 9), layout="constrained")
neighbors, graphs = {}, {}
for ax, (name, learner) in zip(axes.flat, learners.items(), strict=True):
    graphs[name] = learner.fit(X)
    counts = np.diff(learner.adjacency_.indptr)
    neighbors[name] = {part: counts[group == part].mean().round(1) for part in ("dense", "sparse")}
    draw_graph(learner, X, labels=group, ax=ax).set_title(name)

# %%
# With the global scale, most edges are in the dense group, where the distances are small, and the
# sparse group falls apart. With local scales, both groups have about as many neighbors.

for name, counts in neighbors.items():
    print(f"{name}: {counts['dense']} neighbors in the dense group, {counts['sparse']} in the sparse one")

# %%
# Bridges join the components: one less than there are components, and the shortest that do. They
# are drawn as dashed lines. Local scales leave less to be joined.

for name, graph in graphs.items():
    print(f"{name}: components {graph.n_components_}, bridges {len(graph.bridges_)}")

# %%
# The certificate is that of the graph without bridges. Take them away, and you have the optimum of
# the model again.

connected, apart = graphs["global scale, connected"], graphs["global scale"]
difference = (connected.adjacency_ - apart.adjacency_).tocoo()
print("edges that differ:", difference.nnz // 2, "relative gap:", connected.dual_gap_)
plt.show()
