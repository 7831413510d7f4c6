"""Parameter checks whose messages say what was expected and what was given."""

import numbers
from typing import Any

import numpy as np

from smoothgraph.support.input_error import InputError


def check_number(name: str, value: object, *, minimum: float | None = None, above: float | None = None) -> float:
    """Return ``value`` as a float, or raise a ValueError unless it is a finite number in range."""
    is_number = isinstance(value, numbers.Real | np.number) and not isinstance(value, bool)
    number = _to_float(value) if is_number else np.nan
    in_range = (minimum is None or number >= minimum) and (above is None or number > above)
    if not np.isfinite(number) or not in_range:
        bounds = [f" {sign} {bound}" for sign, bound in ((">=", minimum), (">", above)) if bound is not None]
        raise InputError(f"{name} must be a finite number{''.join(bounds)}, got {value!r}.")
    return number


def _to_float(value: Any) -> float:
    """Return a number as a float, infinite if it is too large for one."""
    try:
        return float(value)
    except OverflowError:
        return np.inf


def check_width(name: str, value: object) -> float:
    """Return ``value`` as a float, or raise a ValueError unless it is a number > 0 whose square is one, too."""
    number = check_number(name, value, above=0)
    if not 0 < number * number < np.inf:
        raise InputError(f"{name} must be a number whose square is finite and > 0, got {value!r}; rescale the data.")
    return number


def check_count(name: str, value: object, *, minimum: int) -> int:
    """Return ``value`` as an int, or raise a ValueError unless it is an integer >= ``minimum``."""
    number = check_number(name, value, minimum=minimum)
    if not isinstance(value, numbers.Integral):
        raise InputError(f"{name} must be an integer >= {minimum}, got {value!r}; round it.")
    return int(number)


def check_share(name: str, value: object) -> float:
    """Return ``value`` as a float, or raise a ValueError unless it lies between 0 and 1."""
    number = check_number(name, value, minimum=0.0)
    if number > 1:
        raise InputError(f"{name} must lie between 0 and 1, got {value!r}.")
    return number
