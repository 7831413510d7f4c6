"""What graphs are learned for: clustering, classification from few labels, denoising, completion.

Each task takes a graph (a fitted learner or an adjacency matrix), or a learner that learns the
graph on the way, which makes the two one estimator for pipelines and parameter searches.
"""

from smoothgraph.tasks.completion import MatrixCompletion
from smoothgraph.tasks.denoising import tikhonov_denoise
from smoothgraph.tasks.harmonic import HarmonicClassifier, UnreachableWarning
from smoothgraph.tasks.spectral import SpectralGraphClustering

__all__ = [
    "HarmonicClassifier",
    "MatrixCompletion",
    "SpectralGraphClustering",
    "UnreachableWarning",
    "tikhonov_denoise",
]
