"""The same solver on the machines of a Dask cluster."""
