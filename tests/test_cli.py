import numpy as np
import scipy.sparse as sp
from typer.testing import CliRunner

import smoothgraph
from smoothgraph.cli import app


def test_demo_learns_saves_and_draws(tmp_path):
    result = CliRunner().invoke(app, ["demo", "--folder", str(tmp_path / "new")])
    assert result.exit_code == 0, result.output
    for word in ("nodes", "1797", "edges per node", "components", "isolated nodes", "gap"):
        assert word in result.output
    W = sp.load_npz(tmp_path / "new" / "digits.npz")
    assert W.shape == (1797, 1797)
    assert (W != W.T).nnz == 0
    assert abs(W.nnz / 1797 - 10) <= 0.1
    assert np.all(np.diff(W.tocsr().indptr) > 0)
    picture = (tmp_path / "new" / "digits.png").read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"digits.npz", "digits.png"}


def test_version():
    result = CliRunner().invoke(app, ["version"])
    assert result.output.strip() == smoothgraph.__version__


def test_help_names_the_commands():
    result = CliRunner().invoke(app, ["--help"])
    assert "demo" in result.output
