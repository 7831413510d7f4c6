import cvxpy as cp
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.frozen import FrozenEstimator
from sklearn.impute import KNNImputer
from small_graphs import connected_graph, laplacian, path

from smoothgraph import LogDegreeGraph
from smoothgraph.tasks import MatrixCompletion, UnreachableWarning


def with_holes(table, share, rng):
    return np.where(rng.random(table.shape) < share, np.nan, table)


def smooth_table(m, n, rng):
    """Return a table of rank 3 and standard deviation 1 that is smooth along both sides."""
    steps_of_rows, steps_of_columns = rng.normal(size=(m, 3)), rng.normal(size=(n, 3))
    table = np.cumsum(steps_of_rows, axis=0) @ np.cumsum(steps_of_columns, axis=0).T
    return table / np.std(table)


def scaled_laplacian(W):
    """Return the Laplacian divided by the mean degree, as the strengths are documented."""
    return laplacian(W) / W.sum(axis=1).mean()


def objective(X, M, R, C, rank_strength=0.0):
    """Return the objective of the docstring; R and C are Laplacians times their strengths."""
    known, mean = ~np.isnan(M), np.nanmean(M)
    largest = np.linalg.norm(np.where(known, M - mean, 0), 2)
    return (
        np.sum((X - M)[known] ** 2) / 2
        + np.trace(X.T @ R @ X) / 2
        + np.trace(X @ C @ X.T) / 2
        + rank_strength * largest * np.linalg.norm(X - mean, "nuc")
    )


def rms(values):
    return np.sqrt(np.mean(values**2))


# -- the optimum -------------------------------------------------------------


@settings(max_examples=40)
@given(
    seed=st.integers(0, 1000),
    m=st.integers(2, 9),
    n=st.integers(2, 9),
    sides=st.sampled_from(["rows", "columns", "both"]),
    strengths=st.tuples(st.floats(1e-2, 1e3), st.floats(1e-2, 1e3)),
)
def test_against_a_dense_linear_system(seed, m, n, sides, strengths):
    """``(P + I (x) R + C (x) I) vec X = vec P(M)``; columns of X are stacked."""
    rng = np.random.default_rng(seed)
    M = with_holes(rng.normal(size=(m, n)), 0.4, rng)
    M[0], M[:, 0] = rng.normal(size=n), rng.normal(size=m)  # no entry is unreachable
    rows = connected_graph(m, rng) if sides != "columns" else None
    columns = connected_graph(n, rng) if sides != "rows" else None
    R = np.zeros((m, m)) if rows is None else strengths[0] * scaled_laplacian(rows)
    C = np.zeros((n, n)) if columns is None else strengths[1] * scaled_laplacian(columns)
    known = ~np.isnan(M)
    A = np.diag(known.T.ravel().astype(float)) + np.kron(np.eye(n), R) + np.kron(C, np.eye(m))
    expected = np.linalg.solve(A, np.where(known, M, 0).T.ravel()).reshape(n, m).T
    model = MatrixCompletion(
        rows=rows, columns=columns, row_strength=strengths[0], column_strength=strengths[1], tol=1e-10
    ).fit(M)
    np.testing.assert_allclose(model.completed_, expected, atol=1e-5)
    np.testing.assert_allclose(model.objective_, objective(expected, M, R, C), rtol=1e-8)
    assert model.residual_ <= 1e-10
    assert not hasattr(model, "dual_gap_")


@pytest.mark.parametrize("rank_strength", [1e-3, 0.03, 0.3, 0.9])
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_nuclear_norm_against_cvxpy(rank_strength, share, rng):
    M = 5 + with_holes(smooth_table(8, 7, rng), share, rng)
    W_rows, W_columns = connected_graph(8, rng), connected_graph(7, rng)
    R, C = 0.2 * scaled_laplacian(W_rows), 0.5 * scaled_laplacian(W_columns)
    known, mean = ~np.isnan(M), np.nanmean(M)
    centered = np.where(known, M - mean, 0)
    Y = cp.Variable((8, 7))
    model = cp.Problem(
        cp.Minimize(
            cp.sum_squares(cp.multiply(known, Y) - centered) / 2
            + cp.sum_squares(np.linalg.cholesky(R + 1e-13 * np.eye(8)).T @ Y) / 2
            + cp.sum_squares(np.linalg.cholesky(C + 1e-13 * np.eye(7)).T @ Y.T) / 2
            + rank_strength * np.linalg.norm(centered, 2) * cp.normNuc(Y)
        )
    )
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    assert model.status == "optimal"
    ours = MatrixCompletion(
        rows=W_rows, columns=W_columns, row_strength=0.2, column_strength=0.5, rank_strength=rank_strength, tol=1e-9
    ).fit(M)
    np.testing.assert_allclose(ours.objective_, model.value, rtol=1e-6)
    np.testing.assert_allclose(ours.objective_, objective(ours.completed_, M, R, C, rank_strength), rtol=1e-9)
    np.testing.assert_allclose(ours.completed_, mean + Y.value, atol=1e-3)
    assert ours.dual_gap_ <= 1e-9
    assert not hasattr(ours, "residual_")


@pytest.mark.parametrize("rank_strength", [0.002, 0.05, 0.5])
@pytest.mark.parametrize("max_iter", [1, 3, 10, 30])
def test_the_duality_gap_is_never_too_small(rank_strength, max_iter, rng):
    """A run that stops early is no closer to the optimum than it claims."""
    M = with_holes(rng.normal(size=(20, 15)), 0.5, rng)
    options = {"rows": path(20), "columns": path(15), "rank_strength": rank_strength}
    best = MatrixCompletion(**options, tol=1e-12).fit(M).objective_
    early = MatrixCompletion(**options, tol=1e-15, max_iter=max_iter)
    with pytest.warns(ConvergenceWarning, match=f"after {max_iter} iterations? the relative dual"):
        early.fit(M)
    assert early.objective_ * (1 - early.dual_gap_) <= best * (1 + 1e-12)
    R, C = (0.1 * scaled_laplacian(path(size)) for size in M.shape)
    np.testing.assert_allclose(early.objective_, objective(early.completed_, M, R, C, rank_strength), rtol=1e-9)


def test_the_nuclear_norm_alone(rng):
    """Without graphs the result has low rank, and is constant from strength 1 on."""
    M = 2 + with_holes(smooth_table(30, 20, rng), 0.3, rng)
    model = MatrixCompletion(rows=None, columns=None, rank_strength=0.05).fit(M)
    assert model.row_graph_ is None
    assert model.column_graph_ is None
    assert np.linalg.matrix_rank(model.completed_ - np.nanmean(M), tol=1e-8) <= 8
    constant = model.set_params(rank_strength=1.0).fit_transform(M)
    np.testing.assert_allclose(constant, np.nanmean(M))
    almost = model.set_params(rank_strength=0.99).fit_transform(M)
    assert np.linalg.matrix_rank(almost - np.nanmean(M), tol=1e-8) == 1


# -- symmetries --------------------------------------------------------------

RANKS = pytest.mark.parametrize("rank_strength", [0.0, 0.1])


@RANKS
@pytest.mark.parametrize("graph", ["learn", "given"])
@pytest.mark.parametrize(("factor", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e3), (-2.0, 5.0)])
def test_units_do_not_matter(rank_strength, graph, factor, shift, rng):
    M = with_holes(smooth_table(14, 12, rng), 0.3, rng)
    rows, columns = ("learn", "learn") if graph == "learn" else (path(14), path(12))
    model = MatrixCompletion(rows=rows, columns=columns, rank_strength=rank_strength, tol=1e-10)
    expected, value = model.fit_transform(M), model.objective_
    scaled = model.fit_transform(factor * M + shift)
    np.testing.assert_allclose((scaled - shift) / factor, expected, atol=1e-5)
    np.testing.assert_allclose(model.objective_, factor**2 * value, rtol=1e-5)


@RANKS
def test_the_scale_of_a_graph_does_not_matter(rank_strength, rng):
    M = with_holes(rng.normal(size=(10, 8)), 0.3, rng)
    W_rows, W_columns = connected_graph(10, rng), connected_graph(8, rng)
    model = MatrixCompletion(rows=W_rows, columns=W_columns, rank_strength=rank_strength)
    expected = model.fit_transform(M)
    model.set_params(rows=1e-9 * W_rows, columns=sp.coo_array(1e9 * W_columns))
    np.testing.assert_allclose(model.fit_transform(M), expected, atol=1e-9)


@RANKS
@pytest.mark.parametrize("graph", ["learn", "given"])
def test_the_order_of_rows_and_columns_does_not_matter(rank_strength, graph, rng):
    M = with_holes(smooth_table(14, 12, rng), 0.3, rng)
    i, j = rng.permutation(14), rng.permutation(12)
    model = MatrixCompletion(rank_strength=rank_strength, tol=1e-10)
    if graph == "given":
        model.set_params(rows=connected_graph(14, rng), columns=connected_graph(12, rng))
    expected = model.fit_transform(M)[i][:, j]
    if graph == "given":
        model.set_params(rows=model.rows[i][:, i], columns=model.columns[j][:, j])
    np.testing.assert_allclose(model.fit_transform(M[i][:, j]), expected, atol=1e-4)


@RANKS
def test_transposed(rank_strength, rng):
    M = with_holes(smooth_table(14, 12, rng), 0.3, rng)
    W_rows = connected_graph(14, rng)
    options = {"rank_strength": rank_strength, "tol": 1e-10}
    one = MatrixCompletion(rows=W_rows, row_strength=0.3, **options).fit(M)
    other = MatrixCompletion(columns=W_rows, column_strength=0.3, **options).fit(M.T)
    np.testing.assert_allclose(other.completed_, one.completed_.T, atol=1e-6)


# -- applications ------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7])
def test_better_than_means_and_nearest_rows(share, rng):
    truth = smooth_table(80, 60, rng)
    M = with_holes(truth + 0.3 * rng.normal(size=truth.shape), share, rng)
    unknown = np.isnan(M)
    error = rms((MatrixCompletion().fit_transform(M) - truth)[unknown])
    means = np.broadcast_to(np.nanmean(M, axis=0), M.shape)
    assert error < 0.4 * rms((means - truth)[unknown])
    assert error < 0.9 * rms((KNNImputer().fit_transform(M) - truth)[unknown])


@RANKS
def test_known_entries_are_smoothed_as_little_as_asked_for(rank_strength, rng):
    M = smooth_table(15, 12, rng)
    model = MatrixCompletion(row_strength=1e-6, column_strength=1e-6, rank_strength=rank_strength)
    moved = rms(model.fit_transform(M) - M)
    assert moved < 1e-4 if rank_strength == 0 else moved > 1e-2
    smooth = model.set_params(row_strength=1.0, column_strength=1.0).fit_transform(M)
    assert np.mean(np.diff(smooth, axis=1) ** 2) < 0.8 * np.mean(np.diff(M, axis=1) ** 2)


def test_an_empty_row_is_the_mean_of_its_neighbors(rng):
    M = rng.normal(size=(5, 4))
    M[2] = np.nan
    W = np.zeros((5, 5))
    W[2, 1] = W[1, 2] = 3.0
    W[2, 4] = W[4, 2] = 1.0
    completed = MatrixCompletion(rows=W, columns=None, tol=1e-12).fit_transform(M)
    np.testing.assert_allclose(completed[2], 0.75 * completed[1] + 0.25 * completed[4])
    np.testing.assert_allclose(completed[[0, 3]], M[[0, 3]])


@pytest.mark.parametrize("strength", [1e3, 1e6])
def test_any_strength_keeps_the_mean_of_what_is_known(strength, rng):
    M = 280 + with_holes(rng.normal(size=(12, 10)), 0.5, rng)
    model = MatrixCompletion(rows=path(12), columns=path(10), row_strength=strength, column_strength=strength)
    np.testing.assert_allclose(model.fit_transform(M), np.nanmean(M), atol=20 / strength**0.5)


def test_nothing_missing_is_denoising(rng):
    M, W = rng.normal(size=(9, 6)), connected_graph(9, rng)
    model = MatrixCompletion(rows=W, columns=None, row_strength=2.0, tol=1e-12)
    expected = np.linalg.solve(np.eye(9) + 2 * scaled_laplacian(W), M)
    np.testing.assert_allclose(model.fit_transform(M), expected, atol=1e-10)


# -- graphs ------------------------------------------------------------------


def test_learned_graphs_are_those_of_the_table(rng):
    """If no entry is missing, the learner sees the table itself."""
    M = smooth_table(20, 15, rng)
    model = MatrixCompletion(columns=LogDegreeGraph(4, nodes="columns")).fit(M)
    rows, columns = LogDegreeGraph().fit(M), LogDegreeGraph(4, nodes="columns").fit(M)
    np.testing.assert_array_equal(model.row_graph_.toarray(), rows.adjacency_.toarray())
    np.testing.assert_allclose(model.column_graph_.toarray(), columns.adjacency_.toarray(), atol=1e-12)
    assert not hasattr(model.columns, "adjacency_")


def test_pairwise_learners_see_the_holes(rng):
    M = with_holes(smooth_table(20, 25, rng), 0.3, rng)
    learner = LogDegreeGraph(missing="pairwise")
    model = MatrixCompletion(rows=learner, columns=learner).fit(M)
    for graph, table in ((model.row_graph_, M), (model.column_graph_, M.T)):
        expected = clone(learner).fit(table).adjacency_
        np.testing.assert_array_equal(graph.toarray(), expected.toarray())
    nothing_in_common = np.where(np.eye(2, dtype=bool), 1.0, np.nan)
    with pytest.raises(ValueError, match="share a column with another one, but rows 0, 1"):
        model.fit(nothing_in_common)


def test_any_learner_copes_with_holes(rng):
    truth = smooth_table(20, 15, rng)
    M = with_holes(truth, 0.3, rng)
    learner = LogDegreeGraph(4, metric="cosine")
    model = MatrixCompletion(rows=learner, columns=learner).fit(M)
    assert abs(model.row_graph_.nnz / 20 - 4) <= 0.1
    assert rms(model.completed_ - truth) < 0.5


def test_fitted_learners_are_taken_as_they_are(rng):
    M, features = rng.normal(size=(12, 7)), rng.normal(size=(12, 2))
    graph = LogDegreeGraph(3).fit(features)
    expected = MatrixCompletion(rows=graph.adjacency_, columns=None).fit_transform(M)
    for same in (graph, FrozenEstimator(graph), graph.adjacency_.toarray()):
        model = MatrixCompletion(rows=same, columns=None)
        np.testing.assert_array_equal(model.fit_transform(M), expected)
    frozen = clone(MatrixCompletion(rows=FrozenEstimator(graph), columns=None))
    np.testing.assert_array_equal(frozen.fit_transform(M), expected)


def test_what_is_out_of_reach_is_left_open(rng):
    """Of two components of rows and three of columns, those without known entries stay NaN."""
    rows, columns = sp.block_diag([path(2), path(3)]), sp.block_diag([path(2), [[0]], path(2)])
    M = rng.normal(size=(5, 5))
    M[:2, 2] = M[2:, :2] = np.nan
    M[0, 0] = M[3, 3] = np.nan
    unreachable = np.zeros((5, 5), dtype=bool)
    unreachable[:2, 2] = unreachable[2:, :2] = True
    model = MatrixCompletion(rows=rows, columns=columns)
    with pytest.warns(UnreachableWarning, match="8 of 25 entries"):
        completed = model.fit_transform(M)
    np.testing.assert_array_equal(model.unreachable_, unreachable)
    np.testing.assert_array_equal(np.isnan(completed), unreachable)
    model.set_params(rank_strength=0.01).fit(M)
    assert np.all(np.isfinite(model.completed_))
    assert not np.any(model.unreachable_)
    assert not hasattr(model, "residual_")
    model.set_params(rank_strength=0.0, row_strength=0.0)
    with pytest.warns(UnreachableWarning, match="8 of 25 entries"):
        assert not hasattr(model.fit(M), "dual_gap_")
    model.set_params(column_strength=0.0)
    with pytest.warns(UnreachableWarning, match="10 of 25 entries"):
        np.testing.assert_allclose(model.fit_transform(M), M)


# -- tables ------------------------------------------------------------------


def test_pandas_in_pandas_out(rng):
    values = with_holes(rng.normal(size=(6, 5)), 0.3, rng)
    index, columns = pd.Index(list("fedcba"), name="station"), list("vwxyz")
    table = pd.DataFrame(values, index=index, columns=columns)
    model = MatrixCompletion()
    expected = pd.DataFrame(MatrixCompletion().fit_transform(values), index=index, columns=columns)
    pd.testing.assert_frame_equal(model.fit_transform(table), expected)
    assert model.feature_names_in_.tolist() == columns
    whole = pd.DataFrame({"a": [1, None, 3], "b": [2, 4, None]}, dtype="Int64")
    assert np.all(np.isfinite(model.fit_transform(whole).to_numpy()))


def test_the_table_is_left_as_it_was(rng):
    M = with_holes(rng.normal(size=(8, 6)), 0.3, rng)
    kept = M.copy()
    MatrixCompletion(rank_strength=0.1).fit(M)
    np.testing.assert_array_equal(M, kept)


@RANKS
@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning")
def test_small_constant_and_repeated(rank_strength):
    model = MatrixCompletion(rank_strength=rank_strength)
    constant = np.where(np.eye(5, 4) > 0, np.nan, 3.3)
    np.testing.assert_allclose(model.fit_transform(constant), 3.3)
    assert model.objective_ == pytest.approx(0)
    one_row = model.fit_transform([[1.0, 2.0, np.nan]])
    assert 1 < one_row[0, 0] < one_row[0, 1] < 2
    two = model.fit_transform([[1.0, np.nan], [np.nan, 2.0]])
    np.testing.assert_allclose([two[0, 1], two[1, 0]], 1.5)
    repeated = model.fit_transform(np.repeat([[1.0, 2.0, 3.0]], 6, axis=0))
    np.testing.assert_allclose(repeated, repeated[[0]].repeat(6, axis=0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"row_strength": -1.0}, "row_strength must be a finite number >= 0"),
        ({"column_strength": np.nan}, "column_strength"),
        ({"rank_strength": "much"}, "rank_strength"),
        ({"tol": 0.0}, "tol must be"),
        ({"max_iter": 0}, "max_iter must be"),
        ({"rows": "learned"}, "rows must be 'learn', a graph learner, a graph or None"),
        ({"columns": np.ones((3, 2))}, "square"),
        ({"rows": path(3)}, r"The graph of the rows must have 4 nodes, .* got 3; .*\(4, 3\)"),
        ({"columns": path(4)}, "The graph of the columns must have 3 nodes, .* got 4"),
        ({"rows": -path(4)}, ">= 0"),
        ({"rows": np.where(path(4) > 0, np.nan, 0)}, "NaN"),
    ],
)
def test_bad_parameters_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        MatrixCompletion(**options).fit(np.arange(12.0).reshape(4, 3))


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        (np.full((3, 2), np.nan), ValueError, "At least one entry must be known, but all 6 are"),
        ([[1.0, np.inf]], ValueError, "infinity"),
        ([1.0, 2.0], ValueError, "1D array"),
        (sp.csr_array(np.eye(3)), ValueError, "sparse one, whose zeros would count as known"),
        (pd.DataFrame({"name": ["x", "y"], "value": [1, 2]}), ValueError, "'name' hold"),
    ],
)
def test_bad_tables_are_refused(table, error, message):
    with pytest.raises(error, match=message):
        MatrixCompletion().fit(table)


def test_not_converging_warns_and_says_the_residual(rng):
    M = with_holes(rng.normal(size=(30, 20)), 0.5, rng)
    model = MatrixCompletion(rows=path(30), columns=path(20), tol=1e-9, max_iter=2)
    with pytest.warns(ConvergenceWarning, match="after 2 iterations the relative residual is"):
        assert model.fit(M).residual_ > 1e-9


def test_masked_entries_are_unknown(rng):
    truth = np.outer(np.linspace(1, 2, 9), np.sin(np.arange(12) / 3))
    hidden = rng.random(truth.shape) < 0.3
    masked = np.ma.array(np.where(hidden, -999.0, truth), mask=hidden)
    expected = MatrixCompletion().fit_transform(np.where(hidden, np.nan, truth))
    np.testing.assert_array_equal(MatrixCompletion().fit_transform(masked), expected)


@pytest.mark.parametrize("scale", [1e-170, 1e153])
def test_numbers_whose_squares_are_none_are_refused(scale, rng):
    with pytest.raises(ValueError, match="rescale"):
        MatrixCompletion().fit(scale * rng.normal(size=(5, 4)))
