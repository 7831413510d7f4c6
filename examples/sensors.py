"""
A network of weather stations
=============================

Learn a graph of stations from their temperatures, draw it on the map and denoise new readings.
"""

# %%
# If the environment variable ``SMOOTHGRAPH_DATA`` names a folder with ``molene.npz``, the data are
# the hourly temperatures of 37 stations in Brittany in January 2014. Otherwise they are simulated:
# heat spreads over a random geometric graph.

import os
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.neighbors import kneighbors_graph

from smoothgraph import LogDegreeGraph
from smoothgraph.generate import heat, random_geometric, smooth_signals
from smoothgraph.tasks import tikhonov_denoise
from smoothgraph.viz import draw_map


def molene(file):
    """Return the temperatures, one row per station; the names; latitude and longitude."""
    with np.load(file) as data:
        return data["X"].astype(float) - 273.15, data["names"], data["latlon"].T


def simulate():
    """Return the same for simulated stations."""
    network = random_geometric(40, sigma=0.25, random_state=0)
    signals = smooth_signals(network, 744, heat(10.0), random_state=0)
    names = [f"station {number}" for number in range(40)]
    x, y = network.positions.T
    return 5 + 2 * signals / signals.std(), names, (47.5 + 1.2 * y, -4.5 + 3 * x)


file = Path(os.environ.get("SMOOTHGRAPH_DATA", "")) / "molene.npz"
temperatures, names, (latitude, longitude) = molene(file) if file.is_file() else simulate()
print("Molène" if file.is_file() else "simulated stations", temperatures.shape)

# %%
# Learn the graph from the first half of the month. The positions of the stations are used only for
# the drawing. The colors are the temperatures at one hour.

past, present = np.split(temperatures, 2, axis=1)
graph = LogDegreeGraph(edges_per_node=5).fit(past)
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
draw_map(graph, latitude, longitude, labels=past[:, 12], names=names, ax=ax)
ax.set_title("temperature at one hour, degrees Celsius")

# %%
# Now add noise with a standard deviation of one degree to the second half, and denoise each hour
# with several strengths on two graphs: the learned one, and one that joins each station to its 4
# nearest on the map, with weights that decay with the distance. Both have the same total weight.

scale = np.cos(np.radians(np.mean(latitude)))
on_map = kneighbors_graph(np.column_stack([longitude * scale, latitude]), 4, mode="distance")
on_map.data = np.exp(-((on_map.data / np.median(on_map.data)) ** 2) / 2)
on_map = on_map.maximum(on_map.T)

noisy = present + np.random.default_rng(0).normal(size=present.shape)
strengths = np.geomspace(0.1, 30, 15)


def errors(W):
    """Return the root mean squared error after denoising with each strength."""
    W = W * (len(names) / W.sum())
    clean = [tikhonov_denoise(W, noisy, strength=strength) for strength in strengths]
    return [np.sqrt(np.mean((signals - present) ** 2)) for signals in clean]


curves = {"learned": errors(graph.adjacency_), "nearest on the map": errors(on_map)}
for name, curve in curves.items():
    print(f"{name}: {min(curve):.2f} degrees at best")

# %%
# In Brittany the learned graph is better: it joins stations along the coast, which are alike
# though far apart. For simulated stations only the distance matters, and a graph from the map,
# with the right decay, is as good.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, curve in curves.items():
    ax.plot(strengths, curve, marker="o", markersize=4, label=name)
ax.axhline(1, color="0.6", lw=0.8)
ax.text(strengths[0], 1.01, "no denoising", color="0.4")
ax.set(xscale="log", xlabel="strength of the denoising", ylabel="error in degrees", ylim=(0.4, 1.4))
ax.legend(frameon=False)
plt.show()
