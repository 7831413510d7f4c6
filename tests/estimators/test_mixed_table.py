"""Graphs of tables of numbers and categories: metric="gower"."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from smoothgraph import DensityWarning, LogDegreeGraph, SmoothGraph, density_path, edge_stability
from smoothgraph.candidates import choice


def flats(rng, m=80):
    """Every type of column that pandas has for numbers and categories."""
    return pd.DataFrame(
        {
            "size": rng.normal(70, 20, size=m),
            "rooms": pd.array(rng.integers(1, 6, size=m), dtype="Int64"),
            "heating": pd.Categorical(rng.choice(["gas", "oil", "district"], size=m)),
            "balcony": rng.random(m) < 0.5,
            "town": rng.choice(["A", "B"], size=m),
            "story": pd.array(rng.choice(["low", "high"], size=m), dtype="string"),
        },
        index=[f"flat {i}" for i in range(m)],
    )


NUMBERS = ("size", "rooms")


def by_definition(A, B):
    """Cell by cell; infinite if no column is shared."""
    Z = np.empty((len(A), len(B)))
    for i in range(len(A)):
        for j in range(len(B)):
            parts = []
            for name in B:
                x, y = A[name].iloc[i], B[name].iloc[j]
                if pd.isna(x) or pd.isna(y):
                    continue
                parts.append(
                    abs(float(x) - float(y)) / float(B[name].max() - B[name].min())
                    if name in NUMBERS
                    else float(x != y)
                )
            Z[i, j] = np.mean(parts) if parts else np.inf
    return Z


def assert_same_weights(found, expected, rtol=1e-5):
    found, expected = found.toarray(), expected.toarray()
    np.testing.assert_allclose(found, expected, atol=rtol * expected.max())


OPTIONS = {"alpha": 1.0, "beta": 0.05, "tol": 1e-12}


def gower(**options):
    return LogDegreeGraph(metric="gower", **OPTIONS | options)


def of_matrix(Z):
    """The graph of a matrix of distances, in which infinity stands for no candidate."""
    i, j = np.nonzero(np.isfinite(Z) & ~np.eye(len(Z), dtype=bool))
    return LogDegreeGraph(metric="precomputed", **OPTIONS).fit(sp.coo_array((Z[i, j], (i, j)), shape=Z.shape))


@pytest.mark.parametrize("most", [10, 4000])
def test_numbers_by_their_range_and_categories_by_whether_they_differ(most, rng, monkeypatch):
    monkeypatch.setattr(choice, "_ALL_PAIRS", most)
    table = flats(rng)
    graph = gower().fit(table)
    assert graph.neighbors_ == ("exact search" if most == 10 else "all pairs")
    assert graph.is_exact_
    expected = of_matrix(by_definition(table, table))
    assert_same_weights(graph.adjacency_, expected.adjacency_)
    assert list(graph.node_names_) == list(table.index)
    assert list(graph.feature_names_in_) == list(table.columns)


def test_missing_cells_do_not_count(rng):
    table = flats(rng)
    table = table.mask(rng.random(table.shape) < 0.25)
    with pytest.raises(ValueError, match="missing='pairwise'"):
        gower().fit(table)
    graph = gower(missing="pairwise").fit(table)
    assert_same_weights(graph.adjacency_, of_matrix(by_definition(table, table)).adjacency_)


def test_new_rows_are_measured_by_the_fitted_ranges_and_categories(rng):
    table, new = flats(rng), flats(rng, 6)
    new["heating"] = ["gas", "wood", "oil", "wood", "district", "gas"]  # one category is new
    new.loc["flat 0", "size"] = 300.0  # beyond the fitted range
    graph = gower().fit(table)
    expected = of_matrix(by_definition(table, table))
    assert_same_weights(graph.transform(new), expected.transform(by_definition(new, table)))
    np.testing.assert_array_equal(graph.transform(table[:7]).toarray(), graph.adjacency_[:7].toarray())


def test_more_rows_bring_categories_of_their_own(rng):
    table, new = flats(rng), flats(rng, 12)
    new["heating"] = rng.choice(["wood", "gas", "heat pump"], size=12)
    new["size"] *= 2
    both = pd.concat([table, new.set_axis([f"new {i}" for i in range(12)])])
    grown = gower().fit(table).partial_fit(both[len(table) :])
    assert list(grown.node_names_) == list(both.index)
    assert_same_weights(grown.adjacency_, of_matrix(by_definition(both, both)).adjacency_)
    assert_same_weights(grown.transform(new), gower().fit(both).transform(new))


def test_the_names_and_the_order_of_categories_do_not_matter(rng):
    table = flats(rng)
    renamed = table.assign(
        heating=table["heating"].cat.rename_categories({"gas": "z", "oil": "y", "district": "x"}),
        balcony=~table["balcony"],
        town=table["town"].map({"A": 7, "B": "seven"}),
    )
    assert_same_weights(gower().fit(renamed).adjacency_, gower().fit(table).adjacency_)


def test_identical_rows_of_a_mixed_table_are_merged(rng):
    table = pd.concat([flats(rng), flats(rng)[:1]] + [flats(np.random.default_rng(0))[:5]] * 4)
    graph = SmoothGraph(6, metric="gower").fit(table)
    assert graph.n_components_ == 1
    assert [g.edges_per_node_ > 0 for g in density_path(flats(rng), [3, 6], learner=gower(alpha=None, beta=None))]


def test_what_a_mixed_table_cannot_do_is_said(rng):
    table = flats(rng)
    with pytest.raises(ValueError, match=r"'heating', 'town', 'story' hold something else.*metric='gower'"):
        LogDegreeGraph().fit(table)
    with pytest.raises(ValueError, match="hold something else"):
        gower(nodes="columns").fit(table)
    with pytest.raises(ValueError, match="'day' holds times; make numbers of them"):
        gower().fit(table.assign(day=pd.Timestamp("2024-01-01")))
    graph = gower().fit(table)
    with pytest.raises(ValueError, match="Expected a DataFrame with the 6 columns"):
        graph.transform(table.to_numpy())
    with pytest.raises(ValueError, match=r"'size', 'rooms', .*, got a table without 'town';"):
        graph.transform(table.drop(columns="town"))
    with pytest.raises(ValueError, match="got a table without 'town' and with 'city'; add what it lacks"):
        graph.transform(table.rename(columns={"town": "city"}))
    with pytest.raises(ValueError, match=r"another order; select them by X\[graph.feature_names_in_\]"):
        graph.partial_fit(table[table.columns[::-1]])
    with pytest.raises(ValueError, match="Expected numbers in column 'size'"):
        graph.transform(table.assign(size="large"))


def test_the_stability_of_edges_is_that_over_columns_drawn_anew(rng):
    table = flats(rng)
    draws = np.random.RandomState(3)
    expected = np.zeros((80, 80))
    for _ in range(3):
        drawn = table.iloc[:, draws.randint(6, size=6)].set_axis([f"column {k}" for k in range(6)], axis=1)
        expected += gower().fit(drawn).adjacency_.toarray() > 0
    found = edge_stability(table, gower(), n_resamples=3, random_state=3)
    np.testing.assert_array_equal(found.frequency.toarray(), expected / 3)
    assert_same_weights(found.learner.adjacency_, gower().fit(table).adjacency_)


@pytest.mark.parametrize("merge", [True, False])
def test_a_density_that_ties_forbid_is_not_warned_of_if_nobody_asked_for_it(merge, rng):
    answers = pd.DataFrame(rng.choice(["yes", "no"], size=(60, 3)))
    graph = SmoothGraph(metric="gower", merge_identical=merge).fit(answers)  # a warning is an error
    if not merge:
        np.testing.assert_allclose(graph.density_choice_.chosen, graph.edges_per_node_, rtol=0.01)
    with pytest.warns(DensityWarning, match="With bridges and the edges of identical rows, edges_per_node_ is") as told:
        asked = SmoothGraph(3.5, metric="gower").fit(answers)
    assert f"edges_per_node_ is {asked.edges_per_node_:.4g}." in str(told[0].message)


def test_another_fit_forgets_the_categories(rng):
    table = flats(rng)
    graph = gower().fit(table)
    numbers = table[list(NUMBERS)]
    assert_same_weights(graph.fit(numbers).adjacency_, of_matrix(by_definition(numbers, numbers)).adjacency_)
    assert graph.set_params(metric="euclidean").fit(numbers).adjacency_.nnz > 0
