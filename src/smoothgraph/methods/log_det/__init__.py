"""Graphs of maximum likelihood: ``min -log det(Q) + linear``, where ``Q`` holds the Laplacian."""

from smoothgraph.methods.log_det.log_det_method import LogDetMethod

__all__ = ["LogDetMethod"]
