import json
import subprocess
import sys

import pytest

import smoothgraph


def modules_after(code):
    """The top-level modules that a fresh interpreter has imported once it has run the code."""
    report = f"{code}\nimport json, sys\nprint(json.dumps([*sys.modules]), file=sys.stderr)"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in json.loads(run.stderr)}


def test_every_public_name_exists():
    for name in smoothgraph.__all__:
        assert getattr(smoothgraph, name) is not None


def test_names_are_completed_before_they_are_loaded():
    code = "import rlcompleter, smoothgraph; print(rlcompleter.Completer(globals()).attr_matches('smoothgraph.LogDeg'))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "smoothgraph.LogDegreeGraph" in run.stdout


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        smoothgraph.nothing  # noqa: B018


def test_the_package_imports_nothing_before_it_is_used():
    assert not modules_after("import smoothgraph") & {"numpy", "scipy", "numba", "rich"}


def test_the_core_does_not_import_scikit_learn():
    """It would more than double the time of an import."""
    assert "sklearn" not in modules_after("from smoothgraph import Newton, Problem, models")


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_the_program_answers_before_anything_heavy_is_imported(flag):
    code = f"""
import sys
from smoothgraph.cli import main
sys.argv = ["smoothgraph", "{flag}"]
try:
    main()
except SystemExit as end:
    assert end.code == 0
"""
    heavy = {"numpy", "scipy", "numba", "sklearn", "pandas", "networkx", "matplotlib", "dask"}
    assert not modules_after(code) & heavy


def test_slow_tests_are_where_the_settings_say(request):
    conftest = request.config.pluginmanager.getplugin(str(request.config.rootpath / "tests/conftest.py"))
    assert all(path.exists() for path in conftest.SLOW_PATHS)
