"""Reading the HTML reports that tests write."""

import re
import zlib
from base64 import b64decode


def unpacked_payload(page):
    """Return the data of a report: the length of a JSON text, that text, and the bytes of its arrays."""
    return zlib.decompress(b64decode(re.search(r'id="payload">(.*?)</script>', page, re.DOTALL)[1]))


def report_data(path):
    """Return the JSON text of the data of a page."""
    inside = unpacked_payload(path.read_text(encoding="utf-8"))
    return inside[4 : 4 + int.from_bytes(inside[:4], "little")].decode()


def report_text(path):
    """Return the text of a page, and after it the JSON text of its data."""
    return path.read_text(encoding="utf-8") + report_data(path)
