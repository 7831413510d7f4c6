"""What the report says in words."""

OPENING = """# The paper, reproduced

Kalofolias (2016), *How to learn a graph from smooth signals*: its tables and figures computed
anew. `smoothgraph reproduce all --data-dir FOLDER` writes this page from scratch. "The optimum" is
Newton's, with a relative duality gap of at most 1e-8; "as run" are the paper's Algorithms 1 and 2
with its stopping rule, a relative change below 1e-4, whatever the gap then is. Ours is the
log-degree model, the rival (Dong et al., 2015) the l2-degree model. ℓ1 and ℓ2 errors are taken after
the weights have been scaled to the norm of the true ones, as the paper says.
"""

TITLES = {
    "table2": "Table 2: graphs from 1000 smooth signals",
    "table4": "Table 4: graphs from 100 smooth signals",
    "choices": "What the text leaves open",
    "filters": "The filters",
    "signals": "Smooth signals",
    "usps": "1001 USPS digits",
    "mnist": "MNIST, 1 against 2",
    "coil20": "COIL-20",
    "timing": "Time",
}

_TABLES = """Four random graphs of 100 nodes, three kinds of smooth signals with 10 % noise. For every
method and metric: the best mean over the draws that one value of its parameter reaches. Δ is the
optimum minus the paper's value. Distances are divided by their mean, so that one grid fits all draws.
"""

ABOUT = {
    "table2": _TABLES,
    "table4": _TABLES,
    "choices": "",
    "filters": "The responses of the three filters, with strength 10.\n",
    "signals": "",
    "usps": "",
    "mnist": "",
    "coil20": "",
    "timing": "",
}
