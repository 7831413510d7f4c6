"""Series that follow the seasons, the week, or the hours of the day, so that all of them are alike."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.tables.finding import Finding, View
from smoothgraph.tables.series import CYCLES, remove_cycle, remove_lines

_LEAST_SHARE = 0.3  # of the variance without the trend
_FEWEST_PERIODS, _FEWEST_PHASES = 2, 4


def find_seasons(view: View) -> Iterator[Finding]:
    """Yield a finding for the cycle that explains most of the series, if it explains much."""
    series, times = view.series, view.times
    if series is None or times is None or len(series) < 2 or "anomaly" in view.settled:
        return
    shares = {name: _share(series, times, name) for name in CYCLES}
    name = max(shares, key=lambda cycle: shares[cycle])
    if shares[name] > _LEAST_SHARE:
        yield Finding(
            "season",
            f"The {CYCLES[name].adjective} cycle makes up {100 * shares[name]:.0f}% of the variance at the median of "
            f"the {view.nodes}, and all of them share it.",
            f"To compare what is left, consider --anomaly {name}.",
            options=("--anomaly", name),
        )


def _share(series: np.ndarray, times: np.ndarray, name: str) -> float:
    """Return the median share of the variance that a cycle explains beyond chance."""
    cycle = CYCLES[name]
    phases = cycle.phases(times)
    n_phases = len(np.unique(phases))
    span = (times.max() - times.min()) / np.timedelta64(1, "s")
    degrees = len(times) - n_phases
    if n_phases < _FEWEST_PHASES or span < _FEWEST_PERIODS * cycle.seconds or degrees < n_phases:
        return 0.0
    level = remove_lines(series)
    rest = np.nanvar(remove_cycle(level, phases), axis=1) / np.nanvar(level, axis=1)
    return float(np.nanmedian(1 - rest * (len(times) - 1) / degrees))
