"""A learner fitted on the workers of a Dask cluster has the graph of one fitted in memory."""

import pickle

import dask.array as da
import numpy as np
import pandas as pd
import pytest
import zarr
from dask_workers import assert_same_graph, cluster_of, fitted
from sklearn.base import clone
from sklearn.neighbors import KNeighborsTransformer

from paper.datasets import load_usps
from smoothgraph import DoublyStochasticGraph, GaussianGraph, L2DegreeGraph, LogDegreeGraph, Newton
from smoothgraph.cluster import gathered_pairs

PRECISE = Newton(1e-12, weight_tol=1e-8)  # two solutions then agree in all but the tiniest weights


def table(m, d=8):
    rng = np.random.default_rng(m)
    centres, widths = 4 * rng.normal(size=(20, d)), 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    place = rng.integers(20, size=m)
    return centres[place] + widths[place] * rng.normal(size=(m, d))


def rows(X):
    return da.from_array(X, chunks=(len(X) // 3 + 1, -1))


def own_parameters(**options):
    return LogDegreeGraph(alpha=1.0, beta=1.0, tol=1e-10, **options)


def at_parameter_of(found, **options):
    """A learner with the parameter that a search for a density found.

    The search stops at any density within 1%, so that another one may end at another parameter.
    """
    if isinstance(found, LogDegreeGraph):
        p = 1 / found.theta_
        return LogDegreeGraph(alpha=p, beta=p, tol=1e-10, **options)
    if isinstance(found, L2DegreeGraph):
        return L2DegreeGraph(alpha=found.alpha_, tol=1e-10, **options)
    return DoublyStochasticGraph(beta=found.beta_, tol=1e-10, **options)


@pytest.mark.parametrize("model", [LogDegreeGraph, L2DegreeGraph, DoublyStochasticGraph])
def test_a_dask_array(model, cluster_client):
    X = table(4_100, 4)
    found = fitted(cluster_client, model(20, neighbors="exact", tol=1e-10), rows(X))
    assert abs(found.edges_per_node_ - 20) <= 0.2
    expected = at_parameter_of(found, neighbors="exact").fit(X)
    assert_same_graph(found, expected)
    degrees = np.asarray(found.adjacency_.sum(axis=1))
    np.testing.assert_allclose(found.laplacian_.diagonal(), degrees, rtol=1e-12)
    assert found.n_features_in_ == X.shape[1]
    np.testing.assert_array_equal(found.node_names_, np.arange(len(X)))


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        (LogDegreeGraph, {"alpha": 1.0, "beta": 0.5}),
        (L2DegreeGraph, {"alpha": 0.2}),
        (DoublyStochasticGraph, {"beta": 2.0}),
    ],
)
def test_the_own_parameters_of_a_model(model, parameters, cluster_client, monkeypatch):
    X = table(600, 4)
    learner = model(**parameters, solver=PRECISE)
    expected = clone(learner).fit(X)
    assert_same_graph(fitted(cluster_client, clone(learner), rows(X)), expected)
    monkeypatch.setattr(gathered_pairs, "SHARE_OF_MEMORY", 0)  # as with very many pairs
    assert_same_graph(fitted(cluster_client, clone(learner), rows(X)), expected)


def write_npy(path, X):
    np.save(path / "x.npy", X)
    return path / "x.npy"


def write_zarr(path, X):
    zarr.create_array(path / "x.zarr", data=X, chunks=(200, X.shape[1]))
    return str(path / "x.zarr")


def write_parquet(path, X):
    folder = path / "x"
    folder.mkdir()
    for number, part in enumerate(np.array_split(X, 3)):
        frame = pd.DataFrame(part, columns=[f"c{k}" for k in range(X.shape[1])])
        frame.to_parquet(folder / f"part.{number}.parquet")
    return folder


def write_memmap(path, X):
    return np.load(write_npy(path, X), mmap_mode="r")


@pytest.fixture(scope="module")
def of_an_array(cluster_client):
    return fitted(cluster_client, own_parameters(), rows(table(600, 5)))


@pytest.mark.parametrize("write", [write_npy, write_zarr, write_parquet, write_memmap])
def test_files_are_read_by_the_workers(write, cluster_client, of_an_array, tmp_path):
    source = write(tmp_path, table(600, 5))
    found = fitted(cluster_client, own_parameters(), source)
    assert found.graph_.n_edges == of_an_array.adjacency_.nnz // 2
    assert_same_graph(found, of_an_array)


def test_a_memory_map_without_a_client_is_an_array(tmp_path):
    X = table(600, 5)
    found = own_parameters().fit(write_memmap(tmp_path, X))
    assert_same_graph(found, own_parameters().fit(X))
    assert not hasattr(found, "graph_")


def test_an_approximate_search_finds_nearly_the_same_edges(cluster_client):
    """Workers look at other parts of the data than memory does, so that each misses other pairs."""
    X = table(8_000, 5)
    found = fitted(cluster_client, LogDegreeGraph(6, neighbors="approximate"), rows(X))
    expected = LogDegreeGraph(6, neighbors="approximate").fit(X)
    assert not found.is_exact_
    assert abs(found.edges_per_node_ - 6) <= 0.06
    common = (found.adjacency_ > 0).multiply(expected.adjacency_ > 0).nnz
    assert common >= 0.8 * expected.adjacency_.nnz


@pytest.fixture(scope="module")
def usps(data_dir, tmp_path_factory):
    """The path to the images, and their graph."""
    X = load_usps(data_dir)[0][:5200]  # enough nodes for a search and for sweeps
    path = write_npy(tmp_path_factory.mktemp("usps"), X)
    options = {"alpha": 10.0, "beta": 10.0, "neighbors": "exact", "tol": 1e-10}
    return path, LogDegreeGraph(**options), LogDegreeGraph(**options).fit(X)


@pytest.mark.parametrize("n_workers", [1, 4])  # and two in all other tests
def test_images_on_any_number_of_workers(n_workers, usps):
    path, learner, expected = usps
    with cluster_of(n_workers) as client:
        found = fitted(client, learner, path)
        assert found.neighbors_ == "exact search"
        assert found.is_exact_
        assert_same_graph(found, expected)
        assert found.graph_.n_parts == n_workers


def test_a_second_fit_from_the_first_one_has_its_own_graph(cluster_client):
    X = table(600, 5)
    learner = LogDegreeGraph(alpha=1.0, beta=0.8, warm_start=True, solver=PRECISE)
    fitted(cluster_client, learner, rows(X))
    again = fitted(cluster_client, learner.set_params(beta=1.0), rows(X))
    expected = own_parameters(solver=PRECISE).fit(X)
    assert again.adjacency_.nnz == expected.adjacency_.nnz
    np.testing.assert_allclose(again.dual_, expected.dual_, rtol=1e-5)


def test_in_memory_after_workers_and_back(cluster_client):
    X = table(4_100, 5)
    learner = own_parameters()
    expected = own_parameters().fit(X)
    for data in (X, rows(X), X):
        assert_same_graph(fitted(cluster_client, learner, data), expected)
        assert hasattr(learner, "graph_") == (data is not X)


def test_without_a_client_it_is_said_how_to_make_one(tmp_path):
    for source in (rows(table(100)), tmp_path / "x.npy"):
        with pytest.raises(ValueError, match=r"no Dask client is active; make one .*Client"):
            LogDegreeGraph().fit(source)


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (LogDegreeGraph(nodes="columns"), "nodes='columns'"),
        (LogDegreeGraph(metric="cityblock"), "metric='cityblock'"),
        (LogDegreeGraph(metric="precomputed"), "metric='precomputed'"),
        (LogDegreeGraph(metric="euclidean", metric_params={"w": [1.0, 2.0]}), "metric_params"),
        (LogDegreeGraph(metric=max), "metric='max'"),
        (LogDegreeGraph(missing="pairwise"), "missing='pairwise'"),
        (LogDegreeGraph(neighbors=KNeighborsTransformer()), "a neighbors transformer"),
        (GaussianGraph(), "GaussianGraph without exact zeros"),
        (DoublyStochasticGraph(sigma=1.0), "DoublyStochasticGraph without exact zeros"),
    ],
)
def test_what_workers_cannot_do_is_named(learner, message, cluster_client):
    with pytest.raises(ValueError, match=rf"On Dask workers {message} is not possible; rows must"):
        fitted(cluster_client, learner, rows(table(100)))


def test_bad_numbers_are_reported_as_in_memory(cluster_client):
    X = table(4_100)
    X[3_000, 2] = np.nan
    with pytest.raises(ValueError, match=r"NaN or infinity, first in node 3000;"):
        LogDegreeGraph().fit(X)
    with pytest.raises(ValueError, match=r"NaN or infinity, first in node 3000;"):
        fitted(cluster_client, LogDegreeGraph(), rows(X))


def test_distances_beyond_all_numbers_are_reported_as_in_memory(cluster_client):
    X, learner = 1e200 * table(4_100), own_parameters()
    with pytest.raises(ValueError, match="squared distances would not be finite") as in_memory:
        learner.fit(X)
    with pytest.raises(ValueError, match="squared distances would not be finite") as on_workers:
        fitted(cluster_client, learner, rows(X))
    assert str(on_workers.value) == str(in_memory.value)


@pytest.mark.parametrize("m", [2, 3, 8])
def test_few_rows(m, cluster_client):
    X = table(m, 3)
    found = fitted(cluster_client, own_parameters(), rows(X))
    expected = own_parameters().fit(X)
    np.testing.assert_allclose(found.adjacency_.toarray(), expected.adjacency_.toarray(), rtol=1e-6)
    with pytest.raises(ValueError, match=f"edges_per_node must be at most {m - 1}"):
        fitted(cluster_client, LogDegreeGraph(m), rows(X))


def test_single_precision_and_another_metric(cluster_client):
    X = table(4_200, 6).astype(np.float32)
    learner = own_parameters(metric="cosine")
    found = fitted(cluster_client, learner, rows(X))
    assert_same_graph(found, own_parameters(metric="cosine").fit(X))


def test_one_row_is_no_graph(cluster_client):
    with pytest.raises(ValueError, match="1") as in_memory:
        LogDegreeGraph().fit(table(1))
    with pytest.raises(ValueError, match="1") as on_workers:
        fitted(cluster_client, LogDegreeGraph(), rows(table(1)))
    assert "at least" in str(on_workers.value)
    assert "at least" in str(in_memory.value) or "minimum" in str(in_memory.value)


def test_a_graph_on_workers_takes_no_new_nodes(cluster_client):
    """For which the rows would have to be here."""
    X = table(600)
    learner = fitted(cluster_client, own_parameters(), rows(X))
    with pytest.raises(ValueError, match="fit"):
        learner.transform(X[:3])
    with pytest.raises(ValueError, match="fit"):
        learner.partial_fit(X[:3])


def test_a_copy_has_its_edges_in_memory(cluster_client):
    learner = fitted(cluster_client, own_parameters(), rows(table(600)))
    copied = pickle.loads(pickle.dumps(learner))
    assert_same_graph(copied, learner)
    assert not hasattr(copied, "graph_")


def test_too_little_memory_is_told_before_anything_is_read():
    """With the size that would do."""
    X = da.zeros((10_000_000, 50), chunks=(100_000, -1))
    told = pytest.raises(MemoryError, match=r"the 1 workers have 1 GiB .* at least 25 GiB, or take")
    with cluster_of(1, memory_limit="1 GiB") as client:
        with told:
            fitted(client, LogDegreeGraph(), X)
        with pytest.raises(ValueError, match="edges_per_node must be at most 199"):
            fitted(client, LogDegreeGraph(10_000_000), rows(table(200)))
