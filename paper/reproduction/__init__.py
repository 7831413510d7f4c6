"""The tables and figures of the paper, one module each, and the report about them.

``python -m paper reproduce`` runs them. :mod:`paper.reproduction.registry` lists them.
"""
