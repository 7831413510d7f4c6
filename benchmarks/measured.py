"""Files of what was measured: the runs, and with what they were made."""

import json
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

WIDTH = 160  # characters per line if the output is not a terminal
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "pynndescent", "faiss-cpu", "umap-learn")


def write_measured(path: Path, runs: list[dict[str, Any]]) -> None:
    """Write the runs, the date, the commit, and the versions."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"made": made_with(), "runs": runs}, indent=1) + "\n")


def made_with() -> dict[str, str]:
    """Return today's date, the commit of the code, and the versions of Python and of packages."""
    asked = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    commit = subprocess.run(asked, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    found = {"date": datetime.now(UTC).date().isoformat(), "commit": commit.stdout.strip() or "unknown"}
    found["Python"] = platform.python_version()
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
