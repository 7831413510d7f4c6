"""
Newton and the paper's algorithm
================================

The same graph by semismooth Newton on the dual and by the paper's Algorithm 1.
"""

# %%
# The problem is the log-degree model on 500 digits, with the parameter that gives 10 edges per
# node.

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

import smoothgraph as sg
from smoothgraph.viz import draw_convergence

X = load_digits().data[:500]
theta = sg.LogDegreeGraph(edges_per_node=10).fit(X).theta_
problem = sg.models.log_degree(sg.Pairs.of(X).scale(theta))

# %%
# Both stop at a relative duality gap, which bounds the distance to the optimum whatever the
# algorithm. They find the same edges, with the same weights up to the accuracy asked for.

newton = sg.Newton(tol=1e-9).solve(problem)
algorithm_1 = sg.PrimalDual(tol=1e-6).solve(problem)
for solution in (newton, algorithm_1):
    print(solution, f"in {solution.n_iter} iterations")
print(f"largest difference of a weight: {abs(newton.w - algorithm_1.w).max():.1e}")

# %%
# An iteration of one does not cost what an iteration of the other does, so the seconds are drawn as
# well, those of this build. Algorithm 1 gains digits at a more or less constant rate, Newton the
# last ones in two steps. Newton first computes with few of the pairs; where its line begins anew it
# has taken in what was missing. Points with an infinite gap (a node without an edge) are left out.

figure, axes = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
solutions = {"Newton": newton, "Algorithm 1": algorithm_1}
for ax, against in zip(axes, ("iterations", "seconds"), strict=True):
    draw_convergence(solutions, against=against, ax=ax)
    ax.set_xscale("log")

# %%
# The paper's own rule stops when an iteration changes little, which does not say how close the
# weights are. The gap does, and comes with every solution.

changed_little = sg.PrimalDual(tol=1e-4, stop="change").solve(problem)
print(changed_little, f"in {changed_little.n_iter} iterations")
plt.show()
