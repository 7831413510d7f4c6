import numpy as np
import scipy.sparse as sp
from command_line import smoothgraph
from pictures import assert_drawn


def test_demo_learns_saves_and_draws(tmp_path):
    result = smoothgraph("demo", "--folder", tmp_path / "new")
    assert result.exit_code == 0, result.output
    for word in ("nodes", "1,797", "edges per node", "components", "isolated nodes", "gap"):
        assert word in result.output
    W = sp.load_npz(tmp_path / "new" / "digits.npz")
    assert W.shape == (1797, 1797)
    assert (W != W.T).nnz == 0
    assert abs(W.nnz / 1797 - 10) <= 0.1
    assert np.all(np.diff(W.tocsr().indptr) > 0)
    assert_drawn(tmp_path / "new" / "digits.png")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"digits.npz", "digits.png", "digits.html"}
