"""The prose of the report."""

OPENING = """# The paper, reproduced

This page sets the tables and figures of Kalofolias (2016), *How to learn a graph from smooth
signals*, beside our own computation of them. `python -m paper reproduce all --data-dir FOLDER`
computes everything and writes this page.

- *Ours* is the paper's model, log-degree. *The rival* is the model of Dong et al. (2015),
  l2-degree.
- *The optimum* is what Newton's method finds. *As run* means the paper's Algorithms 1 and 2 with
  its stopping rule, a relative change below 1e-4, whatever the duality gap is then.
- *Edges per node* is the mean number of neighbors.
- Rules in code (`paper/reproduction/claims.py`) judge what the paper says about its results. The
  numbers beside each verdict show how clear the case is.
- In Tables 2 and 4, *±* is the standard error of a mean over {draws}. The paper averages over 20
  draws and states no errors. If its errors are like ours, the difference has √2 times our
  standard error. A number *agrees* with the paper's if they differ by at most twice that, the
  noise; otherwise it is *lower* or *higher*, whether that is better or worse. About one number in
  twenty is outside the noise by chance. A difference of 0.005 in an F-measure is noise.
- In the sections on images, *±* is the standard deviation of single draws.
"""

WHAT_DIFFERS = """## What differs, and why

- *Erdős-Rényi*: the text says p = 3/m. The tables here use 1 - (1 - 3/m)², which gives twice as
  many edges, because only that comes near the paper's numbers. *Non-uniform*: the paper does not
  state the decay, and its threshold rule does not give the threshold that it states. The tables
  here use a decay of 2 and a threshold of 0.01, which come closest. The F-measures of our model
  stay below the paper's, for Tikhonov and heat signals by more than the noise. The section "What
  the text leaves open" has the alternatives.
- *Random geometric*: drawn as the text says, the F-measures of our model agree with Table 2 and
  its edge errors are lower, but with 100 signals its F-measures are lower than in Table 4. With a
  sparser reading it is better than in both. We do not know which one the paper used.
- *The rival* is better here on the random geometric graph than in the paper. Run as the paper ran
  it, its algorithm gives what the optimum gives there, so stopping early is not the reason, at
  least with this step and unit of distance. On the Erdős-Rényi and Barabási-Albert graphs the
  paper's numbers match the rival's optimum to about 0.005, where stopping early costs up to 0.03.
- *USPS*: the rival has about twice as many components and isolated nodes as in the paper. The
  paper states neither which images it drew nor which digit is the smallest class. Stopped early,
  Algorithm 2 leaves fewer of both, because it keeps too many edges (see "Time"), but still more
  than in the paper. The best clustering error is higher for both models; the paper does not say
  how it counts errors.
- *MNIST*: with few 2s the rival's excess is largest in the share of unreachable 2s; in the error
  it is largest for equal classes.
- *Time*: the iterations of both algorithms depend on the step size and on the unit of distance.
  The paper states neither. The values tried here include those that came nearest in a small search
  for Algorithm 1. At a tolerance of 1e-4, Algorithm 2 has not yet found the number of edges of its
  optimum.
"""

TABLES = """Four random graphs of 100 nodes, three kinds of smooth signals with 10% noise. Every
method has one parameter; for each metric the table shows the best mean over the draws that one
value of it reaches. ± is the standard error at the optimum. Δ is the optimum minus the paper's
value, in bold if it is more than noise. For the errors, the weights are first scaled to the ℓ1 or
ℓ2 norm of the true ones; this includes the errors of the degrees. Distances are divided by their
mean, so that one grid of parameters fits all draws.

"random geometric" is drawn as the text says. "random geometric, sparser" has the weights
exp(-d²/σ²) instead of exp(-d²/2σ²), so half as many edges, and is drawn until it is connected.
Both are compared with the same row of the paper. The runs with the paper's algorithms try fewer
values of the parameters, which costs some of the degree errors whose best value lies outside.
"""

CHOICES = """The tables again, at the optimum, for other readings of the text: the mean absolute
difference from all 45 numbers that the paper has for the graph, and the F-measures of our model.
These are means over 10 draws. Their standard errors were not stored; with half as many draws they
are about 1.4 times those of the tables above.

- *Random geometric*: the text leaves nothing open, but with fewer signals the errors on its graph
  grow faster than the paper's do. The sparser reading misses the paper by the same amount in both
  tables. The tables above show both.
- *Non-uniform*: the paper does not state the decay of the sampling density. It sets the threshold
  to the best connection of the most distant node, "about 0.01"; at these decays that rule gives
  about 0.1. A threshold of 0.01 and a decay of 2 come closest, and the tables use them. Decays
  from 1 to 3 are hard to tell apart.
- *Erdős-Rényi*: with p = 3/m the graphs are much easier than the paper's. It comes close to draw
  each of the two orders of a pair with probability 3/m, and to join the pair if either was drawn.
- *Filters twice as strong*: the paper says, without numbers, that they gave slightly worse
  results. The F-measures show whether they do. The differences are from the paper's numbers for
  the original filters.
"""

FILTERS = "The responses of the three filters, with strength 10.\n"

SIGNALS = """The same white noise after each of the three filters, on a non-uniform graph with two
components and the paper's threshold rule. The smoothness is x'Lx / (x'x |L|): 0 for a constant, 1
for the roughest signal.
"""

USPS = """Class i has `round(2.6 i²)` images, as in the paper. Class i is digit i and class 10 is
digit 0; the paper does not say which. The paper draws once; this page has several draws and their
standard deviation, shaded in the figure. Spectral clustering uses the unnormalized Laplacian and
single runs of k-means. Label propagation knows 10% of the labels. Unlabeled nodes that no label
reaches count as errors; "unreachable" is their share. The k-NN graph is binary: it joins two nodes
if either is among the k nearest of the other, and k is the one that comes closest to the density.

The paper's text says little about the k-NN graph. It needs the fewest edges to be connected, and
on some of the sparse graphs that puts it ahead of both models; the table shows where.
"""

MNIST = """Label propagation on 200 images with 10% known labels; the paper does not say how many
are known. Errors are shares of the unlabeled nodes and include unreachable ones; unreachable nodes
are counts. Pixels are between 0 and 1, which gives the mean distances that the paper states. Two
measures judge whether the effect is stronger for few 2s. The first is the paper's explanation of
its figure.
"""

COIL20 = """What the paper says about its USPS figure, tested on COIL-20. About COIL-20 the paper
only says that our model and k-NN have no isolated nodes. Images have 32 x 32 pixels, and the
expected class sizes grow quadratically from 3 to 60; the paper says "non-linearly". Half of the
labels are known. Unreachable nodes are counts.
"""

TIMING = """1001 USPS images, at the parameter whose optimum has the requested density. In the
paper Algorithm 1 takes 218 iterations (5 s) and Algorithm 2 takes 2043 (1 minute), for 10 edges
per node and a tolerance of 1e-4. The iterations depend on the step size (here a share of the
largest one allowed) and on the unit of the distances (here a multiple of their mean), because
neither method is invariant to scale; the paper states neither. The paper's stopping rule does not
see the gap; it is the only rule of Newton's method.
"""
