"""Numbers such as -999 that stand for missing values."""

from collections.abc import Iterator

import numpy as np

from smoothgraph.support.wording import agree, list_some
from smoothgraph.tables.finding import Finding, View


def find_sentinels(view: View) -> Iterator[Finding]:
    """Yield a finding for each usual sentinel that is further from the other values of a column than these differ."""
    for sentinel, where in view.sentinels.items():
        count = int(where.sum())
        labels = [view.columns[k] for k in np.flatnonzero(where.any(axis=0))]
        yield Finding(
            "sentinel",
            f"{count} {agree(count, 'value is', 'values are')} {sentinel:g}, far from all others, in "
            f"{list_some(labels)}.",
            f"If that means missing, use --missing {sentinel:g}.",
            tuple(labels),
            ("--missing", f"{sentinel:g}"),
        )
