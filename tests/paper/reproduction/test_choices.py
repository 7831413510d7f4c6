from dataclasses import replace

import numpy as np

from paper import draws
from paper.published import METHODS, SIGNALS, TABLE_2, published_scores
from paper.reproduction import artificial, choices
from paper.scores import METRICS

NAMES = ("decay 2", "filters twice as strong")
ONE_VALUE = replace(
    choices.FULL,
    choices={NAMES[0]: choices.CHOICES["decay 2"], NAMES[1]: replace(choices.CHOICES["decay 2"], strength=20.0)},
    tables={
        name: replace(
            table,
            n_nodes=20,
            n_signals=n_signals,
            repetitions=1,
            betas=(0.1,),
            alphas=(0.1,),
            sigmas=(0.5,),
            radii=(0.5,),
        )
        for (name, table), n_signals in zip(choices.FULL.tables.items(), (40, 30), strict=True)
    },
)


def paper_plus(offsets):
    """Results with one parameter per method: the paper's numbers and an offset per choice."""
    results = []
    for piece in choices.pieces(ONE_VALUE):
        table, offset = choices.TABLES[piece["table"]], offsets[piece["choice"]]
        numbers = {}
        for method in METHODS:
            values = published_scores(table, piece["graph"], piece["signal"], method).values()
            numbers[artificial.optimum_column(method)] = [[value + offset for value in values]]
        numbers["radii"] = [numbers["baseline"][0][:1]]
        results.append((piece, numbers))
    return results


def distances_of(summary, name):
    return [found["distance"] for found in summary[name]["tables"].values()]


def test_the_distance_is_zero_for_the_papers_numbers_and_the_offset_else():
    summary = choices.collect(ONE_VALUE, paper_plus({NAMES[0]: 0.0, NAMES[1]: 0.25}))
    assert list(summary) == list(NAMES)
    assert distances_of(summary, NAMES[0]) == [0, 0]
    np.testing.assert_allclose(distances_of(summary, NAMES[1]), [0.25, 0.25])


def test_every_number_of_a_table_counts_the_same_and_each_table_by_itself():
    results = paper_plus(dict.fromkeys(NAMES, 0.0))
    (changed,) = [
        numbers
        for piece, numbers in results
        if (piece["choice"], piece["table"], piece["signal"]) == (NAMES[0], "table4", "heat")
    ]
    changed["log-degree, optimum"][0][METRICS.index("edge_l2")] += 0.9
    summary = choices.collect(ONE_VALUE, results)
    np.testing.assert_allclose(distances_of(summary, NAMES[0]), [0, 0.9 / (3 * 3 * 5)])


def test_the_f_measures_are_by_signal_and_method():
    summary = choices.collect(ONE_VALUE, paper_plus(dict.fromkeys(NAMES, 0.0)))
    found = summary[NAMES[0]]["tables"]["table2"]["f_measure"]
    for signal in SIGNALS:
        assert found[signal] == {
            method: published_scores(TABLE_2, "non-uniform", signal, method)["f_measure"] for method in METHODS
        }


def test_a_choice_is_scored_as_the_tables_score_it():
    """Each reading is drawn with its own arguments and filters, for each table."""
    pieces = choices.pieces(ONE_VALUE)
    assert len(pieces) == 2 * 2 * 3
    found = [choices.compute(ONE_VALUE, piece, None) for piece in pieces]
    for piece, result in zip(pieces, found, strict=True):
        choice, table = ONE_VALUE.choices[piece["choice"]], ONE_VALUE.tables[piece["table"]]
        own = replace(table, graphs={choice.graph: choice.draw}, strength=choice.strength)
        assert result == artificial.compute(own, piece, None)
    first_signals = found[::3]
    assert all(a != b for k, a in enumerate(first_signals) for b in first_signals[:k])


def test_the_graphs_of_the_tables_are_among_the_readings():
    readings = {(choice.graph, str(choice.draw)) for choice in choices.CHOICES.values()}
    for graph, draw in draws.paper_graphs().items():
        assert (graph.partition(",")[0], str(draw)) in readings
    assert {choice.graph for choice in choices.CHOICES.values()} == set(TABLE_2)
