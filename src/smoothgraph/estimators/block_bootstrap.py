"""Blocks of signals that follow each other in time, so that a resample keeps how they depend on each other.

The circular block bootstrap of Politis and Romano (1992). What is resampled are distances, ``z_ij = sum over t of
(x_it - x_jt)^2``: sums over time. The block length that Politis and White (2004) derive for the mean of a series,
as corrected by Patton, Politis and White (2009), is therefore computed from the series ``(x_it - x_jt)^2`` of edges.
"""

import numpy as np
import scipy.sparse as sp

from smoothgraph.estimators.graph_learner import GraphLearner

_MOST_EDGES = 500  # whose series are looked at
_QUANTILE = 1.959964  # of the normal distribution, for an autocorrelation that is significant at 5%


def draw_blocks(random: np.random.RandomState, n_signals: int, block: int) -> np.ndarray:
    """Return ``n_signals`` numbers of signals: blocks at random places of the circle, of which the last may be cut."""
    starts = random.randint(n_signals, size=-(-n_signals // block))
    return ((starts[:, None] + np.arange(block)) % n_signals).ravel()[:n_signals]


def choose_block(learner: GraphLearner) -> int:
    """Return the median, over edges, of the block lengths for the series ``(x_it - x_jt)^2``, rounded up.

    The edges are those of a fitted learner; of more than 500, it looks at 500 of all weights. A value that is missing
    counts as the mean of its series.
    """
    i, j, w = sp.find(sp.triu(learner.adjacency_, k=1))
    if len(w) == 0:
        return 1
    by_weight = np.argsort(w, kind="stable")
    chosen = by_weight[np.linspace(0, len(w) - 1, min(len(w), _MOST_EDGES)).astype(int)]
    difference = learner.signals_[i[chosen]] - learner.signals_[j[chosen]]
    if sp.issparse(difference):
        difference = difference.toarray()
    return int(np.ceil(np.median(optimal_lengths(np.square(difference)))))


def optimal_lengths(series: np.ndarray) -> np.ndarray:
    """``(2 G^2 / D)^(1/3) n^(1/3)``: the block length for the mean of each row, from 1 to ``min(3 sqrt n, n / 3)``.

    With autocovariances ``R(k)`` and the flat-top window ``lambda`` of bandwidth ``M``, ``G`` is the sum of
    ``lambda(k/M) |k| R(k)``, and ``D = 4/3 (sum of lambda(k/M) R(k))^2``. ``M`` is twice the lag beyond which
    ``max(5, sqrt(log10 n))`` autocorrelations in a row are insignificant.

    Of short, slow series, few lags are significant, and these lengths are too short. So none is below the length for a
    series of the model ``x(t) = phi x(t - 1) + noise``, which has the same formula.
    """
    n = series.shape[1]
    most = max(1.0, np.ceil(min(3 * np.sqrt(n), n / 3)))
    present = ~np.isnan(series)
    counts = np.maximum(present.sum(axis=1, keepdims=True), 1)
    centered = np.where(present, series, 0.0)
    centered = np.where(present, centered - centered.sum(axis=1, keepdims=True) / counts, 0.0)
    in_a_row = max(5, int(np.sqrt(np.log10(n))))
    n_lags = min(int(np.ceil(np.sqrt(n))) + in_a_row, n - 1)
    covariances = _autocovariances(centered, n_lags)
    lengths = [_optimal_length(covariance, n, in_a_row) for covariance in covariances]
    return np.clip(np.maximum(lengths, _autoregressive_lengths(covariances, n)), 1.0, most)


def _autocovariances(centered: np.ndarray, n_lags: int) -> np.ndarray:
    """Return ``R(0), ..., R(n_lags)`` of each row."""
    n = centered.shape[1]
    spectrum = np.fft.rfft(centered, n=2 * n, axis=1)
    return np.fft.irfft(np.abs(spectrum) ** 2, n=2 * n, axis=1)[:, : n_lags + 1] / n


def _optimal_length(covariance: np.ndarray, n: int, in_a_row: int) -> float:
    if covariance[0] <= 0 or len(covariance) < 2:
        return 1.0
    significant = np.abs(covariance[1:]) > _QUANTILE * np.sqrt(np.log10(n) / n) * covariance[0]
    bandwidth = min(2 * max(_last_significant(significant, in_a_row), 1), len(covariance) - 1)
    lags = np.arange(1, bandwidth + 1)
    weighted = np.clip(2 * (1 - lags / bandwidth), 0.0, 1.0) * covariance[1 : bandwidth + 1]
    G = 2 * np.sum(lags * weighted)
    spectrum = covariance[0] + 2 * np.sum(weighted)
    if spectrum <= 0:
        return 1.0
    return float((1.5 * G**2 / spectrum**2 * n) ** (1 / 3))


def _autoregressive_lengths(covariances: np.ndarray, n: int) -> np.ndarray:
    """``(6 n)^(1/3) (phi / (1 - phi^2))^(2/3)``: the same formula, where ``R(k)`` is ``R(0) phi^k``.

    The autocorrelation of a short series is too small on average; ``(1 + 3 phi) / n`` corrects it (Kendall, 1954).
    """
    if covariances.shape[1] < 2:
        return np.ones(len(covariances))
    phi = covariances[:, 1] / np.where(covariances[:, 0] > 0, covariances[:, 0], 1.0)
    corrected = np.clip(phi + (1 + 3 * phi) / n, 0.0, 1 - 1 / n)
    corrected[phi <= _QUANTILE / np.sqrt(n)] = 0.0
    return (6 * n) ** (1 / 3) * (corrected / (1 - corrected**2)) ** (2 / 3)


def _last_significant(significant: np.ndarray, in_a_row: int) -> int:
    """Return the lag, from 0, after which ``in_a_row`` lags are insignificant; else the last significant lag."""
    quiet = np.convolve(~significant, np.ones(in_a_row), "valid") == in_a_row
    if np.any(quiet):
        return int(np.argmax(quiet))
    return int(np.flatnonzero(significant)[-1]) + 1 if np.any(significant) else 0
