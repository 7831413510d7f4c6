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
- *Non-uniform*: the decay of the sampling density is not stated. The threshold is to be the best
  connection of the most distant node, "about 0.01"; at these decays that rule gives about 0.1. A
  threshold of 0.01 and a decay of 2 come closest, and are what the tables have.
- *Erdős-Rényi*: with p = 3/m the graphs are much easier than the paper's. Drawing each of the two
  orders of a pair with probability 3/m, and joining the pair if either was drawn, comes close.
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

The paper's text says little of the k-NN graph. It needs the fewest edges to be connected, which
puts it ahead of both models where the graphs are sparsest; the table tells where.
""",
    "mnist": """Label propagation with 10 % known labels (the paper does not say how many) on 200
images. Errors are shares of the unlabelled nodes, those out of reach included; out of reach are
counts. Pixels are between 0 and 1, which gives the mean distances that the paper states. The last
statement is judged by the share of the 2s out of reach, which is what the paper explains its figure
with; by the error over both classes, given as well, the order may differ.
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
