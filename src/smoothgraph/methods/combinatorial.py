"""The combinatorial Laplacian of Egilmez, Pavez and Ortega (2017)."""

from smoothgraph.methods.log_det import LogDetMethod


class CombinatorialLaplacianGraph(LogDetMethod):
    """``min -log det(L(w) + 11'/m) + c'w`` over w >= 0: a connected graph of maximum likelihood.

    The model takes the n signals, the columns of ``X``, as draws from a Gaussian whose precision
    matrix is a graph Laplacian, so adding a constant to a signal changes nothing.
    ``c_e = (|x_i - x_j|^2 + 2 l1 mean(z)) / n`` is the mean squared difference of two nodes plus a
    penalty on their weight, and ``mean(z)`` is the mean of ``|x_i - x_j|^2`` over all pairs of the
    m nodes. This is the combinatorial graph Laplacian of Egilmez, Pavez and Ortega (2017), "Graph
    learning from data under Laplacian and structural constraints".

    The graph is sparse even with ``l1 = 0``. A larger ``l1`` makes all pairs more alike and so
    gives more edges, not fewer, up to the complete graph with equal weights.

    Parameters
    ----------
    l1 : float
        The penalty, relative to the mean squared distance, so that rescaling the data only
        rescales the weights. It must be positive if nodes coincide.
    nodes : {"rows", "columns"}
        Whether the rows of ``X`` are the nodes, or its columns. There may be at most 5000.
    tol, max_iter : float, int
        The relative duality gap to reach, and the largest number of Newton steps.

    Attributes
    ----------
    objective_ : float
        The value of the objective above.
    dual_gap_ : float
        The relative duality gap: ``objective_`` is within ``(m - 1) dual_gap_`` of the optimum
        over all pairs of nodes, where ``c'w`` is m - 1.
    n_iter_ : int
        The number of Newton steps.
    adjacency_, laplacian_, edges_per_node_, node_names_
        The graph, see :mod:`smoothgraph.methods`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods import CombinatorialLaplacianGraph
    >>> graph = CombinatorialLaplacianGraph().fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.dual_gap_ <= 1e-6
    (8, True)
    """

    _learns_rho = False
