"""
Economic series
===============

See which quarterly series of the US economy move together, and which edges to trust.

The data come with statsmodels (``pip install statsmodels``).
"""

# %%
# There are ten series from 1959 to 2009. All levels grow and would correlate, so we turn amounts
# into growth rates, and rates into changes. A smooth graph joins series that are alike, but
# unemployment falls when output rises, so we flip its sign.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import scipy.sparse as sp
from matplotlib.collections import LineCollection
from statsmodels.datasets import macrodata

from smoothgraph import LogDegreeGraph, edge_stability
from smoothgraph.viz import draw_graph, layout

table = macrodata.load_pandas().data
names = {
    "realgdp": "output",
    "realcons": "consumption",
    "realinv": "investment",
    "realgovt": "government",
    "realdpi": "income",
    "cpi": "prices",
    "m1": "money",
    "pop": "population",
}
changes = np.log(table[list(names)]).diff().rename(columns=names)
changes["interest"] = table["tbilrate"].diff()
changes["employment"] = -table["unemp"].diff()
changes = changes.dropna()

# %%
# The nodes are the columns. In the metric "correlation", series that rise and fall together are
# near, whatever their size. ``edge_stability`` resamples the quarters a hundred times, and
# ``frequency`` is the share of the resamples that join a pair.

learner = LogDegreeGraph(edges_per_node=2, nodes="columns", metric="correlation")
frequency, graph = edge_stability(changes, learner, n_resamples=100, random_state=0)

# %%
# Wide lines are heavy edges. The color of an edge is its frequency.

upper = sp.triu(graph.adjacency_).tocoo()
i, j = upper.row, upper.col
often = frequency.toarray()[i, j]

positions = layout(graph)
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
draw_graph(graph, positions, names=graph.node_names_, ax=ax)
lines = LineCollection(positions[np.column_stack([i, j])], linewidths=1 + 10 * upper.data, array=often, zorder=1)
figure.colorbar(ax.add_collection(lines), label="frequency", shrink=0.6)

# %%
# The strongest edges are as expected. But stable is not the same as strong. The model leaves no
# node isolated, so it joins money, population and government to the series that differ least from
# them. The edge between government and money is nearly always there, with hardly any correlation:
# read the columns together.

result = pd.DataFrame(
    {
        "between": graph.node_names_[i],
        "and": graph.node_names_[j],
        "weight": upper.data.round(2),
        "frequency": often,
        "correlation": changes.corr().to_numpy()[i, j].round(2),
    }
).sort_values("weight", ascending=False)
print(result.to_string(index=False))
plt.show()
