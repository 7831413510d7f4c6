"""Every example runs, and does what the documentation says of it."""

import importlib.util
from pathlib import Path

import cvxpy as cp
import numpy as np
import pytest
from helpers import summation

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.filterwarnings("ignore:.*torch.jit.script")  # on import of torch_geometric
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs(path):
    try:
        module = load(path)
    except ImportError as error:
        pytest.skip(f"needs {error.name}")
    module.main()


def test_the_documented_prior_reaches_the_optimum():
    module = load(next(path for path in EXAMPLES if path.stem == "square_root_degrees"))
    solution = module.main()
    assert solution.converged
    assert solution.gap <= 1e-8
    assert solution.n_isolated == 0
    problem = solution.problem
    w = cp.Variable(problem.edges.n_edges, nonneg=True)
    degrees = summation(problem.edges) @ w
    objective = 2 * problem.z @ w + cp.sum_squares(w) - 2 * cp.sum(cp.sqrt(degrees))
    model = cp.Problem(cp.Minimize(objective))
    model.solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(solution.primal, model.value, rtol=1e-6)


def test_the_documented_prior_passes_the_numerical_checks(rng):
    module = load(next(path for path in EXAMPLES if path.stem == "square_root_degrees"))
    prior, u, h = module.SquareRootDegrees(1.3), rng.uniform(0.5, 3, 6), 1e-5
    d = prior.maximizer(u)
    np.testing.assert_allclose(prior.value(d) + prior.conjugate(u), -u @ d)
    curvature, _ = prior.curvature(u)
    np.testing.assert_allclose(
        curvature, (prior.maximizer(u - h) - prior.maximizer(u + h)) / (2 * h), rtol=1e-6
    )
