import subprocess
import sys

import pytest

import smoothgraph


def test_every_public_name_exists():
    for name in smoothgraph.__all__:
        assert getattr(smoothgraph, name) is not None
    assert set(smoothgraph.__all__) == set(dir(smoothgraph))


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        smoothgraph.nothing  # noqa: B018


def test_the_core_does_not_import_scikit_learn():
    """It would more than double the time of an import."""
    code = "import sys, smoothgraph; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
