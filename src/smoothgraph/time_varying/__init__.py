"""Graphs that change over time: one per window of a series, learned together."""

from smoothgraph.time_varying.estimator import TimeVaryingGraph
from smoothgraph.time_varying.models import time_varying, time_varying_with
from smoothgraph.time_varying.solver import CoupledNewton

__all__ = ["CoupledNewton", "TimeVaryingGraph", "time_varying", "time_varying_with"]
