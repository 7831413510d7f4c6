"""Smooth signals: white noise through a low-pass filter on a graph.

A filter is any function that maps an array of ``lambda`` in [0, 1], the eigenvalues of the Laplacian divided by the
largest one, to the array of ``g(lambda)``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, laplacian

from smoothgraph.generate.graphs import RandomState
from smoothgraph.support.adjacency import adjacency_of
from smoothgraph.support.checks import check_count, check_number
from smoothgraph.support.input_error import InputError
from smoothgraph.support.node_signals import read_signals

Filter = Callable[[np.ndarray], np.ndarray]

_EXACT_UP_TO = 2000  # nodes, for which an eigendecomposition takes a second or two
_DEGREES = (256, 512, 1024, 2048)  # of the polynomials to try
_TAIL = 1e-10  # the last coefficients of a polynomial may be at most this share of the largest
_LANCZOS_STEPS = (64, 16384)  # the fewest and the most
_LANCZOS_TOL = 1e-10  # stop when twice the steps raise the norm by a smaller share


def tikhonov(strength: float = 10.0) -> Filter:
    """``g(lambda) = 1 / (1 + strength lambda)``, which minimizes ``|x - x0|^2 + strength x' L x``.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.generate import tikhonov
    >>> tikhonov(9.0)(np.array([0.0, 1.0])).tolist()
    [1.0, 0.1]
    """
    strength = check_number("strength", strength, minimum=0.0)
    return lambda lam: 1 / (1 + strength * lam)


def generative() -> Filter:
    """``g(lambda) = 1 / sqrt(lambda)``, ``g(0) = 0``: white noise becomes ``N(0, pinv(L))``.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.generate import generative
    >>> generative()(np.array([0.0, 0.25])).tolist()
    [0.0, 2.0]
    """
    return lambda lam: np.divide(1, np.sqrt(lam), out=np.zeros_like(lam), where=lam > 0)


def heat(time: float = 10.0) -> Filter:
    """``g(lambda) = exp(-time lambda)``: the signal spreads over the graph like heat.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.generate import heat
    >>> heat(1.0)(np.array([0.0, 1.0])).round(4).tolist()
    [1.0, 0.3679]
    """
    time = check_number("time", time, minimum=0.0)
    return lambda lam: np.exp(-time * lam)


def smooth_signals(
    graph: Any,
    n_signals: int,
    filter: Filter,  # noqa: A002 - as signal processing calls it
    *,
    noise: float = 0.0,
    method: str = "auto",
    random_state: RandomState = None,
) -> np.ndarray:
    """``g(L / |L|_2) X0 + noise`` with ``X0`` independent N(0, 1): (m, n_signals), smooth on graph.

    Parameters
    ----------
    graph : GeneratedGraph, fitted learner or (m, m) adjacency matrix
        The graph on which the signals are smooth.
    n_signals : int
        The number of columns.
    filter : callable
        ``g``: :func:`tikhonov`, :func:`generative`, :func:`heat` or any other function.
    noise, random_state
        As in :func:`add_noise`.
    method
        As in :func:`filter_signals`.

    Examples
    --------
    >>> from smoothgraph.generate import heat, random_geometric, smooth_signals
    >>> graph = random_geometric(50, random_state=0)
    >>> smooth_signals(graph, 3, heat(), noise=0.1, random_state=0).shape
    (50, 3)
    """
    n_signals = check_count("n_signals", n_signals, minimum=1)
    noise = check_number("noise", noise, minimum=0.0)
    rng = np.random.default_rng(random_state)
    W = adjacency_of(graph)
    smooth = filter_signals(W, filter, rng.standard_normal((W.shape[0], n_signals)), method=method)
    return add_noise(smooth, noise, random_state=rng)


def add_noise(signals: Any, noise: float, *, random_state: RandomState = None) -> np.ndarray:
    """``signals + E`` with Gaussian ``E``, scaled so that ``|E|_F = noise |signals|_F``.

    Parameters
    ----------
    signals : array
        The signals without noise.
    noise : float
        The size of the noise, relative to the signals; 0.1 in the paper.
    random_state : int, Generator or None
        The seed. An int gives the same signals every time.

    Examples
    --------
    >>> import numpy as np
    >>> from smoothgraph.generate import add_noise
    >>> float(np.linalg.norm(add_noise([3.0, 4.0], 0.1, random_state=0) - [3, 4]).round(12))
    0.5
    """
    noise = check_number("noise", noise, minimum=0.0)
    signals = np.array(signals, dtype=float)
    if noise == 0 or signals.size == 0:
        return signals
    E = np.random.default_rng(random_state).standard_normal(signals.shape)
    E *= noise * np.linalg.norm(signals) / np.linalg.norm(E)
    return signals + E


def filter_signals(graph: Any, filter: Filter, signals: Any, *, method: str = "auto") -> np.ndarray:  # noqa: A002
    """``g(L / |L|_2) signals``: filters the signals with the Laplacian scaled to norm 1.

    Parameters
    ----------
    graph : GeneratedGraph, fitted learner or (m, m) adjacency matrix
        The graph; if it has no edges, every eigenvalue is 0.
    filter : callable
        ``g``, from an array in [0, 1] to an array of the same shape.
    signals : (m,) or (m, n) array
        One row per node, in the order of the graph, and one column per signal.
    method : {"auto", "exact", "chebyshev"}
        "exact" computes all eigenvectors and evaluates ``g`` only at the eigenvalues; those that should be 0 are
        exactly 0. "chebyshev" approximates ``g`` by a polynomial, to about 1e-10 of its largest value, and computes
        only sparse products; it refuses a ``g`` that is too sharp for a polynomial. "auto" is exact up to 2000
        nodes.

    Returns
    -------
    array
        The filtered signals, with the shape of ``signals``.

    Examples
    --------
    Heat flows between the two joined nodes. The third node is isolated:

    >>> from smoothgraph.generate import filter_signals, heat
    >>> graph = [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    >>> filter_signals(graph, heat(100.0), [0.0, 4.0, 5.0]).round(6).tolist()
    [2.0, 2.0, 5.0]
    """
    if method not in ("auto", "exact", "chebyshev"):
        raise InputError(f'method must be "auto", "exact" or "chebyshev", got {method!r}.')
    W = adjacency_of(graph)
    X = read_signals(signals, W.shape[0])
    is_exact = method == "exact" or (method == "auto" and len(X) <= _EXACT_UP_TO)
    apply = _filter_exactly if is_exact else _filter_by_polynomial
    return apply(W, filter, X.reshape(len(X), -1)).reshape(X.shape)


def _values(g: Filter, lam: np.ndarray) -> np.ndarray:
    """Return ``g(lam)``, or raise an error if it is not one finite number per eigenvalue."""
    values = np.asarray(g(lam), dtype=float)
    if values.shape != lam.shape:
        raise InputError(
            f"A filter must give one number per eigenvalue, shape {lam.shape}, got shape "
            f"{values.shape}; write it with NumPy functions of arrays."
        )
    if not np.all(np.isfinite(values)):
        bad = np.argmin(np.isfinite(values))
        got = f"{values[bad]} at lambda = {lam[bad]:g}"
        raise InputError(f"A filter must be finite on [0, 1], got {got}; define its value there.")
    return values


def _filter_exactly(W: sp.csr_array, g: Filter, X: np.ndarray) -> np.ndarray:
    """``U g(lambda) U' X``, where rounding errors of the zero eigenvalues are set to exactly 0."""
    lam, U = scipy.linalg.eigh(laplacian(W).toarray())
    n_components, _ = connected_components(W, directed=False)
    lam /= lam[-1] if n_components < len(lam) else 1.0
    lam[lam < len(lam) * np.finfo(float).eps] = 0.0
    lam[:n_components] = 0.0
    return U @ (_values(g, lam)[:, None] * (U.T @ X))


def _filter_by_polynomial(W: sp.csr_array, g: Filter, X: np.ndarray) -> np.ndarray:
    """``sum_k c_k T_k(A) X`` with ``A = 2 L / |L|_2 - I``, whose eigenvalues lie in [-1, 1]."""
    coefficients = _chebyshev_coefficients(g)
    L = laplacian(W).tocsr()
    A = (L * (2 / (_norm(L) if W.nnz else 1.0)) - sp.eye_array(len(X))).tocsr()
    before, current = X, A @ X  # T_0 X and T_1 X
    result = coefficients[0] * before + coefficients[1] * current
    for c in coefficients[2:]:
        following = A @ current
        following *= 2
        following -= before  # T_k+1 = 2 A T_k - T_k-1
        before, current = current, following
        result += c * current
    return result


def _chebyshev_coefficients(g: Filter) -> np.ndarray:
    """``c``, at least two, with ``g(lambda) = sum_k c_k T_k(2 lambda - 1)`` on [0, 1]."""
    for degree in _DEGREES:
        lam = (1 + np.cos(np.pi * np.arange(degree + 1) / degree)) / 2  # includes 0 and 1
        c = scipy.fft.dct(_values(g, lam), type=1) / degree
        c[[0, -1]] /= 2
        allowed = _TAIL * np.max(np.abs(c))
        if np.all(np.abs(c[-degree // 4 :]) <= allowed):
            dropped = np.cumsum(np.abs(c[::-1]))[::-1] <= allowed
            return c[: max(2, np.count_nonzero(~dropped))]
    lam = np.linspace(0, 1, 4001)
    polynomial = np.polynomial.chebyshev.chebval(2 * lam - 1, c[: 3 * len(c) // 4])
    sharpest = lam[np.argmax(np.abs(polynomial - _values(g, lam)))]
    raise InputError(
        f"The filter is too sharp near lambda = {sharpest:.3g} for a polynomial of degree "
        f'{degree}; use method="exact" or a smoother filter.'
    )


def _norm(L: sp.csr_array) -> float:
    """Return ``|L|_2`` by the Lanczos method, which stops when more steps do not raise the norm.

    It keeps only three vectors. There are no restarts, which take many times longer on large rings and grids. The
    loss of orthogonality repeats eigenvalues but does not move the largest.
    """
    v = np.random.default_rng(0).standard_normal(L.shape[0])
    v /= np.linalg.norm(v)
    before, diagonal, off = np.zeros_like(v), [], [0.0]
    norm, check_at = 0.0, _LANCZOS_STEPS[0]
    rounding = np.finfo(float).eps * L.diagonal().max()
    while True:
        following = L @ v - off[-1] * before
        diagonal.append(float(v @ following))
        following -= diagonal[-1] * v
        off.append(float(np.linalg.norm(following)))
        exhausted = off[-1] <= rounding
        if exhausted or len(diagonal) == check_at:
            top = {"select": "i", "select_range": 2 * (len(diagonal) - 1,)}  # only the largest eigenvalue
            last = norm
            norm = float(scipy.linalg.eigh_tridiagonal(diagonal, off[1:-1], eigvals_only=True, **top)[0])
            if exhausted or norm - last <= _LANCZOS_TOL * norm or check_at == _LANCZOS_STEPS[1]:
                return norm
            check_at *= 2
        before, v = v, following / off[-1]
