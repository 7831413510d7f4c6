"""Candidate pairs and their distances: the seam, in memory, over time.

:mod:`~smoothgraph.pairs.seam` says what a problem asks of its pairs, and defines the words.
"""
