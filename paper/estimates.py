"""Means over random draws: their standard errors, and whether they agree with the paper's."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

AGREES, LOWER, HIGHER, UNDECIDED = "agrees", "lower", "higher", "undecided"


class Estimate(NamedTuple):
    """A mean over draws and its standard error, which is NaN for a single draw."""

    mean: float
    error: float

    def __str__(self) -> str:
        return f"{self.mean:.3f}" + ("" if math.isnan(self.error) else f" ± {self.error:.3f}")

    @property
    def noise(self) -> float:
        """2 √2 standard errors: what two such means differ by at most, 19 times out of 20.

        The paper states no errors, but averages over as many draws. So the difference from its
        mean has √2 times our standard error.
        """
        return 2 * math.sqrt(2) * self.error

    def compare(self, theirs: float) -> str:
        """Return ``agrees`` if the difference is at most the noise, else ``lower`` or ``higher``.

        A single draw does not tell its noise: ``undecided``.
        """
        if math.isnan(self.error):
            return UNDECIDED
        difference = self.mean - theirs
        if abs(difference) <= self.noise:
            return AGREES
        return LOWER if difference < 0 else HIGHER

    def exceeds(self, other: "Estimate") -> bool:
        """Return whether this mean is larger by more than 2 standard errors of the difference."""
        return self.mean - other.mean > 2 * math.hypot(self.error, other.error)


def standard_error(std: float, n_draws: int) -> float:
    """Return ``std / sqrt(n - 1)``, the standard error of a mean over n draws; NaN for one draw.

    ``std`` is as the results store it, the root of the mean squared deviation. The corrected
    deviation is ``std * sqrt(n / (n - 1))``, and the error is that divided by ``sqrt(n)``.
    """
    return std / math.sqrt(n_draws - 1) if n_draws > 1 else math.nan


def with_errors(results: Mapping[str, Any], n_draws: int) -> dict[str, Any]:
    """Return nested results in which every ``mean`` with a ``std`` also has its ``error``."""
    found = {
        key: with_errors(value, n_draws) if isinstance(value, Mapping) else value for key, value in results.items()
    }
    return found | {"error": standard_error(results["std"], n_draws)} if "std" in results else found


def estimate(found: Mapping[str, Any]) -> Estimate:
    """Return the mean and the error of one entry of :func:`with_errors`."""
    return Estimate(found["mean"], found["error"])


def average(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of independent means; its error is ``sqrt(sum of squared errors) / n``."""
    n = len(estimates)
    return Estimate(sum(one.mean for one in estimates) / n, math.hypot(*(one.error for one in estimates)) / n)
