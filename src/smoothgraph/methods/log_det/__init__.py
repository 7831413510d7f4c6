"""A solver for ``min -log det(Q) + linear``, where ``Q`` holds a graph Laplacian."""
