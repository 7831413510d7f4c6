"""Table 4 of the paper: as Table 2, from 100 smooth signals."""

from dataclasses import replace

from paper.experiments import table2
from paper.experiments.artificial import IN_PARALLEL, collect, compute, pieces

__all__ = ["FULL", "IN_PARALLEL", "QUICK", "collect", "compute", "pieces"]

FULL = replace(table2.FULL, n_signals=100)
QUICK = replace(table2.QUICK, n_signals=100)
