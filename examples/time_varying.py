"""
A graph that changes over time
==============================

The graph of some sensors is replaced twice. Find out when, and what it is in between.
"""

# %%
# Thirty sensors report 240 readings each. The readings are smooth on a graph that changes to
# another one after 80 readings, and again after 160. The learner does not know when.

import matplotlib.pyplot as plt
import numpy as np

from smoothgraph import TimeVaryingGraph
from smoothgraph.generate import random_geometric, smooth_signals, tikhonov

truth = [random_geometric(30, random_state=seed) for seed in range(3)]
readings = np.vstack(
    [smooth_signals(graph, 80, tikhonov(), noise=0.1, random_state=seed).T for seed, graph in enumerate(truth)]
)

# %%
# Learn one graph for every eight readings. So few readings say little on their own, but coupled
# windows share their information. The coupling "l2" makes the graph change gradually; "l1" keeps
# the weights constant except for jumps.

graphs = {
    name: TimeVaryingGraph(edges_per_node=10, window=8, **options).fit(readings)
    for name, options in {
        "no coupling": {"gamma": 0.0},
        "l2": {"gamma": 3.0, "coupling": "l2"},
        "l1": {"gamma": 0.3, "coupling": "l1"},
    }.items()
}

# %%
# Compare the weights with those of the true graph in each window, by their correlation. Coupling
# helps nearly everywhere. At a replacement, the gradual "l2" loses more than "l1".

upper = np.triu_indices(30, 1)


def correlations(graph):
    """Return the correlation with the true weights in each window."""
    return np.array(
        [
            np.corrcoef(W.toarray()[upper], truth[first // 80].adjacency.toarray()[upper])[0, 1]
            for W, first in zip(graph.adjacencies_, graph.window_bounds_, strict=False)
        ]
    )


agreement = {name: correlations(graph) for name, graph in graphs.items()}
for name, by_window in agreement.items():
    print(f"{name:12} {by_window.mean():.2f} on average, {by_window.min():.2f} at worst")

# %%
# ``changes_`` shows when the graph changes: with "l1", far more at the two replacements than
# anywhere else.

figure, (above, below) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
for name, graph in graphs.items():
    bounds = graph.window_bounds_
    above.plot(bounds[1:-1], graph.changes_, marker="o", label=name)
    below.plot((bounds[:-1] + bounds[1:]) / 2, agreement[name], marker="o")
for axes in (above, below):
    for replaced in (80, 160):
        axes.axvline(replaced, color="0.7", zorder=0)
above.set(ylabel="change of the graph", ylim=(0, None))
below.set(ylabel="correlation with the truth", xlabel="reading")
above.legend()
plt.show()
