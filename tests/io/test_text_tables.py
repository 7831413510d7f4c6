"""CSV and TSV."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from smoothgraph.io import FileError, read_table


@pytest.fixture
def table(tmp_path):
    """A function that reads text or bytes as table.csv, or as another file."""

    def read(content, name="table.csv", **options):
        data = content.encode() if isinstance(content, str) else content
        (tmp_path / name).write_bytes(data)
        return read_table(tmp_path / name, **options)

    return read


def test_text_columns_can_be_categories(table):
    content = "heating,size,day,town\ngas,1,2020-01-01,A\n,2,2020-01-02,B\ngas,3,2020-01-03,?\noil,4,2020-01-04,A\n"
    found = table(content, categories=True, aside=["town"])
    assert found.column_names == ["heating", "size"]
    texts = [*found.categories.pop(0), ""]
    assert not found.categories
    codes = np.where(np.isnan(found.values[:, 0]), -1, found.values[:, 0]).astype(int)
    assert [texts[k] for k in codes] == ["gas", "", "gas", "oil"]
    assert set(found.row_attributes) == {"day", "town"}
    assert "Set aside, because they hold dates: 'day'." in found.notes


FLOATS = st.floats(allow_nan=True, allow_infinity=False)


@given(values=arrays(float, array_shapes(min_dims=2, max_dims=2, max_side=6), elements=FLOATS))
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_what_pandas_writes_comes_back_to_the_last_bit(values, separator, tmp_path_factory):
    values[0] = np.where(np.isnan(values[0]), 0.0, values[0])  # no empty columns
    frame = pd.DataFrame(values, columns=[f"signal {k}" for k in range(values.shape[1])])
    frame.index = pd.Index([f"row {k}" for k in range(len(frame))], name="name")
    path = tmp_path_factory.mktemp("tables") / "table.csv"
    frame.to_csv(path, sep=separator)
    found = read_table(path)
    np.testing.assert_array_equal(found.values, values)
    assert found.row_names == list(frame.index)
    assert found.column_names == list(frame.columns)


def test_values_are_float64_in_c_order(table):
    values = table("a,b,c\n1,2,3\n4,5,6\n").values
    assert values.dtype == np.float64
    assert values.flags.c_contiguous
    assert values.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_integers_beyond_the_floats(table):
    large = table(f"a,b\n{2**53 + 1},{10**25}\n{2**63},{-(2**62)}\n").values
    assert large.tolist() == [[2.0**53, 1e25], [2.0**63, -(2.0**62)]]


# -- text --------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(table, encoding):
    found = table("naïve,b\n1,2\n".encode(encoding))
    assert found.column_names == ["naïve", "b"]
    assert found.values.tolist() == [[1, 2]]


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-16-le", "utf-16-be"])
def test_other_western_encodings_are_found_and_said(table, encoding):
    text = "ville,été\nMünchen,1\nOrléans,2\nÅlesund,3\n"
    found = table(text.encode(encoding))
    assert found.row_names == ["München", "Orléans", "Ålesund"]
    assert found.column_names == ["été"]
    assert "--encoding" in found.notes[0]


def test_an_encoding_can_be_named(table):
    found = table("miasto,x\nŁódź,1\n".encode("iso8859-2"), encoding="iso8859-2")
    assert found.row_names == ["Łódź"]
    assert "--encoding" not in found.notes[0]
    with pytest.raises(FileError, match=r"expected an encoding such as latin-1 .* got 'latin1x'"):
        table("a,b\n1,2\n", encoding="latin1x")
    with pytest.raises(FileError, match=r"table\.csv: row 2: expected UTF-8 .*0xe9 \(at 4\)"):
        table("a,b\né,2\n".encode("latin-1"), encoding="utf-8")


def test_damaged_text_is_not_taken_for_latin_1(table):
    with pytest.raises(FileError, match=r"table\.csv: row 4: expected UTF-8 .*0xe9"):
        table("a,b\n1,2\nü,3\n".encode() + b"\xe9,4\n")


@pytest.mark.parametrize("data", [b"a,b\n1,2\n\0,3\n", b"a,b\n1,2\n\x01\x02\xff\xfe"])
def test_binary_data_is_recognized(table, data):
    with pytest.raises(FileError, match=r"row 3: .* which does not look like text"):
        table(data)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_blank_lines(table, end):
    text = end.join(["", "a,b", "", "1,2", "   ", "3,4", "", ""])
    assert table(text).values.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(FileError, match=r"row 6, column 'b': .* got inf"):
        table(text.replace("3,4", "3,inf"))


def test_the_last_line_needs_no_line_end(table):
    assert table("a,b\n1,2\n3,4").values.tolist() == [[1, 2], [3, 4]]


def test_rows_are_counted_as_an_editor_does(table):
    text = 'name,a\n"two\nlines",1\n"three\n\nlines",2\nplain,x\nother,4\n'
    with pytest.raises(FileError, match="row 7, column 'a': expected a number, got 'x'"):
        table(text)


def test_quotes(table):
    found = table('"the name","a, or b"\n"say ""hi""",1\n"x,\ny",2\n')
    assert found.row_names == ['say "hi"', "x,\ny"]
    assert found.column_names == ["a, or b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b,c\n1,2,3\n\n4,5\n", "row 4: expected 3 fields between ',' .*, got 2"),
        ("a,b\n1,2\n3,4,5\n", "row 3: expected 2 fields between ',' .*, got 3"),
        ("a,b\nx,1,2\n", "row 2: .* a column of row names needs a name in the header"),
        ('a,b\n1,"2\n3,4\n', "row 2: expected quotes around whole cells, got a quote that is not"),
        ('a,b\n1,2\n3,"4"x\n', "row 3: expected quotes around whole cells"),
        ("", "expected rows of values, got an empty file"),
        ("\n \n", "expected rows of values, got an empty file"),
        ("a,b\n", "expected rows of values below the header, got a header only"),
        ("a\nx\ny\n", "expected at least one column of numbers, got only text"),
        ("a,b\n1,-inf\n", "row 2, column 'b': expected a finite number, got -inf"),
        ("1,2\n3,1e999\n", "row 2, column 2: expected a finite number, got inf"),
    ],
)
def test_errors_name_the_place(table, text, message):
    with pytest.raises(FileError, match=rf"table\.csv: {message}"):
        table(text)


# -- delimiters and decimals -------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(table, delimiter):
    text = "name,a,b\nx,1,2\ny,3,4\n".replace(",", delimiter)
    assert table(text).values.tolist() == [[1, 2], [3, 4]]


def test_the_delimiter_is_found_beside_others_in_cells(table):
    assert table("name,a\nx;1;2,1\ny|z,2\n").row_names == ["x;1;2", "y|z"]
    assert table('"a;b",c\n1,2\n').column_names == ["a;b", "c"]


def test_tsv_has_tabs_whatever_else_is_there(table):
    found = table("a,b\tc\n1\t2\n", name="table.tsv")
    assert found.column_names == ["a,b", "c"]


def test_decimal_commas_with_semicolons(table):
    found = table("a;b;c\n1,5;2;x\n-2,5e3;3;y\n;4;z\n")
    np.testing.assert_array_equal(found.values, [[1.5, 2], [-2500, 3], [np.nan, 4]])
    assert "Read with decimal commas: 'a'." in found.notes


def test_decimal_commas_without_a_header(table):
    found = table("1,5;2,5\n3,5;4,5\n")
    assert found.values.tolist() == [[1.5, 2.5], [3.5, 4.5]]
    assert found.column_names is None


def test_decimal_points_with_semicolons(table):
    assert table("a;b\n1.5;2\n2.5;3\n").values.tolist() == [[1.5, 2], [2.5, 3]]


def test_both_decimals_in_a_column_are_a_mistake(table):
    with pytest.raises(FileError, match=r"row 3, column 'a': expected a number, got '1.500'"):
        table("a;b\n1,5;2\n1.500;3\n2,5;3\n")


def test_tsv_has_no_decimal_commas(table):
    assert table("a\tb\n1,5\t2\n2,5\t3\n").row_names == ["1,5", "2,5"]


# -- headers -----------------------------------------------------------------


def test_a_first_row_of_numbers_is_not_a_header(table):
    found = table("1,2\n3,4\n")
    assert found.values.tolist() == [[1, 2], [3, 4]]
    assert found.column_names is None
    assert "No header was found" in found.notes[0]
    assert "--header" in found.notes[0]
    np.testing.assert_array_equal(table("1,nan\n3,4\n").values, [[1, np.nan], [3, 4]])


def test_the_guess_can_be_overridden(table):
    found = table("1,2\n3,4\n", header=True)
    assert found.column_names == ["1", "2"]
    assert found.values.tolist() == [[3, 4]]
    assert found.notes == []
    found = table("x,2\ny,4\n", header=False)
    assert found.row_names == ["x", "y"]
    assert found.values.tolist() == [[2], [4]]


def test_default_labels_of_pandas(table):
    found = table(pd.DataFrame([[1.5, 2], [3, 4]]).to_csv())
    assert found.values.tolist() == [[1.5, 2], [3, 4]]
    assert found.row_names == ["0", "1"]
    assert found.column_names == ["0", "1"]


def test_headers_are_trimmed_and_empty_ones_numbered(table):
    assert table("a, b ,\n1,2,3\n").column_names == ["a", "b", "column 3"]


# -- columns -----------------------------------------------------------------


def test_missing_values_are_nan_and_counted(table):
    found = table("a,b\n1,\nNA,2\n ,3\nnull,n/a\n4,5\n")
    np.testing.assert_array_equal(found.values, [[1, np.nan], [np.nan, 2], [np.nan, 3], [np.nan, np.nan], [4, 5]])
    assert found.notes == ["Missing values: 5 of 10 (50%)."]


def test_booleans_are_numbers(table):
    found = table("a,b,c\nTrue,true,1\nFalse,,2\n")
    np.testing.assert_array_equal(found.values, [[1, 1, 1], [0, np.nan, 2]])


def test_text_is_set_aside(table):
    found = table("a,kind,b\n1,x,2\n3,,4\n5,x,6\n")
    assert found.values.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert found.column_names == ["a", "b"]
    assert found.row_attributes["kind"].tolist() == ["x", "", "x"]
    assert found.row_attributes["kind"].dtype.kind == "U"
    assert found.notes == ["Set aside, because they hold text: 'kind'."]


def test_dates_are_set_aside_and_called_dates(table):
    found = table("a,day\n1,2020-01-31\n2,2020-02-01T10:00\n")
    assert found.row_attributes["day"].tolist() == ["2020-01-31", "2020-02-01T10:00"]
    assert found.notes == ["Set aside, because they hold dates: 'day'."]


def test_empty_columns_are_left_out(table):
    found = table("a,b,c,\n1,,NA,\n2,,,\n")
    assert found.column_names == ["a"]
    assert found.notes == ["Left out, because they are empty: 'b', 'c', 'column 4'."]


def test_few_texts_are_mistakes_and_many_are_text(table):
    message = (
        "row 3, column 'temp': expected a number, got 'abc'; correct it, leave the cell empty "
        "if the value is missing, or leave out the column"
    )
    with pytest.raises(FileError, match=message):
        table("a,temp\n1,2\n2,abc\n3,4\n4,\n")
    found = table("a,temp\n1,2\n2,abc\n3,\n")  # one of two that are there
    assert found.row_attributes["temp"].tolist() == ["2", "abc", ""]


def test_a_column_with_mistakes_can_be_set_aside(table):
    found = table("a,temp\n1,2\n2,abc\n3,4\n", aside=["temp"])
    assert found.row_attributes["temp"].tolist() == ["2", "abc", "4"]


def test_numbers_that_are_set_aside_are_floats(table):
    found = table("a,lat,lon\n1,50,007\n2,51,8\n", aside=["lat", "lon"])
    assert found.column_names == ["a"]
    assert found.row_attributes["lat"].tolist() == [50.0, 51.0]
    assert found.row_attributes["lon"].dtype == float
    assert found.notes == []


def test_an_unknown_column_is_reported_with_the_known_ones(table):
    with pytest.raises(FileError, match=r"columns, 'temp', 'b', got 'tmp'; did you mean 'temp'\?"):
        table("temp,b\n1,2\n", aside=["tmp"])
    wide = ",".join(f"c{k}" for k in range(30)) + "\n" + ",".join("1" * 30) + "\n"
    with pytest.raises(FileError, match=r"'c19' and 10 more, got 'zzz'; choose one of these"):
        table(wide, names="zzz")


# -- row names ---------------------------------------------------------------


def test_different_texts_in_the_first_column_are_names(table):
    found = table("site,a\nNA,1\n x ,2\n")
    assert found.row_names == ["NA", " x "]
    assert found.notes == ["The rows are named by column 'site'."]
    assert found.row_attributes == {}


@pytest.mark.parametrize("cells", ["x,1\nx,2\n", "x,1\n,2\n"])
def test_repeated_or_missing_texts_are_not_names(table, cells):
    found = table(f"site,a\n{cells}")
    assert found.row_names is None
    assert "site" in found.row_attributes


@pytest.mark.parametrize("header", ["", "id", "ID", "Index", "Unnamed: 0"])
@pytest.mark.parametrize("start", [0, 1])
def test_a_count_under_such_a_header_names_the_rows(table, header, start):
    found = table(f"{header},a\n{start},5\n{start + 1},6\n{start + 2},7\n")
    assert found.row_names == [str(start), str(start + 1), str(start + 2)]
    assert found.values.tolist() == [[5], [6], [7]]


@pytest.mark.parametrize("text", ["id,a\n2,5\n2,6\n", "n,a\n0,5\n1,6\n", "id,a\n1.5,5\n2.5,6\n"])
def test_other_numbers_in_the_first_column_are_values(table, text):
    found = table(text)
    assert found.row_names is None
    assert found.values.shape == (2, 2)


def test_names_that_are_asked_for(table):
    found = table("a,code\n1,007\n2,08\n", names="code")
    assert found.row_names == ["007", "08"]
    assert found.values.tolist() == [[1], [2]]
    found = table("site,a,code\nx,1,NA\ny,2,DE\n", names="code")
    assert found.row_names == ["NA", "DE"]
    assert found.row_attributes["site"].tolist() == ["x", "y"]


def test_names_that_are_asked_for_must_be_there_and_differ(table):
    with pytest.raises(FileError, match=r"row 2 and row 4: expected names .*different, got 'u'"):
        table("n,a\nu,1\nv,2\nu,3\n", names="n")
    with pytest.raises(FileError, match="row 3: expected a name in every row, got none"):
        table("n,a\nu,1\n,2\n", names="n")


def test_the_first_column_can_be_set_aside(table):
    found = table("site,a\nx,1\ny,2\n", aside=["site"])
    assert found.row_names is None
    assert found.row_attributes["site"].tolist() == ["x", "y"]


def test_columns_without_names_go_by_their_numbers(table):
    found = table("u,1,5\nv,2,6\n", header=False, names="column 1", aside=["column 3"])
    assert found.row_names == ["u", "v"]
    assert found.values.tolist() == [[1], [2]]
    assert found.row_attributes["column 3"].tolist() == [5, 6]


# -- real-world files --------------------------------------------------------


@pytest.mark.parametrize("mark", ["-", "--", "?", ".", "N/A", "NULL"])
def test_usual_marks_are_missing_values(table, mark):
    found = table(f"a,b\n1,2\n{mark},3\n4,5\n")
    np.testing.assert_array_equal(found.values, [[1, 2], [np.nan, 3], [4, 5]])


def test_numbers_that_only_count_are_a_header(table):
    found = table("0,1,2\n5,6,7\n8,9,1\n")
    assert found.column_names == ["0", "1", "2"]
    assert found.values.shape == (2, 3)


def test_a_header_with_numbers_is_pointed_out(table):
    found = table("5.1,3.5,setosa\n4.9,3.0,virginica\n")
    assert found.values.shape == (1, 2)
    assert "--no-header" in found.notes[0]
    assert "'setosa'" in found.notes[0]


def test_ids_under_the_header_of_an_index_are_names(table):
    found = table("id,a\n1007,5\n1003,6\n")
    assert found.row_names == ["1007", "1003"]
    assert found.values.tolist() == [[5], [6]]


@pytest.mark.parametrize("cells", [['"1,234,567"', '"12,345"', "-"], ["1'234", "999", "2'000.5"]])
def test_thousands_separators_are_explained(table, cells):
    rows = "".join(f"{cell},1\n" for cell in cells)
    with pytest.raises(FileError, match=r"row 2, column 'people'.*thousands separators"):
        table(f"people,b\n{rows}")


def test_a_row_of_units_describes_the_columns(table):
    found = table("site,a,b,c,kind\n,cm,kg,,\nx,1,2,5,u\ny,3,4,6,v\n")
    assert found.values.tolist() == [[1, 2, 5], [3, 4, 6]]
    assert found.row_names == ["x", "y"]
    assert found.column_attributes["unit"].tolist() == ["cm", "kg", ""]
    assert "Row 2 is taken for units, not for values: 'cm', 'kg'." in found.notes


def test_one_text_above_numbers_is_a_mistake(table):
    with pytest.raises(FileError, match=r"row 2, column 'a'.*got 'cm'.*units, delete it"):
        table("a,b\ncm,5\n1,2\n3,4\n")


PREAMBLES = [
    "My measurements\n",
    "My measurements\n\n",
    "# made by hand\n# in 2020, I think\n",
    "Title,,\nSource,,\n,,\n",
]


@pytest.mark.parametrize("above", PREAMBLES)
@pytest.mark.parametrize("delimiter", [",", ";"])
def test_lines_above_the_header_are_offered_to_be_skipped(table, above, delimiter):
    text = above.replace(",,", 2 * delimiter) + "site,a,b\nx,1,2\ny,3,4\n".replace(",", delimiter)
    count = len(above.splitlines())
    with pytest.raises(FileError, match=rf"row {count + 1}: expected the header .*--skip-rows {count}, or skip_rows="):
        table(text)
    found = table(text, skip_rows=count)
    assert found.values.tolist() == [[1, 2], [3, 4]]
    with pytest.raises(FileError, match=f"row {count + 2}, column 'a': .* got inf"):
        table(text.replace("1", "inf"), skip_rows=count)


def test_a_header_without_a_name_for_the_row_names_is_no_title(table):
    with pytest.raises(FileError, match="a column of row names needs a name in the header"):
        table("a,b\nx,1,2\ny,3,4\nz,5,6\n")


def test_repeated_headers_are_numbered(table):
    found = table("a,b,a,a (2),a\n1,2,3,4,5\n")
    assert found.column_names == ["a", "b", "a (3)", "a (2)", "a (4)"]
    assert "called 'a'; all but the first are now 'a (3)', 'a (4)'" in found.notes[0]
    assert table("a,b,a\n1,2,3\n", drop=["a (2)"]).values.tolist() == [[1, 2]]
    with pytest.raises(FileError, match=r"column 1 and column 3: expected names .* got 'a' twice"):
        table("a,b,a\n1,2,3\n", aside=["a"])


@pytest.mark.parametrize("month", ["2020-01", "Jan 2020", "1 Jan 2020", "Jan 1, 2020", "31-Dec-99"])
def test_dates_may_have_months_in_words_and_no_days(table, month):
    assert "Set aside, because they hold dates: 'when'." in table(f'a,when\n1,"{month}"\n').notes
    assert "text" in table("a,when\n1,may be 2020\n").notes[0]


def test_numbers_and_words_can_mean_missing(table):
    found = table("a,b,c\n-999,2,n.v.\n1,-999.0,3\n2,4,5\n", missing=[-999, "n.v."])
    np.testing.assert_array_equal(found.values, [[np.nan, 2, np.nan], [1, np.nan, 3], [2, 4, 5]])


def test_columns_and_rows_are_dropped(table):
    text = "site,a,kind,b\nx,1,u,2\nTotal,4,v,6\ny,3,w,oops\nz,1,w,5\n"
    found = table(text, drop=["b", "Total", "kind"])
    assert found.row_names == ["x", "y", "z"]
    assert found.values.tolist() == [[1], [3], [1]]
    assert found.row_attributes == {}
    with pytest.raises(FileError, match="did you mean 'kind'"):
        table(text, drop=["b", "kin"])


def test_columns_that_hold_no_numbers_show_how_they_begin(table):
    with pytest.raises(FileError, match="begin with 'x', '1;5'"):
        table("name,a\nx,1;5\nx,2;5\n")
