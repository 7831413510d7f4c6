"""A search by tasks finds, to the last bit, what a search in memory finds."""

import os
import re
import signal
import time
from threading import Thread

import dask.array as da
import numpy as np
import pytest

from smoothgraph.candidates.growing import OrderedSearch
from smoothgraph.cluster.search import RemoteSearch
from smoothgraph.pairs.distances import check_data
from smoothgraph.search.between import Pairs
from smoothgraph.search.exact import NeighborSearch

K, SHARE = 6, 0.3


def clustered(m, d, rng):
    centres = 4 * rng.normal(size=(20, d))
    widths = 10 ** rng.uniform(-1, 0.3, size=(20, 1))
    place = rng.integers(20, size=m)
    return centres[place] + widths[place] * rng.normal(size=(m, d))


def lattice(m, d, rng):
    """Many ties and duplicates, also across regions."""
    return rng.integers(-1, 2, size=(m, d)).astype(float)


def projected(m, d, rng):
    """Few directions say nearly all."""
    return rng.normal(size=(m, 4)) @ rng.normal(size=(4, d)) + 0.01 * rng.normal(size=(m, d))


# name: rows, metric, chunks, regions
CASES = {
    "clusters": (lambda rng: clustered(4000, 8, rng), "sqeuclidean", 1300, 3),
    "single precision": (
        lambda rng: clustered(3000, 5, rng).astype(np.float32),
        "sqeuclidean",
        (1, 1999, 1000),
        7,
    ),
    "lattice": (lambda rng: lattice(3000, 6, rng), "sqeuclidean", 900, 5),
    "offset": (lambda rng: 1e6 + clustered(2000, 4, rng), "sqeuclidean", 2000, 4),
    "projected": (lambda rng: projected(3001, 70, rng), "sqeuclidean", 777, 4),
    "cosine": (lambda rng: clustered(2000, 9, rng), "cosine", 700, 3),
    "correlation": (lambda rng: projected(2000, 20, rng), "correlation", 700, 3),
    "one region": (lambda rng: clustered(700, 3, rng), "sqeuclidean", 100, 1),
}


def in_one_order(pairs):
    order = np.lexsort((pairs.j, pairs.i))
    return [part[order] for part in pairs]


def assert_same_pairs(found, expected):
    for here, there in zip(in_one_order(found), in_one_order(expected), strict=True):
        np.testing.assert_array_equal(here, there)


def nearest_in_memory(search, share, k=K):
    """The pairs, as :class:`OrderedSearch` has them before it joins those of two nodes."""
    ids, z = search._search.likely_nearest(k, share)
    i = np.repeat(np.arange(len(ids)), k)
    return Pairs(i, ids.ravel(), search._factor * z.ravel())


@pytest.fixture(scope="module", params=CASES)
def searched(request, cluster_client):
    """Both searches, how far neighbours are, and some reach."""
    make, metric, chunks, n_regions = CASES[request.param]
    X = make(np.random.default_rng(0))
    rows = da.from_array(X, chunks=(chunks, -1))
    remote = RemoteSearch.of(rows, metric, cluster_client, n_regions)
    assert len(remote.bounds) >= n_regions
    local = OrderedSearch(X, metric)
    near = local.neighbors(K, SHARE)[2]
    reach = near * np.random.default_rng(1).uniform(-0.5, 2, size=len(X))
    return local, remote, near, reach


def test_order(searched):
    local, remote, _, _ = searched
    np.testing.assert_array_equal(remote.order, local.order)
    assert remote.order.dtype == local.order.dtype
    assert remote.n_nodes == len(local.order)


def test_neighbors(searched, cluster_client):
    local, remote, near, _ = searched
    futures, found_near = remote.neighbors(K, SHARE)
    found = cluster_client.gather(futures)
    for pairs, (first, last) in zip(found, remote.bounds, strict=True):
        np.testing.assert_array_equal(np.unique(pairs.i), np.arange(first, last))
    assert_same_pairs(Pairs.joined(found), nearest_in_memory(local, SHARE))
    np.testing.assert_array_equal(found_near, near)


@pytest.mark.parametrize("share", [1.0, SHARE])
def test_pairs_within(searched, share, cluster_client):
    local, remote, _, reach = searched
    expected = local.within(reach, None, share)
    assert len(expected.i) > 100
    found = cluster_client.gather(list(remote.pairs_within(reach, None, share).values()))
    assert_same_pairs(Pairs.joined(found), expected)


def test_pairs_of_some_nodes(searched, cluster_client):
    """Some regions have none of them."""
    local, remote, near, _ = searched
    reach, nodes = near + 0.1 * near.mean(), np.arange(3, len(near) // 2, 7)
    expected = local.within(reach, nodes)
    assert len(expected.i) > 100
    found = cluster_client.gather(list(remote.pairs_within(reach, nodes).values()))
    assert_same_pairs(Pairs.joined(found), expected)


@pytest.mark.parametrize("every", [1, 11])
def test_pairs_of_few_nodes(searched, every):
    """Those of one region, or of all."""
    local, remote, near, _ = searched
    reach, nodes = near + 0.1 * near.mean(), np.random.default_rng(2).permutation(200) * every
    nodes = nodes[nodes < len(near)]
    found = remote.within(reach, nodes)
    assert isinstance(found.z, np.ndarray)
    assert len(found.i) > 100
    assert_same_pairs(found, local.within(reach, nodes))


def test_more_nodes_than_a_block_are_cut_into_blocks(cluster_client, rng):
    X = rng.normal(size=(70_000, 3)).astype(np.float32)
    rows = da.from_array(X, chunks=(30_000, -1))
    remote = RemoteSearch.of(rows, "sqeuclidean", cluster_client, 5)
    assert remote.bounds == [(0, 65_536), (65_536, 70_000)]
    np.testing.assert_array_equal(remote.order, NeighborSearch.in_order(X)[0])


def test_regions_with_something_just_nearer_are_searched(cluster_client):
    """Tiles on a line whose 100 nearest reach 15 beyond the gap of 85 to the next."""
    X = (np.arange(256) + np.arange(0, 8 * 340, 340)[:, None]).reshape(-1, 1).astype(float)
    rows = da.from_array(X, chunks=(1000, -1))
    remote = RemoteSearch.of(rows, "sqeuclidean", cluster_client, 8)
    assert len(remote.bounds) == 8
    found = Pairs.joined(cluster_client.gather(remote.neighbors(100, 1.0)[0]))
    assert np.any(found.i // 256 != found.j // 256)
    local = OrderedSearch(X, "sqeuclidean")
    assert_same_pairs(found, nearest_in_memory(local, 1.0, 100))


def test_distant_regions_are_not_searched(cluster_client, rng):
    X = rng.normal(size=(2048, 3)) + np.repeat([[0.0], [1e6]], 1024, axis=0)
    rows = da.from_array(X, chunks=(500, -1))
    remote = RemoteSearch.of(rows, "sqeuclidean", cluster_client, 2)
    _, near = remote.neighbors(K, 1.0)
    assert len(remote.pairs_within(near)) == len(remote.bounds) == 2


@pytest.mark.parametrize(
    ("reach", "nodes", "share", "message"),
    [
        (np.zeros(5), None, 1.0, r"reach must hold one number per node, \(700,\).*\(5,\)"),
        (np.full(700, np.nan), None, 1.0, "none of them NaN"),
        (np.zeros(700), np.arange(3), 0.5, "share of 1 where nodes are named, got 0.5"),
    ],
)
def test_what_cannot_be_searched_is_refused(reach, nodes, share, message, cluster_client, rng):
    rows = da.from_array(rng.normal(size=(700, 2)), chunks=(300, -1))
    remote = RemoteSearch.of(rows, "sqeuclidean", cluster_client, 2)
    with pytest.raises(ValueError, match=message):
        remote.pairs_within(reach, nodes, share)


@pytest.mark.parametrize("bad", [[2500], [1700, 999, 2999]])
def test_numbers_that_are_not_finite_are_refused_as_in_memory(bad, cluster_client, rng):
    X = rng.normal(size=(3000, 3))
    X[bad, 1] = [np.nan, np.inf, -np.inf][: len(bad)]
    X[100] = 0  # for which the cosine is undefined
    with pytest.raises(ValueError, match=f"NaN or infinity, first in node {min(bad)};") as expected:
        check_data(X)
    rows = da.from_array(X, chunks=(800, -1))
    with pytest.raises(ValueError, match=re.escape(str(expected.value))):
        RemoteSearch.of(rows, "cosine", cluster_client, 3)


@pytest.mark.parametrize("metric", ["cosine", "correlation", "cityblock"])
def test_metrics_that_are_undefined_are_refused_as_in_memory(metric, cluster_client, rng):
    X = rng.normal(size=(3000, 3))
    X[[2000, 2001]] = 0
    with pytest.raises(ValueError, match=r"row 2000|not by 'cityblock'") as expected:
        OrderedSearch(X, metric)
    rows = da.from_array(X, chunks=(800, -1))
    with pytest.raises(ValueError, match=re.escape(str(expected.value))):
        RemoteSearch.of(rows, metric, cluster_client, 3)


def unreadable(block):
    raise OSError("the disk is gone")


def test_an_error_of_a_task_is_raised_as_itself(cluster_client):
    rows = da.zeros((900, 2), chunks=(300, -1)).map_blocks(unreadable, meta=np.zeros((0, 0)))
    with pytest.raises(OSError, match="the disk is gone"):
        RemoteSearch.of(rows, "sqeuclidean", cluster_client, 2)


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
    remote = RemoteSearch.of(rows, "sqeuclidean", cluster_client, 7)
    local = OrderedSearch(X, "sqeuclidean")
    futures, near = killed_during(cluster_client, "neighbours", lambda: remote.neighbors(K, 1.0))
    np.testing.assert_array_equal(near, local.neighbors(K, 1.0)[2])
    found = Pairs.joined(cluster_client.gather(futures))
    assert_same_pairs(found, nearest_in_memory(local, 1.0))
    futures = killed_during(
        cluster_client, "pairs", lambda: list(remote.pairs_within(near).values())
    )
    found = Pairs.joined(cluster_client.gather(futures))
    assert_same_pairs(found, local.within(near, None))
