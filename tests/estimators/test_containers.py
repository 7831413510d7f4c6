"""Tables of numbers in all that they may come in: each gives the graph of the same numbers in NumPy."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from smoothgraph import GraphNeighborsTransformer, LogDegreeGraph, edge_stability
from smoothgraph.methods import KNeighborsGraph
from smoothgraph.tasks import HarmonicClassifier, MatrixCompletion

polars = pytest.importorskip("polars")
pyarrow = pytest.importorskip("pyarrow")
xarray = pytest.importorskip("xarray")

FRAMES = [pd.DataFrame, polars.DataFrame, pyarrow.table]


@pytest.fixture
def X(rng):
    return rng.normal(size=(30, 3)).astype(np.float32)


def columns_of(X):
    return {name: X[:, k].copy() for k, name in enumerate("abc")}


def assert_same_graph(learner, other):
    np.testing.assert_allclose(learner.adjacency_.toarray(), other.adjacency_.toarray(), rtol=1e-10, atol=1e-14)


# -- DataFrames --------------------------------------------------------------


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize("kind", [np.float32, np.int16])
def test_frames_keep_names_and_types(frame, kind, X):
    rows = (20 * X).astype(kind)
    graph = LogDegreeGraph(4).fit(frame(columns_of(rows)))
    assert graph.signals_.dtype == kind
    assert list(graph.feature_names_in_) == ["a", "b", "c"]
    assert graph.n_features_in_ == 3
    assert_same_graph(graph, LogDegreeGraph(4).fit(rows))
    new = frame(columns_of(rows[:5] + 1))
    assert abs(graph.transform(new) - LogDegreeGraph(4).fit(rows).transform(rows[:5] + 1)).max() == 0
    with pytest.raises(ValueError, match="feature names"):
        graph.transform(frame({name: np.ones(4, dtype=kind) for name in "acb"}))


@pytest.mark.parametrize("frame", FRAMES)
def test_columns_of_frames_are_nodes_with_names(frame, X):
    graph = LogDegreeGraph(beta=1.0, nodes="columns").fit(frame(columns_of(X)))
    assert list(graph.node_names_) == ["a", "b", "c"]
    assert_same_graph(graph, LogDegreeGraph(beta=1.0, nodes="columns").fit(X))


@pytest.mark.parametrize("frame", [polars.DataFrame, pyarrow.table])
def test_null_is_a_missing_value(frame, X):
    X[0, 0] = X[3, 1] = np.nan
    table = {"a": [None, *X[1:, 0].tolist()], "b": [*X[:3, 1].tolist(), None, *X[4:, 1].tolist()], "c": X[:, 2] > 0}
    expected = np.column_stack([X[:, 0], X[:, 1], X[:, 2] > 0]).astype(float)
    graph = LogDegreeGraph(4, missing="pairwise").fit(frame(table))
    np.testing.assert_array_equal(graph.signals_, expected)


@pytest.mark.parametrize("frame", [polars.DataFrame, pyarrow.table])
def test_categories_of_any_frame(frame, X):
    table = {"a": X[:, 0], "kind": ["x", "y", "z"] * 10}
    new = {"a": X[:4, 1], "kind": ["y", "z", "w", "x"]}
    graph = LogDegreeGraph(4, metric="gower").fit(frame(table))
    same = LogDegreeGraph(4, metric="gower").fit(pd.DataFrame(table))
    assert_same_graph(graph, same)
    assert abs(graph.transform(frame(new)) - same.transform(pd.DataFrame(new))).max() == 0
    assert_same_graph(graph.partial_fit(frame(new)), same.partial_fit(pd.DataFrame(new)))


def test_lazy_frames_are_to_be_collected(X):
    with pytest.raises(ValueError, match=r"got a LazyFrame; call X.collect\(\) first"):
        LogDegreeGraph(4).fit(polars.DataFrame(columns_of(X)).lazy())


def test_other_estimators_take_frames(X):
    table, names = polars.DataFrame(columns_of(X)), ["a", "b", "c"]
    assert_same_graph(KNeighborsGraph(4).fit(table), KNeighborsGraph(4).fit(X))
    assert edge_stability(table, LogDegreeGraph(4), n_resamples=2, random_state=0).learner.n_features_in_ == 3
    labels = np.where(np.arange(30) < 5, np.arange(30) % 2, -1)
    model = HarmonicClassifier(learner=LogDegreeGraph(4, connected=True)).fit(table, labels)
    assert list(model.feature_names_in_) == names
    holes = table.with_columns(polars.when(polars.col("a") > 0.5).then(None).otherwise(polars.col("a")).alias("a"))
    completed = MatrixCompletion(columns=None).fit_transform(holes)
    assert isinstance(completed, polars.DataFrame)
    expected = MatrixCompletion(columns=None).fit_transform(np.where(X > [0.5, 9, 9], np.nan, X))
    np.testing.assert_allclose(completed.to_numpy(), expected)


# -- xarray ------------------------------------------------------------------


def test_a_dimension_of_xarray_is_the_nodes(rng):
    values = rng.normal(size=(12, 5, 2))
    array = xarray.DataArray(values, dims=["time", "station", "height"], coords={"station": list("abcde")})
    by_station = values.transpose(1, 0, 2).reshape(5, -1)
    graph = LogDegreeGraph(2, nodes="station").fit(array)
    assert list(graph.node_names_) == list("abcde")
    assert_same_graph(graph, LogDegreeGraph(2).fit(by_station))
    new = array.isel(station=[1, 2]) + 0.1
    expected = LogDegreeGraph(2).fit(by_station).transform(by_station[1:3] + 0.1)
    assert abs(graph.transform(new) - expected).max() == 0
    more = graph.partial_fit(new.assign_coords(station=["f", "g"]))
    assert list(more.node_names_) == list("abcdefg")
    assert_same_graph(KNeighborsGraph(2, nodes="station").fit(array), KNeighborsGraph(2).fit(by_station))


def test_times_may_be_the_nodes_and_have_no_coordinates(rng):
    array = xarray.DataArray(rng.normal(size=(5, 12)).astype(np.float32), dims=["station", "time"])
    graph = LogDegreeGraph(2, nodes="time").fit(array)
    assert list(graph.node_names_) == list(range(12))
    assert graph.signals_.dtype == np.float32
    assert_same_graph(graph, LogDegreeGraph(2).fit(array.values.T))


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ("rows", "2 dimensions, got 3; name the dimension of the nodes, for example nodes='time'"),
        ("place", "one of the dimensions 'time', 'station', 'height', got 'place'"),
    ],
)
def test_dimensions_are_named(nodes, message, rng):
    array = xarray.DataArray(rng.normal(size=(12, 5, 2)), dims=["time", "station", "height"])
    with pytest.raises(ValueError, match=message):
        LogDegreeGraph(2, nodes=nodes).fit(array)
    with pytest.raises(ValueError, match="got a Dataset of 'wind'; take one of its variables"):
        LogDegreeGraph(2).fit(array.to_dataset(name="wind"))


# -- masks and types ---------------------------------------------------------


@pytest.mark.parametrize("kind", [np.float32, np.int16])
def test_masked_values_are_missing_values(kind, X):
    rows = (20 * X).astype(kind)
    mask = rows > 25
    assert mask.any()
    graph = LogDegreeGraph(4, missing="pairwise").fit(np.ma.masked_array(rows, mask))
    assert_same_graph(graph, LogDegreeGraph(4, missing="pairwise").fit(np.where(mask, np.nan, rows)))


def test_arrays_of_other_libraries_are_converted(X):
    strict = pytest.importorskip("array_api_strict")
    assert_same_array(strict.asarray(X), X)


@pytest.mark.filterwarnings("ignore:.*torch.jit.script.* is deprecated:DeprecationWarning")
def test_tensors_are_converted(X):
    torch = pytest.importorskip("torch")
    rows = torch.tensor(X)
    assert_same_array(rows, X)
    assert_same_array(rows.clone().requires_grad_(), X)
    assert_same_array(rows.to_sparse(), X)
    assert_same_array(rows.bfloat16(), rows.bfloat16().float().numpy())
    with pytest.raises(ValueError, match=r"memory of the computer, got a torch.Tensor that NumPy cannot read.*X\.cpu"):
        LogDegreeGraph(4).fit(rows.to("meta"))


def assert_same_array(given, X):
    graph = LogDegreeGraph(4).fit(given)
    assert graph.signals_.dtype == X.dtype
    assert_same_graph(graph, LogDegreeGraph(4).fit(X))
    assert abs(graph.transform(given) - graph.transform(X)).max() == 0


# -- what comes out ----------------------------------------------------------


@pytest.mark.parametrize("model", [LogDegreeGraph(4), GraphNeighborsTransformer(LogDegreeGraph(4, connected=True))])
def test_columns_of_the_output_are_named_as_by_scikit_learn(model, X):
    names = model.fit(X).get_feature_names_out()
    assert len(names) == model.transform(X[:2]).shape[1]
    assert names[7] == f"{type(model).__name__.lower()}7"


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_sparse_graph_is_no_frame_as_in_scikit_learn(library, X):
    pipeline = make_pipeline(StandardScaler(), LogDegreeGraph(4)).set_output(transform=library)
    with pytest.raises(ValueError, match=r"outputs a scipy sparse matrix.*set_output\(transform='default'\)"):
        pipeline.fit_transform(columns_frame(X))
    pipeline[-1].set_output(transform="default")
    assert sp.issparse(pipeline.fit_transform(columns_frame(X)))
    assert list(pipeline[-1].feature_names_in_) == ["a", "b", "c"]


def columns_frame(X):
    return pd.DataFrame(columns_of(X))


@pytest.mark.parametrize("interface", ["spmatrix", "sparray"])
def test_sparse_matrices_and_arrays_are_the_same_to_it(interface, X):
    options = {"sparse_interface": interface} if "sparse_interface" in sklearn.get_config() else {}
    with sklearn.config_context(**options):
        for make in (sp.csr_matrix, sp.csr_array, sp.coo_array):
            graph = LogDegreeGraph(4).fit(make(X))
            assert isinstance(graph.transform(make(X[:3])), sp.csr_array)
            assert graph.signals_.dtype == np.float32
            np.testing.assert_allclose(graph.adjacency_.toarray(), LogDegreeGraph(4).fit(X).adjacency_.toarray())
