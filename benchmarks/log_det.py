"""Time Lake and Tenenbaum (2010) and the combinatorial Laplacian to a gap of 1e-6.

    python -m benchmarks.log_det [--sizes 30 100 300 1000]

The script judges the gap with NumPy alone. It bounds the optimum from below by the inverse of the
learned precision matrix, scaled until it is feasible on all pairs. CVXPY with Clarabel solves the
problem of 30 nodes.
"""

import argparse

import cvxpy as cp
import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.data import digits_like
from benchmarks.measure import all_pairs, clocked, median_seconds
from smoothgraph.estimators.graph_method import GraphMethod
from smoothgraph.methods import CombinatorialLaplacianGraph, LakeTenenbaumGraph

L1 = 0.01
CVXPY_NODES = 30  # the most that CVXPY gets; 100 nodes take minutes


def costs(X: np.ndarray) -> tuple[np.ndarray, float]:
    """Return ``(z_e + 2 l1 mean(z)) / n`` for all pairs, and ``|X|^2 / n``."""
    i, j = all_pairs(len(X))
    z = np.sum((X[i] - X[j]) ** 2, axis=1)
    return (z + 2 * L1 * z.mean()) / X.shape[1], float(np.sum(X**2)) / X.shape[1]


def gap(graph: GraphMethod, X: np.ndarray) -> float:
    """Return ``(primal - dual) / m`` at the learned graph."""
    c, tau = costs(X)
    i, j = all_pairs(len(X))
    m, L = len(X), graph.laplacian_.toarray()
    rho = 1 / graph.sigma2_ if isinstance(graph, LakeTenenbaumGraph) else 0.0
    J = np.full((m, m), 1 / m)
    Q = L + rho * np.eye(m) if rho else L + J
    theta = np.linalg.inv(Q)
    s = np.min(c / (theta[i, i] + theta[j, j] - 2 * theta[i, j]))
    linear = -float(c @ L[i, j]) + tau * rho
    if rho:
        theta *= min(s, tau / np.trace(theta))
        dual = np.linalg.slogdet(theta)[1] + m
    else:
        dual = np.linalg.slogdet(s * (theta - J) + J)[1] + m - 1
    return (linear - np.linalg.slogdet(Q)[1] - dual) / m


def by_cvxpy(X: np.ndarray, *, with_rho: bool) -> float:
    """Return the optimal value of the formulas as they are written."""
    c, tau = costs(X)
    i, j = all_pairs(len(X))
    m = len(X)
    A = np.eye(m)[i] - np.eye(m)[j]
    w = cp.Variable(len(i), nonneg=True)
    rho = cp.Variable(nonneg=True)
    rest = rho * np.eye(m) if with_rho else np.full((m, m), 1 / m)
    linear = c @ w + (tau * rho if with_rho else 0)
    model = cp.Problem(cp.Minimize(linear - cp.log_det(A.T @ cp.diag(w) @ A + rest)))
    return float(model.solve(solver=cp.CLARABEL))


def measured(method: type[GraphMethod], m: int) -> list[str]:
    """Return a row of the table."""
    X, learner = digits_like(m), method(l1=L1)
    seconds = median_seconds(lambda: learner.fit(X))
    row = [method.__name__, str(m), f"{seconds:.3g}", f"{gap(learner, X):.1e}"]
    row.append(f"{learner.edges_per_node_:.1f}")
    if m <= CVXPY_NODES:
        with_rho = method is LakeTenenbaumGraph
        seconds, value = clocked(lambda: by_cvxpy(X, with_rho=with_rho))
        row += [f"{seconds:.3g} s", f"{value - learner.objective_:.1e}"]
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 100, 300, 1000])
    sizes = parser.parse_args().sizes
    console = Console(width=None if Console().is_terminal else 120)
    table = Table("model", "nodes", "seconds", "gap", "edges per node", "CVXPY", "its value - ours")
    for method in (LakeTenenbaumGraph, CombinatorialLaplacianGraph):
        method(l1=L1).fit(digits_like(10))  # compile the kernels
        for m in sizes:
            table.add_row(*measured(method, m))
    console.print(table)


if __name__ == "__main__":
    main()
