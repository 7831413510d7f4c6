"""
Groups that must not fall apart
===============================

Join two batches of digits that differ by an offset, and carry the labels of one batch over to the other.
"""

# %%
# 300 images of digits. Those of the second batch are brighter, by the same amount everywhere.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from smoothgraph import SmoothGraph
from smoothgraph.tasks import HarmonicClassifier
from smoothgraph.viz import draw_graph

X, y = load_digits(return_X_y=True)
X, y = X[:300].astype(float), y[:300]
batch = np.where(np.arange(300) % 2 == 0, "first", "second")
X[batch == "second"] += 5

# %%
# Without groups, hardly an edge joins the batches. With groups, every image has more than a tenth of
# its weight for the other batch. The share is a part of the model, and of the proof.

plain = SmoothGraph(8).fit(X)
mixed = SmoothGraph(8, group_share=0.1).fit(X, groups=batch)
for name, graph in (("without groups", plain), ("with groups", mixed)):
    across = graph.adjacency_[batch == "first"][:, batch == "second"].sum() / graph.adjacency_.sum() * 2
    print(f"{name}: {across:.1%} of the weight joins the batches, proved optimal: {graph.is_exact_}")

# %%
# All labels of the first batch are known, and none of the second.

known = np.where(batch == "first", y, -1)
for name, graph in (("without groups", plain), ("with groups", mixed)):
    found = HarmonicClassifier().fit(graph.adjacency_, known).transduction_
    print(f"{name}: {np.mean(found[batch == 'second'] == y[batch == 'second']):.0%} of the second batch are right")

figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
for ax, (title, graph) in zip(axes, {"without groups": plain, "with groups": mixed}.items(), strict=True):
    draw_graph(graph, labels=batch, ax=ax).set_title(title)
plt.show()
