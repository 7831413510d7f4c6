"""What is asked of a cluster before a fit."""

import pytest

from smoothgraph.cluster.workers import check_memory


class Cluster:
    """Of workers with so much memory each; 0 is no limit, as Dask says it."""

    def __init__(self, *limits):
        self._workers = {str(place): {"memory_limit": limit} for place, limit in enumerate(limits)}

    def scheduler_info(self, **_):
        return {"workers": self._workers}


def test_workers_need_enough_memory_together():
    check_memory(Cluster(2**30, 2**30), 2**31, "It")
    with pytest.raises(MemoryError, match=r"takes about 3 GiB .* at least 1.5 GiB, or take 3 such"):
        check_memory(Cluster(2**30, 2**30), 3 * 2**30, "It")


def test_one_worker_without_a_limit_may_have_enough():
    check_memory(Cluster(2**30, 0), 2**40, "It")
