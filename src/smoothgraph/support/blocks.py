"""Consecutive nodes in blocks: the same whatever the number of cores or machines."""

BLOCK = 65_536


def blocks_of(n_nodes: int) -> list[tuple[int, int]]:
    """``(first, last)`` of every block."""
    return [(first, min(first + BLOCK, n_nodes)) for first in range(0, n_nodes, BLOCK)]
