"""
A network of weather stations
=============================

A graph of stations from their temperatures alone, drawn on the map and used to clean new readings.
"""

# %%
# If the environment variable ``SMOOTHGRAPH_DATA`` names a folder with ``molene.npz``, these are
# the hourly temperatures of 37 stations in Brittany in January 2014. Otherwise the stations are
# made up: heat that spreads over a random geometric graph.

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
    """Temperatures, one row per station; names; latitude and longitude."""
    with np.load(file) as data:
        return data["X"].astype(float) - 273.15, data["names"], data["latlon"].T


def made_up():
    """The same of stations that do not exist."""
    network = random_geometric(40, sigma=0.25, random_state=0)
    signals = smooth_signals(network, 744, heat(10.0), random_state=0)
    names = [f"station {number}" for number in range(40)]
    x, y = network.positions.T
    return 5 + 2 * signals / signals.std(), names, (47.5 + 1.2 * y, -4.5 + 3 * x)


file = Path(os.environ.get("SMOOTHGRAPH_DATA", "")) / "molene.npz"
temperatures, names, (latitude, longitude) = molene(file) if file.is_file() else made_up()
print("Molène" if file.is_file() else "made-up stations", temperatures.shape)

# %%
# The graph is learned from the first half of the month. The places of the stations are used for
# the drawing only. The colours are the temperatures of one hour.

past, present = np.split(temperatures, 2, axis=1)
graph = LogDegreeGraph(edges_per_node=5).fit(past)
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
draw_map(graph, latitude, longitude, labels=past[:, 12], names=names, ax=ax)
ax.set_title("temperature at one hour, degrees Celsius")

# %%
# Now the second half comes with an error of one degree on every reading, and each hour is made
# smooth on a graph, more or less strongly: on the learned one, and on that of the 4 nearest
# stations on the map, with weights that fall with the distance. All have the same total weight.

scale = np.cos(np.radians(np.mean(latitude)))
on_map = kneighbors_graph(np.column_stack([longitude * scale, latitude]), 4, mode="distance")
on_map.data = np.exp(-((on_map.data / np.median(on_map.data)) ** 2) / 2)
on_map = on_map.maximum(on_map.T)

noisy = present + np.random.default_rng(0).normal(size=present.shape)
strengths = np.geomspace(0.1, 30, 15)


def errors(W):
    """The root mean squared error after denoising with each strength."""
    W = W * (len(names) / W.sum())
    clean = [tikhonov_denoise(W, noisy, strength=strength) for strength in strengths]
    return [np.sqrt(np.mean((signals - present) ** 2)) for signals in clean]


curves = {"learned": errors(graph.adjacency_), "nearest on the map": errors(on_map)}
for name, curve in curves.items():
    print(f"{name}: {min(curve):.2f} degrees at best")

# %%
# In Brittany the learned graph is the better one: it joins stations along the coast, which are
# alike though far apart. Where the stations are made up, distance is all there is, and a graph
# drawn from the map, with the right decay, does as well.

figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, curve in curves.items():
    ax.plot(strengths, curve, marker="o", markersize=4, label=name)
ax.axhline(1, color="0.6", lw=0.8)
ax.text(strengths[0], 1.01, "no denoising", color="0.4")
ax.set(xscale="log", xlabel="strength of the denoising", ylabel="error in degrees", ylim=(0.4, 1.4))
ax.legend(frameon=False)
plt.show()
