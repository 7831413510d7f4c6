"""The problem on edges that are on workers: what a solver sees, one number per node."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from smoothgraph.cluster.dual import Correction, Place
from smoothgraph.cluster.edges import RemoteEdges
from smoothgraph.pairs.curvature import Curvature
from smoothgraph.priors.base import DegreePrior, EdgePrior
from smoothgraph.problem import CHEAPEST, Evaluation, Problem, check_range, scale_of
from smoothgraph.search.between import Pairs


@dataclass(frozen=True, eq=False)
class RemoteWeights:
    """Weights by the multipliers they belong to, on the working set of then."""

    edges: RemoteEdges
    working_set: list[Any]  # how it came to be
    places: list[Place]
    corrections: list[Correction] | None = None
    factor: float = 1.0

    def __mul__(self, factor: float) -> "RemoteWeights":
        return replace(self, factor=self.factor * factor)

    def __truediv__(self, factor: float) -> "RemoteWeights":
        return replace(self, factor=self.factor / factor)

    def sums(self, prior: EdgePrior) -> tuple[np.ndarray, float, float, int]:
        """Over the present working set: degrees, ``z'w``, ``f(w)``, how many have a weight."""
        parts = self.edges.crew.call("sums_of", self._arguments(prior))
        degrees, products, values, counts = zip(*parts, strict=True)
        return np.concatenate(degrees), sum(products) / 2, sum(values) / 2, sum(counts) // 2

    def pairs(self) -> list[Pairs]:
        """The edges with a weight, block by block, whatever was solved since."""
        return self.from_blocks("weighted_pairs")

    def from_blocks(self, method: str, *more: list[Any]) -> list[Any]:
        """``block.method(place, correction, factor, *more[block])`` on their own working set."""
        self.edges.crew.restore(self.working_set)
        arguments = zip(self._arguments(), *more, strict=True)
        return self.edges.crew.call(method, [(*own, *others) for own, *others in arguments])

    def _arguments(self, *last: Any) -> list[tuple[Any, ...]]:
        none: list[Any] = [None] * len(self.places)
        corrections = self.corrections or none
        return [
            (place, correction, self.factor, *last)
            for place, correction in zip(self.places, corrections, strict=True)
        ]


@dataclass(frozen=True, eq=False)
class RemoteProblem(Problem):
    """``minimise 2 z'w + f(w) + g(S w) over w >= 0`` on the working set of the workers' edges."""

    edges: Any  # RemoteEdges, which have what solvers ask an EdgeSet for
    z: Any  # RemoteDistances
    edge_prior: EdgePrior = field(kw_only=True)
    degree_prior: DegreePrior = field(kw_only=True)

    def __post_init__(self) -> None:
        if self.degree_prior.needs_edges and self.edges.has_lone_nodes:
            raise ValueError("Every node must have a candidate edge, but some have none.")
        check_range(self.z.min(), self.z.max())

    def evaluate(self, u: np.ndarray, tail: np.ndarray | None = None) -> "RemoteEvaluation":
        """The dual at ``u``."""
        return RemoteEvaluation(self, u, np.zeros_like(u) if tail is None else tail)

    def primal(self, w: Any) -> float:
        """``2 z'w + f(w) + g(S w)``."""
        return self._primal(*w.sums(self.edge_prior))

    def gap(self, w: Any, u: np.ndarray) -> float:
        """The relative duality gap, plus any violation."""
        return self.gap_of(w.sums(self.edge_prior), u)

    def gap_of(self, sums: tuple[np.ndarray, float, float, int], u: np.ndarray) -> float:
        """The same of the sums of weights, over the edges that are the working set now."""
        at, degrees = self.evaluate(u), sums[0]
        dual = -self.degree_prior.conjugate(u) - at.conjugate
        scale = scale_of(u, degrees, at.conjugate)
        return self._relative(self._primal(*sums) - dual, scale, degrees)

    def _primal(self, degrees: np.ndarray, product: float, value: float, _: int) -> float:
        return 2 * product + value + self.degree_prior.value(degrees)

    def feasible(self, w: Any) -> Any:
        """``w`` rescaled towards a hard constraint on the degrees, if there is one."""
        return w * self.degree_prior.rescale(w.sums(self.edge_prior)[0])

    def with_priors(self, edge_prior: EdgePrior, degree_prior: DegreePrior) -> "RemoteProblem":
        """The same data under other priors."""
        return replace(self, edge_prior=edge_prior, degree_prior=degree_prior)

    def working_set(self) -> Any:
        """The few edges that a solver begins with."""
        from smoothgraph.cluster.working_set import RemoteWorkingSet  # builds on this module

        return RemoteWorkingSet(self)

    def sweeps(self) -> Any:
        """Coordinate ascent over the nodes."""
        from smoothgraph.cluster.sweeps import RemoteSweeps  # as above

        return RemoteSweeps(self)

    @property
    def cheapest(self) -> tuple[np.ndarray, np.ndarray]:
        """Ids (only whether there is an edge) and costs of the cheapest edges of every node."""
        cost = self.edges.nearest(CHEAPEST, self.z.scale)
        return np.where(np.isfinite(cost), 0, -1), cost

    def distances_of(self, ids: np.ndarray) -> np.ndarray:
        """The distances of the cheapest edges, the only ones that have ids here."""
        return np.where(ids >= 0, self.cheapest[1], np.inf)

    def nearest_distances(self, k: int) -> np.ndarray:
        """The ``k`` smallest distances at each node."""
        return self.edges.nearest(k, self.z.scale)


@dataclass(frozen=True, eq=False)
class RemoteEvaluation(Evaluation):
    """The dual at one ``u``: each block adds up the edges of its own nodes."""

    problem: RemoteProblem

    @cached_property
    def _places(self) -> list[Place]:
        edges = self.problem.edges
        local = zip(edges.local(self.u), edges.local(self.tail), strict=True)
        return [Place(u, tail, self.problem.edge_prior) for u, tail in local]

    @cached_property
    def _sums(self) -> tuple[np.ndarray, float]:
        parts = self._call("evaluate")
        return np.concatenate([part[0] for part in parts]), float(sum(p[1] for p in parts)) / 2

    @property
    def degrees(self) -> np.ndarray:
        """``S w``."""
        return self._sums[0]

    @property
    def conjugate(self) -> float:
        """``f*(v)``."""
        return self._sums[1]

    @property
    def weights(self) -> Any:
        """``w = f*'(v)``, where it is."""
        edges = self.problem.edges
        return RemoteWeights(edges, edges.crew.working_set, self._places)

    def curvature(self) -> Curvature:
        """The generalised Hessian of minus the dual; the workers keep its edges."""
        edges = self.problem.edges
        parts = edges.crew.set("curve", [(place,) for place in self._places], anew=False)
        diagonal, r = self.problem.degree_prior.curvature(self.u)
        return RemoteCurvature(
            edges,
            np.concatenate([part[0] for part in parts]),
            sum(part[1] for part in parts) // 2,
            diagonal=diagonal,
            r=r,
        )

    def distance_to_activity(self, change: np.ndarray | None = None) -> np.ndarray:
        """How far each node's ``u`` must rise until its first edge is active; 0 if one is."""
        edges = self.problem.edges
        changes = [None] * len(self._places) if change is None else edges.local(change)
        return np.concatenate(self._call("rise", changes))

    def balanced_weights(self) -> Any:
        """The weights, each scaled so that the lesser of its nodes has the degree it wants."""
        wanted = np.maximum(self.problem.degree_prior.maximizer(self.u), 0)
        ratio = np.divide(wanted, self.degrees, out=np.ones_like(self.u), where=self.degrees > 0)
        lost = self.stranded
        rise = self.distance_to_activity() if np.any(lost) else np.zeros_like(self.u)
        parts = [self.problem.edges.local(x) for x in (wanted, ratio, lost, rise)]
        corrections = [Correction(*part) for part in zip(*parts, strict=True)]
        return replace(self.weights, corrections=corrections)

    def below_all_costs(self) -> np.ndarray:
        """Multipliers with ``u_i + u_j <= 2 z_e`` on every edge, as the limit beta = 0 wants."""
        return self.lowered(np.concatenate(self._call("excess")))

    def _call(self, method: str, *more: list[Any]) -> list[Any]:
        arguments = list(zip(self._places, *more, strict=True))
        return self.problem.edges.crew.call(method, arguments)


@dataclass(frozen=True, eq=False)
class RemoteCurvature(Curvature):
    """``diag(diagonal) + S diag(c) S' - r r'`` with ``c`` on the workers."""

    edges: RemoteEdges
    edge_sums: np.ndarray
    n_curved: int

    def __matmul__(self, x: np.ndarray) -> np.ndarray:
        """The product with a vector: m numbers out, m numbers back."""
        parts = self.edges.crew.call("product", [(part,) for part in self.edges.local(x)])
        product = np.concatenate(parts) + self.diagonal * x
        if self.r is not None:
            product -= self.r * (self.r @ x)
        return product

    @property
    def jacobi(self) -> np.ndarray:
        """The diagonal of the whole matrix."""
        jacobi = self.diagonal + self.edge_sums
        return jacobi if self.r is None else jacobi - self.r**2

    @property
    def n_pairs(self) -> int:
        """The number of active edges."""
        return self.n_curved

    def sparse_part(self) -> sp.csc_array:
        """As a matrix, which is asked for only if it is small."""
        i, j, c = Pairs.joined(self.edges.crew.call("curved_pairs"))
        m = self.edges.n_nodes
        off = sp.coo_array((c, (i, j)), shape=(m, m))
        return (sp.diags_array(self.diagonal + self.edge_sums) + off + off.T).tocsc()
