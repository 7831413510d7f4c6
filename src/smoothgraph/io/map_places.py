"""Places on Earth: the names by which attributes are recognized, and the degrees north and east in them."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from smoothgraph.support.input_error import InputError

_COMPASS = "(?:deg(?:rees)?[ _]*)?(?:{})(?:[ _]*deg(?:rees)?)?"  # the whole name: wind_north is no latitude
_WORD = "(?<![a-z])(?:{})(?:deg(?:rees)?)?(?![a-z])"
_NORTH, _LATITUDE = re.compile(_COMPASS.format("north|south")), re.compile(_WORD.format("lat|latitude"))
_EAST, _LONGITUDE = re.compile(_COMPASS.format("east|west")), re.compile(_WORD.format("lon|lng|long|longitude"))
_BOTH = re.compile("(?<![a-z])(?:(lat[ _]?(?:lon|lng|long))|(?:lon|lng|long)[ _]?lat)(?![a-z])")
_BACKWARD = re.compile("(?<![a-z])(south|west|s|w)(?![a-z])")  # degrees south and degrees west
_DEGREES = re.compile(r"\s*([+-]?[0-9]+(?:[.,][0-9]*)?)\s*°?\s*([NSEW])\s*", re.IGNORECASE)  # 122.4°W


def find_places(attributes: Mapping[str, np.ndarray]) -> list[str]:
    """Return the names of latitude and longitude among attributes, or of one array of both; none if in doubt.

    Files such as GraphML have an array as two attributes, such as latlon_0 and latlon_1.
    """
    read = {name: _read_columns(values) for name, values in attributes.items() if _is_place(name)}
    columns = [name for name, found in read.items() if len(found) == 1 and _are_numbers(found)]
    arrays = [name for name, found in read.items() if len(found) == 2 and _are_numbers(found) and _is_both(name)]
    halves = [[name, f"{name[:-1]}1"] for name in columns if name.endswith("_0") and _is_both(name)]
    if len(halves) == 1 and halves[0][1] in columns:
        return halves[0]
    north = [name for name in columns if _is_latitude(name)]
    east = [name for name in columns if _is_longitude(name)]
    if len(north) == len(east) == 1 and north != east:
        return north + east
    return arrays if len(arrays) == 1 else []


def locate_nodes(attributes: Mapping[str, np.ndarray]) -> np.ndarray | None:
    """Return degrees north and east of every node, ``(m, 2)``, NaN where they are missing; None without places."""
    names = find_places(attributes)
    return _arrange(names, _read_all(names, attributes))[0] if names else None


def read_places(names: Sequence[str], attributes: Mapping[str, np.ndarray]) -> tuple[np.ndarray, bool]:
    """Return the coordinates ``(m, 2)``, latitude first, and whether their names say that they are a map.

    The names are those of two columns, or of one array of two. They decide which is the latitude, and whether degrees
    count to the south or to the west. Texts such as 122.4°W are read.
    """
    columns = _read_all(names, attributes)
    if len(columns) != 2 or not _are_numbers(columns):
        kinds = " and ".join(str(column.dtype) for column in columns)
        raise InputError(
            f"Expected two numbers per node as coordinates, got {len(columns)} of type {kinds}; name two columns, as "
            "in --coordinates lat,lon."
        )
    lost = np.flatnonzero(~np.isfinite(columns[0] + columns[1]))
    if lost.size:
        raise InputError(f"The coordinates of node {lost[0] + 1} are missing; fill them in.")
    return _arrange(names, columns)


def _is_latitude(name: str) -> bool:
    return bool(_LATITUDE.search(name.lower()) or _NORTH.fullmatch(name.lower().strip()))


def _is_longitude(name: str) -> bool:
    return bool(_LONGITUDE.search(name.lower()) or _EAST.fullmatch(name.lower().strip()))


def _is_both(name: str) -> bool:
    return _BOTH.search(name.lower()) is not None


def _is_place(name: str) -> bool:
    return _is_latitude(name) or _is_longitude(name) or _is_both(name)


def _read_all(names: Sequence[str], attributes: Mapping[str, np.ndarray]) -> list[np.ndarray]:
    return [column for name in names for column in _read_columns(attributes[name])]


def _read_columns(values: np.ndarray) -> list[np.ndarray]:
    """Return the columns of an array, with texts such as 122.4°W as numbers."""
    columns = np.column_stack([values]).T
    return [_parse_degrees(column) if column.dtype.kind in "UO" else column for column in columns]


def _are_numbers(columns: Sequence[np.ndarray]) -> bool:
    return all(column.dtype.kind in "fiu" for column in columns)


def _parse_degrees(texts: np.ndarray) -> np.ndarray:
    """Return the degrees north or east in texts, NaN where a text is empty, or the texts if some are no degrees."""
    stripped = [str(text).strip() for text in texts]
    found = [_DEGREES.fullmatch(text) for text in stripped if text]
    if not found or not all(found):
        return texts
    degrees = np.full(len(texts), np.nan)
    degrees[[bool(text) for text in stripped]] = [
        float(m[1].replace(",", ".")) * (-1 if m[2] in "SWsw" else 1) for m in found if m
    ]
    return degrees


def _arrange(names: Sequence[str], columns: Sequence[np.ndarray]) -> tuple[np.ndarray, bool]:
    """Return two columns as degrees north and east if their names say so, and whether they do."""
    both = _BOTH.search(names[0].lower())
    if len(names) == 1 or both:
        ordered = columns if both is None or both[1] else columns[::-1]
        return np.column_stack(ordered).astype(np.float64), both is not None
    turned = np.column_stack([_to_north_and_east(*pair) for pair in zip(names, columns, strict=True)])
    if _is_longitude(names[0]) and _is_latitude(names[1]):
        return turned[:, ::-1], True
    return turned, _is_latitude(names[0]) and _is_longitude(names[1])


def _to_north_and_east(name: str, degrees: np.ndarray) -> np.ndarray:
    """Return degrees north or east; those of a column such as ``lon_west`` are negated unless some are negative."""
    backward = _is_place(name) and _BACKWARD.search(name.lower()) and not np.any(degrees < 0)
    return np.negative(degrees, dtype=np.float64) if backward else degrees.astype(np.float64)
