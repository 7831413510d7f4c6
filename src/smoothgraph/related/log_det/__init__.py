"""Graphs by maximum likelihood: ``min -log det(Q) + linear``, where ``Q`` holds the Laplacian."""

from smoothgraph.related.log_det.method import LogDetMethod
from smoothgraph.related.log_det.newton import newton
from smoothgraph.related.log_det.problem import LogDetProblem, Point, Unknowns

__all__ = ["LogDetMethod", "LogDetProblem", "Point", "Unknowns", "newton"]
