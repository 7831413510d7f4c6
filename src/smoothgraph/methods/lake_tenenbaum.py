"""The graph of Lake and Tenenbaum (2010)."""

from smoothgraph.methods.log_det import LogDetMethod


class LakeTenenbaumGraph(LogDetMethod):
    """``min -log det(L(w) + I / sigma^2) + c'w + tr(XX') / (n sigma^2)`` over w >= 0 and sigma^2.

    The n signals, columns of ``X``, are seen as draws from a Gaussian of mean zero whose
    precision matrix is a graph Laplacian plus a multiple of the identity, and
    ``c_e = (|x_i - x_j|^2 + 2 l1 mean(z)) / n`` is their mean square difference plus a prior
    that favours small weights, ``l1 mean(z) / n`` times the sum of the adjacency; ``mean(z)`` is
    the mean of ``|x_i - x_j|^2`` over all pairs of nodes. This is the posterior mode of Lake and
    Tenenbaum (2010), "Discovering structure by learning sparse graphs".

    The graph is sparse even with ``l1 = 0``. A larger ``l1`` makes all pairs more alike, which
    often gives more edges at first; in the end none is left, and ``sigma2_`` explains all.
    Subtract from each signal what the graph should not explain: the mean counts.

    Parameters
    ----------
    l1 : float
        The penalty, relative to the mean squared distance: rescaled data give the same graph, its
        weights rescaled. It must be positive if nodes coincide.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns, as in a table of sensor readings.
        There may be at most 5000.
    tol, max_iter : float, int
        The relative duality gap to reach, and the Newton steps allowed for it.

    Attributes
    ----------
    adjacency_, laplacian_ : CSR arrays
        The learned graph.
    sigma2_ : float
        The learned ``sigma^2``.
    objective_ : float
        The value reached of the objective above.
    dual_gap_ : float
        The relative duality gap: ``objective_`` is within ``m dual_gap_`` of the optimum over all
        pairs of the m nodes; ``c'w + tr(XX') / (n sigma^2)`` is m there.
    edges_per_node_ : float
        The mean number of neighbours.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.
    n_iter_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods.lake_tenenbaum import LakeTenenbaumGraph
    >>> graph = LakeTenenbaumGraph().fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.dual_gap_ <= 1e-6
    (8, True)
    """

    _learns_rho = True
