"""Table 4 of the paper: the same as Table 2 with 100 smooth signals."""

from dataclasses import replace

from paper.reproduction import table2
from paper.reproduction.artificial import IN_PARALLEL, collect, compute, pieces

__all__ = ["FULL", "IN_PARALLEL", "QUICK", "SOURCES", "collect", "compute", "pieces"]

SOURCES = (__name__,)
FULL = replace(table2.FULL, n_signals=100)
QUICK = replace(table2.QUICK, n_signals=100)
