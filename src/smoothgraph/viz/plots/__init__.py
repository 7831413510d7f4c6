"""Static pictures, drawn with Matplotlib; :mod:`smoothgraph.viz` has the public functions."""
