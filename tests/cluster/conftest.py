import pytest
from dask_workers import cluster_of


@pytest.fixture(scope="session")
def cluster_client():
    """Of two processes, shared by all tests that do no harm to them."""
    with cluster_of(2) as client:
        yield client
