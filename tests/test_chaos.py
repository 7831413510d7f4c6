"""A few rounds of every disturbance; ``python -m benchmarks.chaos`` plays more."""

from collections import Counter

import pytest

from benchmarks import chaos

SEED = 1


@pytest.fixture(scope="module")
def stage(tmp_path_factory):
    return chaos.Stage(tmp_path_factory.mktemp("chaos"))


@pytest.mark.parametrize("name", chaos.SCENARIOS)
def test_nothing_is_half_written_and_nothing_lost(name, stage):
    try:
        outcomes = chaos.play(name, stage, rounds=1, seed=SEED)
    except chaos.Impossible as reason:
        pytest.skip(str(reason))
    assert outcomes.total() == 1
    assert Counter(outcome for outcome in outcomes if outcome.startswith(chaos.WRONG)) == {}
