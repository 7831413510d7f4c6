import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from paper.datasets import DATA_VARIABLE, load_usps

DATA_FILES = ("usps.npz", "mnist.npz", "coil20_32.npz")

# What takes seconds rather than milliseconds, left out by -m "not slow".
TESTS = Path(__file__).parent
SLOW_PATHS = [
    TESTS / path
    for path in (
        "cluster",
        "paper",
        "cli/test_demo.py",
        "cli/test_learn_on_workers.py",
        "cli/test_malformed.py",
        "cli/test_processes.py",
        "estimators/test_searches.py",
        "test_chaos.py",
        "test_convert.py",
        "test_examples.py",
        "test_fuzz.py",
    )
]
SLOW_FIXTURES = {"browser", "data_dir"}
SLOW_WORDS = ("test_scikit_learn_conventions", "UMAPGraph")  # in the name, or in a parameter

settings.register_profile("fixed", deadline=None, derandomize=True)
settings.register_profile("random", deadline=None, print_blob=True)


def pytest_configure(config):
    """Try the same examples every time, or others with each ``--hypothesis-seed``."""
    settings.load_profile("fixed" if config.getoption("--hypothesis-seed", None) is None else "random")


def pytest_collection_modifyitems(items):
    for item in items:
        if (
            any(item.path.is_relative_to(path) for path in SLOW_PATHS)
            or SLOW_FIXTURES.intersection(getattr(item, "fixturenames", ()))
            or any(word in item.name for word in SLOW_WORDS)
        ):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def data_dir():
    """The folder of the paper's data sets."""
    folder = Path(os.environ.get(DATA_VARIABLE) or "no folder")
    missing = [name for name in DATA_FILES if not (folder / name).is_file()]
    if missing:
        pytest.skip(f"needs {', '.join(missing)}: set {DATA_VARIABLE} to their folder")
    return folder


@pytest.fixture(scope="session")
def usps_1001(data_dir):
    """The paper's 1001 USPS images: round(2.6 i^2) of class i, rows x pixels."""
    X, y = load_usps(data_dir)
    rng = np.random.default_rng(0)
    rows = [rng.choice(np.flatnonzero(y == digit), round(2.6 * (digit + 1) ** 2), replace=False) for digit in range(10)]
    return X[np.concatenate(rows)]
