import subprocess
import sys

import pytest

from smoothgraph import viz

WITHOUT_OPTIONAL = """
import sys
for package in ("matplotlib", "networkx", "pandas"):
    sys.modules[package] = None  # makes its import fail
"""


def run(code):
    """Run Python without the optional packages."""
    command = [sys.executable, "-c", WITHOUT_OPTIONAL + code]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_every_public_name_exists():
    assert all(callable(getattr(viz, name)) for name in viz.__all__)
    assert dir(viz) == viz.__all__


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"smoothgraph\.viz.* has no attribute 'nothing'"):
        viz.nothing  # noqa: B018


def test_layout_and_report_need_no_optional_package(tmp_path):
    path = tmp_path / "report.html"
    done = run(f"""
import numpy as np
from smoothgraph.viz import layout, write_report
W = 1 - np.eye(4)
attributes = {{"kind": ["a", "b", None, ""], "size": [1.5, 2.5, np.nan, 3]}}
write_report({str(path)!r}, W, positions=layout(W), attributes=attributes)
""")
    assert done.returncode == 0, done.stderr
    assert path.stat().st_size > 100_000


@pytest.mark.parametrize("name", ["draw_graph", "save_picture"])
def test_a_missing_matplotlib_comes_with_an_install_hint(name):
    done = run(f"from smoothgraph.viz import {name}")
    hint = f"smoothgraph.viz.{name} needs matplotlib: pip install 'smoothgraph[plot]'"
    assert hint in done.stderr
