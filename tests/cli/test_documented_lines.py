"""The lines of the shell in the README and in the documentation run as they stand, one after another."""

import re
import shlex
from pathlib import Path

import pytest
from command_line import succeeds

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/start.md", "docs/command-line.md")
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
# Workers, pipes, and files that the reader has to bring.
ELSEWHERE = re.compile(r"--workers|--scheduler|[|>]|stations[.]npz|^smoothgraph demo")


def lines_of(page):
    """The commands of the program in the blocks of a page, without what they print."""
    for block in BLOCK.findall((ROOT / page).read_text(encoding="utf-8")):
        if not block.startswith("$ "):
            yield from (line for line in block.splitlines() if line.startswith("smoothgraph "))


@pytest.mark.parametrize("page", PAGES)
def test_the_lines_of_a_page_run_in_their_order(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [line for line in lines_of(page) if not ELSEWHERE.search(line)]
    assert len(lines) >= 4
    for line in lines:
        succeeds(*shlex.split(line, comments=True)[1:])
