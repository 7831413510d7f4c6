"""Fill the template of the page with styles, scripts and data."""

import re
from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

from smoothgraph.viz.html_report.assets import LIBRARIES, library, read, show_graph
from smoothgraph.viz.html_report.compressed import compress

_PARAGRAPHS = re.compile(r"\n\s*\n")
_SLOT = re.compile(r"<!-- slot: (\w+) -->")


def render_page(title: str, notes: str, payload: dict[str, Any]) -> bytes:
    """Return the HTML file, with ``notes`` in paragraphs between empty lines.

    Its security policy allows only these styles and scripts, by hash.
    """
    style = read("page.css")
    libraries = {name.lower(): library(name) for name in LIBRARIES}
    script = show_graph() + read("open-page.js")
    policy = (
        f"default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"style-src {_hash(style)}; script-src {' '.join(map(_hash, [*libraries.values(), script]))}"
    )
    slots = libraries | {
        "content": fill_content(title, notes),
        "policy": policy,
        "title": escape(title),
        "style": style,
        "script": script,
        "payload": b64encode(compress(payload)).decode("ascii"),
    }
    text = _SLOT.sub(lambda slot: slots[slot[1]], read("shell.html"))
    return text.encode("utf-8", errors="xmlcharrefreplace")  # for lone surrogates in the title


def fill_content(title: str, notes: str) -> str:
    """Return the elements of a page, with escaped texts."""
    paragraphs = [f'<p dir="auto">{escape(part)}</p>' for part in _PARAGRAPHS.split(notes.strip()) if part]
    texts = {"title": escape(title), "notes": "".join(paragraphs)}
    return _SLOT.sub(lambda slot: texts[slot[1]], read("content.html"))


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
