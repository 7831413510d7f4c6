"""All methods side by side, each at its best: ``smoothgraph compare``."""
