"""The page: a template whose marked slots are filled with styles, scripts and data."""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from smoothgraph.viz.report.packing import as_json

_LIBRARIES = ("vendor/graphology.umd.min.js", "vendor/sigma.min.js")
_SCRIPTS = (
    "data.js",
    "colours.js",
    "elements.js",
    "view.js",
    "card.js",
    "search.js",
    "panels.js",
    "page.js",
)
_SOURCE_MAP = re.compile(r"\n//# sourceMappingURL=.*")  # a file that the page does not have
_SLOT = re.compile(r"<!-- slot: (\w+) -->")


def as_page(title: str, content: dict[str, Any]) -> bytes:
    """The whole file. Its policy allows these styles and scripts, known by their hash, only."""
    style = _file("page.css")
    libraries = [_SOURCE_MAP.sub("", _file(name)) for name in _LIBRARIES]
    script = "\n".join(_file(f"scripts/{name}") for name in _SCRIPTS)
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_source(style)}; script-src {' '.join(map(_source, [*libraries, script]))}"
    )
    parts = {
        "policy": policy,
        "title": escape(title),
        "style": style,
        "graphology": libraries[0],
        "sigma": libraries[1],
        "script": script,
        "payload": as_json(content),
    }
    text = _SLOT.sub(lambda slot: parts[slot[1]], _file("page.html"))
    return text.encode("utf-8", errors="xmlcharrefreplace")  # half a surrogate pair in the title


def _file(name: str) -> str:
    return (files("smoothgraph.viz.report") / name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
