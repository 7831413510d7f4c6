"""Latitudes and longitudes, found by what they are called."""

import re
from collections.abc import Collection

_LATITUDE = re.compile(r"lat(itude)?(_?deg(rees)?)?", re.IGNORECASE)
_LONGITUDE = re.compile(r"(lon|lng|long|longitude)(_?deg(rees)?)?", re.IGNORECASE)


def find_pair(labels: Collection[str]) -> tuple[str, str] | None:
    """Return which labels mean latitude and longitude, or None unless there is one of each."""
    latitude = [label for label in labels if _LATITUDE.fullmatch(label.strip())]
    longitude = [label for label in labels if _LONGITUDE.fullmatch(label.strip())]
    return (latitude[0], longitude[0]) if len(latitude) == len(longitude) == 1 else None
