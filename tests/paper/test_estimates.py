"""Standard errors of means, and what they say about a difference from the paper."""

import math

import numpy as np
import pytest

from paper.estimates import Estimate, average, standard_error, with_errors

DRAWS = np.array([0.91, 0.93, 0.90, 0.94])


def test_the_standard_error_is_that_of_a_mean():
    expected = DRAWS.std(ddof=1) / np.sqrt(len(DRAWS))
    assert standard_error(DRAWS.std(), len(DRAWS)) == pytest.approx(expected)
    assert math.isnan(standard_error(0.0, 1))


def test_every_mean_gets_its_error():
    found = with_errors({"a": {"f": {"mean": 0.9, "std": 0.3}}, "seconds": 2.0}, 10)
    assert found == {"a": {"f": {"mean": 0.9, "std": 0.3, "error": pytest.approx(0.1)}}, "seconds": 2.0}


@pytest.mark.parametrize(
    ("theirs", "verdict"), [(0.913, "agrees"), (0.911, "agrees"), (0.923, "agrees"), (0.85, "higher"), (0.95, "lower")]
)
def test_a_number_agrees_within_the_noise_only(theirs, verdict):
    assert Estimate(0.918, 0.003).compare(theirs) == verdict


def test_a_single_draw_decides_nothing():
    single = Estimate(0.918, math.nan)
    assert single.compare(0.918) == "undecided"
    assert str(single) == "0.918"
    assert str(Estimate(0.918, 0.003)) == "0.918 ± 0.003"


def test_the_error_of_an_average_of_independent_means():
    assert average([Estimate(0.2, 0.03), Estimate(0.4, 0.04)]) == pytest.approx((0.3, 0.025))


def test_a_mean_exceeds_another_by_more_than_noise():
    assert Estimate(0.9, 0.03).exceeds(Estimate(0.79, 0.04))
    assert not Estimate(0.9, 0.03).exceeds(Estimate(0.81, 0.04))
