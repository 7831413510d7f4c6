from importlib import import_module
from pathlib import Path

import pytest

SCRIPTS = sorted(path.stem for path in Path(__file__).parents[1].glob("benchmarks/[a-z]*.py"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_benchmark_needs_no_other_packages_to_start(name):
    """What it compares with is imported when it is its turn."""
    assert import_module(f"benchmarks.{name}").__doc__
