"""What the report says in words."""

OPENING = """# The paper, reproduced

Kalofolias (2016), *How to learn a graph from smooth signals*: its tables and figures computed
anew. `smoothgraph reproduce all --data-dir FOLDER` writes this page from scratch.

- *Ours* is the paper's model, log-degree; *the rival* is that of Dong et al. (2015), l2-degree.
- *The optimum* is Newton's. *As run* are the paper's Algorithms 1 and 2 with its stopping rule, a
  relative change below 1e-4, whatever the duality gap then is.
- *Edges per node* is the mean number of neighbours.
- What the paper says of its results is judged by rules in code (`paper.experiments.claims`);
  the numbers beside each verdict tell how clear the case is.
"""

WHAT_DIFFERS = """## What differs, and why

- *Erdős-Rényi*: the text has p = 3/m, the tables here 1 - (1 - 3/m)², twice as many edges, because
  only that comes near the paper's numbers. *Non-uniform*: the decay is not stated and the stated
  threshold rule does not give the stated threshold; the tables have a decay of 2 and a threshold
  of 0.01, chosen because they come closest. The F-measures of our model stay somewhat below the
  paper's. "What the text leaves open" has the alternatives.
- *Random geometric*: drawn as stated, our model is as good as in Table 2 or better, but with 100
  signals it falls behind Table 4. With a sparser reading it is better than in both. Which the paper
  had is unknown.
- *The rival* is better here on the random geometric graph than in the paper. Its algorithm, run as
  the paper ran it, gives what the optimum gives there, so stopping early is not the reason, at
  least with this step and unit of distance. On the Erdős-Rényi and Barabási-Albert graphs the paper
  has the rival's optimum to about 0.005, where stopping early costs it up to 0.03.
- *USPS*: the rival has about twice the paper's components and isolated nodes. Which images were
  drawn, and which digit is the smallest class, is not stated. Stopped early, Algorithm 2 has
  fewer of both, because it has too many edges (see "Time"), but not as few as the paper's. The best
  clustering error is higher for both models; how the paper counts errors is not stated.
- *MNIST*: the rival's excess is largest for few 2s in the share of 2s out of reach, but for equal
  classes in the error.
- *Time*: the iterations of both algorithms depend on the step and on the unit of distance, neither
  of which is stated; those tried include the ones that came nearest in a small search for
  Algorithm 1. At a tolerance of 1e-4 Algorithm 2 has not found the number of edges of its optimum.
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
held against the same row of the paper. As run, fewer values of the parameters are tried, which
costs some of the degree errors whose best value lies outside.
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
  threshold of 0.01 and a decay of 2 come closest, and are what the tables have; the decays from 1
  to 3 are hardly told apart.
- *Erdős-Rényi*: with p = 3/m the graphs are much easier than the paper's. Drawing each of the two
  orders of a pair with probability 3/m, and joining the pair if either was drawn, comes close.
- *Filters twice as strong*: the paper says, without numbers, that they gave slightly worse results.
  The F-measures say whether; the differences are from the paper's numbers for the filters as they
  are.
""",
    "filters": "The responses of the three filters, with strength 10.\n",
    "signals": """The same white noise through the three filters, on a non-uniform graph with two
components, thresholded by the paper's rule. The smoothness is x'Lx / (x'x |L|): 0 for a constant,
1 for the roughest signal.
""",
    "usps": """`round(2.6 i²)` images of class i, as in the paper; class i is digit i, and class 10
digit 0, which the paper does not say. The paper draws once; here are several draws, with their
standard deviation (in the figure, shaded). Spectral clustering uses the unnormalised Laplacian
and single runs of k-means; label propagation knows 10 % of the labels. Unlabelled nodes that no
label reaches count as errors; "out of reach" is their share. The k-NN graph is binary, joined if
either node has the other among its k nearest; k is chosen to come closest to the density.

The paper's text says little of the k-NN graph. It needs the fewest edges to be connected, which
puts it ahead of both models on some of the sparse graphs; the table tells where.
""",
    "mnist": """Label propagation with 10 % known labels (the paper does not say how many) on 200
images. Errors are shares of the unlabelled nodes, those out of reach included; out of reach are
counts. Pixels are between 0 and 1, which gives the mean distances that the paper states. The
effect that is to be stronger for few 2s is judged by two measures, of which the first is how the
paper explains its figure.
""",
    "coil20": """What the paper says of its USPS figure, tested on COIL-20, of which it only says
that ours and k-NN have no isolated nodes. Images of 32 x 32 pixels, drawn so that the expected
class sizes grow from 3 to 60 as a square; the paper says "non-linearly". Half of the labels are
known. Out of reach are counts.
""",
    "timing": """1001 USPS images, at the parameter whose optimum has the density asked for. The
paper: Algorithm 1 in 218 iterations (5 s), Algorithm 2 in 2043 (1 minute), for 10 edges per node
and a tolerance of 1e-4. It states neither the step (here a share of the largest one allowed) nor
the unit of the distances (here a multiple of their mean), on which the iterations depend: neither
method is invariant to scale. The gap is what the stopping rule does not see; it is Newton's only
rule.
""",
}
