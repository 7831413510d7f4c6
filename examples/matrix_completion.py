"""
Matrix completion
=================

Half of the readings of a sensor network are missing, and one sensor is off for a whole day. Learned
graphs fill them in.
"""

# %%
# We simulate the temperatures of 40 sensors over 120 hours: heat spreads over a random geometric
# graph in a pattern that drifts slowly from hour to hour. Half of the readings are lost, and
# sensor 7 is off for 24 hours.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.impute import KNNImputer

from smoothgraph.generate import heat, random_geometric, smooth_signals
from smoothgraph.tasks import MatrixCompletion

rng = np.random.default_rng(0)
network = random_geometric(40, sigma=0.25, random_state=0)
patterns = smooth_signals(network, 6, heat(10.0), random_state=0)
drift = np.cumsum(rng.normal(size=(6, 120)), axis=1)
truth = patterns @ drift
truth = 15 + 3 * truth / truth.std()
readings = truth + 0.3 * rng.normal(size=truth.shape)
unknown = rng.random(truth.shape) < 0.5
unknown[7, 40:64] = True
table = np.where(unknown, np.nan, readings)

# %%
# The table alone is enough: ``MatrixCompletion`` learns a graph of the sensors and a graph of the
# hours from it. But we also know the order of the hours. Give it as a graph that joins each hour
# to the next.

hours = np.eye(120, k=1) + np.eye(120, k=-1)
completed = {
    "means of the hours": np.broadcast_to(np.nanmean(table, axis=0), table.shape),
    "KNNImputer": KNNImputer().fit_transform(table),
    "both graphs learned": MatrixCompletion().fit_transform(table),
    "hours in their order": MatrixCompletion(columns=hours).fit_transform(table),
}
errors = {name: np.sqrt(np.mean((values - truth)[unknown] ** 2)) for name, values in completed.items()}
for name, error in errors.items():
    print(f"{name}: {error:.2f} degrees")

# %%
# To choose how strongly to smooth, hold back some readings, here a tenth of the known ones, and
# see how well they are predicted. The graph of the sensors is learned only once.

held_back = ~unknown & (rng.random(table.shape) < 0.1)
shown = np.where(held_back, np.nan, table)
model = MatrixCompletion(columns=hours).fit(shown)
model.set_params(rows=model.row_graph_)
tried = {}
for strength in (0.01, 0.03, 0.1, 0.3, 1.0):
    model.set_params(row_strength=strength, column_strength=strength)
    tried[strength] = np.std((model.fit_transform(shown) - table)[held_back])
    print(f"strength {strength:g}: {tried[strength]:.2f} degrees at readings held back")

# %%
# The plots show the table before and after, and the sensor that was off. Its neighbors know what
# it missed.

figure = plt.figure(figsize=(9, 7), layout="constrained")
axes = figure.subplot_mosaic([["table", "completed"], ["sensor", "sensor"]])
scale = {"vmin": truth.min(), "vmax": truth.max(), "aspect": "auto", "interpolation": "nearest"}
for name, values in (("table", table), ("completed", completed["hours in their order"])):
    picture = axes[name].imshow(values, **scale)
    axes[name].set(title=name, xlabel="hour", ylabel="sensor")
figure.colorbar(picture, ax=axes["completed"], label="degrees")
ax = axes["sensor"]
ax.axvspan(40, 63, color="0.9")
ax.plot(truth[7], color="0.5", label="truth")
ax.plot(completed["means of the hours"][7], color="C3", lw=1, label="means of the hours")
ax.plot(completed["hours in their order"][7], color="C0", label="completed")
ax.plot(table[7], "k.", label="readings")
ax.set(xlabel="hour", ylabel="degrees", title="sensor 7")
ax.legend(frameon=False, ncols=2)
plt.show()
