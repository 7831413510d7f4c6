"""Classes of the nodes, as numbers among the signals."""

import re
from collections.abc import Iterator
from shlex import quote

import numpy as np

from smoothgraph.support.classes import are_shared
from smoothgraph.tables.finding import Finding, View

_NAMES = re.compile(r"(class|label|target|species|cluster|category|group|kind|type)(_?(id|no|code|label))?s?", re.I)


def find_classes(view: View) -> Iterator[Finding]:
    """Yield a finding for a column of a few whole numbers under a name such as "class", if the rows are the nodes."""
    if view.nodes != "rows" or "label" in view.settled:
        return
    for label, column in zip(view.columns, view.values.T, strict=True):
        if not _NAMES.fullmatch(label.strip()):
            continue
        present = column[~np.isnan(column)]
        if present.size and np.all(present % 1 == 0) and np.ptp(present) > 0 and are_shared(present):
            yield Finding(
                "label",
                f"Column {label!r} holds a few whole numbers, and is learned from.",
                f"If they are classes, use --label {quote(label)}.",
                (label,),
                ("--label", label),
            )
            return
