import numpy as np
import pytest
import scipy.sparse as sp

from smoothgraph.io import save_graph, written_whole


def test_a_graph_comes_back_to_the_last_bit(tmp_path, rng):
    W = sp.random_array((20, 20), density=0.2, rng=rng).tocsr()
    save_graph(tmp_path / "deep" / "graph.npz", W)
    back = sp.load_npz(tmp_path / "deep" / "graph.npz")
    np.testing.assert_array_equal(back.toarray(), W.toarray())


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "result.txt"
    path.write_text("old")

    def fail():
        with written_whole(path) as temporary:
            temporary.write_text("half")
            raise RuntimeError("stopped")

    with pytest.raises(RuntimeError, match="stopped"):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_success_replaces_the_old_file(tmp_path):
    path = tmp_path / "result.txt"
    path.write_text("old")
    with written_whole(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]
