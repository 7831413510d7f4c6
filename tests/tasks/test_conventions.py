import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from smoothgraph import LogDegreeGraph
from smoothgraph.tasks import HarmonicClassifier, MatrixCompletion, PoissonClassifier, SpectralGraphClustering

ESTIMATORS = [
    HarmonicClassifier(learner=LogDegreeGraph(beta=1.0), unlabeled=None),  # -1 is a class in some of the checks
    MatrixCompletion(),
    PoissonClassifier(learner=LogDegreeGraph(beta=1.0, connected=True), unlabeled=None),
    SpectralGraphClustering(2, learner=LogDegreeGraph(beta=1.0, connected=True)),
]


@pytest.mark.filterwarnings("ignore::smoothgraph.DensityWarning")
@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)
