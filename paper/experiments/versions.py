"""What computed a result."""

import platform
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version

_PACKAGES = ("smoothgraph", "numpy", "scipy", "scikit-learn", "numba", "networkx")


def versions() -> dict[str, str]:
    """The versions of Python and of the packages whose numbers are reported."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        with suppress(PackageNotFoundError):  # NetworkX is optional
            found[name] = version(name)
    return found
