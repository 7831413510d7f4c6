import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.spatial.distance import cdist, pdist

from smoothgraph import LogDegreeGraph
from smoothgraph.viz import layout

LARGE = 2001  # nodes of the smallest graph that is placed by pulling and pushing


def ring(m):
    W = np.eye(m, k=1) + np.eye(m, k=1 - m)
    return sp.csr_array(np.maximum(W, W.T))


def grid(side):
    chain = sp.diags_array(np.ones(side - 1), offsets=1)
    chain = chain + chain.T
    return sp.csr_array(sp.kron(chain, sp.eye_array(side)) + sp.kron(sp.eye_array(side), chain))


def side_by_side(*graphs):
    return sp.csr_array(sp.block_diag(graphs))


def two_clusters(half):
    """Return two random graphs of 10 neighbors per node, with a few edges between them."""
    rng = np.random.default_rng(0)
    ends = rng.integers(half, size=(10 * half, 2))
    ends[half * 5 :] += half
    ends = np.vstack([ends, np.column_stack([np.arange(5), np.arange(5) + half])])
    W = sp.coo_array((np.ones(len(ends)), ends.T), shape=(2 * half, 2 * half)).tocsr()
    chain = sp.diags_array(np.ones(2 * half - 1), offsets=1)
    return W + W.T + chain + chain.T


@given(
    seed=st.integers(0, 1000),
    m=st.integers(1, 40),
    density=st.sampled_from([0.0, 0.02, 0.1, 1.0]),
    exponent=st.sampled_from([0, 3, 30, 300]),
)
@settings(max_examples=50)
def test_every_node_has_its_own_place_in_the_unit_square(seed, m, density, exponent):
    rng = np.random.default_rng(seed)
    W = 10.0 ** rng.uniform(-exponent, 0, size=(m, m)) * (rng.random((m, m)) < density)
    W = np.triu(W, k=1)
    positions = layout(W + W.T)
    assert positions.shape == (m, 2)
    assert np.abs(positions).max() <= 0.5 + 1e-12
    np.testing.assert_allclose(positions.max(axis=0), -positions.min(axis=0), atol=1e-12)
    if m > 1:
        assert np.ptp(positions, axis=0).max() == pytest.approx(1)
        assert pdist(positions).min() > 1e-4


@pytest.mark.parametrize("graph", [grid(5), ring(LARGE)], ids=["small", "large"])
def test_the_same_seed_gives_the_same_positions(graph):
    positions = layout(graph, seed=3)
    np.testing.assert_array_equal(layout(graph, seed=3), positions)
    assert not np.array_equal(layout(graph, seed=4), positions)


def test_a_learner_and_its_adjacency_have_the_same_layout(rng):
    learner = LogDegreeGraph(edges_per_node=4).fit(rng.normal(size=(30, 3)))
    np.testing.assert_array_equal(layout(learner), layout(learner.adjacency_.toarray()))


def test_a_grid_stands_upright_with_edges_of_one_length():
    positions = layout(grid(6))
    rows = positions.reshape(6, 6, 2)
    across, down = np.diff(rows, axis=1).reshape(-1, 2), np.diff(rows, axis=0).reshape(-1, 2)
    lengths = np.linalg.norm(np.vstack([across, down]), axis=1)
    assert lengths.max() < 1.15 * lengths.min()
    slant = np.abs(np.vstack([across, down])).min(axis=1) / lengths
    assert slant.max() < 0.1


def test_a_ring_is_round():
    radius = np.linalg.norm(layout(ring(40)), axis=1)
    assert radius.max() < 1.03 * radius.min()


def test_the_leaves_of_a_star_are_around_its_middle():
    """All leaves but the pivots have the same distances to the pivots."""
    W = np.zeros((81, 81))
    W[0, 1:] = W[1:, 0] = 1.0
    positions = layout(W)
    assert pdist(positions[1:]).min() > 0.01
    assert np.linalg.norm(positions[0] - positions[1:].mean(axis=0)) < 0.05


def test_a_cluster_of_a_large_graph_fills_its_room():
    positions = layout(two_clusters(1500))[:1500]
    apart = cdist(positions, positions) + np.eye(1500)
    assert np.median(apart.min(axis=1)) > 0.001


def box(positions, angle):
    """Return the area of the bounding box after a rotation."""
    cos, sin = np.cos(angle), np.sin(angle)
    return np.prod(np.ptp(positions @ [[cos, -sin], [sin, cos]], axis=0))


@pytest.mark.parametrize("m", [400, 3000])
def test_distances_in_the_plane_follow_those_along_the_graph(m):
    """With both methods, a strip that is 20 nodes wide has the right length and stands upright."""
    length = m // 20
    chain, across = (sp.diags_array(np.ones(n - 1), offsets=1) for n in (length, 20))
    W = sp.kron(chain + chain.T, sp.eye_array(20)) + sp.kron(sp.eye_array(length), across + across.T)
    some = np.random.default_rng(0).choice(m, 50, replace=False)
    along = shortest_path(sp.csr_array(W), unweighted=True, indices=some)[:, some]
    positions = layout(sp.csr_array(W))
    drawn = pdist(positions[some])
    assert np.corrcoef(drawn, along[np.triu_indices(50, 1)])[0, 1] > 0.9
    assert box(positions, 0.0) < 1.05 * min(box(positions, angle) for angle in np.arange(16) / 10)


@pytest.mark.parametrize("m", [3, 100, 1500, 2500])
def test_a_chain_lies(m):
    chain = sp.diags_array(np.ones(m - 1), offsets=1)
    positions = layout(chain + chain.T)
    assert np.ptp(positions[:, 1]) < np.ptp(positions[:, 0])  # how far, depends on the processor's rounding
    assert abs(positions[0, 0] - positions[-1, 0]) > 0.5


def test_heavier_edges_are_shorter():
    rng = np.random.default_rng(0)
    W = grid(8).tocoo()
    heavy = rng.random((64, 64)) < 0.5
    heavy = np.triu(heavy) | np.triu(heavy).T
    W.data[heavy[W.row, W.col]] = 10.0
    positions = layout(W)
    lengths = np.linalg.norm(positions[W.row] - positions[W.col], axis=1)
    assert lengths[W.data == 10].mean() < 0.8 * lengths[W.data == 1].mean()


@pytest.mark.parametrize("half", [100, 1500], ids=["small", "large"])
def test_joined_nodes_are_near_and_clusters_apart(half):
    W = two_clusters(half)
    positions = layout(W)
    edges = W.tocoo()
    lengths = np.linalg.norm(positions[edges.row] - positions[edges.col], axis=1)
    rng = np.random.default_rng(1)
    first, second = rng.integers(2 * half, size=(2, 2000))
    assert lengths.mean() < 0.6 * np.linalg.norm(positions[first] - positions[second], axis=1).mean()
    middle = [positions[:half].mean(axis=0), positions[half:].mean(axis=0)]
    nearer = np.argmin(cdist(positions, middle), axis=1)
    assert np.mean(nearer == np.repeat([0, 1], half)) > 0.95


def test_a_pair_of_nodes_with_weak_ties_stays_with_the_others():
    """Light edges join two nodes with a heavy edge between them to a large graph."""
    W = two_clusters(1100).tolil()
    m = W.shape[0]
    W.resize((m + 2, m + 2))
    W[m, m + 1] = W[m + 1, m] = 100.0
    for near in (0, 1):
        W[m, near] = W[near, m] = W[m + 1, near] = W[near, m + 1] = 1.0
    positions = layout(W.tocsr())
    assert np.linalg.norm(positions[m] - positions[0]) < 0.25


def boxes(W, positions):
    _, component = connected_components(W, directed=False)
    groups = [positions[component == number] for number in range(component.max() + 1)]
    return np.array([[group.min(axis=0), group.max(axis=0)] for group in groups])


@given(sizes=st.lists(st.integers(1, 12), min_size=2, max_size=12), kind=st.sampled_from(["ring", "clique", "chain"]))
@settings(max_examples=25)
def test_components_do_not_overlap_and_are_not_far(sizes, kind):
    whole = {
        "ring": lambda m: ring(m).toarray() if m > 2 else np.zeros((m, m)),
        "clique": lambda m: 1 - np.eye(m),
        "chain": lambda m: np.eye(m, k=1) + np.eye(m, k=-1),
    }[kind]
    order = np.random.default_rng(0).permutation(sum(sizes))
    W = side_by_side(*[sp.csr_array(whole(m)) for m in sizes])[order][:, order]
    positions = layout(W)
    low, high = np.moveaxis(boxes(W, positions), 1, 0)
    for k in range(len(low)):
        apart = (low[k] > np.delete(high, k, 0)) | (high[k] < np.delete(low, k, 0))
        assert apart.any(axis=1).all()
    nearest = cdist(positions, positions) + 9 * np.eye(len(positions))
    assert nearest.min(axis=1).max() < 3.5 / np.sqrt(len(positions))


def test_isolated_nodes_stand_in_a_square():
    positions = layout(np.zeros((100, 100)))
    np.testing.assert_allclose(np.unique(positions[:, 0].round(9)), np.linspace(-0.5, 0.5, 10))
    np.testing.assert_allclose(np.unique(positions[:, 1].round(9)), np.linspace(-0.5, 0.5, 10))


def test_components_have_room_in_proportion_to_their_nodes():
    W = side_by_side(grid(12), grid(4))
    (low, high), (low_small, high_small) = boxes(W, layout(W))
    ratio = np.prod(high - low) / np.prod(high_small - low_small)
    assert ratio == pytest.approx(9, rel=0.2)


def test_many_components_of_all_sizes():
    W = side_by_side(ring(LARGE), *[ring(5)] * 50, sp.csr_array((3000, 3000)))
    positions = layout(W)
    assert np.all(np.isfinite(positions))
    low, high = boxes(W, positions)[0]
    assert np.max(high - low) > 0.5
    others = positions[LARGE:]
    assert not np.any(np.all((others > low) & (others < high), axis=1))
