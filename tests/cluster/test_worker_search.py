"""A search by tasks finds the pairs that a search in memory finds, with the same distances."""

import os
import re
import signal
import time
from threading import Thread

import dask.array as da
import numpy as np
import pytest

from smoothgraph.cluster.worker_search import SearchOnWorkers
from smoothgraph.search import NearPairs, TiledSearch

K, SHARE = 6, 0.3


def clustered(m, d, rng):
    centers = 4 * rng.normal(size=(20, d))
    widths = 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    place = rng.integers(20, size=m)
    return centers[place] + widths[place] * rng.normal(size=(m, d))


def lattice(m, d, rng):
    """Many ties and duplicates, also across regions."""
    return rng.integers(-1, 2, size=(m, d)).astype(float)


def projected(m, d, rng):
    """Few directions say nearly all."""
    return rng.normal(size=(m, 4)) @ rng.normal(size=(4, d)) + 0.01 * rng.normal(size=(m, d))


# name: rows, metric, chunks, regions
CASES = {
    "clusters": (lambda rng: clustered(4000, 8, rng), "sqeuclidean", 1300, 3),
    "single precision": (lambda rng: clustered(3000, 5, rng).astype(np.float32), "sqeuclidean", (1, 1999, 1000), 7),
    "lattice": (lambda rng: lattice(3000, 6, rng), "sqeuclidean", 900, 5),
    "offset": (lambda rng: 1e6 + clustered(2000, 4, rng), "sqeuclidean", 2000, 4),
    "projected": (lambda rng: projected(3001, 70, rng), "sqeuclidean", 777, 4),
    "cosine": (lambda rng: clustered(2000, 9, rng), "cosine", 700, 3),
    "correlation": (lambda rng: projected(2000, 20, rng), "correlation", 700, 3),
    "one region": (lambda rng: clustered(700, 3, rng), "sqeuclidean", 100, 1),
}


def assert_same_pairs(found, expected, *, directed=False):
    """The same pairs with the same distances; ``found`` may name their ends the other way round."""
    for here, there in zip(*(sort_pairs(p, directed) for p in (found, expected)), strict=True):
        if here.dtype.kind == "i":
            np.testing.assert_array_equal(here, there)
        else:
            np.testing.assert_allclose(here, there, rtol=1e-12, atol=1e-15)


def sort_pairs(pairs, directed):
    i, j, z = pairs
    if not directed:
        i, j = np.minimum(i, j), np.maximum(i, j)
    order = np.lexsort((j, i))
    return i[order], j[order], z[order]


def in_table(pairs, search):
    """The pairs in the numbers of the table's rows."""
    return NearPairs(search.order[pairs.i], search.order[pairs.j], pairs.z)


def gather(client, futures, search):
    return in_table(NearPairs.concatenate(client.gather(list(futures))), search)


@pytest.fixture(scope="module", params=CASES)
def searches(request, cluster_client):
    """Both searches, how far neighbors are, and some reach, in the order of the table."""
    make, metric, chunks, n_regions = CASES[request.param]
    X = make(np.random.default_rng(0))
    rows = da.from_array(X, chunks=(chunks, -1))
    remote = SearchOnWorkers.of(rows, metric, cluster_client, n_regions)
    assert len(remote.bounds) == n_regions
    local = TiledSearch.of(X, metric)
    near = local.exact_nearest(K)[1][:, -1]
    reach = near * np.random.default_rng(1).uniform(-0.5, 2, size=len(X))
    return local, remote, near, reach


def test_order(searches):
    local, remote, _, _ = searches
    assert remote.n_nodes == local.n_nodes
    np.testing.assert_array_equal(np.sort(remote.order), np.arange(local.n_nodes))
    assert remote.order.dtype == local.order.dtype
    ends = [end for bounds in remote.bounds for end in bounds]
    assert ends[1:-1:2] == ends[2::2]
    assert (ends[0], ends[-1]) == (0, local.n_nodes)


@pytest.mark.parametrize("share", [1.0, SHARE])
def test_nearest(searches, share, cluster_client):
    """Nodes as near as single precision can tell may be taken for each other."""
    local, remote, near, _ = searches
    futures, found_near = remote.nearest(K, share)
    parts = cluster_client.gather(futures)
    for pairs, (first, last) in zip(parts, remote.bounds, strict=True):
        np.testing.assert_array_equal(pairs.i, np.repeat(np.arange(first, last), K))
    i, j, z = in_table(NearPairs.concatenate(parts), remote)
    assert np.all(np.diff(np.sort(j.reshape(-1, K), axis=1), axis=1) > 0)
    assert np.all(i != j)
    np.testing.assert_array_equal(found_near, z.reshape(-1, K).max(axis=1))
    highest = np.zeros(len(near))
    highest[remote.order] = found_near
    tiny = 1e-9 * near.mean()
    assert np.all(highest >= near - tiny)
    if share == 1:
        assert np.mean(highest <= near * (1 + 1e-3) + tiny) > 0.99
    own = local.within(np.full(len(near), 4 * highest.max() + 1.0), np.array([5]))
    mine = i == 5
    true = dict(zip(own.j.tolist(), own.z, strict=True))
    expected = [true[other] for other in j[mine].tolist()]
    np.testing.assert_allclose(z[mine], expected, rtol=1e-12, atol=1e-15)


def test_pairs_within(searches, cluster_client):
    local, remote, _, reach = searches
    expected = local.within(reach)
    assert len(expected.i) > 100
    found = remote.pairs_within(reach[remote.order])
    for (a, b), pairs in zip(found, cluster_client.gather(list(found.values())), strict=True):
        for region, ends in ((a, pairs.i), (b, pairs.j)):
            first, last = remote.bounds[region]
            assert np.all((first <= ends) & (ends < last))
    assert_same_pairs(gather(cluster_client, found.values(), remote), expected)


@pytest.mark.parametrize("some", [False, True])
def test_a_share_of_the_tiles_finds_many_of_the_pairs(searches, some, cluster_client):
    local, remote, near, _ = searches
    reach, nodes = near[remote.order], np.arange(0, len(near), 3) if some else None
    futures = remote.pairs_within(reach, nodes, SHARE).values()
    found = gather(cluster_client, futures, remote)
    expected = local.within(near, remote.order[nodes] if some else None)
    known = set(zip(*sort_pairs(expected, directed=False)[:2], strict=True))
    pairs = set(zip(*sort_pairs(found, directed=False)[:2], strict=True))
    assert pairs <= known
    assert len(pairs) > 0.2 * len(known)


def test_pairs_of_some_nodes(searches, cluster_client):
    """Some regions have none of them."""
    local, remote, near, _ = searches
    reach, nodes = near + 0.1 * near.mean(), np.arange(3, len(near) // 2, 7)
    expected = local.within(reach, remote.order[nodes])
    assert len(expected.i) > 100
    futures = remote.pairs_within(reach[remote.order], nodes).values()
    assert_same_pairs(gather(cluster_client, futures, remote), expected, directed=True)


@pytest.mark.parametrize("every", [1, 11])
def test_pairs_of_few_nodes(searches, every):
    """Those of one region, or of all."""
    local, remote, near, _ = searches
    reach, nodes = near + 0.1 * near.mean(), np.random.default_rng(2).permutation(200) * every
    nodes = nodes[nodes < len(near)]
    found = remote.within(reach[remote.order], nodes)
    assert isinstance(found.z, np.ndarray)
    assert len(found.i) > 100
    expected = local.within(reach, remote.order[nodes])
    assert_same_pairs(in_table(found, remote), expected, directed=True)


def test_pairs_of_no_nodes(cluster_client, rng):
    rows = da.from_array(rng.normal(size=(700, 2)), chunks=(300, -1))
    remote = SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 2)
    assert len(remote.within(np.ones(700), np.zeros(0, int)).i) == 0
    assert remote.pairs_within(np.ones(700), np.zeros(0, int)) == {}


def test_regions_with_something_just_nearer_are_searched(cluster_client):
    """Tiles on a line whose 100 nearest reach 15 beyond the gap of 85 to the next."""
    X = (np.arange(256) + np.arange(0, 8 * 340, 340)[:, None]).reshape(-1, 1).astype(float)
    rows = da.from_array(X, chunks=(1000, -1))
    remote = SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 8)
    found, near = remote.nearest(100, 1.0)
    i, j, _ = gather(cluster_client, found, remote)
    assert np.any(i // 256 != j // 256)
    expected = TiledSearch.of(X).exact_nearest(100)[1][:, -1]
    np.testing.assert_allclose(near, expected[remote.order], rtol=1e-3)


def test_duplicates_in_many_regions(cluster_client):
    """All tiles are equally near, so that the nearest need not be those of the own region."""
    rows = da.zeros((8000, 2), chunks=(3000, -1))
    remote = SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 4)
    found, near = remote.nearest(3, 0.1)
    assert np.all(near == 0)
    i, j, _ = gather(cluster_client, found, remote)
    assert np.all(i != j)
    assert len(i) == 3 * 8000


def test_distant_regions_are_not_searched(cluster_client, rng):
    X = rng.normal(size=(512, 3)) + np.repeat([[0.0], [1e6]], 256, axis=0)
    rows = da.from_array(X, chunks=(200, -1))
    remote = SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 2)
    assert remote.bounds == [(0, 256), (256, 512)]  # all rows are sampled
    _, near = remote.nearest(K, 1.0)
    assert set(remote.pairs_within(near)) == {(0, 0), (1, 1)}


@pytest.mark.parametrize(
    ("reach", "message"),
    [
        (np.zeros(5), r"reach must hold one number per node, \(700,\).*\(5,\)"),
        (np.full(700, np.nan), "none of them NaN"),
    ],
)
def test_what_cannot_be_searched_is_refused(reach, message, cluster_client, rng):
    rows = da.from_array(rng.normal(size=(700, 2)), chunks=(300, -1))
    remote = SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 2)
    with pytest.raises(ValueError, match=message):
        remote.pairs_within(reach)
    with pytest.raises(ValueError, match="between 1 and 699, got 700"):
        remote.nearest(700, 1.0)


@pytest.mark.parametrize("bad", [[2500], [1700, 999, 2999]])
def test_the_first_node_that_is_not_finite_is_named(bad, cluster_client, rng):
    X = rng.normal(size=(3000, 3))
    X[bad, 1] = [np.nan, np.inf, -np.inf][: len(bad)]
    X[100] = 0  # for which the cosine is undefined
    rows = da.from_array(X, chunks=(800, -1))
    with pytest.raises(ValueError, match=f"NaN or infinity, first in node {min(bad)};"):
        SearchOnWorkers.of(rows, "cosine", cluster_client, 3)


@pytest.mark.parametrize("metric", ["cosine", "correlation", "canberra"])
def test_metrics_that_are_undefined_are_refused_as_in_memory(metric, cluster_client, rng):
    X = rng.normal(size=(3000, 3))
    X[[2000, 2001]] = 0
    with pytest.raises(ValueError, match=r"row 2000|not by 'canberra'") as expected:
        TiledSearch.of(X, metric)
    rows = da.from_array(X, chunks=(800, -1))
    with pytest.raises(ValueError, match=re.escape(str(expected.value))):
        SearchOnWorkers.of(rows, metric, cluster_client, 3)


def unreadable(block):
    raise OSError("the disk is gone")


def test_an_error_of_a_task_is_raised_as_itself(cluster_client):
    rows = da.zeros((900, 2), chunks=(300, -1)).map_blocks(unreadable, meta=np.zeros((0, 0)))
    with pytest.raises(OSError, match="the disk is gone"):
        SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 2)


def killed_during(client, name, call):
    """The result of ``call()``, while a worker dies that works on a task called ``name``."""
    pids, killed = client.run(os.getpid), []

    def kill():
        while not killed:
            for worker, keys in client.processing().items():
                if any(str(key).startswith(f"{name}-") for key in keys):
                    os.kill(pids[worker], signal.SIGKILL)
                    killed.append(worker)
                    return
            time.sleep(0.002)

    thread = Thread(target=kill, daemon=True)
    thread.start()
    result = call()
    assert killed
    client.wait_for_workers(len(pids), timeout=30)
    return result


def test_a_worker_that_dies_changes_nothing(cluster_client, rng):
    X = clustered(9000, 12, rng)
    rows = da.from_array(X, chunks=(2000, -1))
    remote = killed_during(cluster_client, "region", lambda: SearchOnWorkers.of(rows, "sqeuclidean", cluster_client, 7))
    local = TiledSearch.of(X)
    futures, near = killed_during(cluster_client, "nearest", lambda: remote.nearest(K, 1.0))
    expected = local.exact_nearest(K)[1][:, -1]
    np.testing.assert_allclose(near, expected[remote.order], rtol=1e-3)
    z = gather(cluster_client, futures, remote).z
    np.testing.assert_array_equal(near, z.reshape(-1, K).max(axis=1))
    futures = killed_during(cluster_client, "pairs", lambda: list(remote.pairs_within(near).values()))
    reach = np.empty(9000)
    reach[remote.order] = near
    assert_same_pairs(gather(cluster_client, futures, remote), local.within(reach))
