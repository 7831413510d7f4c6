"""What graphs are learned for: clustering, classification from few labels, denoising, completion.

Each task takes a graph: a fitted learner or an adjacency matrix. The estimators also take an unfitted learner and
learn the graph themselves, for pipelines and parameter searches.
"""

from smoothgraph.tasks.completion import MatrixCompletion
from smoothgraph.tasks.denoising import tikhonov_denoise
from smoothgraph.tasks.harmonic import HarmonicClassifier
from smoothgraph.tasks.labels import labeled_scorer
from smoothgraph.tasks.leiden import LeidenGraphClustering
from smoothgraph.tasks.node_classifier import UnreachableWarning
from smoothgraph.tasks.poisson import PoissonClassifier
from smoothgraph.tasks.spectral import ComponentsWarning, SpectralGraphClustering

__all__ = [
    "ComponentsWarning",
    "HarmonicClassifier",
    "LeidenGraphClustering",
    "MatrixCompletion",
    "PoissonClassifier",
    "SpectralGraphClustering",
    "UnreachableWarning",
    "labeled_scorer",
    "tikhonov_denoise",
]
