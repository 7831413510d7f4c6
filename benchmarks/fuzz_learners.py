"""What the learners are fuzzed with: odd data in odd containers, and odd parameters."""

import inspect
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp
from sklearn.neighbors import KNeighborsTransformer

import smoothgraph as sg
from benchmarks.fuzz_files import check_adjacency
from smoothgraph.methods import CombinatorialLaplacianGraph, KNeighborsGraph, LakeTenenbaumGraph, SigRepGraph
from smoothgraph.support.input_error import InputError

LEARNERS: list[type] = [sg.LogDegreeGraph, sg.L2DegreeGraph, sg.DoublyStochasticGraph, sg.GaussianGraph]
METHODS: list[type] = [sg.TimeVaryingGraph, sg.JointGraph, KNeighborsGraph, CombinatorialLaplacianGraph]
METHODS += [LakeTenenbaumGraph, SigRepGraph]

NUMBERS: list[Any] = [0, 1, 2, 3.5, 1e-3, 10, 1e3, 1e-12, 1e12, 1e-300, 1e300, -1, np.nan, np.inf, True, "3", [1.0]]
NUMBERS += [np.float32(2), np.int64(2), np.array(2.0), np.array([1.0, 2.0]), 2 + 0j, 10**400]
METRICS: list[Any] = ["cosine", "manhattan", "euclidean", "correlation", "chebyshev", "haversine", "nan_euclidean", "x"]
METRICS += ["jaccard", "hamming", "mahalanobis", "seuclidean", "minkowski", "canberra", "braycurtis", None, 3]
NEIGHBORS: list[Any] = ["exact", "approximate", KNeighborsTransformer(n_neighbors=2), "x", None, 3, lambda _: 3]
CHOICES: dict[str, list[Any]] = {
    "metric": ["precomputed", *METRICS],
    "nodes": ["rows", "columns", "x", None],
    "missing": ["pairwise", "error", "x", None],
    "neighbors": NEIGHBORS,
    "verbose": [False],
    "checkpoint": [None],
    "warm_start": [True, False],
    "solver": [sg.Newton(), sg.PrimalDual(max_iter=100), "x", sg.Newton],
    "coupling": ["l1", "l2", "x"],
    "weights": ["binary", "gaussian", "x"],
    "learner": [sg.L2DegreeGraph(), sg.GaussianGraph(), "x", sg.LogDegreeGraph(nodes="columns")],
    "max_iter": [0, 1, 2, 5, -1, 1.5, "x", np.inf],
    "window": [1, 2, 3, 0, -1, 2.5, 10**9, "x"],
    "n_neighbors": [1, 2, 100, 0, -1, 2.5, "x"],
}


# -- targets -----------------------------------------------------------------


def check_learner(kind: type, rng: np.random.Generator, _: Path) -> str:
    """Fit odd data, then join or add more: what comes is a graph, or an error for the user."""
    X = odd_data(rng)
    return _judge(partial(_fit, make_learner(kind, rng), X, rng))


def check_path(rng: np.random.Generator, _: Path) -> str:
    """Learn a path of odd densities, likewise."""
    densities = [_pick(rng, NUMBERS if rng.random() < 0.3 else [1, 1.5, 2, 3]) for _ in range(rng.integers(4))]
    learner = make_learner(_pick(rng, LEARNERS), rng)
    return _judge(lambda: [_check_graph(g) for g in sg.density_path(odd_data(rng), densities, learner=learner)])


def check_stability(rng: np.random.Generator, _: Path) -> str:
    """Resample odd signals, likewise."""
    learner = make_learner(_pick(rng, LEARNERS), rng)
    seed = _pick(rng, [0, 1, None, -1, "x"])

    def run() -> None:
        frequency = sg.edge_stability(odd_data(rng), learner, n_resamples=2, random_state=seed).frequency
        check_adjacency(frequency)
        assert np.all(frequency.data <= 1), "more often than always"

    return _judge(run)


def _judge(run: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            run()
        except InputError:
            return "refused"
        except TypeError as error:
            # scikit-learn's conventions ask for a TypeError where data is of a type that cannot be an array of numbers.
            if not _comes_from_scikit_learn(error):
                raise
            return "refused"
    return "accepted"


def _comes_from_scikit_learn(error: BaseException) -> bool:
    trace = error.__traceback__
    modules = []
    while trace is not None:
        modules.append(trace.tb_frame.f_globals.get("__name__", ""))
        trace = trace.tb_next
    ours = max(k for k, name in enumerate(modules) if name.startswith("smoothgraph"))
    return any(name.startswith("sklearn.utils") for name in modules[ours:])


def _fit(learner: Any, X: Any, rng: np.random.Generator) -> None:
    _check_graph(learner.fit(X))
    for name in ("transform", "partial_fit"):
        if hasattr(learner, name) and rng.random() < 0.3:
            result = getattr(learner, name)(X if rng.random() < 0.5 else odd_data(rng))
            if name == "partial_fit":
                _check_graph(result)
            else:
                assert result.shape[1] == learner.adjacency_.shape[0], result.shape
                assert np.all(np.isfinite(result.data)), "weights of new nodes that are not finite"
                assert np.all(result.data >= 0), "negative weights of new nodes"


def _check_graph(graph: Any) -> None:
    check_adjacency(graph.adjacency_)
    m = graph.adjacency_.shape[0]
    assert len(graph.node_names_) == m, "not one name per node"
    assert abs(graph.laplacian_.sum(axis=1)).max() <= 1e-9 * max(1.0, abs(graph.laplacian_).max()), "no Laplacian"
    if hasattr(graph, "is_exact_"):
        assert not graph.is_exact_ or graph.dual_gap_ <= graph.make_solver().tol, "exact, but for the gap"
    if hasattr(graph, "dual_"):
        assert np.all(np.isfinite(graph.dual_)), "multipliers that are not finite"


# -- inputs --------------------------------------------------------------------


def make_learner(kind: type, rng: np.random.Generator) -> Any:
    """A learner with a few odd parameters."""
    names = list(inspect.signature(kind).parameters)
    share = _pick(rng, [0.0, 0.1, 0.4])
    given = {}
    for name in names:
        if rng.random() < share:
            choices = CHOICES.get(name, NUMBERS[:5] if rng.random() < 0.6 else NUMBERS)
            given[name] = _pick(rng, choices)
    if "edges_per_node" in names and rng.random() < 0.5:
        given["edges_per_node"] = _pick(rng, [1, 2, 3])
    return kind(**given)


def odd_data(rng: np.random.Generator) -> Any:
    """Data of any kind, mostly a table of numbers."""
    if rng.random() < 0.05:
        cube, ragged = np.zeros((2, 2, 2)), [[1.0], [1.0, 2.0]]
        return _pick(
            rng, [None, 1.0, "x", [], [[]], [1.0, 2.0], cube, ragged, {}, np.float64(1), {"a": [1.0]}, object()]
        )
    return odd_container(odd_values(rng), rng)


def odd_values(rng: np.random.Generator) -> np.ndarray:
    """A small table of numbers, well-behaved or ugly, or a matrix of distances."""
    m, n = (int(k) for k in rng.choice([0, 1, 2, 3, 5, 8, 13], p=[0.02, 0.08, 0.1, 0.2, 0.2, 0.2, 0.2], size=2))
    X = rng.normal(size=(m, n))
    some = rng.random(X.shape) < rng.uniform(0, 0.6)
    scale = 10.0 ** rng.uniform(-320, 308)
    with np.errstate(all="ignore"):
        change: Any = _pick(
            rng,
            [
                lambda: X,
                lambda: X,
                lambda: np.round(X),
                lambda: np.where(some, X, 0.0),
                lambda: X[rng.integers(m, size=m)] if m else X,
                lambda: np.full(X.shape, _pick(rng, [0.0, 1.0, 1e-310, 1e308])),
                lambda: X * scale,
                lambda: np.where(some, X, X * scale),
                lambda: X + scale,
                lambda: X * 10.0 ** rng.uniform(-20, 20, size=(m, 1)),
                lambda: np.where(rng.random(X.shape) < 0.1, _pick(rng, [np.nan, np.inf, -np.inf, 1e308, 5e-324]), X),
                lambda: np.sum((X[:, None] - X) ** 2, axis=-1),
                lambda: np.sum((X[:, None] - X) ** 2, axis=-1) * scale,
            ],
        )
        return change()


def odd_container(X: np.ndarray, rng: np.random.Generator) -> Any:
    """The table as some other type."""
    dtypes = [np.float32, np.float16, np.int8, np.int64, np.uint8, bool, object, complex, str, "S4", np.longdouble]
    dtypes += [">f8", "M8[s]"]

    def cast() -> np.ndarray:
        return (
            np.nan_to_num(X).astype(np.int64).astype("M8[s]")
            if (kind := _pick(rng, dtypes)) == "M8[s]"
            else X.astype(kind)
        )

    with np.errstate(all="ignore"):
        return _pick(
            rng,
            [
                lambda: X,
                lambda: X,
                lambda: X,
                lambda: np.asfortranarray(X),
                lambda: X[::-1, ::-1],
                lambda: X.tolist(),
                cast,
                lambda: np.ma.masked_array(X, mask=rng.random(X.shape) < 0.2),
                lambda: np.asmatrix(X),
                lambda: getattr(sp, f"{_pick(rng, ['csr', 'csc', 'coo', 'lil', 'dok', 'bsr', 'dia'])}_array")(X),
                lambda: sp.csr_matrix(X),
                lambda: _stored_zeros(X, rng),
                lambda: odd_frame(X, rng),
                lambda: odd_frame(X, rng),
            ],
        )()


def _stored_zeros(X: np.ndarray, rng: np.random.Generator) -> sp.coo_array:
    """A sparse array that stores some zeros, and maybe the same place twice."""
    i, j = np.nonzero(rng.random(X.shape) < 0.7)
    if rng.random() < 0.3:
        i, j = np.append(i, i[:1]), np.append(j, j[:1])
    return sp.coo_array((np.where(rng.random(len(i)) < 0.2, 0.0, X[i, j]), (i, j)), shape=X.shape)


def odd_frame(X: np.ndarray, rng: np.random.Generator) -> pd.DataFrame:
    """A DataFrame with odd names, an odd index, and a column of an odd type."""
    m, n = X.shape
    labels = [lambda k: k, str, lambda _: "a", lambda k: (k, "b"), lambda k: k if k % 2 else str(k), lambda _: None]
    frame = pd.DataFrame(X, columns=[_pick(rng, labels[:2])(k) for k in range(n)])
    columns: list[Any] = [
        lambda: pd.array([None if k == 1 else k for k in range(m)], dtype="Int64"),
        lambda: pd.array([k % 2 == 0 for k in range(m)], dtype="boolean"),
        lambda: pd.Categorical(["a"] * m),
        lambda: pd.Categorical([1.0] * m),
        lambda: pd.date_range("2020", periods=m),
        lambda: ["x"] * m,
        lambda: np.array([None if k == 1 else float(k) for k in range(m)], dtype=object),
        lambda: pd.array([0.0] * m, dtype=pd.SparseDtype(float)),
        lambda: [pd.NA] * m,
        lambda: np.array([1j] * m),
    ]
    if rng.random() < 0.5 and n:
        frame = frame.assign(odd=_pick(rng, columns)())
    name = _pick(rng, labels)
    if rng.random() < 0.5:
        frame.columns = pd.Index([name(k) for k in range(frame.shape[1])], tupleize_cols=False)
    if rng.random() < 0.5:
        frame.index = pd.Index([_pick(rng, labels)(k) for k in range(m)], tupleize_cols=bool(rng.random() < 0.5))
    return frame


def _pick(rng: np.random.Generator, options: Any) -> Any:
    return options[int(rng.integers(len(options)))]
