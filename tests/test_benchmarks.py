from importlib import import_module
from pathlib import Path

import pytest

from benchmarks.speed_page import FOLDER, speed_page

SCRIPTS = sorted(path.stem for path in Path(__file__).parents[1].glob("benchmarks/[a-z]*.py"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_benchmark_needs_no_other_packages_to_start(name):
    """What it compares with is imported when it is its turn."""
    assert import_module(f"benchmarks.{name}").__doc__


def test_the_page_of_large_fits_is_made_of_the_results_beside_it():
    """After new measurements, ``python -m benchmarks.speed_page`` writes it again."""
    assert (FOLDER / "index.md").read_text(encoding="utf-8") == speed_page()
