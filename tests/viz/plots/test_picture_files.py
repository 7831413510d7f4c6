from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.figure import Figure
from pictures import SVG, assert_drawn

from smoothgraph.viz import draw_graph, draw_histograms, save_picture


@pytest.mark.parametrize("suffix", ["png", "PNG", "pdf", "svg"])
def test_the_suffix_says_what_is_written(suffix, tmp_path):
    path = tmp_path / f"picture.{suffix}"
    save_picture(path, draw_graph(1 - np.eye(3)))
    assert_drawn(path)


def test_figures_axes_and_several_axes(tmp_path):
    figure = Figure()
    for picture in (figure, figure.subplots(), draw_histograms(1 - np.eye(3))):
        save_picture(tmp_path / "picture.svg", picture)
        assert "<svg" in (tmp_path / "picture.svg").read_text()
        (tmp_path / "picture.svg").unlink()


def test_a_picture_of_part_of_a_figure_is_the_whole_figure(tmp_path):
    figure = Figure(figsize=(4, 2))
    left, _ = figure.subfigures(1, 2)
    save_picture(tmp_path / "picture.svg", left.subplots())
    assert 'width="288pt"' in (tmp_path / "picture.svg").read_text()


@pytest.mark.parametrize("name", ["picture.jpeg", "picture", "picture.npz"])
def test_other_suffixes_are_refused(name, tmp_path):
    with pytest.raises(ValueError, match=rf"\.png, \.pdf or \.svg, got '.*{name}'"):
        save_picture(tmp_path / name, Figure())
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_the_old_picture(tmp_path):
    path = tmp_path / "picture.pdf"  # Matplotlib opens a PDF before it draws
    path.write_text("old")
    figure = Figure()
    figure.text(0.5, 0.5, "$\\broken$")
    with pytest.raises(ValueError, match="broken"):
        save_picture(path, figure)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_texts_of_a_vector_picture_are_texts(tmp_path):
    ax = draw_graph(1 - np.eye(3), names=["first", "second", "third"], title="A title")
    save_picture(tmp_path / "picture.svg", ax)
    root = ElementTree.parse(tmp_path / "picture.svg").getroot()
    assert {"first", "second", "third", "A title"} <= {text.text for text in root.iter(f"{SVG}text")}
    save_picture(tmp_path / "picture.pdf", ax)
    content = (tmp_path / "picture.pdf").read_bytes()
    assert b"/CIDFontType2" in content, "TrueType"
    assert b"/Type3" not in content
