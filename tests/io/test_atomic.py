import os
import resource
import signal
import stat
from contextlib import ExitStack, contextmanager
from threading import Thread

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


def replace(path, text="new"):
    with atomic_write(path) as temporary:
        temporary.write_text(text)


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "result.txt", tmp_path / "link.txt"
    link.symlink_to(target)
    for text in ("made", "changed"):
        replace(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
        assert list((tmp_path / "real").iterdir()) == [target]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_permissions_stay(mode, tmp_path):
    path = tmp_path / "result.txt"
    path.touch()
    path.chmod(mode)
    with atomic_write(path) as temporary:
        assert stat.S_IMODE(temporary.stat().st_mode) == 0o600  # private until it is known to whom it belongs
        temporary.write_text("new")
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert path.read_text() == "new"


def test_all_names_of_a_file_see_the_new_content(tmp_path):
    path, other = tmp_path / "result.txt", tmp_path / "other.txt"
    path.write_text("old")
    other.hardlink_to(path)
    replace(path)
    assert other.read_text() == "new"
    assert other.samefile(path)
    assert sorted(tmp_path.iterdir()) == [other, path]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_written_into(tmp_path):
    path, received = tmp_path / "pipe", []
    os.mkfifo(path)
    reader = Thread(target=lambda: received.append(path.read_text()))
    reader.start()
    replace(path)
    reader.join()
    assert received == ["new"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="there are no terminals")
def test_a_device_is_written_into():
    """A terminal of its own, whose folder takes no other files."""
    ours, theirs = os.openpty()
    replace(os.ttyname(theirs))
    assert os.read(ours, 10) == b"new"
    os.close(ours)
    os.close(theirs)


def test_what_cannot_be_written_is_named(tmp_path):
    with pytest.raises(IsADirectoryError, match=str(tmp_path)):
        replace(tmp_path)
    path = tmp_path / "result.txt"
    path.write_text("old")
    with pytest.raises(NotADirectoryError, match=r"result\.txt/deeper"):
        replace(path / "deeper")
    if os.geteuid() != 0:  # who may write everything
        path.chmod(0o400)
        with pytest.raises(PermissionError, match=str(path)):
            replace(path)
    assert path.read_text() == "old"


def test_many_writers_at_once_leave_one_whole_file(tmp_path):
    path, texts = tmp_path / "result.txt", [str(k) * 100_000 for k in range(8)]
    writers = [Thread(target=replace, args=(path, text)) for text in texts]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_text() in texts
    assert list(tmp_path.iterdir()) == [path]


@contextmanager
def files_of_at_most(size):
    """As on a disk that is full: larger files cannot be written."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.parametrize("n_names", [1, 2])
def test_without_space_the_file_is_named_and_keeps_what_it_held(n_names, tmp_path):
    path = tmp_path / "result.txt"
    path.write_text("old")
    if n_names == 2:
        (tmp_path / "other.txt").hardlink_to(path)
    there = sorted(tmp_path.iterdir())
    with files_of_at_most(1000), pytest.raises(OSError, match=r"result\.txt"):
        replace(path, "new" * 1000)
    assert path.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == there


def test_a_file_with_several_names_keeps_what_it_held_if_there_is_no_space(tmp_path):
    path = tmp_path / "result.txt"
    path.write_text("old")
    (tmp_path / "other.txt").hardlink_to(path)
    with ExitStack() as limits:

        def fill_the_disk():
            with atomic_write(path) as temporary:
                temporary.write_text("new" * 1000)
                limits.enter_context(files_of_at_most(1000))

        with pytest.raises(OSError, match=r"result\.txt"):
            fill_the_disk()
    assert path.read_text() == "old"
