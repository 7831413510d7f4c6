"""
Distances that fit the data
===========================

Learn graphs of a table of numbers and categories, and of series that move together or against each other.
"""

# %%
# A table of penguin-like animals: two measurements, a category, and a yes or no. The metric "gower"
# scales numbers by their range, and counts 1 for different categories.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import draw_graph

rng = np.random.default_rng(0)
species = np.repeat(["small", "large"], 40)
table = pd.DataFrame(
    {
        "weight": np.where(species == "small", 3.5, 5.0) + 0.4 * rng.normal(size=80),
        "length": np.where(species == "small", 190, 215) + 6 * rng.normal(size=80),
        "island": pd.Categorical(np.where(species == "small", rng.choice(["A", "B"], 80), rng.choice(["B", "C"], 80))),
        "banded": rng.random(80) < 0.5,
    }
)
mixed = LogDegreeGraph(5, metric="gower").fit(table)
i, j = mixed.adjacency_.nonzero()
print(f"{np.mean(species[i] == species[j]):.0%} of the edges join animals of one species")

# %%
# Ten series. Half of them follow a hidden wave, and the other half its mirror image. By the
# correlation r, the halves are far from each other. By ``1 - abs(r)``, they are one group.

wave = np.sin(np.linspace(0, 20, 200))
sign = np.repeat([1, -1], 5)
series = sign[:, None] * wave + 0.5 * rng.normal(size=(10, 200))
figure, axes = plt.subplots(1, 2, figsize=(11, 5), layout="constrained")
for ax, metric in zip(axes, ("correlation", "absolute_correlation"), strict=True):
    graph = LogDegreeGraph(3, metric=metric).fit(series)
    draw_graph(graph, labels=np.where(sign > 0, "wave", "mirror image"), ax=ax).set_title(metric)
    print(f"{metric}: {graph.n_components_} components")
plt.show()
