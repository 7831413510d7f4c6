"""One round of the disturbances that take seconds; ``python -m benchmarks.chaos`` plays more rounds of all."""

from collections import Counter

import pytest

from benchmarks import chaos

SEED = 1
QUICK = ("kill-fit", "kill-learn", "full-disk", "read-only", "interrupts", "two-writers")


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return chaos.Stage(tmp_path_factory.mktemp("chaos"))


@pytest.mark.parametrize("name", QUICK)
def test_nothing_is_half_written_and_nothing_lost(name, stage):
    try:
        outcomes = chaos.play(name, stage, rounds=1, seed=SEED)
    except chaos.Impossible as reason:
        pytest.skip(str(reason))
    assert outcomes.total() == 1
    assert Counter(outcome for outcome in outcomes if outcome.startswith(chaos.WRONG)) == {}
