"""What graphs are learned for: clustering, classification from few labels, denoising, completion.

Each task takes a graph: a fitted learner or an adjacency matrix. The estimators also take an unfitted learner and
learn the graph themselves, for pipelines and parameter searches.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from smoothgraph.tasks.completion import MatrixCompletion as MatrixCompletion
    from smoothgraph.tasks.denoising import tikhonov_denoise as tikhonov_denoise
    from smoothgraph.tasks.harmonic import HarmonicClassifier as HarmonicClassifier
    from smoothgraph.tasks.labels import labeled_scorer as labeled_scorer
    from smoothgraph.tasks.leiden import LeidenGraphClustering as LeidenGraphClustering
    from smoothgraph.tasks.node_classifier import UnreachableWarning as UnreachableWarning
    from smoothgraph.tasks.poisson import PoissonClassifier as PoissonClassifier
    from smoothgraph.tasks.spectral import ComponentsWarning as ComponentsWarning
    from smoothgraph.tasks.spectral import SpectralGraphClustering as SpectralGraphClustering

_LOADED_WHEN_USED = {
    "ComponentsWarning": "spectral",
    "HarmonicClassifier": "harmonic",
    "LeidenGraphClustering": "leiden",
    "MatrixCompletion": "completion",
    "PoissonClassifier": "poisson",
    "SpectralGraphClustering": "spectral",
    "UnreachableWarning": "node_classifier",
    "labeled_scorer": "labels",
    "tikhonov_denoise": "denoising",
}

__all__ = sorted(_LOADED_WHEN_USED)


def __getattr__(name: str) -> Any:
    if name not in _LOADED_WHEN_USED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_LOADED_WHEN_USED[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
