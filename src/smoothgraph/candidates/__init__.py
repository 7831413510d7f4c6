"""Which pairs to start from, and which are missing."""
