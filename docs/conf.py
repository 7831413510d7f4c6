from importlib.metadata import version as _version

project = "smoothgraph"
author = "the smoothgraph developers"
project_copyright = "2026, the smoothgraph developers"
release = version = _version("smoothgraph")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx-mathjax-offline",
]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {
    "members": True,
    "show-inheritance": True,
    "exclude-members": "set_score_request, set_fit_request, set_output, get_metadata_routing",
}
html_theme = "furo"
html_title = "smoothgraph"
html_static_path = ["static"]
html_css_files = ["tables.css"]
exclude_patterns = ["_build"]
suppress_warnings = ["myst.header"]
