"""What the report says in words."""

OPENING = """# The paper, reproduced

Kalofolias (2016), *How to learn a graph from smooth signals*: its tables and figures computed
anew. `smoothgraph reproduce all --data-dir FOLDER` writes this page from scratch.

- *Ours* is the paper's model, log-degree; *the rival* is that of Dong et al. (2015), l2-degree.
- *The optimum* is Newton's. *As run* are the paper's Algorithms 1 and 2 with its stopping rule, a
  relative change below 1e-4, whatever the duality gap then is.
- *Edges per node* is the mean number of neighbours.
- Every statement of the paper is judged by a rule in code (`smoothgraph.experiments.claims`), the
  same for all runs; the numbers beside it tell how clear the case is.
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

_TABLES = """Four random graphs of 100 nodes, three kinds of smooth signals with 10 % noise. For
every method and metric: the best mean over the draws that one value of its parameter reaches. Δ is
the optimum minus the paper's value. Errors are taken after the weights have been scaled to the ℓ1
or ℓ2 norm of the true ones, those of the degrees too. Distances are divided by their mean, so that
one grid of parameters fits all draws.

"random geometric" is drawn as the text says; "random geometric, sparser" has the weights
exp(-d²/σ²) instead of exp(-d²/2σ²), so half as many edges, and is drawn until connected; both are
held against the same row of the paper.
"""

ABOUT = {
    "table2": _TABLES,
    "table4": _TABLES,
    "choices": """The tables again, at the optimum, for other readings of the text: the mean
absolute difference from all 45 numbers that the paper has for the graph, and the F-measures of our
model.

- *Random geometric*: the text leaves nothing open, but its graph has errors that grow faster with
  fewer signals than the paper's do. The sparser reading misses the paper by the same amount in both
  tables; both are in the tables above.
- *Non-uniform*: the decay of the sampling density is not stated. The threshold rule is, but gives
  about 0.1 at these decays where the paper says "about 0.01".
- *Erdős-Rényi*: with p = 3/m the graphs are much easier than the paper's. Drawing each of the two
  orders of a pair with probability 3/m, and joining the pair if either was drawn, gives its
  numbers.
- *Filters twice as strong*: the paper says, without numbers, that they gave slightly worse results.
""",
    "filters": "The responses of the three filters, with strength 10.\n",
    "signals": """The same white noise through the three filters, on a non-uniform graph with two
components. The smoothness is x'Lx / (x'x |L|): 0 for a constant, 1 for the roughest signal.
""",
    "usps": """`round(2.6 i²)` images of class i, as in the paper: digit i for i = 1 to 9, and 0 for
i = 10. The paper draws once; here are several draws, with their standard deviation (in the figure,
shaded). Spectral clustering uses the unnormalised Laplacian and single runs of k-means; label
propagation knows 10 % of the labels. Unlabelled nodes that no label reaches count as errors; "out
of reach" is their share. The k-NN graph is binary, joined if either node has the other among its k
nearest; k is chosen to come closest to the density.

The k-NN graph, which the paper's text does not discuss, is nearly connected from 3 edges per node
on and ahead of both models there; from about 6 on, ours is ahead of it.
""",
    "mnist": """Label propagation with 10 % known labels (the paper does not say how many) on 200
images. Errors are shares of the unlabelled nodes, those out of reach included; out of reach are
counts. Pixels are between 0 and 1, which gives the mean distances that the paper states.
""",
    "coil20": """Images of 32 x 32 pixels, drawn so that the expected class sizes grow from 3 to 60
as a square; the paper says "non-linearly". Half of the labels are known. Out of reach are counts.
""",
    "timing": """1001 USPS images, at the parameter whose optimum has the density asked for. The
paper: Algorithm 1 in 218 iterations (5 s), Algorithm 2 in 2043 (1 minute), for 10 edges per node
and a tolerance of 1e-4. It states neither the step (here a share of the largest one allowed) nor
the unit of the distances (here a multiple of their mean), on which the iterations depend: neither
method is invariant to scale. The gap is what the stopping rule does not see; it is Newton's only
rule.
""",
}
