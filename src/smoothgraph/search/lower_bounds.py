r"""Lower bounds on distances, and the error budget: why no pair within reach is ever missed.

The search wants all pairs of nodes with ``|x_i - x_j|^2 < l_i + l_j``, where ``l`` is a *level* per node, or, if there
is a *scale* ``s > 0`` per node, with ``(|x_i - x_j|^2 / (s_i s_j))^2 < l_i + l_j``. It discards a pair only if a lower
bound on its distance, computed in single precision, proves that the pair is not wanted. Every rounding on the way works
for the pair: either a level is raised or a bound is lowered by at least the rounding's size. A pair that survives is
measured in double precision, so the slack costs time but never adds a pair.

Below, ``u = 2^-24`` is the unit roundoff of single precision; that of double precision is ``2^-53``.

1. **From reach to level** (:func:`half_reach`). A caller asks for ``2 z < r_i + r_j``. The level
   ``r/2 + 2^-52 |r|`` is at least ``2^-52 - 2^-54`` of ``|r|`` above ``r/2`` after rounding, and adding two levels
   loses at most ``2^-54 (|r_i| + |r_j|)``. So the computed sum of two levels is never below ``(r_i + r_j) / 2``.

2. **Roots of levels** (``Levels.widen``). With scales, the pair has ``|x_i - x_j|^2 < s_i s_j sqrt(l_i + l_j)``. For
   any ``c > 0`` the root is at most ``t_i + t_j`` with ``t = l / (2 c) + c / 4``, and nearly so where ``l_i + l_j`` is
   about ``c^2``. If levels are not negative, it is also at most ``sqrt(l_i) + sqrt(l_j)``, and exactly that where one
   of them is zero. From here on, ``l`` is the bound ``t`` or ``sqrt(l)``; without scales, ``l`` itself, and ``s = 1``.
   Where ``t`` cancels to a small number, the other end of a wanted pair has at least about ``c / 2``: so the rounding
   of ``t`` is relative to the sum of the two.

3. **Coordinates** (:mod:`~smoothgraph.search.coordinates`). Each row becomes a short vector ``q``,
   and ``|q_i - q_j| <= |x_i - x_j|`` in exact arithmetic. (For Manhattan distances, ``|x_i - x_j|_1`` takes the place
   of ``|x_i - x_j|^2`` everywhere; see :mod:`~smoothgraph.search.manhattan`.) The stored vector is off by at most
   ``e_i``: rounding to single precision moves it by ``u |q|`` and rounding in double precision by far less, but the
   length of the residual loses digits to cancellation. The code charges ``2 u |x|`` for the first two and twice the
   last. A shortened vector has the length of several coordinates as its last one. As a length changes by no more than
   its vector does, the same charge covers it. Vectors are multiples of ``unit``, a power of two that no entry of ``X``
   exceeds, so their squares do not overflow.

4. **Levels in coordinates** (:func:`widen_level`, :func:`margin`). With ``t = s_i s_j (l_i + l_j)`` and any ``r >
   0``, the stored vectors of a wanted pair satisfy

       |q_i - q_j|^2 < (sqrt(t) + e_i + e_j)^2 <= (1 + r) t + 2 (1 + 1/r) (e_i^2 + e_j^2).

   The right-hand side is at most ``w_ij = m_i + m_j + s_i s_j (k_i + k_j)`` with the widened level ``k = l + r |l|``
   and the margin ``m = 2 (1 + 1/r) e^2``, also for levels of opposite signs. ``r = 10^-3`` is large beside all that is
   relative to a level and not mentioned here: directions that are orthonormal up to rounding, the rounding of
   distances in double precision, and that of levels and scales, and of their products, in single precision. If all
   scales are 1, ``k`` is part of the margin. If distances are wanted that are not squared, the pair has ``|x_i - x_j|
   < t``, and ``w_ij = m_i + m_j + (s_i s_j)^2 (k_i + k_j)^2`` with ``k`` not below zero.

5. **Tiles** (:mod:`~smoothgraph.search.tiles`). The vectors of a tile lie in a ball. The search skips two tiles whose
   balls are a gap ``g`` apart only if ``g^2`` is at least the largest ``w_ij`` between them, which is bounded by the
   largest margins, levels and scales in the two tiles. To compute ``g``, it first multiplies the distance of the
   centers by ``1 - 10^-9``. There is a gap only where this distance exceeds the sum of the radii, so the factor pays
   for the rounding of the radii, too.

6. **Products** (:func:`product_loss`). Relative to the center of a tile, with ``a = q_i - c`` and
   ``b = q_j - c``,

       |a - b|^2 < w_ij   if and only if   a'b + (w_ij - m_i - m_j)/2 > (|a|^2 - m_i)/2 + (|b|^2 - m_j)/2.

   The middle term is a sum of two or three products, of a number at ``i`` and a number at ``j``. They are coordinates
   of their own, so that one matrix product gives the left-hand side.

   In single precision with ``n`` coordinates, ``|a - b|^2`` is off by a share of
   ``|a|^2 + |b|^2``: by ``4 u`` for the subtraction of the center, by ``n u`` for the two norms, by
   ``n u`` for twice the product (since ``2 |a| |b| <= |a|^2 + |b|^2``), and by ``2 u`` for storing
   and adding the right-hand side. The code lowers ``|a|^2`` and ``|b|^2`` by ``(4 n + 16) u`` of
   themselves, about twice as much. The bound holds for sums in any order.

   Products of shortened vectors leave pairs that are compared again, by the squared differences of all ``n``
   coordinates (``keep_within``). Their sum is off by a share of ``(n + 4) u``, far less than ``r / 2``. By step 4 with
   ``r / 2`` in place of ``r``, and errors of half the charge, no wanted pair is lost.

7. **Underflow** (:data:`SMALLEST_SQUARE`). Squares below ``10^-38`` lose digits in single
   precision. The margin, a multiple of ``unit^2``, is raised by ``10^-35``. Scales below ``10^-38`` lose digits, too,
   at most ``10^-45``. Beside a factor above ``10^9`` that is too much: a node with one has an infinite margin.

The nearest neighbors are found by the same products with ``w_ij = 0``. The squared distances that these give fall
short of the true ones by the loss of step 6, once by design and at most once more by rounding. So the search stops
only where ``g^2`` minus twice that loss is beyond what it has found (``Balls.nearest_to``).
"""

import numpy as np

SINGLE, DOUBLE = 2.0**-23, 2.0**-52  # twice the unit roundoffs
SMALLEST_SQUARE = 1e-35  # step 7
CENTER_SHRINK = 1 - 1e-9  # step 5
_WIDENING = 1e-3  # r of step 4


def half_reach(reach: np.ndarray) -> np.ndarray:
    """Return levels whose sums are not below ``(reach_i + reach_j) / 2``; step 1 of the budget."""
    return reach * (0.5 + np.copysign(DOUBLE, reach))  # also if it is infinite


def widen_level(level: np.ndarray) -> np.ndarray:
    """Return ``k = l + r |l|``; step 4."""
    return level * (1 + np.copysign(_WIDENING, level))


def margin(error: np.ndarray) -> np.ndarray:
    """Return ``m`` for coordinates with these errors; steps 4 and 7."""
    return (2 + 2 / _WIDENING) * error**2 + SMALLEST_SQUARE


def product_loss(n_coordinates: int) -> float:
    """Return the share of ``|a|^2 + |b|^2`` that covers the rounding of ``|a - b|^2``; step 6."""
    return (2 * n_coordinates + 8) * SINGLE
