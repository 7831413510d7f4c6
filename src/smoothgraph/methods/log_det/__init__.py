"""Graphs by maximum likelihood: ``min -log det(Q) + linear``, where ``Q`` holds the Laplacian."""

from smoothgraph.methods.log_det.method import LogDetMethod
from smoothgraph.methods.log_det.newton import newton
from smoothgraph.methods.log_det.problem import LogDetProblem, Point, Unknowns

__all__ = ["LogDetMethod", "LogDetProblem", "Point", "Unknowns", "newton"]
