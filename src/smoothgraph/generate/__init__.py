"""Artificial data of the paper: known graphs and signals that are smooth on them.

The same ``random_state`` gives the same graph and the same signals.

>>> from smoothgraph import LogDegreeGraph
>>> from smoothgraph.generate import random_geometric, smooth_signals, tikhonov
>>> graph = random_geometric(100, random_state=0)
>>> signals = smooth_signals(graph, 1000, tikhonov(), noise=0.1, random_state=0)
>>> signals.shape
(100, 1000)

A graph learned from the signals alone is close to the true one:

>>> from smoothgraph.metrics import compare
>>> learned = LogDegreeGraph(edges_per_node=13).fit(signals)
>>> bool(compare(learned, graph).f_measure > 0.8)
True
"""

from smoothgraph.generate.graphs import GeneratedGraph, barabasi_albert, erdos_renyi, non_uniform, random_geometric
from smoothgraph.generate.signals import Filter, add_noise, filter_signals, generative, heat, smooth_signals, tikhonov

__all__ = [
    "Filter",
    "GeneratedGraph",
    "add_noise",
    "barabasi_albert",
    "erdos_renyi",
    "filter_signals",
    "generative",
    "heat",
    "non_uniform",
    "random_geometric",
    "smooth_signals",
    "tikhonov",
]
