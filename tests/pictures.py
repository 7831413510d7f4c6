"""What a file of a picture holds."""

from xml.etree import ElementTree

import numpy as np
from matplotlib.image import imread

SVG = "{http://www.w3.org/2000/svg}"


def assert_drawn(path):
    """The file is a whole picture of its format, and something is drawn on it."""
    suffix = path.suffix.lower()
    if suffix == ".png":
        assert np.ptp(imread(path)[..., :3]) > 0.5
    elif suffix == ".svg":
        root = ElementTree.parse(path).getroot()
        assert root.tag == f"{SVG}svg"
        assert next(root.iter(f"{SVG}path"), None) is not None
    else:
        data = path.read_bytes()
        assert data.startswith(b"%PDF-")
        assert data.rstrip().endswith(b"%%EOF")
        assert b"/Type /Page" in data


def points_of(path):
    """Where an SVG picture of a graph shows its nodes, ``(m, 2)``, from its upper left corner."""
    groups = ElementTree.parse(path).getroot().iter(f"{SVG}g")
    nodes = [group for group in groups if group.get("id", "").startswith("PathCollection")]
    marks = [mark for group in nodes for mark in group.iter(f"{SVG}use")]
    return np.array([[float(mark.get("x")), float(mark.get("y"))] for mark in marks])
