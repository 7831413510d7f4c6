"""Columns of very different sizes, of which a few decide all distances."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.tables.finding import Finding, View

_UNEVEN = 10.0  # ratio of spreads beyond which a few columns dominate the distances


def find_scales(view: View) -> Iterator[Finding]:
    """Yield a finding if the columns vary very differently, or as nodes differ most in their levels."""
    values = view.values
    if "standardize" in view.settled or values.shape[1] < 2:
        return
    spreads = np.nanstd(values, axis=0)
    levels = float(np.nanstd(np.nanmean(values, axis=0)))
    varying = spreads[(spreads > 0) & np.isfinite(spreads)]
    if len(varying) < 2:
        return
    ratio = float(varying.max() / np.median(varying))
    if view.nodes == "rows" and view.series is not None:
        yield from _compare_levels(view.series, view.settled)
    elif view.nodes == "rows":
        if ratio > _UNEVEN:
            yield _finding(
                f"Some columns vary {ratio:.0f} times as much as others and dominate the distances.",
                "--standardize gives all columns the same influence.",
            )
    elif "log_returns" not in view.settled and (
        ratio > _UNEVEN or (levels > np.median(varying) and "difference" not in view.settled)
    ):
        yield _finding(
            "The columns differ in their size more than in their ups and downs.",
            "--standardize joins columns that rise and fall together.",
        )


def _compare_levels(series: np.ndarray, settled: frozenset[str]) -> Iterator[Finding]:
    """Yield a finding if series in rows differ most in their levels; correlations need all values."""
    if settled & {"metric", "difference", "log_returns"} or np.isnan(series).any():
        return
    if np.std(series.mean(axis=1)) > np.median(np.std(series, axis=1)):
        yield Finding(
            "scale",
            "The rows are series that differ in their size more than in their ups and downs.",
            "--metric correlation joins rows that rise and fall together.",
            options=("--metric", "correlation"),
        )


def _finding(what: str, remedy: str) -> Finding:
    return Finding("scale", what, remedy, options=("--standardize",))
