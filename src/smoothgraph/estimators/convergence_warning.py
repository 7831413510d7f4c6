"""What a user hears if a graph is not proved as asked for."""

from typing import Any

from sklearn.exceptions import ConvergenceWarning

from smoothgraph.solution import Solution
from smoothgraph.support.wording import agree


def convergence_warning(learner: Any, solution: Solution, tol: float) -> ConvergenceWarning:
    """A warning that says which tolerance was not reached, and why."""
    if solution.gap > tol:
        shortfall = f"did not reach tol={tol:g}: the relative duality gap is {solution.gap:.2g}"
    else:
        error = solution.certificate.relative_error
        shortfall = f"reached tol, but weights may be off by {error:.2g} times the mean weight"
    return ConvergenceWarning(
        f"{type(learner).__name__} {shortfall}, after {solution.n_iter} "
        f"{agree(solution.n_iter, 'iteration', 'iterations')} ({solution.status.value})."
    )
