import json
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from command_line import refused, smoothgraph, succeeds, summary
from matplotlib.image import imread
from messy import prices, sensors, temperatures
from pictures import SVG, assert_drawn, points_of
from reports import report_text
from sklearn.datasets import load_iris

from smoothgraph import L2DegreeGraph, LogDegreeGraph, SmoothGraph
from smoothgraph.io import read_graph


@pytest.fixture(scope="module")
def flowers():
    iris = load_iris(as_frame=True)
    table = iris.data.drop_duplicates().copy()
    table.insert(0, "flower", [f"flower {k}" for k in range(len(table))])
    table["species"] = iris.target_names[iris.target[table.index]]
    return table


@pytest.fixture
def flowers_csv(flowers, tmp_path):
    flowers.to_csv(tmp_path / "flowers.csv", index=False)
    return tmp_path / "flowers.csv"


def numbers(flowers):
    return flowers.drop(columns=["flower", "species"]).to_numpy()


def test_the_graph_is_that_of_the_estimator(flowers, flowers_csv, tmp_path):
    out = tmp_path / "graph.npz"
    facts = summary("learn", flowers_csv, "--label", "species", "-k", 6, "--out", out)
    expected = LogDegreeGraph(6).fit(numbers(flowers))
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    graph = read_graph(out)
    assert graph.names == flowers["flower"].tolist()
    assert graph.attributes["species"].tolist() == flowers["species"].tolist()
    assert facts["nodes"] == len(flowers)
    assert facts["edges"] == expected.adjacency_.nnz // 2
    assert facts["isolated_nodes"] == 0
    assert facts["relative_duality_gap"] <= 1e-6
    assert facts["proved_optimal"] is True
    assert facts["written"] == str(out)
    assert facts["theta"] == pytest.approx(expected.theta_)


@pytest.fixture
def flats(rng):
    """Numbers, categories with a few missing ones, and a class, under texts that name the rows."""
    frame = pd.DataFrame(
        {
            "flat": [f"flat {k}" for k in range(60)],
            "size": rng.normal(70, 1000, size=60),
            "heating": rng.choice(["gas", "oil", "district"], size=60),
            "town": rng.choice(["A", "B"], size=60),
            "rent": rng.choice(["low", "high"], size=60),
        }
    )
    frame.loc[[3, 8], "heating"] = None
    return frame


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_gower_takes_text_as_categories(flats, suffix, tmp_path):
    source, out = tmp_path / f"flats{suffix}", tmp_path / "graph.npz"
    flats.to_csv(source, index=False) if suffix == ".csv" else flats.to_parquet(source)
    result = succeeds("learn", source, "--metric", "gower", "--label", "rent", "-k", 6, "--out", out)
    learner = LogDegreeGraph(6, metric="gower", missing="pairwise")
    expected = learner.fit(flats[["size", "heating", "town"]])
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    assert "Taken as categories, because they hold text: 'heating', 'town'." in result.stderr
    assert "dominate" not in result.stderr
    assert "Set aside" not in result.stderr


def test_a_path_and_a_report_of_text_alone(tmp_path, rng):
    frame = pd.DataFrame(rng.choice(["x", "y", "z"], size=(40, 12)), columns=[f"question {k}" for k in range(12)])
    source, page = tmp_path / "answers.csv", tmp_path / "answers.html"
    frame.to_csv(source, index=False)
    assert "--metric gower" in refused("densities", source)
    (row,) = summary("densities", source, "--metric", "gower", "--densities", "6")["densities"]
    assert row["edges"] == LogDegreeGraph(6, metric="gower").fit(frame).adjacency_.nnz // 2
    succeeds("report", source, "--metric", "gower", "--densities", "6", "--out", page)
    assert "question 11" in report_text(page)


def test_gower_has_no_use_for_standardized_columns(flowers_csv):
    assert "changes nothing" in refused("learn", flowers_csv, "--metric", "gower", "--standardize")


def test_an_option_that_a_model_lacks_is_named(flowers_csv):
    message = refused("learn", flowers_csv, "--model", "l2-degree", "--min-edges", 3)
    assert message.startswith("--min-edges is for --model log-degree and smooth, not l2-degree")


def test_the_file_keeps_settings_and_certificate(flowers_csv, tmp_path):
    out = tmp_path / "graph.graphml"
    succeeds("learn", flowers_csv, "--out", out, "--model", "l2-degree", "--standardize")
    info = read_graph(out).info
    assert info["model"] == "l2-degree"
    assert info["standardized"] is True
    assert info["metric"] == "sqeuclidean"
    assert info["file"] == "flowers.csv"
    assert info["relative_duality_gap"] <= 1e-6


def test_the_summary_is_a_table_and_notes_go_to_standard_error(flowers_csv):
    result = succeeds("learn", flowers_csv, "--label", "species")
    for word in ("flowers.csv", "edges per node", "components", "relative duality gap", "yes"):
        assert word in result.stdout
    assert "Nothing was written" in result.stderr
    assert "flower" in result.stderr  # which column gave the names


def test_quiet_says_nothing(flowers_csv, tmp_path):
    result = succeeds("learn", flowers_csv, "--quiet", "--out", tmp_path / "graph.csv")
    assert result.output == ""
    assert (tmp_path / "graph.csv").exists()


def test_columns_can_be_the_nodes(flowers, flowers_csv, tmp_path):
    options = ("--nodes", "columns", "-k", 2, "--standardize")
    facts = summary("learn", flowers_csv, *options, "--out", tmp_path / "graph.csv")
    assert facts["nodes"] == 4
    X = numbers(flowers)
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = LogDegreeGraph(2, nodes="columns").fit(z)
    graph = read_graph(tmp_path / "graph.csv")
    order = [graph.names.index(name) for name in flowers.columns[1:5]]
    np.testing.assert_allclose(
        graph.adjacency.toarray()[np.ix_(order, order)], expected.adjacency_.toarray(), rtol=1e-9
    )


def test_models_and_metrics_are_passed_on(flowers, flowers_csv, tmp_path):
    out = tmp_path / "graph.npz"
    succeeds("learn", flowers_csv, "--model", "l2-degree", "--metric", "cosine", "-k", 5, "--out", out)
    expected = L2DegreeGraph(5, metric="cosine").fit(numbers(flowers))
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-6, atol=1e-12)


def two_islands(rng):
    """A dense and a sparse crowd, far from each other, and a row that is there three times."""
    return np.vstack([rng.normal(size=(40, 2)), 60 + 10 * rng.normal(size=(30, 2)), np.full((3, 2), 1.5)])


@pytest.fixture
def islands(tmp_path, rng):
    np.save(tmp_path / "islands.npy", two_islands(rng))
    return tmp_path / "islands.npy"


def test_the_model_smooth_is_the_estimator_with_its_defaults(islands, tmp_path):
    out = tmp_path / "graph.npz"
    facts = summary("learn", islands, "--model", "smooth", "--out", out)
    expected = SmoothGraph().fit(np.load(islands))
    assert len(expected.bridges_) > 0, "islands that bridges join"
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    assert facts["components"] == 1
    assert facts["bridges"] == len(expected.bridges_)
    assert facts["density_choice"] == str(expected.density_choice_)
    info = read_graph(out).info
    assert (info["model"], info["scale"], info["connected"], info["merge_identical"]) == ("smooth", "local", True, True)


@pytest.mark.parametrize("model", ["log-degree", "l2-degree"])
@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (["--scale", "local"], {"scale": "local"}),
        (["--connected"], {"connected": True}),
        (["--merge-identical"], {"merge_identical": True}),
        (["-k", "auto"], {"edges_per_node": "auto"}),
    ],
)
def test_each_choice_is_passed_on_and_recorded(islands, tmp_path, model, options, parameters):
    out = tmp_path / "graph.npz"
    succeeds("learn", islands, "--model", model, "-k", 5, *options, "--out", out)
    learner = {"log-degree": LogDegreeGraph, "l2-degree": L2DegreeGraph}[model]
    expected, plain = (learner(**{"edges_per_node": 5, **given}).fit(np.load(islands)) for given in (parameters, {}))
    learned = sp.load_npz(out)
    assert abs(learned - plain.adjacency_).max() > 1e-3 * learned.max(), "the choice changes this graph"
    np.testing.assert_allclose(learned.toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    info = read_graph(out).info
    assert {name: info[name] for name in ("scale", "connected", "merge_identical")} == {
        "scale": expected.scale,
        "connected": expected.connected,
        "merge_identical": expected.merge_identical,
    }


def test_the_choices_of_the_model_smooth_can_be_taken_back(islands, tmp_path):
    out = tmp_path / "graph.npz"
    back = ("--scale", "global", "--no-connected", "--no-merge-identical", "--min-edges", 1, "-k", 5)
    facts = summary("learn", islands, "--model", "smooth", *back, "--out", out)
    expected = LogDegreeGraph(5).fit(np.load(islands))
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    assert facts["components"] == expected.n_components_ > 1
    assert facts["bridges"] == 0
    assert "density_choice" not in facts


def test_the_table_says_bridges_and_how_the_density_was_chosen(islands):
    said = succeeds("learn", islands, "--connected", "-k", "auto").stdout
    choice = LogDegreeGraph("auto").fit(np.load(islands)).density_choice_
    assert str(choice) in said
    assert "bridges" in said


def test_a_matrix_of_distances_is_a_table_too(tmp_path, rng):
    X = rng.normal(size=(30, 3))
    Z = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    np.save(tmp_path / "z.npy", Z)
    out = tmp_path / "graph.npz"
    facts = summary("learn", tmp_path / "z.npy", "--metric", "precomputed", "-k", 4, "--out", out)
    expected = LogDegreeGraph(4).fit(X)
    assert facts["edges"] == expected.adjacency_.nnz // 2


def test_missing_values_are_handled_and_mentioned(flowers, tmp_path):
    table = flowers.copy()
    table.iloc[3, 2] = np.nan
    table.iloc[70, 1] = np.nan
    table.to_csv(tmp_path / "gaps.csv", index=False)
    out = tmp_path / "graph.npz"
    result = succeeds("learn", tmp_path / "gaps.csv", "-k", 6, "--out", out)
    assert "Missing values: 2" in result.stderr
    expected = LogDegreeGraph(6, missing="pairwise").fit(numbers(table))
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)


def test_dropped_columns_do_not_count(flowers, flowers_csv, tmp_path):
    out = tmp_path / "graph.npz"
    first = flowers.columns[1]
    succeeds("learn", flowers_csv, "--drop", first, "--drop", "species", "--out", out)
    expected = LogDegreeGraph().fit(flowers[flowers.columns[2:5]].to_numpy())
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    assert read_graph(out).attributes == {}


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_picture_is_drawn(flowers_csv, tmp_path, suffix):
    picture = tmp_path / f"graph.{suffix}"
    succeeds("learn", flowers_csv, "--label", "species", "--picture", picture)
    assert_drawn(picture)


def stations(rng, m=12, hours=200):
    """Readings at stations: names, dates, a text column, missing values."""
    places = rng.uniform([47, -5], [49, -1], size=(m, 2))
    waves = np.sin(np.outer(np.arange(hours) / 10, [1, 0.3]) @ (places - places.mean(axis=0)).T)
    table = pd.DataFrame(waves, columns=[f"Stn. {k} é" for k in range(m)])
    table.insert(0, "date", pd.date_range("2014-01-01", periods=hours, freq="h"))
    table["remark"] = np.where(np.arange(hours) % 50, "ok", "checked, by hand")
    table.iloc[5:9, 3] = np.nan
    return table


def test_a_table_with_dates_text_and_gaps_gives_the_network_of_its_columns(tmp_path, rng):
    table = stations(rng)
    table.to_csv(tmp_path / "sensors.csv", index=False)
    picture, out = tmp_path / "network.svg", tmp_path / "network.graphml"
    result = succeeds(
        *("learn", tmp_path / "sensors.csv", "--nodes", "columns", "--standardize", "-k", 3),
        *("--out", out, "--picture", picture),
    )
    assert "remark" in result.stderr
    assert read_graph(out).names == table.columns[1:-1].tolist()
    assert "Missing values: 4" in result.stderr


def test_a_table_of_dates_asks_whether_its_columns_are_the_nodes(tmp_path, rng):
    stations(rng).to_csv(tmp_path / "sensors.csv", index=False)
    assert "--nodes columns" in succeeds("learn", tmp_path / "sensors.csv").stderr


def test_columns_of_other_scales_are_pointed_out(flowers, tmp_path):
    table = flowers.copy()
    table["weight in ng"] = 1e9 * (np.arange(len(table)) % 7)
    table.to_csv(tmp_path / "flowers.csv", index=False)
    assert "--standardize" in succeeds("learn", tmp_path / "flowers.csv").stderr
    assert "--standardize" not in succeeds("learn", tmp_path / "flowers.csv", "--standardize").stderr


def test_coordinates_are_set_aside_and_make_a_map(flowers, tmp_path, rng):
    places = rng.uniform([-5, 47], [-1, 49], size=(len(flowers), 2))
    table = flowers.assign(lon=places[:, 0], lat=places[:, 1])
    table.to_csv(tmp_path / "places.csv", index=False)
    out, picture = tmp_path / "graph.npz", tmp_path / "map.svg"
    options = ("--coordinates", "lon,lat", "--label", "species")
    succeeds("learn", tmp_path / "places.csv", *options, "--out", out, "--picture", picture)
    expected = LogDegreeGraph().fit(numbers(flowers))
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), rtol=1e-9)
    x, y = points_of(picture).T
    assert np.corrcoef(np.sort(x), np.sort(places[:, 0]))[0, 1] > 0.999
    assert np.corrcoef(np.sort(-y), np.sort(places[:, 1]))[0, 1] > 0.999


# -- pipes -------------------------------------------------------------------


def test_dashes_are_pipes(flowers_csv, tmp_path):
    result = succeeds("learn", "-", "--out", "-", stdin=flowers_csv.read_bytes())
    succeeds("learn", flowers_csv, "--out", tmp_path / "graph.csv")
    assert result.stdout == (tmp_path / "graph.csv").read_text(encoding="utf-8")
    assert "edges per node" in result.stderr


# -- what goes wrong ---------------------------------------------------------


def test_the_input_is_never_replaced(flowers_csv):
    before = flowers_csv.read_bytes()
    assert "a file to be read" in refused("learn", flowers_csv, "--out", flowers_csv)
    assert flowers_csv.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--label", "specie"], ["specie", "species"]),
        (["--names", "flowr"], ["flowr", "flower"]),
        (["--drop", "petal"], ["petal"]),
        (["--coordinates", "lat,lon"], ["lat"]),
        (["--coordinates", "species,flower"], ["two numbers"]),
        (["--metric", "euclid"], ["euclid"]),
        (["-k", "1000"], ["1000"]),
        (["--nodes", "columns", "--label", "species"], ["species", "--nodes"]),
        (["--out", "graph.docx"], [".docx", "graphml"]),
        (["--out", "graph.csv", "--to", "docx"], ["docx", "graphml"]),
        (["--format", "docx"], ["docx", "parquet"]),
        (["--picture", "graph.docx"], [".docx", "png"]),
        (["--out", "-", "--json"], ["--json"]),
        (["--label", "species", "--drop", "species"], ["leave out --drop"]),
    ],
)
def test_a_wrong_option_is_a_sentence_and_nothing_is_written(flowers_csv, tmp_path, monkeypatch, options, words):
    monkeypatch.chdir(tmp_path)
    said = refused("learn", flowers_csv, *options)
    for word in words:
        assert word in said
    assert list(tmp_path.iterdir()) == [flowers_csv]


@pytest.mark.parametrize("options", [["--model", "magic"], ["-k", "many"], ["--nodes", "cells"], ["--scale", "small"]])
def test_an_impossible_option_is_a_usage_error(flowers_csv, options):
    result = smoothgraph("learn", flowers_csv, *options)
    assert result.exit_code == 2
    assert options[0] in result.output


def test_debug_shows_where(flowers_csv):
    result = smoothgraph("learn", flowers_csv, "--label", "specie", "--debug")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr


def test_warnings_are_sentences(tmp_path):
    grid = np.stack(np.meshgrid(np.arange(6.0), np.arange(6.0)), axis=2).reshape(-1, 2)
    np.save(tmp_path / "grid.npy", grid)
    result = succeeds("learn", tmp_path / "grid.npy", "-k", 5)
    assert "Warning: " in result.stderr
    assert ".py" not in result.stderr


# -- real files --------------------------------------------------------------


def test_molene_is_drawn_on_its_map(data_dir, tmp_path):
    out, picture = tmp_path / "molene.graphml", tmp_path / "molene.png"
    result = succeeds(
        *("learn", data_dir / "molene.npz", "--coordinates", "latlon", "-k", 4),
        *("--out", out, "--picture", picture, "--json"),
    )
    facts = json.loads(result.stdout)
    assert facts["nodes"] == 37
    assert facts["isolated_nodes"] == 0
    with np.load(data_dir / "molene.npz") as arrays:
        assert read_graph(out).names == arrays["names"].tolist()
    assert picture.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,a,b\nx,1,2\ny,,\nz,3,4\n", ["table.csv", "'y'", "missing", "remove it"]),
        ("name,a,b\nx,1,\ny,,2\nz,,4\n", ["share a column", "fill in"]),
        ("a,b\n1,2\n", ["two nodes"]),
        ("a,b\n1e300,2\n-1e300,3\n", ["rescale", "1e+300"]),
    ],
)
def test_data_without_a_graph_is_explained(tmp_path, text, words):
    (tmp_path / "table.csv").write_text(text)
    said = refused("learn", tmp_path / "table.csv", "--out", tmp_path / "graph.csv")
    for word in words:
        assert word in said
    assert not (tmp_path / "graph.csv").exists()


@pytest.mark.parametrize("cells", [["1", "2", "", "2"], ["a", "b", "", "a"]])
def test_labels_are_classes_whether_words_or_whole_numbers(tmp_path, cells):
    lines = [f"{k}.5,{k * k},{cell}" for k, cell in enumerate(cells)]
    (tmp_path / "table.csv").write_text("\n".join(["x,y,class", *lines]))
    options = ("--label", "class", "-k", 2, "--out", tmp_path / "graph.npz")
    succeeds("learn", tmp_path / "table.csv", *options)
    assert read_graph(tmp_path / "graph.npz").attributes["class"].tolist() == cells


def test_labels_that_are_measurements_stay_numbers(tmp_path):
    (tmp_path / "table.csv").write_text("x,y,height\n1,2,0.5\n2,5,1.5\n3,1,\n")
    options = ("--label", "height", "-k", 1.4, "--out", tmp_path / "graph.npz")
    succeeds("learn", tmp_path / "table.csv", *options)
    kept = read_graph(tmp_path / "graph.npz").attributes["height"]
    np.testing.assert_array_equal(kept, [0.5, 1.5, np.nan])


def test_missing_values_and_other_metrics_do_not_go_together(tmp_path):
    (tmp_path / "table.csv").write_text("x,y\n1,2\n2,\n3,1\n")
    said = refused("learn", tmp_path / "table.csv", "--metric", "cosine")
    assert "--metric" in said
    assert "fill them in" in said


def test_notes_are_said_beside_json_too(flowers_csv):
    result = succeeds("learn", flowers_csv, "--json")
    assert json.loads(result.stdout)["nodes"] == 149
    assert "'species'" in result.stderr


def test_the_columns_used_are_named(flowers, flowers_csv):
    said = succeeds("learn", flowers_csv).stderr
    assert "The signals are the columns " + repr(flowers.columns[1]) in said


def test_quiet_hides_warnings(tmp_path):
    np.save(tmp_path / "same.npy", np.ones((30, 2)))
    assert "Warning: " in succeeds("learn", tmp_path / "same.npy", "-k", 5).stderr
    assert succeeds("learn", tmp_path / "same.npy", "-k", 5, "-q").output == ""


def test_a_graph_is_not_learned_from_a_graph(flowers_csv, tmp_path):
    succeeds("learn", flowers_csv, "--out", tmp_path / "graph.csv")
    assert "smoothgraph info" in refused("learn", tmp_path / "graph.csv")


def test_groups_are_a_column_that_is_not_learned_from(flowers, tmp_path):
    batch = np.where(np.arange(len(flowers)) % 3, "garden", "field")
    flowers.assign(batch=batch).to_csv(tmp_path / "flowers.csv", index=False)
    out = tmp_path / "graph.npz"
    asked_for = ("--groups", "batch", "--group-share", 0.3, "-k", 6, "--label", "species", "--out", out)
    result = succeeds("learn", tmp_path / "flowers.csv", *asked_for)
    expected = LogDegreeGraph(6, group_share=0.3).fit(numbers(flowers), groups=batch)
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), atol=1e-5)
    about = read_graph(out).info
    assert (about["groups"], about["group_share"]) == ("batch", 0.3)
    W, garden = expected.adjacency_.toarray(), batch == "garden"
    to_garden = W[:, garden].sum(axis=1) / W.sum(axis=1)
    least = {"field": min(1 - to_garden[garden]), "garden": min(to_garden[~garden])}
    assert about["least_group_shares"] == pytest.approx(least, abs=1e-5)
    assert f"field: {least['field']:.4g}, garden: {least['garden']:.4g}" in result.stdout


def test_groups_may_be_the_labels(flowers, flowers_csv, tmp_path):
    out = tmp_path / "graph.npz"
    succeeds("learn", flowers_csv, "--groups", "species", "-k", 8, "--label", "species", "--out", out)
    expected = LogDegreeGraph(8).fit(numbers(flowers), groups=flowers["species"])
    np.testing.assert_allclose(sp.load_npz(out).toarray(), expected.adjacency_.toarray(), atol=1e-5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--group-share", 0.2), "--group-share needs --groups COLUMN"),
        (("--groups", "species", "--model", "l2-degree"), "--groups is for the models log-degree and smooth"),
        (("--groups", "species", "--drop", "species"), "cannot be both used and dropped"),
        (("--groups", "species", "--group-share", 0.5), "group_share must be below 1/2"),
    ],
)
def test_groups_that_are_refused(options, message, flowers_csv):
    assert message in " ".join(refused("learn", flowers_csv, *options).split())


# -- transforms --------------------------------------------------------------


def test_returns_of_prices_join_the_sectors(tmp_path):
    frame = prices()
    source, out = tmp_path / "prices.csv", tmp_path / "graph.npz"
    frame.to_csv(source, index=False)
    shares = {}
    for options in ((), ("--log-returns",)):
        result = succeeds("learn", source, "--nodes", "columns", *options, "--standardize", "-k", 2, "-f", "--out", out)
        assert ("consider --log-returns" in result.stderr) == (not options)
        graph = read_graph(out)
        sector = np.array([name[0] for name in graph.names])
        edges = graph.adjacency.tocoo()
        shares[options] = edges.data[sector[edges.row] == sector[edges.col]].sum() / edges.data.sum()
    assert shares["--log-returns",] > 0.95 > shares[()]
    assert read_graph(out).info["log_returns"] is True


def test_anomalies_join_the_regions(tmp_path):
    frame = temperatures()
    source, out = tmp_path / "months.csv", tmp_path / "graph.npz"
    frame.to_csv(source, index=False)
    options = ("--nodes", "columns", "--anomaly", "monthly", "--standardize", "-k", 2, "--out", out)
    assert "consider --anomaly" not in succeeds("learn", source, *options).stderr
    edges = read_graph(out).adjacency.tocoo()
    assert edges.data[(edges.row < 4) == (edges.col < 4)].sum() > 0.95 * edges.data.sum()


def test_a_sensor_that_only_jumps_by_the_same_is_dead_without_its_trend(tmp_path):
    frame = sensors()
    frame.insert(0, "date", pd.date_range("2020-01-01", periods=200).astype(str))
    frame["drift"] = 3 * np.arange(200) + 0.5
    frame.to_csv(tmp_path / "t.csv", index=False)
    options = ("--nodes", "columns", "-k", 2, "--difference")
    said = succeeds("learn", tmp_path / "t.csv", *options).stderr
    assert "Column 'drift' tells the time" in said
    assert "never" not in said
    assert summary("learn", tmp_path / "t.csv", *options)["nodes"] == 8
    assert summary("learn", tmp_path / "t.csv", *options, "--keep", "drift")["nodes"] == 9


def test_distances_are_not_transformed(tmp_path):
    np.save(tmp_path / "z.npy", np.ones((4, 4)) - np.eye(4))
    for option in ("--standardize", "--detrend"):
        assert "as they are" in refused("learn", tmp_path / "z.npy", "--metric", "precomputed", option)


# -- the look of the picture -------------------------------------------------


def size_of(path):
    """Return the size of an SVG picture in points."""
    root = ElementTree.parse(path).getroot()
    return [float(root.get(side).removesuffix("pt")) for side in ("width", "height")]


@pytest.mark.parametrize(
    ("size", "points"), [("7x5in", (504, 360)), ("180x90mm", (510.24, 255.12)), ("10cm", (283.46, None))]
)
def test_the_look_of_a_picture(tmp_path, rng, size, points):
    np.save(tmp_path / "table.npy", rng.normal(size=(12, 3)))
    picture = tmp_path / "picture.svg"
    succeeds("learn", tmp_path / "table.npy", "-k", 3, "--picture", picture, "--title", "Mine", "--size", size)
    texts = [text.text for text in ElementTree.parse(picture).getroot().iter(f"{SVG}text")]
    assert "Mine" in texts
    assert size_of(picture)[0] == pytest.approx(points[0], abs=0.1)
    assert points[1] is None or size_of(picture)[1] == pytest.approx(points[1], abs=0.1)


def test_a_picture_of_a_given_size_can_be_printed(tmp_path, rng):
    np.save(tmp_path / "table.npy", rng.normal(size=(12, 3)))
    succeeds("learn", tmp_path / "table.npy", "-k", 3, "--picture", tmp_path / "p.png", "--size", "2x1in")
    assert imread(tmp_path / "p.png").shape[:2] == (300, 600)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (("--size", "7"), "such as 180mm"),
        (("--size", "0x5in"), "such as 180mm"),
        (("--palette", "rainbow"), "okabe-ito"),
    ],
)
def test_a_look_that_does_not_exist_is_refused_before_anything_is_learned(tmp_path, rng, option, message):
    np.save(tmp_path / "table.npy", rng.normal(size=(12, 3)))
    assert message in refused("learn", tmp_path / "table.npy", "--picture", tmp_path / "p.png", *option)
    assert not (tmp_path / "p.png").exists()


def test_the_graph_keeps_what_a_later_picture_needs(tmp_path):
    rows = [f"s{k},{48 + k / 7},{-3 + k % 3},{k % 4},{k * k % 5},kind{k % 2}" for k in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(["name,lat,lon,a,b,kind", *rows]))
    succeeds(
        "learn", tmp_path / "t.csv", "--coordinates", "lat,lon", "--label", "kind", "-k", 3, "--out", tmp_path / "g.npz"
    )
    kept = read_graph(tmp_path / "g.npz").attributes
    np.testing.assert_allclose(kept["lat"], 48 + np.arange(12) / 7)
    np.testing.assert_array_equal(kept["lon"], -3 + np.arange(12) % 3)
    assert kept["kind"].tolist() == ["kind0", "kind1"] * 6
