"""The command line as a user meets it: exit code, standard output, standard error."""

import json

from typer.testing import CliRunner, Result

from smoothgraph.cli.app import app


def smoothgraph(*arguments, stdin=None, columns=200) -> Result:
    """The outcome of a command, on a wide terminal and without a data folder."""
    env = {"SMOOTHGRAPH_DATA": None, "COLUMNS": str(columns), "TERMINAL_WIDTH": str(columns)}
    return CliRunner().invoke(app, [str(a) for a in arguments], env=env, input=stdin)


def succeeds(*arguments, stdin=None) -> Result:
    result = smoothgraph(*arguments, stdin=stdin)
    assert result.exit_code == 0, result.output
    return result


def summary(*arguments, stdin=None):
    """What ``--json`` prints."""
    return json.loads(succeeds(*arguments, "--json", stdin=stdin).stdout)


def refused(*arguments, stdin=None) -> str:
    """The sentence of a command that ends with exit code 2."""
    result = smoothgraph(*arguments, stdin=stdin)
    assert result.exit_code == 2, (result.exit_code, result.output)
    assert isinstance(result.exception, SystemExit), repr(result.exception)
    assert "Traceback" not in result.output
    notes, _, sentence = result.stderr.rpartition("Error: ")
    assert all(line.startswith("Note: ") for line in notes.splitlines()), result.stderr
    assert 20 < len(sentence) < 1000, result.stderr
    return sentence
