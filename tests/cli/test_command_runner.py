"""Whose fault an error is: the user's, with a remedy, or ours, with a request to report it."""

import numpy as np
import pytest
import typer

from smoothgraph.cli.command_runner import wrap_command
from smoothgraph.io.errors import FileError, explain_errors
from smoothgraph.support.input_error import InputError, checked_by_others


def ending_of(error):
    """The exit code of a command that raises the error."""

    def body():
        raise error

    with pytest.raises(typer.Exit) as ending:
        wrap_command(body)(debug=False)
    return ending.value.exit_code


def test_an_error_meant_for_the_user_is_a_sentence(capsys):
    assert ending_of(InputError("Expected a number; give one.")) == 2
    assert capsys.readouterr().err == "Error: Expected a number; give one.\n"


@pytest.mark.parametrize("error", [ValueError("too many values to unpack"), KeyError("x"), AssertionError("no")])
def test_any_other_error_is_called_a_defect(error, capsys):
    assert ending_of(error) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"Error: {type(error).__name__}: ")
    assert "This is a bug in smoothgraph: please report it, together with what --debug prints." in said


def fails_in(module, statement):
    """Run a statement as if it stood in a module."""
    exec(compile(statement, f"{module}.py", "exec"), {"__name__": module, "np": np})


def test_a_mistake_of_our_own_reader_is_not_blamed_on_the_file():
    with pytest.raises(KeyError), explain_errors("table.csv", "a table"):
        fails_in("smoothgraph.io.formats.delimited", "{}['missing']")


@pytest.mark.parametrize(
    ("module", "statement"),
    [
        ("pyarrow", "{}['missing']"),
        ("smoothgraph.io.formats.numpy_arrays", "np.frombuffer(b'abc', dtype=float)"),
        ("smoothgraph.io.formats.numpy_arrays", "b'\\xff'.decode()"),
    ],
)
def test_what_a_library_says_of_a_file_names_the_file(module, statement):
    expected = r"^table.csv: expected a table, but it cannot be read as one"
    with pytest.raises(FileError, match=expected), explain_errors("table.csv", "a table"):
        fails_in(module, statement)


def test_checks_of_other_libraries_are_meant_for_users():
    with pytest.raises(InputError, match="negative"), checked_by_others():
        raise ValueError("negative values")
