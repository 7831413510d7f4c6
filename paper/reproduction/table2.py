"""Table 2 of the paper: graphs recovered from 1000 smooth signals."""

from dataclasses import replace

from paper.reproduction.artificial import IN_PARALLEL, Settings, collect, compute, pieces, powers_of_two

__all__ = ["FULL", "IN_PARALLEL", "QUICK", "SOURCES", "collect", "compute", "pieces"]

SOURCES = (__name__,)
FULL = Settings(n_signals=1000)
QUICK = replace(
    FULL,
    repetitions=1,
    betas=powers_of_two(-6, 2, per_octave=1),
    alphas=powers_of_two(-5, 1, per_octave=1),
    as_run_betas=powers_of_two(-2, 0, per_octave=1),
    as_run_alphas=powers_of_two(-2, -1, per_octave=1),
)
