"""The payload of a page as few bytes: JSON and arrays, compressed together."""

import json
import zlib
from typing import Any

import numpy as np


def compress(payload: dict[str, Any]) -> bytes:
    """Return the payload in the format of zlib, which browsers decompress.

    Inside are the length of the JSON text (uint32), the text, and the bytes of all arrays. In the text, an array is
    ``{"bytes": [start, stop, width]}``. All first bytes of its items come first, then all second ones, and so on: the
    bytes of similar numbers are then next to each other, and compress better.
    """
    planes: list[bytes] = []
    end = 0

    def refer(array: np.ndarray) -> dict[str, list[int]]:
        nonlocal end
        width = array.dtype.itemsize
        planes.append(array.reshape(-1).view(np.uint8).reshape(-1, width).T.tobytes())
        start, end = end, end + array.nbytes
        return {"bytes": [start, end, width]}

    text = json.dumps(payload, allow_nan=False, separators=(",", ":"), default=refer).encode("ascii")
    return zlib.compress(b"".join([len(text).to_bytes(4, "little"), text, *planes]), level=9)
