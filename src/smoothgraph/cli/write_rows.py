"""Write rows of values as a CSV file, or to standard output."""

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from typing import Any


def write_rows(target: str, header: Sequence[str], rows: Iterable[Iterable[Any]]) -> None:
    """Write a CSV file, whole or not at all, or to standard output if ``target`` is "-"."""
    from smoothgraph.io import atomic_write

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    content = text.getvalue().encode("utf-8")
    if target == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    with atomic_write(target) as temporary:
        temporary.write_bytes(content)
