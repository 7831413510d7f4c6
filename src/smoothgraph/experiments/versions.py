"""What computed a result."""

import platform
from importlib.metadata import version

_PACKAGES = ("smoothgraph", "numpy", "scipy", "scikit-learn", "numba", "networkx")


def versions() -> dict[str, str]:
    """The versions of Python and of the packages whose numbers are reported."""
    return {"python": platform.python_version(), **{name: version(name) for name in _PACKAGES}}
