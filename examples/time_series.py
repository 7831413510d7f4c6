"""
Economic series
===============

Which quarterly series of the US economy move together, and which of the edges to believe.

The data comes with statsmodels (``pip install statsmodels``).
"""

# %%
# Ten series from 1959 to 2009. Levels all grow and would all correlate, so amounts become growth
# rates, and rates become changes. Unemployment falls when output rises; a smooth graph joins what
# is alike, so it is turned around.

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
# The nodes are the columns. With the metric "correlation", series that rise and fall together are
# near, whatever their size. The quarters are drawn again a hundred times, and ``frequency`` is
# the share in which a pair is joined.

learner = LogDegreeGraph(edges_per_node=2, nodes="columns", metric="correlation")
frequency, graph = edge_stability(changes, learner, n_resamples=100, random_state=0)

# %%
# Wide lines are heavy edges, and the colour is their frequency.

upper = sp.triu(graph.adjacency_).tocoo()
i, j = upper.row, upper.col
often = frequency.toarray()[i, j]

positions = layout(graph)
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
draw_graph(graph, positions, names=graph.node_names_, ax=ax)
lines = LineCollection(
    positions[np.column_stack([i, j])], linewidths=1 + 10 * upper.data, array=often, zorder=1
)
figure.colorbar(ax.add_collection(lines), label="frequency", shrink=0.6)

# %%
# The strongest edges are what one would expect. But stable is not the same as strong: the model
# leaves no node alone, so that money, population and government are joined to whatever is least
# unlike them. The edge from government to money returns nearly always, with hardly a correlation;
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
