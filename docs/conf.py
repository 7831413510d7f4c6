from importlib.metadata import version as _version
from importlib.util import find_spec as _find_spec

from sphinx_gallery.sorting import ExplicitOrder

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
    "sphinx_gallery.gen_gallery",
]
_has_pyg = _find_spec("torch_geometric") is not None  # a large download, which the docs can do without
autodoc_mock_imports = [] if _has_pyg else ["torch", "torch_geometric"]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {
    "members": True,
    "show-inheritance": True,
    "exclude-members": "set_score_request, set_fit_request, set_output, get_metadata_routing",
}
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$" if _has_pyg else r"(?<!graph_neural_network)\.py$",  # run every example that can be
    "run_stale_examples": True,  # in every build, because the library may have changed
    "within_subsection_order": ExplicitOrder(
        [
            "smooth_graph.py",
            "local_scales.py",
            "digits.py",
            "sensors.py",
            "time_series.py",
            "single_cells.py",
            "label_propagation.py",
            "*",
        ]
    ),
    "capture_repr": (),
    "download_all_examples": False,
    "min_reported_time": 3600,  # hide run times; those of one build say little
    "show_signature": False,
    "write_computation_times": False,
}
html_theme = "furo"
html_title = "smoothgraph"
html_static_path = ["static"]
html_css_files = ["tables.css"]
exclude_patterns = ["_build"]
suppress_warnings = ["myst.header"]
