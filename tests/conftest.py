import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True)
settings.load_profile("default")


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.fixture(scope="session")
def usps_1001():
    """The paper's 1001 USPS images: round(2.6 i^2) of class i, rows x pixels."""
    folder = os.environ.get("SMOOTHGRAPH_DATA")
    if not folder or not (Path(folder) / "usps.npz").exists():
        pytest.skip("needs usps.npz: set SMOOTHGRAPH_DATA to the folder that holds it")
    with np.load(Path(folder) / "usps.npz") as data:
        X, y = data["X"].astype(float), data["y"]
    rng = np.random.default_rng(0)
    rows = [
        rng.choice(np.flatnonzero(y == digit), round(2.6 * (digit + 1) ** 2), replace=False)
        for digit in range(10)
    ]
    return X[np.concatenate(rows)]
