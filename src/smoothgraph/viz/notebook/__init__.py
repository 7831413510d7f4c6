"""A graph in a notebook, as a widget."""
