"""The search that a measure allows: by Euclidean distances, their squares, or what these bound."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.pairs import gower
from smoothgraph.pairs.distances import check_data
from smoothgraph.pairs.euclidean import SEARCHABLE, as_euclidean
from smoothgraph.pairs.measure import Measure
from smoothgraph.search.engine import ScalableEngine
from smoothgraph.search.signed_search import SignedSearch
from smoothgraph.search.tiled_search import TiledSearch

DENSE_ONLY = ("mahalanobis", "cityblock", "absolute_correlation", "gower")
ANY_SIZE = (*SEARCHABLE, "seuclidean", *DENSE_ONLY)


def can_search(measure: Measure, X: Any) -> bool:
    """Return whether pairs of rows of ``X`` can be searched for, so that not all distances are computed."""
    if measure.missing != "error" or (measure.metric in DENSE_ONLY and sp.issparse(X)):
        return False
    if measure.metric == "gower":
        return gower.has_few_categories(X, measure.categorical)
    return measure.metric in ANY_SIZE


def search_by(measure: Measure, X: Any) -> ScalableEngine:
    """Return the search among the rows of ``X`` by a measure that allows one."""
    as_it_is = measure.metric in ("sqeuclidean", "euclidean") and not measure.params
    X, plain = measure.plain(check_data(X, measure, keep_type=as_it_is))
    if plain.metric == "absolute_correlation":
        return SignedSearch.of(as_euclidean(np.ascontiguousarray(X), "correlation"))
    if plain.metric == "gower":
        return TiledSearch.of(gower.as_manhattan(X, plain.categorical), "cityblock")
    return TiledSearch.of(X, plain.name)
