"""Every example runs and shows what its text says; so does every snippet of the guides."""

import os
import re
import runpy
from pathlib import Path

import cvxpy as cp
import matplotlib as mpl
import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib import pyplot as plt
from scipy.spatial.distance import cdist, pdist, squareform

import smoothgraph as sg
from benchmarks.reference import summation
from paper.datasets import DATA_VARIABLE
from smoothgraph import L2DegreeGraph, LogDegreeGraph
from smoothgraph.convert import from_gspbox
from smoothgraph.priors import LogDegrees, QuadraticEdges

ROOT = Path(__file__).parents[1]
EXAMPLES = [path.stem for path in sorted((ROOT / "examples").glob("*.py"))]
OPTIONAL = {"igraph", "pygsp2", "scanpy", "statsmodels", "torch", "torch_geometric", "umap"}
OPTIONAL |= {"hdbscan", "mne_connectivity", "nilearn", "pacmap", "pyunicorn"}  # which CI does not install

pytestmark = [
    # raised inside the packages that these examples call
    pytest.mark.filterwarnings("ignore:.*torch.jit.script.* is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:In the future, the default backend:FutureWarning"),
    pytest.mark.filterwarnings("ignore:.*is non-interactive, and thus cannot be shown"),
]


@pytest.fixture(autouse=True)
def figures_are_closed():
    mpl.use("Agg")
    yield
    plt.close("all")


def skip_if_optional(error):
    """Skip if it is an optional package that is missing; anything else is an error."""
    name = error.name or getattr(error.__cause__, "name", None)
    if (name or "").partition(".")[0] not in OPTIONAL:
        raise error
    pytest.skip(f"needs {name}")


def run(example):
    """The names that an example defines."""
    try:
        return runpy.run_path(str(ROOT / "examples" / f"{example}.py"))
    except ImportError as error:
        return skip_if_optional(error)


# -- the gallery -------------------------------------------------------------


def edges_between_digits_weigh_less(names):
    learned = names["between_classes"](names["graph"].adjacency_)
    nearest = names["between_classes"](names["nearest"])
    assert learned[1] < learned[0] < nearest[0]


def k_nn_is_better_if_sparse_and_worse_if_dense(names):
    density, wrong, _ = names["curves"]["learned"].T
    by_k_nn = np.interp(density, *names["curves"]["k-NN"].T[:2])
    assert np.all(wrong[density < 5] > by_k_nn[density < 5])
    assert np.all(wrong[density > 11] < by_k_nn[density > 11])


def denoising_helps_as_much_as_on_the_map(names):
    learned, on_map = (min(curve) for curve in names["curves"].values())
    assert learned < 0.7  # of the one degree of noise
    assert learned < 1.1 * on_map


def stable_is_not_strong(names):
    edges = names["result"].set_index(["between", "and"])
    assert edges["weight"].idxmax() == ("output", "investment")
    government = edges.loc[("government", "money")]
    assert government["frequency"] > 0.9
    assert abs(government["correlation"]) < 0.2


def both_solvers_find_the_same_edges(names):
    newton, algorithm_1 = names["newton"], names["algorithm_1"]
    np.testing.assert_array_equal(newton.edges.ids, algorithm_1.edges.ids)
    assert newton.n_iter < algorithm_1.n_iter


def far_nodes_have_smaller_degrees_under_the_square_root(names):
    farthest = np.argsort(names["distance"])[-5:]
    assert np.all(names["solution"].degrees[farthest] < names["logarithm"].degrees[farthest])


def knowing_more_completes_better(names):
    errors = names["errors"]
    assert errors["hours in their order"] < errors["both graphs learned"] < errors["KNNImputer"]
    assert errors["KNNImputer"] < errors["means of the hours"]


def jumps_are_found_where_the_graph_is_replaced(names):
    changes = names["graphs"]["l1"].changes_
    assert set(np.argsort(changes)[-2:].tolist()) == {9, 19}
    mean = {name: values.mean() for name, values in names["agreement"].items()}
    assert mean["no coupling"] < min(mean["l2"], mean["l1"])


def hubs_are_in_the_k_nn_graph_only(names):
    graph, most = names["graph"], names["most"]
    assert graph.n_components_ == 1
    assert graph.is_exact_
    assert most["k-NN"] > 1.5 * most["learned"]
    assert abs(names["k_nn"].nnz / len(names["X"]) - names["denser"].edges_per_node_) < 1


def local_scales_even_out_the_neighbors_and_leave_less_to_join(names):
    ratio = {name: counts["dense"] / counts["sparse"] for name, counts in names["neighbors"].items()}
    assert ratio["global scale"] > 4
    assert 0.8 < ratio["local scales"] < 1.25
    apart, bridged = (names["graphs"][name] for name in ("global scale", "global scale, connected"))
    assert len(bridged.bridges_) == apart.n_components_ - 1
    assert len(names["graphs"]["local scales, connected"].bridges_) < len(bridged.bridges_)
    assert all(graph.n_components_ == 1 for graph in names["graphs"].values() if graph.connected)
    assert names["difference"].nnz == 2 * len(bridged.bridges_)


def a_graph_helps_a_network(names):
    right = {name: np.mean(curves, axis=0)[-1] for name, curves in names["accuracy"].items()}
    assert min(right["learned graph"], right["k-NN graph"]) > right["no graph"] + 0.05
    spread = np.ptp([curve[-1] for curve in names["accuracy"]["learned graph"]])
    assert abs(right["learned graph"] - right["k-NN graph"]) < spread


TEXTS = {
    "convergence": both_solvers_find_the_same_edges,
    "digits": edges_between_digits_weigh_less,
    "local_scales": local_scales_even_out_the_neighbors_and_leave_less_to_join,
    "matrix_completion": knowing_more_completes_better,
    "time_varying": jumps_are_found_where_the_graph_is_replaced,
    "graph_neural_network": a_graph_helps_a_network,
    "label_propagation": k_nn_is_better_if_sparse_and_worse_if_dense,
    "sensors": denoising_helps_as_much_as_on_the_map,
    "smooth_graph": hubs_are_in_the_k_nn_graph_only,
    "square_root_degrees": far_nodes_have_smaller_degrees_under_the_square_root,
    "time_series": stable_is_not_strong,
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs_and_shows_what_its_text_says(example, monkeypatch):
    monkeypatch.delenv(DATA_VARIABLE, raising=False)
    names = run(example)
    assert plt.get_fignums()
    assert all(plt.figure(number).axes for number in plt.get_fignums())
    if example in TEXTS:
        TEXTS[example](names)


def test_the_learned_graph_is_the_better_one_in_brittany():
    if not (Path(os.environ.get(DATA_VARIABLE) or "no folder") / "molene.npz").is_file():
        pytest.skip(f"needs molene.npz: set {DATA_VARIABLE} to its folder")
    curves = run("sensors")["curves"]
    assert min(curves["learned"]) < min(curves["nearest on the map"])


# -- the documented prior ----------------------------------------------------


def test_the_documented_prior_reaches_the_optimum():
    solution = run("square_root_degrees")["solution"]
    assert solution.converged
    assert solution.gap <= 1e-8
    assert solution.n_isolated == 0
    problem = solution.problem
    w = cp.Variable(problem.pairs.pattern.n_pairs, nonneg=True)
    degrees = summation(problem.pairs.pattern) @ w
    objective = 2 * problem.pairs.z @ w + cp.sum_squares(w) - 2 * cp.sum(cp.sqrt(degrees))
    model = cp.Problem(cp.Minimize(objective))
    model.solve(solver=cp.CLARABEL)
    np.testing.assert_allclose(solution.primal, model.value, rtol=1e-6)


def test_the_documented_prior_passes_the_numerical_checks(rng):
    prior = run("square_root_degrees")["SquareRootDegrees"](1.3)
    u, h = rng.uniform(0.5, 3, 6), 1e-5
    d = prior.maximizer(u)
    np.testing.assert_allclose(prior.value(d) + prior.conjugate(u), -u @ d)
    curvature, _ = prior.curvature(u)
    np.testing.assert_allclose(curvature, (prior.maximizer(u - h) - prior.maximizer(u + h)) / (2 * h), rtol=1e-6)


def test_the_documented_estimator_learns_the_optimum_of_its_model():
    names = run("square_root_degrees")
    graph, X, new = names["graph"], names["X"], names["X"][:5] + 0.1
    assert graph.is_exact_
    assert abs(graph.edges_per_node_ - 8) <= 0.08
    problem = names["SquareRoot"]().problem(sg.Pairs.of(X), graph.p_)
    w = problem.pairs.pattern.weights_of(graph.adjacency_)
    assert problem.gap(w, graph.dual_) <= 1e-6
    given = names["SquareRootGraph"](p=graph.p_, tol=1e-10).fit(X)
    np.testing.assert_allclose(given.adjacency_.toarray(), graph.adjacency_.toarray(), atol=1e-4)
    joined = graph.transform(new).toarray()
    degrees = joined.sum(axis=1)
    multipliers = graph.p_ / np.sqrt(degrees)  # the root of d = (p / u)^2
    v = multipliers[:, None] + graph.dual_ - 2 * cdist(new, X, "sqeuclidean")
    np.testing.assert_allclose(joined, np.maximum(v, 0) / (2 * graph.p_), atol=1e-9)


def test_the_documented_estimator_searches_among_many_nodes():
    learner = run("square_root_degrees")["SquareRootGraph"](edges_per_node=6)
    X = np.random.default_rng(1).normal(size=(4100, 3))
    searched = learner.fit(X)
    assert searched.neighbors_ == "exact search"
    assert searched.is_exact_
    f, g = searched.priors_
    problem = sg.Problem(sg.Pairs.of(X), edge_prior=f, degree_prior=g)
    w = problem.pairs.pattern.weights_of(searched.adjacency_)
    assert problem.gap(w, searched.dual_) <= 1e-6  # over all pairs


# -- the guides --------------------------------------------------------------


def page_text(page):
    return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def test_every_link_has_a_text():
    """On GitHub, a link without one cannot be seen."""
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    assert len(pages) > 20
    assert [page.name for page in pages if "[](" in page.read_text(encoding="utf-8")] == []


def run_snippets(page):
    """Run the Python code of a page from top to bottom; its names, and what optional packages it lacked."""
    names, missing = {}, []
    for code in re.findall(r"^```python\n(.*?)^```", page_text(page), re.MULTILINE | re.DOTALL):
        try:
            exec(compile(code, f"{page}.md", "exec"), names)
        except ImportError as error:
            missing.append(error)
        except NameError:
            if not missing:  # what a failed import would have defined
                raise
    assert names
    return names, missing


@pytest.mark.parametrize("page", ["ecosystem", "from-knn", "gspbox"])
def test_snippets_run(page):
    for error in run_snippets(page)[1]:
        skip_if_optional(error)


def test_the_documented_engine_proves_its_graph():
    names, _ = run_snippets("engines")
    graph, Z = names["graph"], names["WordEngine"](names["words"])._Z
    assert graph.is_exact_
    problem = sg.models.log_degree(sg.Pairs.from_distances(graph.theta_ * Z))
    w = problem.pairs.pattern.weights_of(graph.adjacency_)
    assert problem.gap(w, graph.theta_ * graph.dual_) <= 1e-6  # over all pairs of words


@pytest.mark.parametrize("case", ["any", "one place", "three nodes", "far away"])
def test_the_documented_solver_reaches_its_tolerance(case, rng):
    names, _ = run_snippets("add-a-solver")
    assert names["graph"].is_exact_
    X = {
        "any": rng.normal(size=(50, 3)),
        "one place": np.zeros((6, 2)),
        "three nodes": rng.normal(size=(3, 2)),
        "far away": np.vstack([rng.normal(size=(30, 3)), np.full(3, 100.0)]),
    }[case]
    for model in (sg.models.log_degree, sg.models.l2_degree):
        problem = model(sg.Pairs.of(X))
        solution = names["JacobiAscent"](tol=1e-7).solve(problem)
        assert solution.converged
        np.testing.assert_allclose(solution.primal, sg.Newton(tol=1e-10).solve(problem).primal, rtol=1e-5, atol=1e-5)


def test_snippets_of_choosing_print_the_numbers_in_its_text(capsys):
    assert not run_snippets("choosing")[1]
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    outlier, share, components = lines[:3], lines[3:5], lines[5:]
    text = page_text("choosing")
    log_degree, l2_degree, doubly_stochastic = (float(line[1]) for line in outlier)
    assert f"its degree is {log_degree:.5f} (log-degree), {l2_degree:.0f} (l2-degree)" in text
    assert doubly_stochastic == pytest.approx(1)
    before, after = (100 * float(line[0]) for line in share)
    assert f"is {before:.0f}% on the raw columns and {after:.0f}% once" in text
    first, second, third = (line[1] for line in components)
    assert f"prints {first}, {second}, and {third} components" in text


def test_snippets_of_which_graph_print_the_numbers_in_its_text(capsys):
    assert not run_snippets("which-graph")[1]
    printed = capsys.readouterr().out.splitlines()
    text = " ".join(page_text("which-graph").split())
    (_, dense, sparse), (_, dense_local, sparse_local), (apart, joined, bridges) = (
        line.split() for line in printed[:3]
    )
    assert f"dense group has {dense} neighbors on average" in text
    assert f"sparse group has {sparse}. With local scales, they have {dense_local} and {sparse_local}." in text
    assert f"{apart} components without bridges, and {joined} with {bridges} bridges" in text
    (_, fewest, mean), (_, floor, same_mean) = (line.split() for line in printed[3:5])
    assert mean == same_mean
    assert (
        f"the node with the fewest neighbors has {fewest}; with it, that node has {floor}. The mean is {mean}" in text
    )
    assert f'This prints "{printed[5]}"' in text


# -- from GSPBox -------------------------------------------------------------

A, B, C = 0.7, 0.3, 2.0  # GSPBox's a, b and c


@pytest.fixture
def X(rng):
    return rng.normal(size=(12, 3))


@pytest.fixture
def Z(X):
    return squareform(pdist(X, "sqeuclidean"))


def gspbox(Z, prior, constraints=()):
    """GSPBox's objective as its documentation writes it, minimised by CVXPY."""
    W = symmetric(len(Z))
    model = cp.Problem(
        cp.Minimize(cp.sum(cp.multiply(W, Z)) + prior(W)),
        [constraint(W) for constraint in (lambda W: W >= 0, *constraints)],
    )
    model.solve(solver=cp.CLARABEL)
    assert model.status == "optimal"
    return W.value


def symmetric(n):
    """A matrix variable with zero diagonal, of which only the upper half is free."""
    i, j = np.triu_indices(n, 1)
    pair = np.arange(len(i))
    both = sp.csr_array((np.ones(2 * len(i)), (np.r_[n * i + j, n * j + i], np.r_[pair, pair])), shape=(n * n, len(i)))
    return cp.reshape(both @ cp.Variable(len(i)), (n, n), order="C")


def log_degrees(W, a=A, b=B):
    return -a * cp.sum(cp.log(cp.sum(W, axis=0))) + b / 2 * cp.sum_squares(W)


def assert_same_graph(adjacency, expected):
    np.testing.assert_allclose(adjacency.toarray(), expected, atol=1e-4 * expected.max())


def test_gspbox_log_degrees(X, Z):
    expected = gspbox(Z, log_degrees)
    learner = LogDegreeGraph(alpha=A, beta=B, tol=1e-10)
    assert_same_graph(learner.fit(X).adjacency_, expected)
    assert_same_graph(learner.set_params(metric="precomputed").fit(Z).adjacency_, expected)
    assert_same_graph(from_gspbox(A, B).set_params(tol=1e-10).fit(Z).adjacency_, expected)


def test_gspbox_theta(X, Z):
    graph = LogDegreeGraph(edges_per_node=4, tol=1e-10).fit(X)
    expected = gspbox(graph.theta_ * Z, lambda W: log_degrees(W, 1, 1))
    assert_same_graph(graph.adjacency_, expected)
    again = from_gspbox(k=4).set_params(tol=1e-10).fit(Z)
    assert_same_graph(again.adjacency_, gspbox(again.theta_ * Z, lambda W: log_degrees(W, 1, 1)))


def test_gspbox_l2_degrees(X, Z):
    def prior(W):
        return A / 2 * cp.sum_squares(W) + A / 2 * cp.sum_squares(cp.sum(W, axis=0))

    expected = gspbox(Z, prior, [lambda W: cp.sum(W) == len(Z)])
    assert_same_graph(L2DegreeGraph(alpha=A / 2, tol=1e-10).fit(X).adjacency_, expected)
    assert_same_graph(from_gspbox(A).set_params(tol=1e-10).fit(Z).adjacency_, expected)


def test_gspbox_close_to_a_graph(Z, rng):
    W0 = np.triu(rng.random(Z.shape) * (rng.random(Z.shape) < 0.3), 1)
    W0 = W0 + W0.T
    expected = gspbox(Z, lambda W: log_degrees(W) + C / 2 * cp.sum_squares(W - W0))
    pairs = sg.Pairs.from_distances(Z)
    prior = QuadraticEdges(B, w0=pairs.pattern.weights_of(W0), strength=C)
    problem = sg.Problem(pairs, edge_prior=prior, degree_prior=LogDegrees(A))
    assert_same_graph(sg.Newton(tol=1e-10).solve(problem).adjacency, expected)


def test_gspbox_edge_mask(X, Z, rng):
    mask = rng.random(Z.shape) < 0.3
    mask = np.triu(mask | np.eye(len(Z), k=1, dtype=bool), 1)
    mask = mask | mask.T
    expected = gspbox(Z, log_degrees, [lambda W: cp.multiply(W, ~mask) == 0])
    learner = LogDegreeGraph(alpha=A, beta=B, metric="precomputed", tol=1e-10)
    assert_same_graph(learner.fit(sp.csr_array(np.where(mask, Z, 0))).adjacency_, expected)
    edges = sg.PairSet.from_mask(mask)
    problem = sg.models.log_degree(sg.Pairs(edges, sg.distances(X, edges)), alpha=A, beta=B)
    assert_same_graph(sg.Newton(tol=1e-10).solve(problem).adjacency, expected)


def test_pygsp_divides_by_the_largest_distance(Z):
    graph_learning = pytest.importorskip("pygsp2.graph_learning")
    expected = graph_learning.graph_log_degree(Z.copy(), 0.02, 0.5, tol=1e-12, maxiter=20_000, verbose=False)
    learner = LogDegreeGraph(alpha=0.02, beta=0.5, metric="precomputed", tol=1e-10)
    assert_same_graph(learner.fit(Z / Z.max()).adjacency_, expected)


def test_graph_structure_learning_has_the_same_parameters(Z):
    smooth_learning = pytest.importorskip("graph_learn.smooth_learning")
    expected = smooth_learning.gsp_learn_graph_log_degrees(squareform(Z), A, B, maxit=20_000, tol=1e-12, edge_tol=0.0)
    learner = LogDegreeGraph(alpha=A, beta=B, metric="precomputed", tol=1e-10)
    assert_same_graph(learner.fit(Z).adjacency_, expected)
