import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torch_geometric")
from torch_geometric.data import Batch, Data  # noqa: E402
from torch_geometric.loader import DataLoader  # noqa: E402
from torch_geometric.transforms import Compose, ToUndirected  # noqa: E402
from torch_geometric.utils import to_dense_adj  # noqa: E402

from smoothgraph import LogDegreeGraph, SmoothGraph  # noqa: E402
from smoothgraph.convert import to_pyg  # noqa: E402
from smoothgraph.pyg import LearnedGraph  # noqa: E402

# raised inside the packages that these tests call
pytestmark = [pytest.mark.filterwarnings("ignore:.*torch.jit.script.* is deprecated:DeprecationWarning")]


def weights(data):
    return to_dense_adj(data.edge_index, edge_attr=data.edge_attr, max_num_nodes=data.num_nodes)[0].numpy()


def assert_learned(data, rows, learner):
    expected = learner.fit(rows).adjacency_.toarray()
    np.testing.assert_allclose(weights(data), expected / np.mean(expected[expected > 0]), rtol=1e-5)
    assert data.validate()
    assert data.is_undirected()
    assert data.is_coalesced()
    assert data.edge_attr.dtype == torch.float32


@pytest.fixture
def rows(rng):
    return torch.tensor(rng.normal(size=(40, 3)), dtype=torch.float32)


def test_the_graph_is_that_of_the_positions(rows):
    data = Data(pos=rows, x=torch.arange(40.0)[:, None], edge_index=torch.tensor([[0], [1]]))
    learned = LearnedGraph()(data)
    assert_learned(learned, rows.numpy(), SmoothGraph())
    assert data.edge_index.shape == (2, 1)  # as it was


def test_the_graph_is_that_of_the_features_if_there_are_no_positions(rows):
    assert_learned(LearnedGraph(LogDegreeGraph(5))(Data(x=rows)), rows.numpy(), LogDegreeGraph(5))
    both = Data(x=rows, pos=torch.ones(40, 2))
    assert_learned(LearnedGraph(attribute="x")(both), rows.numpy(), SmoothGraph())
    images = Data(x=rows.reshape(20, 2, 3).requires_grad_())
    assert_learned(LearnedGraph()(images), rows.reshape(20, 6).numpy(), SmoothGraph())


def test_every_graph_of_a_batch_is_learned_alone(rows):
    parts = [Data(x=rows[:15]), Data(x=rows[15:16]), Data(x=rows[16:])]
    batch = LearnedGraph()(Batch.from_data_list(parts))
    assert batch.validate()
    for part, alone in zip(batch.to_data_list(), parts, strict=True):
        assert torch.equal(part.x, alone.x)
        if part.num_nodes == 1:
            assert part.edge_index.shape == (2, 0)
            assert part.edge_attr.shape == (0,)
        else:
            assert_learned(part, alone.x.numpy(), SmoothGraph())
    batch_of_learned = Batch.from_data_list([LearnedGraph()(part) for part in parts])
    assert torch.equal(batch.edge_index, batch_of_learned.edge_index)


def test_nodes_of_a_batch_may_be_in_any_order(rows):
    number = torch.arange(40) % 2
    W = weights(LearnedGraph()(Data(pos=rows, batch=number)))
    for k in (0, 1):
        own = number.numpy() == k
        alone = LearnedGraph()(Data(pos=rows[own]))
        np.testing.assert_array_equal(W[np.ix_(own, own)], weights(alone))
        assert not np.any(W[np.ix_(own, ~own)])


def test_it_is_a_transform_among_others(rows):
    transform = Compose([LearnedGraph(SmoothGraph(4)), ToUndirected()])
    [batch] = DataLoader([transform(Data(pos=rows[:20])), transform(Data(pos=rows[20:]))], batch_size=2)
    assert batch.num_graphs == 2
    assert batch.edge_attr.shape == (batch.num_edges,)
    assert repr(LearnedGraph(SmoothGraph(4))) == "LearnedGraph(SmoothGraph(edges_per_node=4))"
    from torch.utils.data import IterDataPipe

    assert hasattr(IterDataPipe, "learned_graph") or "learned_graph" in IterDataPipe.functions


def test_what_is_missing_is_named(rows):
    with pytest.raises(ValueError, match=r"Expected a tensor data\.x .* got none; set it, or name another"):
        LearnedGraph()(Data(edge_index=torch.tensor([[0], [1]])))
    with pytest.raises(ValueError, match=r"data\.z with one row per node, got list"):
        LearnedGraph(attribute="z")(Data(x=rows, z=[1, 2]))
    with pytest.raises(ValueError, match="LearnedGraph needs a graph learner"):
        LearnedGraph(10)


def test_a_converted_graph_carries_the_rows_of_its_learner(rng):
    X = rng.integers(0, 255, size=(30, 4)).astype(np.uint8)
    data = to_pyg(LogDegreeGraph(4).fit(X))
    assert data.x.dtype == torch.float32
    np.testing.assert_array_equal(data.x.numpy(), X)
    columns = to_pyg(LogDegreeGraph(2, nodes="columns").fit(rng.normal(size=(30, 4))))
    assert columns.x.shape == (4, 30)
    assert to_pyg(LogDegreeGraph(4).fit(X).adjacency_).x is None
