"""
A graph neural network
======================

Train a graph convolutional network of PyTorch Geometric on a learned graph.
"""

# %%
# ``LearnedGraph`` is a transform, like ``KNNGraph``. It learns the graph of the images and keeps its
# weights, divided by their mean, as ``edge_attr``. Five images of each digit are labeled.

import matplotlib.pyplot as plt
import numpy as np
import torch
from sklearn.datasets import load_digits
from sklearn.neighbors import kneighbors_graph
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv
from torch_geometric.utils import from_scipy_sparse_matrix

from smoothgraph.pyg import LearnedGraph

X, y = load_digits(return_X_y=True)
images = Data(x=torch.tensor(X / 16, dtype=torch.float32), y=torch.tensor(y))
learned = LearnedGraph()(images)

# %%
# For comparison: a k-NN graph of about the same density, and no graph at all, with which the
# same network looks at each image alone.

nearest = kneighbors_graph(X, 7)
nearest = nearest.maximum(nearest.T)
graphs = {
    "learned graph": (learned.edge_index, learned.edge_attr),
    "k-NN graph": (from_scipy_sparse_matrix(nearest)[0], None),
    "no graph": (torch.empty((2, 0), dtype=torch.long), None),
}
for name, (edges, _) in graphs.items():
    print(f"{name}: {edges.shape[1] / len(X):.1f} edges per node")


class Network(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = GCNConv(64, 32), GCNConv(32, 10)

    def forward(self, *graph):
        hidden = torch.dropout(self.first(images.x, *graph).relu(), p=0.5, train=self.training)
        return self.second(hidden, *graph)


def train(graph, labeled, n_epochs=100):
    """Return the accuracy on the other images after each epoch."""
    network, accuracies = Network(), []
    adam = torch.optim.Adam(network.parameters(), lr=0.01, weight_decay=5e-4)
    for _ in range(n_epochs):
        network.train()
        adam.zero_grad()
        torch.nn.functional.cross_entropy(network(*graph)[labeled], images.y[labeled]).backward()
        adam.step()
        network.eval()
        with torch.no_grad():
            hits = network(*graph).argmax(dim=1) == images.y
        accuracies.append(hits[~labeled].float().mean().item())
    return accuracies


# %%
# The bands show the least and the largest accuracy of three draws of the labeled images. Either
# graph helps much, and the difference between the two is smaller than that between draws.

accuracy = {name: [] for name in graphs}
for seed in range(3):
    torch.manual_seed(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    labeled = torch.zeros(len(y), dtype=torch.bool)
    labeled[np.concatenate([order[y[order] == digit][:5] for digit in range(10)])] = True
    for name, graph in graphs.items():
        accuracy[name].append(train(graph, labeled))

figure, ax = plt.subplots(figsize=(7, 4.5), layout="constrained")
for name, curves in accuracy.items():
    mean = np.mean(curves, axis=0)
    print(f"{name}: {mean[-1]:.1%} of the other images are right")
    ax.plot(mean, label=name)
    ax.fill_between(range(len(mean)), np.min(curves, axis=0), np.max(curves, axis=0), alpha=0.2)
ax.set(xlabel="epoch", ylabel="accuracy", ylim=(0, 1))
ax.legend(loc="lower right")
plt.show()
