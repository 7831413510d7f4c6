"""The combinatorial Laplacian of Egilmez, Pavez and Ortega (2017)."""

from smoothgraph.methods.log_det import LogDetMethod


class CombinatorialLaplacianGraph(LogDetMethod):
    """``min -log det(L(w) + 11'/m) + c'w`` over w >= 0: connected, and a maximum of likelihood.

    The n signals, columns of ``X``, are seen as draws from a Gaussian whose precision matrix is
    a graph Laplacian, so that shifts of a signal as a whole do not matter, and
    ``c_e = (|x_i - x_j|^2 + 2 l1 mean(z)) / n`` is their mean square difference plus a penalty
    on weights, ``l1 mean(z) / n`` times the sum of the adjacency; ``mean(z)`` is the mean of
    ``|x_i - x_j|^2`` over all pairs of the m nodes. This is the combinatorial graph Laplacian of
    Egilmez, Pavez and Ortega (2017), "Graph learning from data under Laplacian and structural
    constraints".

    The graph is sparse even with ``l1 = 0``. A larger ``l1`` makes all pairs more alike, and
    gives more edges, not fewer: up to the complete graph with equal weights.

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
        The learned graph, which is connected.
    objective_ : float
        The value reached of the objective above.
    dual_gap_ : float
        The relative duality gap: ``objective_`` is within ``(m - 1) dual_gap_`` of the optimum
        over all pairs of nodes, where ``c'w`` is m - 1.
    edges_per_node_ : float
        The mean number of neighbours.
    node_names_ : array
        The labels of the nodes: of a DataFrame's index or columns, or else their numbers.
    n_iter_, n_features_in_, feature_names_in_
        As everywhere in scikit-learn.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods.combinatorial import CombinatorialLaplacianGraph
    >>> graph = CombinatorialLaplacianGraph().fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.dual_gap_ <= 1e-6
    (8, True)
    """

    _learns_rho = False
