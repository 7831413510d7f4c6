import csv
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
import scipy.sparse as sp
from matplotlib.image import imread
from pictures import SVG

from smoothgraph.io import read_graph


def save(shown, button):
    """Return the name and the bytes of the file that a button of the menu saves."""
    shown.page.locator("#save summary").click()
    with shown.page.expect_download() as waiting:
        shown.page.get_by_role("button", name=button).click()
    shown.requests[:] = [address for address in shown.requests if not address.startswith("blob:")]
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def test_edges_as_csv_are_the_graph(open_report, ordered, tmp_path):
    names = [f'n {k}, "{k}"' for k in range(30)]
    shown = open_report(ordered[2], names=names, title="A/B: my graph")
    name, content = save(shown, "Edges (CSV)")
    assert name == "A B my graph edges.csv"
    rows = list(csv.DictReader(content.decode("utf-8").splitlines()))
    W = ordered[2].adjacency_.astype(np.float32)
    assert len(rows) == W.nnz // 2
    for row in rows:
        weight = W[names.index(row["source"]), names.index(row["target"])]
        assert np.float32(row["weight"]) == weight
        assert set(row) == {"source", "target", "weight"}
    (tmp_path / "edges.csv").write_bytes(content)
    assert read_graph(tmp_path / "edges.csv").adjacency.nnz == W.nnz


def test_edges_as_csv_tell_bridges_and_stability(open_report, islands):
    X, _, dense = islands
    shares = dense.adjacency_.copy()
    shares.data = np.full(shares.nnz, 0.75)
    _, content = save(open_report(dense, positions=X, stability=shares), "Edges (CSV)")
    rows = list(csv.DictReader(content.decode("utf-8").splitlines()))
    bridges = {frozenset((row["source"], row["target"])) for row in rows if row["bridge"] == "yes"}
    assert bridges == {frozenset(map(str, ends)) for ends in dense.bridges_.tolist()}
    assert {row["stability"] for row in rows} == {"0.75"}


def test_csv_has_what_is_shown(open_report, ordered):
    kinds = np.array(["a", "b", None] * 10, dtype=object)
    values = np.where(np.arange(30) % 7, np.arange(30) / 3, np.nan)
    shown = open_report(ordered[1], attributes={"kind": kinds, "value": values})
    shown.page.locator("#legend li button", has_text="a").first.click()
    _, content = save(shown, "Nodes (CSV)")
    rows = list(csv.DictReader(content.decode("utf-8").splitlines()))
    kept = np.flatnonzero(kinds != "a")
    assert [row["name"] for row in rows] == [ordered[1].node_names_[k] for k in kept]
    W = ordered[1].adjacency_.toarray()[np.ix_(kept, kept)]
    assert [int(row["neighbors"]) for row in rows] == np.count_nonzero(W, axis=1).tolist()
    np.testing.assert_allclose([float(row["weighted degree"]) for row in rows], W.sum(axis=1), rtol=1e-5)
    assert [row["kind"] for row in rows] == [kinds[k] or "" for k in kept]
    assert [row["value"] for row in rows] == ["" if k % 7 == 0 else repr(int(k) / 3).removesuffix(".0") for k in kept]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_as_svg(open_report, islands, scheme):
    X, _, dense = islands
    names = [f"<n{k}> & co" for k in range(36)]
    shown = open_report(dense, positions=X, names=names, attributes={"island": np.repeat(list("abc"), 12)}, title="<T>")
    shown.page.emulate_media(color_scheme=scheme)
    name, content = save(shown, "Picture (SVG)")
    assert name == "T.svg"
    root = ElementTree.fromstring(content)
    lines = list(root.iter(f"{SVG}line"))
    dashed = [line for line in lines if line.get("stroke-dasharray")]
    assert len(lines) == dense.adjacency_.nnz // 2 + 1, "the edges, and the bridge in the legend"
    assert len(dashed) == len(dense.bridges_) + 1
    circles = list(root.iter(f"{SVG}circle"))
    assert len(circles) == 36 + 3
    places = np.array([[float(circle.get("cx")), -float(circle.get("cy"))] for circle in circles[:36]])
    scale = np.ptp(places, axis=0) / np.ptp(X, axis=0)
    np.testing.assert_allclose(places - places[0], (X - X[0]) * scale[0], atol=0.1)
    assert [circle.get("fill") for circle in circles[:36:12]] == [circle.get("fill") for circle in circles[36:]]
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"<T>", "a", "b", "c", "bridge", "island"} <= texts
    assert {text for text in texts if text.startswith("<n")} <= set(names)
    assert "#ffffff" in {rect.get("fill") for rect in root.iter(f"{SVG}rect")}, "light, whatever the theme"


def test_a_picture_as_png(open_report, ordered):
    shown = open_report(ordered[1], attributes={"kind": np.repeat(["a", "b"], 15)}, palette=["#ff0000", "#00ff00"])
    _, content = save(shown, "Picture (PNG)")
    picture = imread(BytesIO(content))[..., :3]
    box = shown.page.locator("#graph").bounding_box()
    assert picture.shape[1] == 3 * round(box["width"] + 210)
    for color in ([1, 0, 0], [0, 1, 0]):
        assert np.count_nonzero(np.all(picture == color, axis=2)) > 15 * 100


def test_a_map_is_saved_with_its_land(open_report):
    places = np.array([[48.1, -4.0], [48.6, -2.5], [47.5, -2.5], [47.3, -1.5]])
    shown = open_report(sp.csr_array(np.ones((4, 4)) - np.eye(4)), places=places)
    _, content = save(shown, "Picture (SVG)")
    fills = [path.get("fill") for path in ElementTree.fromstring(content).iter(f"{SVG}path")]
    land = shown.page.evaluate(
        "() => getComputedStyle(document.getElementById('light-theme')).getPropertyValue('--land')"
    )
    assert fills == [land, "none", "none"]
    pixel = shown.call(
        """({ sigma }) => {
            const canvas = sigma.getCanvases().map;
            const at = sigma.framedGraphToViewport(sigma.getNodeDisplayData("1"));
            const ratio = canvas.width / canvas.clientWidth;
            return [...canvas.getContext("2d").getImageData(ratio * at.x - 8, ratio * at.y + 12, 1, 1).data];
        }"""
    )
    assert pixel[3] == 255, "land is drawn below the nodes"


def test_without_webgl_only_tables_can_be_saved(open_report, ordered):
    shown = open_report(ordered[1], before="HTMLCanvasElement.prototype.getContext = () => null;")
    shown.page.locator("#save summary").click()
    assert not shown.page.locator("#save-png").is_visible()
    assert shown.page.locator("#save-edges").is_visible()
    shown.errors.clear()
