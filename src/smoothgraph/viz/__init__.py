"""Pictures and the interactive report."""
