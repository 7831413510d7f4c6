import numpy as np
import pytest

import smoothgraph

anndata = pytest.importorskip("anndata")
sc = pytest.importorskip("scanpy")
from sklearn.metrics import adjusted_rand_score  # noqa: E402

from smoothgraph import SmoothGraph  # noqa: E402
from smoothgraph.scanpy import neighbors  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")  # of scanpy and UMAP


@pytest.fixture
def cells():
    adata = sc.datasets.pbmc68k_reduced()
    for key in list(adata.obsp):
        del adata.obsp[key]
    del adata.uns["neighbors"]
    return adata


def test_the_tools_of_scanpy_run_on_the_graph(cells):
    assert neighbors(cells) is None
    sc.tl.leiden(cells, flavor="igraph", n_iterations=2, directed=False)
    sc.tl.umap(cells, maxiter=20)
    sc.tl.paga(cells, groups="leiden")
    sc.tl.diffmap(cells)
    cells.uns["iroot"] = 0
    sc.tl.dpt(cells)
    assert np.all(np.isfinite(cells.obs["dpt_pseudotime"]))
    assert cells.obsm["X_umap"].shape == (700, 2)


def test_clusters_agree_with_the_cell_types_as_those_of_scanpy(cells):
    def agreement():
        sc.tl.leiden(cells, flavor="igraph", n_iterations=2, directed=False)
        return adjusted_rand_score(cells.obs["bulk_labels"], cells.obs["leiden"]), cells.obs["leiden"].nunique()

    neighbors(cells)
    ours, n_ours = agreement()
    sc.pp.neighbors(cells, n_neighbors=15)
    theirs, n_theirs = agreement()
    assert ours >= theirs - 0.02
    assert abs(n_ours - n_theirs) <= 2


def test_it_writes_what_the_learner_finds_where_scanpy_would(cells):
    neighbors(cells, 12, n_pcs=20, key_added="learned")
    graph = SmoothGraph(12).fit(cells.obsm["X_pca"][:, :20])
    written = cells.uns["learned"]
    expected = (graph.adjacency_ / graph.adjacency_.max()).toarray()
    np.testing.assert_allclose(cells.obsp[written["connectivities_key"]].toarray(), expected, rtol=1e-12)
    np.testing.assert_array_equal(cells.obsp[written["distances_key"]].toarray(), graph.distances_.toarray())
    assert written["params"]["n_pcs"] == 20
    sc.pp.neighbors(cells, key_added="theirs")
    assert set(written) == set(cells.uns["theirs"])
    assert "neighbors" not in cells.uns


def test_a_copy_leaves_the_cells_as_they_are(cells):
    copied = neighbors(cells, use_rep="X", copy=True)
    assert "neighbors" in copied.uns
    assert "neighbors" not in cells.uns
    by_key = neighbors(cells, n_pcs=0, copy=True)
    assert abs(by_key.obsp["connectivities"] - copied.obsp["connectivities"]).max() == 0


def test_batches_see_each_other(cells):
    batch = np.arange(700) % 2
    cells.obsm["X_pca"] = cells.obsm["X_pca"] + 30 * batch[:, None]
    cells.obs["batch"] = np.where(batch == 1, "b", "a")
    neighbors(cells)
    apart = cells.obsp["connectivities"][batch == 0][:, batch == 1]
    neighbors(cells, groups="batch")
    joined = cells.obsp["connectivities"][batch == 0][:, batch == 1]
    assert apart.nnz <= 2
    assert np.all(np.diff(joined.indptr) > 0)


def test_few_genes_need_no_components(rng):
    adata = anndata.AnnData(rng.normal(size=(40, 6)))
    neighbors(adata, 4)
    assert adata.obsp["connectivities"].shape == (40, 40)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"use_rep": "X_umpa"}, "use_rep='X_umpa'.*'X_pca'"),
        ({"n_pcs": 80}, "at most 50"),
        ({"groups": "batch"}, "groups='batch'.*bulk_labels"),
    ],
)
def test_what_is_not_there_is_named(cells, options, message):
    with pytest.raises(ValueError, match=message):
        neighbors(cells, **options)


def test_an_array_is_no_anndata():
    with pytest.raises(TypeError, match="AnnData"):
        smoothgraph.scanpy.neighbors(np.ones((3, 3)))
