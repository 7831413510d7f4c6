import logging

import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="session")
def cluster_client():
    """A client of two processes with one thread each.

    It is current only inside ``with cluster_client.as_current()``, so that other tests do not
    compute there.
    """
    with (
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster, set_as_default=False) as client,
    ):
        yield client
