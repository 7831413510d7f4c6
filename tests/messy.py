"""Tables as people have them."""

import numpy as np
import pandas as pd

CITIES = ["Oslo", "Rome", "Lima", "Cairo", "Perth", "Tokyo", "Quito", "Dakar"]


def sensors(rows=200, seed=0):
    """Waves at eight cities, with a little noise."""
    rng = np.random.default_rng(seed)
    waves = np.sin(np.outer(np.arange(rows) / 10, 1 + rng.random(len(CITIES))))
    return pd.DataFrame(waves + 0.1 * rng.normal(size=waves.shape), columns=CITIES)


def prices(rows=400, seed=0):
    """Prices that grow at random, of two sectors whose returns are alike."""
    rng = np.random.default_rng(seed)
    sector = np.repeat([0, 1], 4)
    returns = rng.normal(size=(rows, 2))[:, sector] + rng.normal(size=(rows, 8))
    levels = 100 * np.exp(np.cumsum(0.003 + 0.01 * returns, axis=0)) * rng.uniform(0.1, 10, size=8)
    frame = pd.DataFrame(levels, columns=[f"{'AB'[s]}{k}" for k, s in enumerate(sector)])
    frame.insert(0, "date", pd.date_range("2015-01-01", periods=rows, freq="B").strftime("%Y-%m-%d"))
    return frame


def temperatures(years=6, seed=0):
    """Monthly means at eight cities: one season, which all share, and weather in two regions."""
    rng = np.random.default_rng(seed)
    months = np.arange(12 * years)
    region = np.repeat([0, 1], 4)
    weather = rng.normal(size=(len(months), 2))[:, region] + 0.5 * rng.normal(size=(len(months), 8))
    season = 10 * np.cos(2 * np.pi * months / 12)[:, None]
    frame = pd.DataFrame(season + weather + rng.uniform(0, 20, size=8), columns=CITIES)
    frame.insert(0, "month", (2000 + months // 12) * 100 + months % 12 + 1)
    return frame


def tidy(days=40):
    """The readings of the sensors, one per row."""
    wide = sensors(days)
    wide.insert(0, "date", pd.date_range("2020-01-01", periods=days).strftime("%Y-%m-%d"))
    return wide.melt("date", var_name="city", value_name="level")
