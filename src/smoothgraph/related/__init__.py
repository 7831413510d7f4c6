"""The methods around the paper, each an estimator: ``fit(X)``, then ``adjacency_``."""
