"""The experiments of the paper, one module each, and the report that sets ours beside its own.

``smoothgraph reproduce`` runs them; :func:`paper.experiments.runner.run` is what it calls.
"""
