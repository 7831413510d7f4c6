"""Latitudes and longitudes, found by what they are called."""

import re
from collections.abc import Collection, Mapping

import numpy as np

_LATITUDE = re.compile(r"lat(itude)?(_?deg(rees)?)?", re.IGNORECASE)
_LONGITUDE = re.compile(r"(lon|lng|long|longitude)(_?deg(rees)?)?", re.IGNORECASE)
_JOINT = ("latlon", "lonlat")


def find_pair(labels: Collection[str]) -> tuple[str, str] | None:
    """Return which labels mean latitude and longitude, or None unless there is one of each."""
    latitude = [label for label in labels if _LATITUDE.fullmatch(label.strip())]
    longitude = [label for label in labels if _LONGITUDE.fullmatch(label.strip())]
    return (latitude[0], longitude[0]) if len(latitude) == len(longitude) == 1 else None


def find_places(attributes: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return longitude and latitude of every node, ``(m, 2)``, NaN where they are missing; None if there are none."""
    labels = name_places(attributes)
    if labels is None:
        return None
    places = np.column_stack([attributes[label] for label in labels]).astype(np.float64)
    return places if labels[0].lower() == "lonlat" else places[:, ::-1]


def name_places(attributes: Mapping[str, np.ndarray]) -> tuple[str, ...] | None:
    """Return the labels of the places, latitude first; None if there are none.

    They are two attributes such as "lat" and "lon", or one of two columns called "latlon" or "lonlat".
    """
    numbers = {label: values for label, values in attributes.items() if values.dtype.kind in "iuf"}
    pair = find_pair([label for label, values in numbers.items() if values.ndim == 1])
    joint = (label for label, values in numbers.items() if values.shape[1:] == (2,) and label.lower() in _JOINT)
    return pair or next(((label,) for label in joint), None)
