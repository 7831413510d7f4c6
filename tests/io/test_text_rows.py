"""Text, split into rows."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoothgraph.io import FileError
from smoothgraph.io.text_rows import split_rows

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n"), max_size=6)


@given(
    rows=st.integers(2, 5).flatmap(lambda width: st.lists(st.lists(TEXT, min_size=width, max_size=width), min_size=1)),
    delimiter=st.sampled_from(",;\t|"),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    quoted=st.booleans(),
    above=st.integers(0, 2),
)
def test_rows_are_split_as_the_csv_module_wrote_them(rows, delimiter, end, quoted, above):
    text = io.StringIO()
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    csv.writer(text, delimiter=delimiter, lineterminator=end, quoting=quoting).writerows(rows)
    found = split_rows(above * end + text.getvalue(), delimiter, lambda _: False)
    frame = found.frame(dtype=str, na_filter=False)
    assert frame.to_numpy().tolist() == rows
    assert found.lines.tolist() == list(range(above + 1, above + 1 + len(rows)))


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_short_and_a_long_row_do_not_make_up_for_each_other(quote):
    text = f"{quote}a{quote},b,c\n1,2,3\n4,5\n6,7,8,9\n"
    with pytest.raises(FileError, match=r"row 3: expected 3 fields between ',' as in the first row, got 2"):
        split_rows(text, None, lambda _: True)
