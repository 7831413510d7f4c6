"""Packages that smoothgraph uses only if they are there."""

from importlib import import_module
from typing import Any


def load_optional(module: str, *, needed_by: str, extra: str) -> Any:
    """The optional package, or an ImportError that says how to install it."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{needed_by} needs {module}: pip install 'smoothgraph[{extra}]'"
        ) from error
