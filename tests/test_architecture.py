"""The house: imports go one way, and names are unique."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import smoothgraph

PACKAGE = Path(smoothgraph.__file__).parent
# From the ground up: a room may import from its own and from those before it.
ROOMS = (
    "support",
    "io",
    "tables",
    "priors",
    "pairs",
    "problem",
    "solution",
    "solvers",
    "density",
    "models",
    "search",
    "candidates",
    "cluster",
    "estimators",
    "tasks",
    "methods",
    "generate",
    "metrics",
    "changes",
    "viz",
    "convert",
    "pyg",
    "scanpy",
    "cli",
)


def modules():
    return sorted(PACKAGE.rglob("*.py"))


def room_of(path):
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imported(tree):
    """The rooms that a module imports from, at its top or inside functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for child in ast.walk(node):
                child.skipped = True
    for node in ast.walk(tree):
        if getattr(node, "skipped", False):
            continue
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "smoothgraph" and len(parts) > 1 and parts[1] in ROOMS:
                yield parts[1]


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_those_below_it(room):
    wrong = {
        (str(path.relative_to(PACKAGE)), other)
        for path in modules()
        if room_of(path) == room
        for other in imported(ast.parse(path.read_text(encoding="utf-8")))
        if ROOMS.index(other) > ROOMS.index(room)
    }
    assert not wrong


def test_every_module_belongs_to_a_room():
    rooms = {room_of(path) for path in modules()} - {"__init__", "__main__"}
    assert rooms == set(ROOMS)


def test_no_two_modules_have_the_same_name():
    names = Counter(path.stem for path in modules() if path.stem not in ("__init__", "__main__"))
    assert not {name for name, count in names.items() if count > 1}


def test_the_package_knows_nothing_of_the_paper_folder():
    assert not [path for path in modules() if "paper" in _top_level_imports(path)]


def _top_level_imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.split(".")[0]


def test_only_one_module_calls_upwards():
    """Strings that name a room; those of the package's own names go down, or stay in the room."""
    calling = set()
    for path in modules():
        names = re.findall(r"""["']smoothgraph\.(\w+)[\w.]*["']""", path.read_text(encoding="utf-8"))
        room = room_of(path)
        if room in ROOMS and any(name in ROOMS and ROOMS.index(name) > ROOMS.index(room) for name in names):
            calling.add(path.relative_to(PACKAGE).as_posix())
    assert calling == {"estimators/display.py"}
