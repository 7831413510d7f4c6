"""A minute of fuzzing: of every target, a few examples that ``--hypothesis-seed`` makes others each time."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.fuzz import FOUND, TARGETS, run_example

SEEDS = st.integers(0, 2**32 - 1)


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.filterwarnings("ignore")  # of damaged files, by the libraries that read them
def test_the_end_is_a_valid_result_or_an_error_for_the_user(name, tmp_path_factory):
    @settings(max_examples=40)
    @given(SEEDS)
    def check(seed):
        verdict = run_example(name, seed, Path(tmp_path_factory.mktemp("fuzz")))
        assert not verdict.startswith(FOUND), f"python -m benchmarks.fuzz --only '{name}' --seed {seed} --examples 1"

    check()
