"""Packages that only some installations have."""

from importlib import import_module
from typing import Any


def load_optional(module: str, *, needed_by: str, extra: str) -> Any:
    """Import a module, or raise an ImportError that says which extra to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise ImportError(f"{needed_by} needs {module}: pip install 'smoothgraph[{extra}]'") from error
