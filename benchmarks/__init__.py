"""Scripts that measure the speed of the solvers and the quality of the graphs: ``python -m benchmarks.NAME``."""
