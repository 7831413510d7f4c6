"""From bytes to text: which encoding a file has."""

import codecs
import re

from smoothgraph.io.errors import FileError

_CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_BYTES_TO_JUDGE = 1000
_MOST_FOREIGN = 0.3  # of the bytes of a text in a Western encoding are beyond ASCII
_LEAST_ZEROS = 0.8  # of every other byte, in UTF-16 of a Western text


def decode_text(data: bytes, encoding: str | None = None) -> str:
    """Return the text of a file in an encoding, by default UTF-8, or UTF-16 with a byte-order mark."""
    if encoding is None:
        encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
    try:
        text = data.decode(encoding).removeprefix("\ufeff")
    except LookupError as error:
        raise FileError(f"expected an encoding such as latin-1 or cp1252, got {encoding!r}; correct it") from error
    except UnicodeDecodeError as error:
        remedy = "name the encoding (--encoding, or encoding=), such as latin-1, or save it as UTF-8"
        if encoding == "utf-8" and _CONTROL.search(data[:_BYTES_TO_JUDGE]):
            remedy = "it has control characters, too, which does not look like text: name its format"
        line = _count_lines(data[: error.start].decode(encoding, errors="replace"))
        raise FileError(
            f"row {line}: expected {encoding.upper()} text, got the byte 0x{data[error.start]:02x} "
            f"(at {error.start}); {remedy}"
        ) from error
    before, nul, _ = text.partition("\0")
    if nul:
        raise FileError(
            f"row {_count_lines(before)}: expected text, got a NUL byte, which does not look like text; name its "
            "format, or save it as UTF-8"
        )
    return text


def guess_encoding(data: bytes) -> str | None:
    """Return UTF-16 without a mark, or a Western encoding, if the bytes look like it; None for what is standard."""
    zeros = [data[k::2].count(0) / (len(data) // 2) if len(data) > 3 else 0.0 for k in (0, 1)]
    for order, (own, other) in {"utf-16-be": zeros, "utf-16-le": zeros[::-1]}.items():
        if len(data) % 2 == 0 and own > _LEAST_ZEROS and other == 0.0:
            return order
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    else:
        return None
    marked = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    foreign = len(data.translate(None, bytes(range(128)))) / len(data)
    damaged = not data.decode("utf-8", errors="ignore").isascii()  # it has proper UTF-8 beside other bytes
    if marked or damaged or _CONTROL.search(data) or foreign > _MOST_FOREIGN:
        return None
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _count_lines(text: str) -> int:
    return 1 + len(re.findall(r"\r\n?|\n", text))
