"""The paper beside the library: its experiments computed again, and its method compared.

``python -m paper --help`` lists the commands; ``paper/README.md`` explains the layout.
"""
