"""The graph of Lake and Tenenbaum (2010)."""

from smoothgraph.methods.log_det import LogDetMethod


class LakeTenenbaumGraph(LogDetMethod):
    """``min -log det(L(w) + I / sigma^2) + c'w + tr(XX') / (n sigma^2)`` over w >= 0 and sigma^2.

    The model takes the n signals, the columns of ``X``, as draws from a Gaussian of mean zero whose
    precision matrix is a graph Laplacian plus a multiple of the identity. The costs c are those of
    :class:`CombinatorialLaplacianGraph`, and ``l1`` is the strength of a prior that favors small
    weights. This is the posterior mode of Lake and Tenenbaum (2010), "Discovering structure by
    learning sparse graphs".

    The graph is sparse even with ``l1 = 0``. A larger ``l1`` makes all pairs more alike, which
    often gives more edges at first; in the end no edge is left, and ``sigma2_`` explains all.
    The mean of a signal counts: subtract from each signal what the graph should not explain.

    Parameters
    ----------
    l1, nodes, tol, max_iter
        As in :class:`CombinatorialLaplacianGraph`.

    Attributes
    ----------
    sigma2_ : float
        The learned ``sigma^2``.
    objective_ : float
        The value of the objective above.
    dual_gap_ : float
        The relative duality gap: ``objective_`` is within ``m dual_gap_`` of the optimum over all
        pairs of the m nodes, where ``c'w + tr(XX') / (n sigma^2)`` is m.
    n_iter_, adjacency_, laplacian_, edges_per_node_, node_names_
        As in :class:`CombinatorialLaplacianGraph`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from smoothgraph.methods import LakeTenenbaumGraph
    >>> graph = LakeTenenbaumGraph().fit(load_iris().data)
    >>> round(graph.edges_per_node_), graph.dual_gap_ <= 1e-6
    (8, True)
    """

    _learns_rho = True
