"""Values as text that can stand inside a page."""

import json
from base64 import b64encode
from typing import Any

import numpy as np


def as_json(value: Any) -> str:
    r"""JSON that can stand inside an HTML script element: ASCII, and every ``<`` as ``\u003c``."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).replace("<", "\\u003c")


def packed(values: Any, dtype: str) -> str:
    """The bytes of an array in base64."""
    return b64encode(np.ascontiguousarray(values, dtype=dtype).tobytes()).decode("ascii")
