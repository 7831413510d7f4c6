"""The parts of a page: its content, style and scripts, which a file or a widget puts together."""

import re
from importlib.resources import files

LIBRARIES = {"graphology": "graphology.umd.min.js", "Sigma": "sigma.min.js"}  # by the names that they define
_SCRIPTS = (
    "elements.js",
    "data.js",
    "filter.js",
    "colors.js",
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
    "selection.js",
    "address.js",
    "page.js",
)
_SOURCE_MAP = re.compile(r"\n//# sourceMappingURL=.*")  # points to a file that the page lacks


def read(name: str) -> str:
    """Return the text of a file beside this one."""
    return (files("smoothgraph.viz.html_report") / name).read_text(encoding="utf-8")


def library(name: str) -> str:
    """Return the script of another project, under its license."""
    notice = read(f"vendor/{name.lower()}.LICENSE.txt").strip()
    return f"/*!\n{name.lower()}\n\n{notice}\n*/\n{_SOURCE_MAP.sub('', read(f'vendor/{LIBRARIES[name]}'))}"


def show_graph() -> str:
    """Return the function ``showGraph``, whose body are all scripts: each call has its own state.

    It shows the compressed payload in the elements below ``root``, a document or a shadow root, which has
    ``content.html``. These are the fields of ``host``:

    - ``title``: the title, and the name of files that are saved
    - ``themed``: the element whose style has the colors
    - ``ownsPage``: whether address, keyboard and printer are those of this graph
    - ``select``: a function that is told which nodes the user selects; without it, none are selected
    - ``closing``: the signal that all this is to be removed, if that can be
    """
    body = "\n".join(read(f"scripts/{name}") for name in _SCRIPTS)
    return f"async function showGraph(root, compressed, host) {{\n{body}}}\n"
