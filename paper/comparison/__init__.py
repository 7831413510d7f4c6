"""All methods side by side, each at its best: ``python -m paper compare``."""
