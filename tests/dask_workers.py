"""Clusters for tests: one without any process, and ways to disturb real ones."""

import logging
import os
import signal
import threading
from contextlib import contextmanager

from distributed import Client, LocalCluster


class ClientInProcess:
    """What a Dask client does for blocks of edges, here and at once."""

    def submit(self, task, *arguments, actor=False, **_):
        result = task(*map(_resolved, arguments))
        return _Done(_Actor(result) if actor else result)

    def scheduler_info(self, **_):
        return {"workers": {"here": {"memory_limit": 0}}}


class _Done:
    status = "finished"

    def __init__(self, result):
        self._result = result

    def result(self, **_):
        return self._result

    def done(self):
        return True


class _Actor:
    def __init__(self, instance):
        self._instance = instance

    def __getattr__(self, name):
        return lambda *arguments: _Done(getattr(self._instance, name)(*arguments))


def _resolved(argument):
    if isinstance(argument, list):
        return [_resolved(item) for item in argument]
    return argument.result() if isinstance(argument, _Done) else argument


@contextmanager
def cluster_of(n_workers, **options):
    """A current client of so many processes."""
    settings = {
        "threads_per_worker": 1,
        "dashboard_address": "127.0.0.1:0",
        "silence_logs": logging.CRITICAL,
    }
    with (
        LocalCluster(n_workers=n_workers, **(settings | options)) as cluster,
        Client(cluster) as client,
    ):
        yield client


def process_ids(client):
    """The process of every worker, by address."""
    return client.run(os.getpid)


class Disturbance(logging.Handler):
    """``act()`` once, some time after the n-th end of a ``stage`` and before ``with`` ends."""

    def __init__(self, stage, seconds, act, *, times=1):
        super().__init__(logging.INFO)
        self._stage, self._left, self._act = stage, times, act
        self._timer = threading.Timer(seconds, self._disturb)
        self._running = threading.Event()
        self.happened = False

    def emit(self, record):
        if getattr(record, "stage", None) == self._stage:
            self._left -= 1
            if self._left == 0:
                self._timer.start()

    def _disturb(self):
        if self._running.is_set():
            self._act()
            self.happened = self._running.is_set()

    def __enter__(self):
        logger = logging.getLogger("smoothgraph")
        self._level = logger.level
        logger.addHandler(self)
        logger.setLevel(logging.INFO)
        self._running.set()
        if self._left == 0:
            self._timer.start()
        return self

    def __exit__(self, *_):
        self._running.clear()
        logger = logging.getLogger("smoothgraph")
        logger.removeHandler(self)
        logger.setLevel(self._level)
        self._timer.cancel()


def kill(pid):
    os.kill(pid, signal.SIGKILL)
