"""Fill the template of the page with styles, scripts and data."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

_LIBRARIES = {"graphology": "graphology.umd.min.js", "sigma": "sigma.min.js"}
_SCRIPTS = (
    "data.js",
    "filter.js",
    "colors.js",
    "elements.js",
    "edge-looks.js",
    "overlays.js",
    "view.js",
    "edge-hover.js",
    "card.js",
    "search.js",
    "legend.js",
    "panels.js",
    "slider.js",
    "scene.js",
    "paint.js",
    "save.js",
    "address.js",
    "page.js",
)
_SOURCE_MAP = re.compile(r"\n//# sourceMappingURL=.*")  # points to a file that the page lacks
_PARAGRAPHS = re.compile(r"\n\s*\n")
_SLOT = re.compile(r"<!-- slot: (\w+) -->")


def render_page(title: str, notes: str, payload: dict[str, Any]) -> bytes:
    """Return the HTML file, with ``notes`` in paragraphs between empty lines.

    Its security policy allows only these styles and scripts, by hash.
    """
    style = _read("page.css")
    libraries = {name: _library(name, file) for name, file in _LIBRARIES.items()}
    script = "\n".join(_read(f"scripts/{name}") for name in _SCRIPTS)
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_hash(style)}; script-src {' '.join(map(_hash, [*libraries.values(), script]))}"
    )
    slots = libraries | {
        "policy": policy,
        "title": escape(title),
        "notes": "".join(f'<p dir="auto">{escape(part)}</p>' for part in _PARAGRAPHS.split(notes.strip()) if part),
        "style": style,
        "script": script,
        # ASCII with "<" as "\u003c", so that the payload cannot close its script element.
        "payload": json.dumps(payload, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    text = _SLOT.sub(lambda slot: slots[slot[1]], _read("page.html"))
    return text.encode("utf-8", errors="xmlcharrefreplace")  # for lone surrogates in the title


def _library(name: str, file: str) -> str:
    """Return the script of another project, under its license."""
    notice = _read(f"vendor/{name}.LICENSE.txt").strip()
    return f"/*!\n{name}\n\n{notice}\n*/\n{_SOURCE_MAP.sub('', _read(f'vendor/{file}'))}"


def _read(name: str) -> str:
    return (files("smoothgraph.viz.html_report") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
