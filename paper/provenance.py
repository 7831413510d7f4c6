"""What computed a result: the packages and the code.

Every stored result carries :func:`source_hash`. When the code changes, the hash changes, and the
runner computes the result again instead of showing an old number for new code.
"""

import ast
import hashlib
import platform
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

import smoothgraph

PACKAGES = ("smoothgraph", "numpy", "scipy", "scikit-learn", "numba", "networkx")

_PAPER = Path(__file__).parent
_LIBRARY = Path(smoothgraph.__file__).parent
_NOT_COMPUTING = ("cli", "viz")  # folders of the library that no number depends on
_HASH_DIGITS = 16


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that compute the results."""
    found = {"python": platform.python_version()}
    for name in PACKAGES:
        with suppress(PackageNotFoundError):  # NetworkX is optional
            found[name] = version(name)
    return found


def source_hash(sources: Iterable[str], *, paper: Path = _PAPER, library: Path = _LIBRARY) -> str:
    """Return a hash of the code that computes an experiment.

    ``sources`` are the experiment's ``SOURCES``. The name of a module of ``paper`` stands for its
    code and that of all modules of ``paper`` that it imports, directly or not. Any other text
    stands for itself. The library counts as a whole, except for its command line and its
    pictures. Comments, docstrings and layout do not count.
    """
    names = set(sources)
    modules = {name: _module_file(name, paper) for name in names}
    files = _import_closure([file for file in modules.values() if file is not None], paper)
    texts = sorted(name for name, file in modules.items() if file is None)
    code = [(str(file.relative_to(paper)), _read(file).code_hash) for file in sorted(files)]
    return _digest([texts, code, _library_hash(library)])


@cache
def _library_hash(library: Path) -> str:
    files = [file for file in sorted(library.rglob("*.py")) if file.relative_to(library).parts[0] not in _NOT_COMPUTING]
    return _digest([(str(file.relative_to(library)), _read(file).code_hash) for file in files])


def _import_closure(files: list[Path], paper: Path) -> set[Path]:
    """Return the files and all files of ``paper`` that they import, directly or not."""
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            imported = (_module_file(name, paper) for name in _read(file).imports)
            waiting += [path for path in imported if path is not None]
    return found


def _imported_names(tree: ast.Module) -> Iterator[str]:
    """Yield every name that an import statement may load as a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _module_file(name: str, paper: Path) -> Path | None:
    """Return the file of a module of ``paper``; None if there is no such module."""
    first, *rest = name.split(".")
    if first != "paper":
        return None
    path = paper.joinpath(*rest)
    candidates = (path / "__init__.py", path.parent / f"{path.name}.py")
    return next((file for file in candidates if file.is_file()), None)


class _Module(NamedTuple):
    """What a file may import, and the hash of its code without docstrings."""

    imports: frozenset[str]
    code_hash: str


@cache
def _read(file: Path) -> _Module:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    imports = frozenset(_imported_names(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and _has_docstring(node):
            node.body = node.body[1:]
    return _Module(imports, _digest(_content(tree)))


def _has_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def _content(node: Any) -> Any:
    """Return a syntax tree as nested tuples, alike in all versions of Python.

    ``ast.dump`` would show fields that some versions do not have.
    """
    if isinstance(node, ast.AST):
        fields = [(name, value) for name, value in ast.iter_fields(node) if value not in (None, [])]
        return (type(node).__name__, *((name, _content(value)) for name, value in fields))
    if isinstance(node, list):
        return tuple(_content(item) for item in node)
    return repr(node)


def _digest(content: Any) -> str:
    return hashlib.sha256(repr(content).encode()).hexdigest()[:_HASH_DIGITS]
