"""
A graph that changes
====================

Sensors whose graph is rewired twice: when it changes, and what it is in between.
"""

# %%
# Thirty sensors are read 240 times. The readings are smooth on a graph that is replaced by another
# after 80 readings, and that one after 160; nobody tells the learner.

import matplotlib.pyplot as plt
import numpy as np

from smoothgraph import TimeVaryingGraph
from smoothgraph.generate import random_geometric, smooth_signals, tikhonov

truth = [random_geometric(30, random_state=seed) for seed in range(3)]
readings = np.vstack(
    [
        smooth_signals(graph, 80, tikhonov(), noise=0.1, random_state=seed).T
        for seed, graph in enumerate(truth)
    ]
)

# %%
# One graph for every eight readings. So few say little on their own; coupled to their neighbours,
# windows share what they saw. The coupling "l2" makes the graph change gradually, "l1" keeps
# weights constant but for jumps.

graphs = {
    name: TimeVaryingGraph(edges_per_node=10, window=8, **options).fit(readings)
    for name, options in {
        "no coupling": {"gamma": 0.0},
        "l2": {"gamma": 3.0, "coupling": "l2"},
        "l1": {"gamma": 0.3, "coupling": "l1"},
    }.items()
}

# %%
# Against the true graphs, window by window: the correlation of the weights. Coupling helps nearly
# everywhere; right at a replacement it costs the gradual "l2" more than "l1".

upper = np.triu_indices(30, 1)


def correlations(graph):
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
# ``changes_`` shows when: with "l1" at the two replacements far more than anywhere else.

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
