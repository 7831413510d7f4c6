import json
import re
from hashlib import sha256
from html import unescape
from importlib.resources import files

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from reports import unpacked_payload

from smoothgraph import LogDegreeGraph, edge_stability
from smoothgraph.io import GraphFile
from smoothgraph.viz.html_report import MOST_EDGES, MOST_NODES, write_report

FOUR = np.array([[0, 2, 0, 0], [2, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]])


def content_of(path):
    """Return the payload of a report, with the bytes of its arrays."""
    inside = unpacked_payload(path.read_text(encoding="utf-8"))
    end = 4 + int.from_bytes(inside[:4], "little")

    def restore(value):
        if "bytes" not in value:
            return value
        start, stop, width = value["bytes"]
        return b"".join(
            inside[end + start + k : end + stop : (stop - start) // width] for k in range((stop - start) // width)
        )

    return json.loads(inside[4:end], object_hook=restore)


def unpack(items, dtype):
    return np.frombuffer(items, dtype=dtype)


def write_and_read(tmp_path, graphs, **options):
    path = tmp_path / "report.html"
    write_report(path, graphs, **options)
    return content_of(path)


def adjacency_in(content, graph):
    n = len(content["names"])
    i, j = unpack(content["i"], "<i4"), unpack(content["j"], "<i4")
    weights = unpack(graph["weights"], "<f4")
    W = np.zeros((n, n), dtype=np.float32)
    W[i, j] = W[j, i] = weights
    return W


def test_the_weights_are_those_of_the_learners(tmp_path, graphs, ordered):
    content = write_and_read(tmp_path, graphs)
    assert len(content["graphs"]) == 3
    for inside, graph in zip(content["graphs"], ordered, strict=True):
        expected = graph.adjacency_.toarray().astype(np.float32)
        np.testing.assert_array_equal(adjacency_in(content, inside), expected)


def test_bridges_are_flagged_at_every_density(tmp_path, islands):
    _, sparse, dense = islands
    content = write_and_read(tmp_path, [sparse, dense])
    i, j = unpack(content["i"], "<i4"), unpack(content["j"], "<i4")
    for inside, graph in zip(content["graphs"], (sparse, dense), strict=True):
        flagged = unpack(inside["bridges"], "<i4")
        assert {(i[e], j[e]) for e in flagged} == {tuple(sorted(ends)) for ends in graph.bridges_.tolist()}
        assert dict(inside["facts"])["bridges"] == str(len(graph.bridges_))


def test_a_graph_that_was_not_asked_to_be_connected_has_no_bridges(tmp_path, graphs):
    for graph in (graphs[0], graphs[0].adjacency_):
        (inside,) = write_and_read(tmp_path, graph)["graphs"]
        assert inside["bridges"] == b""
        assert "bridges" not in dict(inside["facts"])


def test_positions_and_names_are_kept(tmp_path, graphs, positions):
    content = write_and_read(tmp_path, graphs, positions=positions)
    kept = unpack(content["positions"], "<f4").reshape(-1, 2)
    np.testing.assert_array_equal(kept, positions.astype(np.float32))
    assert content["names"] == list(graphs[0].node_names_)


def test_positions_are_computed_if_none_are_given(tmp_path, graphs):
    kept = unpack(write_and_read(tmp_path, graphs)["positions"], "<f4")
    assert np.all(np.isfinite(kept))
    assert len(np.unique(kept.reshape(-1, 2), axis=0)) == 30


@pytest.mark.parametrize("tiny", [1e-60, 1e-42])
def test_an_edge_too_light_for_float32_is_still_an_edge(tmp_path, tiny):
    content = write_and_read(tmp_path, FOUR * np.where(FOUR == 1, tiny, 1))
    assert np.count_nonzero(adjacency_in(content, content["graphs"][0])) == 4


def test_components_are_numbered_by_size(tmp_path):
    content = write_and_read(tmp_path, FOUR[::-1, ::-1])
    components = unpack(content["graphs"][0]["components"], "<i4")
    assert components.tolist() == [1, 0, 0, 0]


def proof(tmp_path, graph):
    return dict(write_and_read(tmp_path, graph)["graphs"][0]["facts"])["proved optimal over all pairs"]


def test_what_is_proved_is_said(tmp_path, rng):
    X = rng.normal(size=(60, 3))
    assert proof(tmp_path, LogDegreeGraph(5).fit(X)) == "yes"
    Z = np.square(X[:, None] - X).sum(axis=2)
    given = sp.csr_array(np.where(np.add.outer(np.arange(60), np.arange(60)) % 3 > 0, Z, 0))
    precomputed = LogDegreeGraph(4, metric="precomputed").fit(given)
    assert proof(tmp_path, precomputed) == "no: only over the given pairs"


def test_missing_pairs_are_estimated(tmp_path, rng):
    from sklearn.neighbors import KNeighborsTransformer

    X = rng.normal(size=(80, 2))
    graph = LogDegreeGraph(3, neighbors=KNeighborsTransformer(n_neighbors=3)).fit(X)
    assert graph.violations_.pairs > 0
    assert proof(tmp_path, graph) == f"no: missing pairs {graph.violations_}"


def test_without_settings_the_model_and_its_choices_are_listed(tmp_path, rng):
    X = rng.normal(size=(20, 3))
    graph = LogDegreeGraph(edges_per_node=2, tol=1e-4, metric="cityblock").fit(X)
    settings = dict(write_and_read(tmp_path, graph)["settings"])
    version = settings.pop("smoothgraph")
    assert re.match(r"\d", version)
    assert settings == {"model": "LogDegreeGraph", "tol": "0.0001", "metric": "cityblock"}


def test_numbers_keep_all_digits_and_missing_ones_are_nan(tmp_path):
    values = [20231115.25, np.nan, 1 / 3, np.inf]
    (inside,) = write_and_read(tmp_path, FOUR, attributes={"v": values})["attributes"]
    assert inside["kind"] == "number"
    np.testing.assert_array_equal(unpack(inside["values"], "<f8"), [*values[:3], np.nan])


@pytest.mark.parametrize(
    ("values", "labels", "codes"),
    [
        (["b", "a", None, "b"], ["a", "b"], [1, 0, -1, 1]),
        (["b", "", "b", "b"], ["b"], [0, -1, 0, 0]),
        ([3, 1, 3, 10], ["1", "3", "10"], [1, 0, 1, 2]),
        ([2.0, np.nan, 0.0, 2.0], ["0", "2"], [1, -1, 0, 1]),
        ([True, False, True, True], ["False", "True"], [1, 0, 1, 1]),
        (np.array(["x", 1, None, "x"], dtype=object), ["x", "1"], [0, 1, -1, 0]),
    ],
)
def test_categories_are_codes_and_labels(tmp_path, values, labels, codes):
    (inside,) = write_and_read(tmp_path, FOUR, attributes={"v": values})["attributes"]
    assert inside["kind"] == "category"
    assert sorted(inside["labels"]) == sorted(labels)
    kept = unpack(inside["codes"], "<i4")
    assert [inside["labels"][c] if c >= 0 else None for c in kept] == [labels[c] if c >= 0 else None for c in codes]


def test_many_whole_numbers_are_numbers(tmp_path):
    W = sp.csr_array((21, 21))
    (inside,) = write_and_read(tmp_path, W, attributes={"year": np.arange(21)})["attributes"]
    assert inside["kind"] == "number"


MARKUP = ["</script>", "<script>", "<!--", "-->", "</style>", "<img src=x>", "&lt;", '"', "\\", "$&"]
SLOTS = ["<!-- slot: payload -->", "<!-- slot: script -->"]
TEXTS = st.lists(st.sampled_from(MARKUP + SLOTS) | st.text(), max_size=4).map("".join)


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    path = tmp_path_factory.mktemp("plain") / "report.html"
    write_report(path, FOUR)
    return path.read_text(encoding="utf-8")


@pytest.mark.slow
@given(texts=st.lists(TEXTS, min_size=4, max_size=4), title=TEXTS, notes=TEXTS)
def test_no_text_can_leave_its_place(tmp_path_factory, plain, texts, title, notes):
    path = tmp_path_factory.mktemp("any") / "report.html"
    settings = {text: text for text in texts}
    attributes = dict.fromkeys(texts, texts)
    write_report(path, FOUR, names=texts, title=title, notes=notes, settings=settings, attributes=attributes)
    written_text = path.read_bytes().decode("utf-8")
    for tag in ["<script", "</script", "<style", "</style", "<!--", "<img", "<svg"]:
        assert written_text.lower().count(tag) == plain.lower().count(tag)
    content = content_of(path)
    assert content["names"] == [name or f"node {k}" for k, name in enumerate(texts)]
    assert dict(content["settings"][:-1]) == settings
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", written_text, re.DOTALL)[1]
    assert "<" not in heading
    assert unescape(heading) == title


def test_half_a_surrogate_pair_does_no_harm(tmp_path):
    content = write_and_read(tmp_path, FOUR, names=["\ud800", "b", "c", "d"], title="\udfff")
    assert content["names"][0] == "\ud800"


def test_the_policy_allows_nothing_but_the_page_itself(tmp_path, graphs):
    write_and_read(tmp_path, graphs)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)[1]
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_libraries_are_those_that_the_readme_names():
    folder = files("smoothgraph.viz.html_report") / "vendor"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    for name in ["sigma.min.js", "graphology.umd.min.js"]:
        assert sha256((folder / name).read_bytes()).hexdigest() in readme
        assert (folder / f"{name.split('.')[0]}.LICENSE.txt").is_file()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"names": ["a", "b"]}, "Expected one name for each of the 4 nodes, got 2"),
        ({"attributes": {"kind": [1, 2]}}, "one value of 'kind' for each of the 4 nodes, got 2"),
        ({"attributes": {"place": np.zeros((4, 2))}}, r"'place'.*shape \(4, 2\)"),
        ({"positions": np.zeros((4, 3))}, r"positions of shape \(4, 2\).*got shape \(4, 3\)"),
        ({"positions": np.full((4, 2), np.nan)}, "NaN or infinity for 4 of 4 nodes"),
    ],
)
def test_what_does_not_fit_is_refused_and_the_old_file_stays(tmp_path, options, message):
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(ValueError, match=message):
        write_report(path, FOUR, **options)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_the_licenses_of_other_projects_are_in_the_page(tmp_path):
    write_report(tmp_path / "report.html", FOUR)
    page = (tmp_path / "report.html").read_text()
    for path in (files("smoothgraph.viz.html_report") / "vendor").iterdir():
        if path.name.endswith(".LICENSE.txt"):
            assert path.read_text().strip() in page


def test_the_old_file_is_replaced_and_not_written_over(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    with path.open() as opened_before:
        write_report(path, FOUR)
        assert opened_before.read() == "old"
    assert content_of(path)["names"] == ["0", "1", "2", "3"]
    assert list(tmp_path.iterdir()) == [path]


def test_graphs_of_other_nodes_are_refused(tmp_path):
    with pytest.raises(ValueError, match="graphs of 3 and 4 nodes"):
        write_report(tmp_path / "report.html", [sp.csr_array((3, 3)), sp.csr_array((4, 4))])
    with pytest.raises(ValueError, match="at least one graph"):
        write_report(tmp_path / "report.html", [])


def test_of_too_many_edges_the_heaviest_are_shown(tmp_path, rng):
    W = np.triu(rng.uniform(0.1, 1, (800, 800)), 1).astype(np.float32)
    content = write_and_read(tmp_path, sp.csr_array(W + W.T), positions=rng.normal(size=(800, 2)))
    (inside,) = content["graphs"]
    kept = unpack(inside["weights"], "<f4")
    np.testing.assert_array_equal(np.sort(kept), np.sort(W[W > 0])[-MOST_EDGES:])
    assert content["limits"] == [f"The page shows the heaviest {MOST_EDGES:,} of 319,600 edges."]
    assert dict(inside["facts"])["edges"] == "319,600"


@pytest.fixture(scope="module")
def large():
    """A grid of more nodes than a page shows, with the column of each node."""
    side = 150
    chain = sp.diags_array(np.ones(side - 1), offsets=1)
    one = sp.eye_array(side)
    grid = sp.kron(chain, one) + sp.kron(one, chain)
    W = sp.csr_array(grid + grid.T)
    assert W.shape[0] > MOST_NODES
    return W, np.repeat(np.arange(side), side)


def test_too_many_nodes_become_regions(tmp_path, large):
    W, column = large
    n = W.shape[0]
    content = write_and_read(
        tmp_path,
        W,
        attributes={"column": column.astype(float), "half": np.where(column < 75, "left", "right")},
        positions=np.column_stack([column, np.tile(np.arange(150), 150)]),
        names=[f"n{k}" for k in range(n)],
    )
    assert 2000 < len(content["names"]) <= 5000
    assert f"regions of the {n:,} nodes" in content["limits"][0]
    assert dict(content["graphs"][0]["facts"])["edges"] == f"{W.nnz // 2:,}"
    columns, halves, sizes = content["attributes"]
    assert unpack(sizes["values"], "<f8").sum() == n
    x = unpack(content["positions"], "<f4")[::2]
    np.testing.assert_allclose(unpack(columns["values"], "<f8"), x, rtol=1e-5)
    assert halves["labels"] == ["left", "right"]
    np.testing.assert_array_equal(unpack(halves["codes"], "<i4")[abs(x - 74.5) > 8], (x > 74.5)[abs(x - 74.5) > 8])
    inside = adjacency_in(content, content["graphs"][0])
    region_sizes = unpack(sizes["values"], "<f8")
    assert inside.sum() < W.sum()
    assert np.all(inside.sum(axis=1) > 0), "regions of a connected graph are connected"
    assert region_sizes.max() < 20 * np.median(region_sizes)


def test_stability_belongs_to_its_edges(tmp_path):
    shares = FOUR / 4
    content = write_and_read(tmp_path, FOUR, stability=sp.csr_array(shares))
    i, j = unpack(content["i"], "<i4"), unpack(content["j"], "<i4")
    np.testing.assert_array_equal(unpack(content["stability"], "<f4"), shares[i, j])
    doubtful = unpack(content["graphs"][0]["doubtful"], "<i4")
    assert {(i[e], j[e]) for e in doubtful} == {(1, 2)}


def test_edge_stability_can_be_reported(tmp_path, rng):
    X = rng.normal(size=(12, 30)).cumsum(axis=0)
    result = edge_stability(X, LogDegreeGraph(3), n_resamples=4, random_state=0)
    content = write_and_read(tmp_path, result)
    i, j = unpack(content["i"], "<i4"), unpack(content["j"], "<i4")
    np.testing.assert_allclose(unpack(content["stability"], "<f4"), result.frequency.toarray()[i, j], rtol=1e-6)
    assert content["graphs"][0]["facts"][0][1] == str(result.learner.adjacency_.nnz // 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stability": np.ones((3, 3))}, "got 3 nodes"),
        ({"stability": 7 * FOUR}, "from 0 to 1, .* up to 14"),
        ({"places": np.zeros((4, 2)), "positions": np.zeros((4, 2))}, "positions or places, got both"),
        ({"places": np.full((4, 2), 120.0)}, "latitude between"),
        ({"palette": "rainbow"}, "okabe-ito"),
    ],
)
def test_options_that_make_no_sense_are_refused(tmp_path, options, message):
    with pytest.raises(ValueError, match=message):
        write_report(tmp_path / "report.html", FOUR, **options)
    assert list(tmp_path.iterdir()) == []


def test_a_graph_from_a_file_keeps_its_names_and_bridges(tmp_path):
    graph = GraphFile(sp.csr_array(FOUR.astype(float)), list("abcd"), info={"bridge_ends": [[1, 2]]})
    content = write_and_read(tmp_path, graph)
    assert content["names"] == list("abcd")
    i, j = unpack(content["i"], "<i4"), unpack(content["j"], "<i4")
    assert [(i[e], j[e]) for e in unpack(content["graphs"][0]["bridges"], "<i4")] == [(1, 2)]
