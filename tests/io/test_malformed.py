"""Whatever is wrong with a file, reading it raises a FileError."""

import pytest
from malformed import good_graphs, good_tables, malformed_graphs, malformed_tables

from smoothgraph.io import FileError, read_graph, read_table


@pytest.mark.parametrize(("files_in", "read"), [(malformed_tables, read_table), (malformed_graphs, read_graph)])
def test_malformed_files_raise_a_file_error_that_names_the_file(files_in, read, tmp_path):
    files = files_in(tmp_path)
    assert len(files) >= 200
    surprises = {label: surprise(read, path) for label, path in files}
    assert {label: what for label, what in surprises.items() if what} == {}


def surprise(read, path):
    """Return what went wrong, or None if a FileError names the file."""
    try:
        found = read(path)
    except FileError as error:
        proper = str(error).startswith(f"{path}: ") and "expected" in str(error)
        return None if proper else str(error)
    return f"it was read: {found}"


def test_the_good_files_can_be_read(tmp_path):
    for files, read in ((good_tables(), read_table), (good_graphs(tmp_path), read_graph)):
        for name, data in files.items():
            (tmp_path / name).write_bytes(data)
            read(tmp_path / name)
