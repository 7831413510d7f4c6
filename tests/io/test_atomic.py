import stat

import pytest

from smoothgraph.io import atomic_write


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt])
def test_a_failure_leaves_the_old_file_and_nothing_else(kind, tmp_path):
    path = tmp_path / "result.txt"
    path.write_text("old")

    def fail():
        with atomic_write(path) as temporary:
            temporary.write_text("half")
            raise kind("stopped")

    with pytest.raises(kind, match="stopped"):
        fail()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_success_replaces_the_old_file(tmp_path):
    path = tmp_path / "result.txt"
    path.write_text("old")
    with atomic_write(path) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_folders_are_made_and_others_may_read(tmp_path):
    path, usual = tmp_path / "deep" / "er" / "result.txt", tmp_path / "usual.txt"
    with atomic_write(path) as temporary:
        temporary.write_text("new")
    usual.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
