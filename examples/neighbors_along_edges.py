"""
Distances along a learned graph
===============================

Hand a learned graph to t-SNE and Isomap, which expect the distances to nearest neighbors.
"""

# %%
# ``GraphNeighborsTransformer`` stands where ``KNeighborsTransformer`` would. Each row holds the
# learned edges, and nodes along paths until there are enough. Where a k-NN graph has several
# components, Isomap has to invent distances between them and warns; the learned graph is
# connected.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.manifold import TSNE, Isomap, trustworthiness
from sklearn.pipeline import make_pipeline

from smoothgraph import GraphNeighborsTransformer

X, y = load_digits(return_X_y=True)
X, y = X[:500], y[:500]
models = {
    "Isomap": (5, Isomap(n_neighbors=None, radius=np.inf, metric="precomputed")),
    "t-SNE": (61, TSNE(perplexity=20, metric="precomputed", init="random", random_state=0)),
}

# %%
# The number of neighbors is that of the estimator: 3 * perplexity + 1 for t-SNE. Isomap takes all
# that are there, within an infinite radius. Trustworthiness is 1 if near points of the picture are
# near in the data.

figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
for ax, (name, (n_neighbors, model)) in zip(axes, models.items(), strict=True):
    positions = make_pipeline(GraphNeighborsTransformer(n_neighbors=n_neighbors), model).fit_transform(X)
    print(f"{name}: trustworthiness {trustworthiness(X, positions):.2f}")
    ax.scatter(*positions.T, c=y, cmap="tab10", s=8)
    ax.set(title=name, xticks=[], yticks=[])
plt.show()
