"""The hash of the code that computes a result, on small trees of files."""

import pytest

from paper import provenance
from paper.comparison.method_grids import METHODS
from paper.provenance import source_hash, versions
from paper.reproduction.registry import EXPERIMENTS

EXPERIMENT = "paper.part.experiment"
PAPER = {
    "__init__.py": "",
    "part/__init__.py": "",
    "part/experiment.py": "from paper.part import helper\nimport numpy\n\nSIZE = 3\n",
    "part/helper.py": "def help():\n    from paper.deep import value\n    return value\n",
    "deep.py": "value = 1\n",
    "unrelated.py": "value = 1\n",
}
LIBRARY = {
    "__init__.py": "",
    "solver.py": '"""A solver."""\n\n\ndef solve(x):\n    """Solve."""\n    return x  # exactly\n',
    "cli/app.py": "app = 1\n",
    "viz/plots/graph.py": "color = 1\n",
}


@pytest.fixture
def hash_of(tmp_path):
    """Return the hash after some files have been replaced."""
    trees = iter(range(100))

    def hash_files(paper=None, library=None, sources=(EXPERIMENT,)):
        folder = tmp_path / str(next(trees))  # because files are cached by name
        for name, files in (("paper", PAPER | (paper or {})), ("lib", LIBRARY | (library or {}))):
            for path, text in files.items():
                file = folder / name / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
        return source_hash(sources, paper=folder / "paper", library=folder / "lib")

    return hash_files


def test_the_same_code_has_the_same_hash_wherever_it_is(hash_of):
    assert hash_of() == hash_of()
    assert len(hash_of()) == 16


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("part/experiment.py", PAPER["part/experiment.py"].replace("3", "4")),
        ("part/helper.py", PAPER["part/helper.py"] + "\nother = 1\n"),
        ("part/__init__.py", "value = 1\n"),
        ("deep.py", "value = 2\n"),
        ("deep.py", "value = None\n"),
        ("deep.py", "value = '1'\n"),
    ],
)
def test_a_change_in_a_module_that_the_experiment_imports_counts(hash_of, path, text):
    assert hash_of({path: text}) != hash_of()


@pytest.mark.parametrize(
    "change", [{"solver.py": LIBRARY["solver.py"].replace("return x", "return -x")}, {"new.py": "value = 1\n"}]
)
def test_a_change_anywhere_in_the_library_counts(hash_of, change):
    assert hash_of(library=change) != hash_of()


@pytest.mark.parametrize("path", ["cli/app.py", "viz/plots/graph.py", "viz/new.py"])
def test_command_line_and_pictures_of_the_library_do_not_count(hash_of, path):
    assert hash_of(library={path: "changed = 1\n"}) == hash_of()


def test_modules_that_the_experiment_does_not_import_do_not_count(hash_of):
    assert hash_of({"unrelated.py": "value = 2\n"}) == hash_of()


def test_comments_docstrings_and_layout_do_not_count(hash_of):
    solver = '"""Other\nwords."""\n\n# A comment.\ndef solve(x):\n    return (\n        x\n    )\n'
    assert hash_of(library={"solver.py": solver}) == hash_of()


def test_other_texts_among_the_sources_stand_for_themselves(hash_of):
    learners = [hash_of(sources=(EXPERIMENT, f"Learner({k})")) for k in (1, 2)]
    assert len({hash_of(), *learners}) == 3


@pytest.mark.parametrize("sources", [e.SOURCES for e in EXPERIMENTS.values()])
def test_every_experiment_names_a_module_of_the_paper(sources):
    (name,) = sources
    assert provenance._module_file(name, provenance._PAPER) is not None


def test_the_hash_of_a_method_depends_on_the_method():
    hashes = {name: source_hash(method.experiment.SOURCES) for name, method in METHODS.items()}
    assert len(set(hashes.values())) == len(METHODS)


def test_a_package_that_is_not_installed_has_no_version(monkeypatch):
    monkeypatch.setattr(provenance, "PACKAGES", ("numpy", "no-such-package"))
    assert versions().keys() == {"python", "numpy"}
