"""Files are written whole or not at all, with the mode that they had, and never where nobody may write."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from arcwise.data.text_files import as_json, read_text, write_text, write_whole
from arcwise.errors import FileError


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o755])
def test_what_is_replaced_keeps_its_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    path.chmod(mode)
    write_text(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == mode
    assert os.listdir(tmp_path) == ["r.json"]


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "r.json", "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "r.json").stat().st_mode) == 0o640


def test_nobody_else_can_read_a_private_file_while_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.json"
    path.touch(0o600)
    seen = []
    real = os.fsync

    def fsync(handle: int) -> None:
        seen.append(stat.S_IMODE(os.fstat(handle).st_mode))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write_text(path, "secret")
    assert seen[0] == 0o600


def test_the_content_is_on_the_disk_before_it_has_its_name_and_the_name_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    real, seen = os.fsync, []

    def fsync(handle: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file"
        seen.append((kind, os.fstat(handle).st_size if kind == "file" else 0, path.read_text()))
        real(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    write_text(path, "content")
    assert seen == [("file", len("content"), "old"), ("folder", 0, "content")]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    target, link, chain = tmp_path / "real" / "r.json", tmp_path / "r.json", tmp_path / "again.json"
    target.write_text("old")
    target.chmod(0o600)
    link.symlink_to(target)
    chain.symlink_to("r.json")
    write_text(chain, "new")
    assert chain.is_symlink()
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert os.listdir(tmp_path / "real") == ["r.json"]
    assert sorted(os.listdir(tmp_path)) == ["again.json", "r.json", "real"]


def test_a_link_to_what_is_not_there_makes_it(tmp_path: Path) -> None:
    (tmp_path / "r.json").symlink_to("real.json")
    write_text(tmp_path / "r.json", "new")
    assert (tmp_path / "real.json").read_text() == "new"
    assert (tmp_path / "r.json").is_symlink()


def test_a_read_only_file_is_refused_for_root_too(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text("old")
    path.chmod(0o444)
    with pytest.raises(FileError, match=r"r\.json: the file is read-only; choose another name or make it writable$"):
        write_text(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["r.json"]


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    for name, reason in {
        "pipe.json": "it is a device or a pipe; name a file",
        ".": "it is a folder; name a file in it",
        "loop.json": "Too many levels of symbolic links; choose another name",
        "no/r.json": "No such file or directory; choose a folder that can be written and has room",
        "x" * 300 + ".json": "File name too long; choose another name",
        "a\0b": "embedded null byte; choose another name",
    }.items():
        with pytest.raises(FileError) as caught:
            write_whole(tmp_path / name, b"")
        assert str(caught.value).endswith(reason)
        assert "\n" not in str(caught.value)
    assert sorted(os.listdir(tmp_path)) == ["loop.json", "pipe.json"]
    assert stat.S_ISFIFO((tmp_path / "pipe.json").stat().st_mode)


@pytest.mark.parametrize("ending", [KeyboardInterrupt, SystemExit])
def test_a_run_that_ends_while_it_writes_leaves_the_old_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: type[BaseException]
) -> None:
    (tmp_path / "r.json").write_text("old")

    def fsync(handle: int) -> None:
        raise ending

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(ending):
        write_text(tmp_path / "r.json", "new")
    assert os.listdir(tmp_path) == ["r.json"]
    assert (tmp_path / "r.json").read_text() == "old"


def test_json_holds_every_character_and_none_of_it_commands_a_terminal(tmp_path: Path) -> None:
    names = ["größe", "\x1b[31m", "\x9b31m", "\u202eabc", "half \ud800", "a\nb", "🌲", "\x7f", "\ufeff"]
    for indent in (None, 1):
        text = as_json({"names": names}, indent=indent)
        assert json.loads(text)["names"] == names
        assert "größe" in text
        assert "🌲" in text
        assert all(letter.isprintable() or letter == "\n" for letter in text)
        write_text(tmp_path / "r.json", text)
        assert json.loads(read_text(tmp_path / "r.json"))["names"] == names
