"""Graphs that change over time: one per window of a series, learned together."""

from smoothgraph.over_time.estimator import TimeVaryingGraph
from smoothgraph.over_time.models import time_varying, time_varying_with
from smoothgraph.over_time.solver import CoupledNewton

__all__ = ["CoupledNewton", "TimeVaryingGraph", "time_varying", "time_varying_with"]
