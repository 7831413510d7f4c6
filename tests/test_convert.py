import sys

import networkx
import numpy as np
import pandas
import polars
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.manifold import trustworthiness

from smoothgraph import L2DegreeGraph, LogDegreeGraph
from smoothgraph.convert import from_gspbox, from_pygsp, to_anndata, to_igraph, to_networkx, to_pyg, to_pygsp

# raised inside the packages that these tests call
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*torch.jit.script.* is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:In the future, the default backend:FutureWarning"),
]

# Node 3 is isolated, and 0.1 + 0.2 has digits to lose.
W = np.array([[0, 0.1 + 0.2, 2, 0], [0.1 + 0.2, 0, 1 / 3, 0], [2, 1 / 3, 0, 0], [0, 0, 0, 0]])
NAMES = ["a", "b", "c", "d"]


@pytest.fixture(params=["sparse", "matrix", "dense", "learner"])
def graph(request):
    """One of everything that the converters take, all but the learner with weights W."""
    if request.param == "learner":  # far away, the last node stays alone
        X = np.array([[0.0], [1.0], [1.5], [90.0]])
        learner = L2DegreeGraph(alpha=1.0).fit(X)
        assert np.count_nonzero(learner.adjacency_.sum(axis=1) == 0) == 1
        return learner
    return {"sparse": sp.coo_array(W), "matrix": sp.csr_matrix(W), "dense": W}[request.param]


def weights(graph):
    return graph.adjacency_.toarray() if hasattr(graph, "adjacency_") else W


def pandas_learner(index):
    X = np.array([[0.0], [1.0], [1.5], [2.5]])
    return LogDegreeGraph(edges_per_node=1.5).fit(pandas.DataFrame(X, index=index, columns=["x"]))


def test_networkx_and_back(graph):
    result = to_networkx(graph)
    assert list(result) == [0, 1, 2, 3]
    assert not result.is_directed()
    np.testing.assert_array_equal(networkx.to_numpy_array(result), weights(graph))


def test_igraph_and_back(graph):
    pytest.importorskip("igraph")
    result = to_igraph(graph)
    assert result.vs["name"] == ["0", "1", "2", "3"]
    assert not result.is_directed()
    back = result.get_adjacency_sparse(attribute="weight").toarray()
    np.testing.assert_array_equal(back, weights(graph))


def test_pyg_and_back(graph):
    pytest.importorskip("torch_geometric")
    from torch_geometric.utils import to_dense_adj

    result = to_pyg(graph)
    assert result.num_nodes == 4
    assert str(result.edge_index.dtype) == "torch.int64"
    assert result.validate()
    assert result.is_undirected()
    assert result.is_coalesced()
    back = to_dense_adj(result.edge_index, edge_attr=result.edge_weight, max_num_nodes=4)[0]
    np.testing.assert_array_equal(back.numpy(), weights(graph).astype(np.float32))


def test_pygsp_and_back(graph):
    pytest.importorskip("pygsp2")
    result = to_pygsp(graph)
    assert not result.is_directed()
    np.testing.assert_array_equal(result.W.toarray(), weights(graph))
    np.testing.assert_allclose(result.L.sum(axis=1), 0, atol=1e-15)


def test_a_dataframes_index_names_the_nodes():
    pytest.importorskip("igraph")
    learner = pandas_learner(NAMES)
    by_name = to_networkx(learner)
    assert list(by_name) == NAMES
    assert by_name["b"]["c"]["weight"] == learner.adjacency_[1, 2]
    vertices = to_igraph(learner)
    edge = vertices.get_eid("b", "c")
    assert vertices.es[edge]["weight"] == learner.adjacency_[1, 2]


def test_edges_that_only_connect_are_marked(rng):
    pytest.importorskip("igraph")
    X = np.vstack([rng.normal(size=(20, 2)), rng.normal(size=(20, 2)) + 100])
    learner = LogDegreeGraph(edges_per_node=6, connected=True).fit(X)
    [[i, j]] = np.sort(learner.bridges_, axis=1).tolist()
    edges = to_networkx(learner).edges(data="bridge")
    assert [sorted(ends) for *ends, bridge in edges if bridge] == [[i, j]]
    vertices = to_igraph(learner)
    assert [sorted(vertices.es[e].tuple) for e in np.flatnonzero(vertices.es["bridge"])] == [[i, j]]
    assert not any(bridge for *_, bridge in to_networkx(learner.adjacency_).edges(data="bridge"))


@pytest.mark.parametrize("kind", [dict, pandas.DataFrame, polars.DataFrame])
def test_nodes_have_attributes(kind):
    pytest.importorskip("igraph")
    table = kind({"species": ["x", "y", "x", "y"], "size": [1.5, 2.5, 3.5, 4.5]})
    by_name = to_networkx(W, names=NAMES, attributes=table)
    assert by_name.nodes["c"] == {"species": "x", "size": 3.5}
    vertices = to_igraph(W, names=NAMES, attributes=table)
    assert vertices.vs[3].attributes() == {"name": "d", "species": "y", "size": 4.5}
    with pytest.raises(ValueError, match="one value per node, 4, got 3 of the attribute 'size'"):
        to_networkx(W, attributes={"size": [1, 2, 3]})


def test_pygsp_graphs_become_matrices():
    pygsp2 = pytest.importorskip("pygsp2")
    with_loops = W + np.diag([1.0, 0, 0, 2.0])
    found = from_pygsp(pygsp2.graphs.Graph(with_loops))
    assert isinstance(found, sp.csr_array)
    np.testing.assert_allclose(found.toarray(), W)
    np.testing.assert_array_equal(from_pygsp(to_pygsp(W)).toarray(), W)
    ring = from_pygsp(pygsp2.graphs.Ring(7))
    assert networkx.is_isomorphic(networkx.from_scipy_sparse_array(ring), networkx.cycle_graph(7))
    with pytest.raises(ValueError, match="Expected a graph of PyGSP, with a sparse matrix W, got a Graph"):
        from_pygsp(networkx.Graph())
    with pytest.raises(ValueError, match="must be symmetric"):
        from_pygsp(pygsp2.graphs.Graph(np.triu(W)))


def test_gspbox_scales_distances_itself_for_a_density():
    with pytest.raises(ValueError, match=r"a and b of 1 with k.*got a=2 and b=None"):
        from_gspbox(2, k=5)


def test_names_override_the_learners_own():
    pytest.importorskip("igraph")
    learner = pandas_learner(NAMES)
    assert list(to_networkx(learner, names=range(10, 14))) == [10, 11, 12, 13]
    assert to_igraph(learner, names=np.array([4, 5, 6, 7])).vs["name"] == ["4", "5", "6", "7"]


def test_tuples_and_dates_remain_names():
    pairs = [("x", 1), ("x", 2), ("y", 1), ("y", 2)]
    assert list(to_networkx(W, names=pairs)) == pairs
    days = np.arange("2020-01-01", "2020-01-05", dtype="datetime64[D]").astype("datetime64[ns]")
    assert days[2] in to_networkx(pandas_learner(days))


def test_pyg_keeps_the_names():
    pytest.importorskip("torch_geometric")
    import torch

    assert to_pyg(pandas_learner(NAMES)).node_names == NAMES
    part = to_pyg(W, names=NAMES).subgraph(torch.tensor([0, 2]))
    assert list(part.node_names) == ["a", "c"]
    np.testing.assert_array_equal(part.edge_weight.numpy(), [2.0, 2.0])


def test_pyg_layers_average_over_the_neighbours():
    pytest.importorskip("torch_geometric")
    import torch
    from torch_geometric.nn import SimpleConv

    data = to_pyg(W)
    x = torch.arange(4.0).reshape(4, 1)
    out = SimpleConv(aggr="sum")(x, data.edge_index, data.edge_weight)
    np.testing.assert_allclose(out.numpy(), W @ x.numpy(), rtol=1e-6)


def test_the_given_graph_is_not_changed_or_shared(graph):
    pytest.importorskip("pygsp2")
    before = weights(graph).copy()
    to_pygsp(graph).W.data[:] = 0
    to_anndata(annotated(np.zeros((4, 2))), graph)
    given = getattr(graph, "adjacency_", graph)
    np.testing.assert_array_equal(given.toarray() if sp.issparse(given) else given, before)


def test_rounding_and_stored_zeros_make_no_edges():
    pytest.importorskip("pygsp2")
    lower = np.tril(W) * (1 + 1e-14)
    i, j = np.indices((4, 4)).reshape(2, 16)
    stored = sp.csr_array(((np.triu(W) + lower)[i, j], (i, j)), shape=(4, 4))
    assert stored.nnz == 16
    result = to_pygsp(stored)
    assert result.n_edges == 3
    assert not result.is_directed()
    np.testing.assert_allclose(result.W.toarray(), W, rtol=1e-13)


# -- AnnData and scanpy ------------------------------------------------------


def annotated(X):
    anndata = pytest.importorskip("anndata")
    return anndata.AnnData(X)


@pytest.fixture(scope="module")
def iris_graph():
    return LogDegreeGraph(edges_per_node=10).fit(load_iris().data)


@pytest.mark.parametrize("key", [None, "learned"])
def test_everything_stands_where_scanpy_puts_it(iris_graph, key):
    sc = pytest.importorskip("scanpy")
    ours, theirs = annotated(load_iris().data), annotated(load_iris().data)
    to_anndata(ours, iris_graph, key_added=key)
    sc.pp.neighbors(theirs, n_neighbors=11, key_added=key)
    assert set(ours.obsp) == set(theirs.obsp)
    assert set(ours.uns) == set(theirs.uns)
    name = key or "neighbors"
    expected = {**theirs.uns[name]["params"], "method": "smoothgraph"}
    assert ours.uns[name] == {**theirs.uns[name], "params": expected}
    for key in theirs.obsp:
        assert type(ours.obsp[key]) is type(theirs.obsp[key])


def test_leiden_and_umap_run(iris_graph):
    sc = pytest.importorskip("scanpy")
    pytest.importorskip("leidenalg")
    X, species = load_iris(return_X_y=True)
    adata = annotated(X)
    to_anndata(adata, iris_graph)
    sc.tl.leiden(adata)
    sc.tl.leiden(adata, key_added="i", flavor="igraph", n_iterations=2, directed=False)
    sc.tl.umap(adata)
    for clusters in (adata.obs["leiden"].to_numpy(), adata.obs["i"].to_numpy()):
        assert len(np.unique(clusters)) >= 3
        assert not set(clusters[species == 0]) & set(clusters[species != 0])
    assert trustworthiness(X, adata.obsm["X_umap"]) > 0.9


def test_tools_run_by_key_and_after_a_file(iris_graph, tmp_path):
    sc = pytest.importorskip("scanpy")
    anndata = pytest.importorskip("anndata")
    adata = annotated(load_iris().data)
    to_anndata(adata, iris_graph, key_added="learned")
    adata.write_h5ad(tmp_path / "iris.h5ad")
    back = anndata.read_h5ad(tmp_path / "iris.h5ad")
    for data in (adata, back):
        sc.tl.umap(data, neighbors_key="learned")
        sc.tl.diffmap(data, neighbors_key="learned")
    np.testing.assert_array_equal(adata.obsm["X_umap"], back.obsm["X_umap"])


@pytest.mark.filterwarnings("ignore:Graph is not fully connected:UserWarning")  # inside umap
def test_umap_runs_with_isolated_nodes():
    sc = pytest.importorskip("scanpy")
    X = np.vstack([load_iris().data, np.full((1, 4), 100.0)])
    graph = L2DegreeGraph(edges_per_node=8).fit(X)
    assert graph.adjacency_[[150]].nnz == 0
    adata = annotated(X)
    to_anndata(adata, graph)
    sc.tl.umap(adata)
    assert adata.obsm["X_umap"].shape == (151, 2)


def test_connectivities_are_the_weights_over_the_largest(graph):
    adata = annotated(np.zeros((4, 2)))
    to_anndata(adata, graph)
    expected = weights(graph) / weights(graph).max()
    np.testing.assert_array_equal(adata.obsp["connectivities"].toarray(), expected)
    assert expected.max() == 1


@pytest.mark.parametrize("metric", ["sqeuclidean", "cosine"])
def test_distances_are_those_of_the_learners_data(metric):
    X = np.vstack([load_iris().data[::5], load_iris().data[:1]])  # the last is a duplicate
    learner = LogDegreeGraph(edges_per_node=5, metric=metric).fit(X)
    adata = annotated(X)
    to_anndata(adata, learner)
    named = "euclidean" if metric == "sqeuclidean" else metric
    edges = learner.adjacency_.toarray() > 0
    expected = np.where(edges, cdist(X, X, named), 0)
    np.testing.assert_allclose(adata.obsp["distances"].toarray(), expected, atol=1e-12)
    assert adata.uns["neighbors"]["params"]["metric"] == named
    assert adata.obsp["distances"].nnz == edges.sum()  # zeros are stored


def test_without_data_heavier_edges_are_shorter():
    W = LogDegreeGraph(edges_per_node=2).fit(load_iris().data[:20]).adjacency_
    adata = annotated(np.zeros((20, 2)))
    to_anndata(adata, W)
    order = np.argsort(adata.obsp["connectivities"].data, kind="stable")
    assert np.all(np.diff(adata.obsp["distances"].data[order]) <= 0)
    assert adata.uns["neighbors"]["params"]["metric"] == "euclidean"


def test_precomputed_distances_are_stored_on_the_edges():
    Z = cdist(load_iris().data[:20], load_iris().data[:20])
    learner = LogDegreeGraph(edges_per_node=2, metric="precomputed").fit(Z)
    adata = annotated(np.zeros((20, 2)))
    to_anndata(adata, learner)
    np.testing.assert_array_equal(adata.obsp["distances"].toarray(), np.where(learner.adjacency_.toarray() > 0, Z, 0))
    assert adata.uns["neighbors"]["params"]["metric"] == "euclidean"


def test_given_distances_are_stored():
    Z = np.arange(16.0).reshape(4, 4)
    adata = annotated(np.zeros((4, 2)))
    to_anndata(adata, W, distances=Z)
    np.testing.assert_array_equal(adata.obsp["distances"].toarray(), np.where(W > 0, Z, 0))
    to_anndata(adata, W, distances=sp.coo_array(Z))
    np.testing.assert_array_equal(adata.obsp["distances"].toarray(), Z)


def test_a_graph_without_edges_is_written():
    adata = annotated(np.zeros((4, 2)))
    to_anndata(adata, np.zeros((4, 4)))
    assert adata.obsp["connectivities"].nnz == adata.obsp["distances"].nnz == 0


# -- errors ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("convert", "package", "extra"),
    [
        (to_networkx, "networkx", "networkx"),
        (to_igraph, "igraph", "igraph"),
        (to_pyg, "torch_geometric", "pyg"),
        (to_pygsp, "pygsp2", "pygsp"),
    ],
)
def test_a_missing_package_is_named_with_its_remedy(convert, package, extra, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    hint = rf"{convert.__name__} needs {package}: pip install 'smoothgraph\[{extra}\]'"
    with pytest.raises(ImportError, match=hint):
        convert(W)


@pytest.mark.parametrize(
    ("adjacency", "message"),
    [
        (W[:3], r"square adjacency matrix, got shape \(3, 4\)"),
        ("graph", "could not convert string to float"),
        (np.triu(W), "symmetric, but W and its transpose differ by 2"),
        (sp.csr_array(np.triu(W)), "symmetric, but W and its transpose differ by 2"),
        (np.diag(W.sum(axis=1)) - W, "weights of a graph must be >= 0, got -2"),
        (np.where(W > 1, np.nan, W), "contains NaN"),
        (np.where(W > 1, np.inf, W), "contains infinity"),
    ],
)
def test_what_is_no_adjacency_is_refused(adjacency, message):
    with pytest.raises(ValueError, match=message):
        to_networkx(adjacency)


def test_a_learner_must_be_fitted():
    with pytest.raises(NotFittedError):
        to_networkx(LogDegreeGraph())


def test_names_are_counted_and_distinct():
    pytest.importorskip("igraph")
    with pytest.raises(ValueError, match="one name per node, 4, got 3"):
        to_networkx(W, names="abc")
    with pytest.raises(ValueError, match="different, got 'a' more than once"):
        to_networkx(W, names="abca")
    with pytest.raises(ValueError, match="different, got '1' more than once"):
        to_igraph(W, names=[1, "1", 2, 3])


def test_anndata_must_fit_the_graph():
    with pytest.raises(ValueError, match="one row per node, 4, got 5 rows"):
        to_anndata(annotated(np.zeros((5, 2))), W)
    with pytest.raises(ValueError, match=r"distances of shape \(4, 4\), got \(4, 3\)"):
        to_anndata(annotated(np.zeros((4, 2))), W, distances=W[:, :3])
    with pytest.raises(TypeError, match="AnnData first and the graph second, got a ndarray"):
        to_anndata(W, annotated(np.zeros((4, 2))))
