"""A model of a disk that loses power: what was not synced may be there afterwards, or not, or in part.

`Disk` records what happens below a folder, by standing in for the functions of `os` that change files. Then
`after_cut` makes the folder as it may be found after a power cut at any step:

* bytes are there if their file was synced after they were written. Others are there, or not, or half of them,
  or zeros in their place;
* a name (made, removed, changed to another) is so if its folder was synced afterwards. Others may be so or
  not, each for itself: file systems write names in any order, and apart from the bytes.

This is what POSIX promises, which is less than any one file system does.

A database is believed to keep its own promise: after a cut it is as it was after the last transaction that
was committed before. What is found out is whether the files beside it are in step with it.
"""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

Kind = Literal["commit", "write", "truncate", "link", "unlink", "rename", "mkdir", "rmdir", "fsync", "ack"]
Keep = Literal["none", "all", "some", "half", "zeros", "made"]
KEEPS: tuple[Keep, ...] = ("none", "all", "some", "half", "zeros", "made")
"""Of what was not synced; "made" is everything but the names that were removed, which are still there."""


@dataclass(frozen=True)
class Step:
    """One thing that happened. Files and folders have numbers; a name is a folder's number and a word."""

    kind: Kind
    node: int = 0
    """What was written, synced, or has got the name."""
    name: tuple[int, str] = (0, "")
    before: tuple[int, str] = (0, "")
    """Of a rename."""
    offset: int = 0
    data: bytes = b""
    label: str = ""


@dataclass
class Disk:
    """What has happened below a folder so far."""

    root: Path
    steps: list[Step] = field(default_factory=list)
    _nodes: dict[str, int] = field(default_factory=dict)
    """Of every path that there is now."""
    _open: dict[int, int] = field(default_factory=dict)
    _folders: set[int] = field(default_factory=lambda: {0})
    _count: int = 0

    def acknowledge(self, label: str) -> None:
        """Whoever asked is told that it is done."""
        self.steps.append(Step("ack", label=label))

    def kinds(self, since: int = 0) -> list[str]:
        """What has happened, a word for each; a folder that is synced is told from a file."""
        return [
            "fsync folder" if step.kind == "fsync" and step.node in self._folders else step.kind
            for step in self.steps[since:]
        ]

    def node(self, path: str) -> int | None:
        return 0 if Path(path) == self.root else self._nodes.get(path)

    def new(self, path: str) -> int:
        self._count += 1
        self._nodes[path] = self._count
        return self._count

    def name(self, path: str) -> tuple[int, str]:
        folder = self.node(str(Path(path).parent))
        assert folder is not None, path
        return folder, Path(path).name

    def is_synced(self, number: int, cut: int) -> bool:
        """Whether a step before the cut is on the disk for certain."""
        step = self.steps[number]
        node = step.node if step.kind in ("write", "truncate") else step.name[0]
        return any(later.kind == "fsync" and later.node == node for later in self.steps[number + 1 : cut])

    def after_cut(self, cut: int, keep: Keep, chance: random.Random, folder: Path) -> None:
        """Make a folder as it is found when the power went before step `cut`."""
        contents: dict[int, bytearray] = {}
        names: dict[tuple[int, str], int] = {}
        committed = None
        for number, step in enumerate(self.steps[:cut]):
            if step.kind == "commit":
                committed = step
            if step.kind in ("fsync", "ack", "commit"):
                continue
            how = "all" if self.is_synced(number, cut) else keep
            if how == "some":
                how = chance.choice(("none", "all", "half"))
            if step.kind in ("write", "truncate"):
                _write(contents.setdefault(step.node, bytearray()), step, how)
            elif how in ("all", "half", "zeros") or (how == "made" and step.kind not in ("unlink", "rmdir")):
                _rename(names, step)
        _build(folder, 0, names, contents, self._folders)
        if committed is not None:
            (folder / committed.label).write_bytes(committed.data)


def _write(content: bytearray, step: Step, how: str) -> None:
    if how == "none":
        return
    if step.kind == "truncate":
        del content[step.offset :]
        return
    data = {"half": step.data[: len(step.data) // 2], "zeros": bytes(len(step.data))}.get(how, step.data)
    if len(content) < step.offset:
        content.extend(bytes(step.offset - len(content)))
    content[step.offset : step.offset + len(data)] = data


def _rename(names: dict[tuple[int, str], int], step: Step) -> None:
    if step.kind in ("unlink", "rmdir"):
        names.pop(step.name, None)
        return
    if step.kind == "rename":
        names.pop(step.before, None)
    names[step.name] = step.node


def _build(
    folder: Path,
    number: int,
    names: dict[tuple[int, str], int],
    contents: dict[int, bytearray],
    folders: set[int],
) -> None:
    folder.mkdir()
    for (parent, word), node in names.items():
        if parent == number and node in folders:
            _build(folder / word, node, names, contents, folders)
        elif parent == number:
            (folder / word).write_bytes(contents.get(node, b""))


@contextmanager
def recording(root: Path, monkeypatch: pytest.MonkeyPatch, database: str = "") -> Iterator[Disk]:
    """Record what happens below a folder, which must be empty, with a database of this name."""
    disk = Disk(root)
    committing = sqlite3.connect

    def commit() -> None:
        disk.steps.append(Step("commit", data=(root / database).read_bytes(), label=database))

    def connect(*words: Any, factory: type[sqlite3.Connection] = sqlite3.Connection, **options: Any) -> Any:
        class Recorded(factory):  # type: ignore[valid-type, misc]
            def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
                found: sqlite3.Cursor = super().execute(sql, *values)
                if sql == "COMMIT" or sql.startswith("PRAGMA user_version="):
                    commit()
                return found

        return committing(*words, factory=Recorded, **options)

    if database:
        monkeypatch.setattr(sqlite3, "connect", connect)
    with monkeypatch.context() as patch:
        for name, made in _stand_ins(disk).items():
            patch.setattr(os, name, made)
        patch.setattr(shutil, "rmtree", _remove_tree)
        yield disk


def _remove_tree(folder: Path, ignore_errors: bool = False) -> None:
    """Path by path, where the library's own goes by descriptors."""
    if ignore_errors and not folder.exists():
        return
    for path in folder.iterdir():
        _remove_tree(path) if path.is_dir() else path.unlink()
    folder.rmdir()


def _stand_ins(disk: Disk) -> dict[str, Callable[..., Any]]:
    real = {name: getattr(os, name) for name in dir(os)}

    def inside(path: Any) -> str | None:
        found = os.fspath(path) if not isinstance(path, int) else ""
        return found if isinstance(found, str) and Path(found).is_relative_to(disk.root) else None

    def open_file(path: Any, flags: int, mode: int = 0o777, **more: Any) -> int:
        found = inside(path)
        known = disk.node(found) if found else None
        handle: int = real["open"](path, flags, mode, **more)
        if found is not None and known is None:
            known = disk.new(found)
            disk.steps.append(Step("link", known, disk.name(found)))
        if known is not None:
            disk._open[handle] = known
            if flags & os.O_TRUNC:
                disk.steps.append(Step("truncate", known))
        return handle

    def write(handle: int, data: Any) -> int:
        if handle not in disk._open:
            return int(real["write"](handle, data))
        # All of it is written at the end: nothing here seeks.
        offset = real["fstat"](handle).st_size
        done = int(real["write"](handle, data))
        disk.steps.append(Step("write", disk._open[handle], offset=offset, data=bytes(data)[:done]))
        return done

    def truncate(handle: int, size: int) -> None:
        real["ftruncate"](handle, size)
        if handle in disk._open:
            disk.steps.append(Step("truncate", disk._open[handle], offset=size))

    def fsync(handle: int) -> None:
        if handle in disk._open:
            disk.steps.append(Step("fsync", disk._open[handle]))

    def close(handle: int) -> None:
        disk._open.pop(handle, None)
        real["close"](handle)

    def rename(before: Any, after: Any, **more: Any) -> None:
        old, new = inside(before), inside(after)
        real["replace"](before, after, **more)
        if old is not None and new is not None:
            node = disk._nodes[old]
            for path in [path for path in disk._nodes if Path(path).is_relative_to(old)]:
                disk._nodes[new + path[len(old) :]] = disk._nodes.pop(path)
            if disk.name(new)[0] == disk.name(old)[0]:
                disk.steps.append(Step("rename", node, disk.name(new), disk.name(old)))
            else:
                # Each folder is written by itself.
                disk.steps.append(Step("link", node, disk.name(new)))
                disk.steps.append(Step("unlink", node, disk.name(old)))

    def link(before: Any, after: Any, **more: Any) -> None:
        old, new = inside(before), inside(after)
        real["link"](before, after, **more)
        if old is not None and new is not None:
            disk._nodes[new] = disk._nodes[old]
            disk.steps.append(Step("link", disk._nodes[old], disk.name(new)))

    def forget(kind: Literal["unlink", "rmdir"]) -> Callable[..., None]:
        def remove(path: Any, **more: Any) -> None:
            found = inside(path)
            real[kind](path, **more)
            if found is not None:
                disk.steps.append(Step(kind, disk._nodes.pop(found), disk.name(found)))

        return remove

    def mkdir(path: Any, mode: int = 0o777, **more: Any) -> None:
        found = inside(path)
        real["mkdir"](path, mode, **more)
        if found is not None:
            node = disk.new(found)
            disk._folders.add(node)
            disk.steps.append(Step("mkdir", node, disk.name(found)))

    return {
        "open": open_file,
        "write": write,
        "ftruncate": truncate,
        "fsync": fsync,
        "close": close,
        "link": link,
        "replace": rename,
        "rename": rename,
        "unlink": forget("unlink"),
        "rmdir": forget("rmdir"),
        "mkdir": mkdir,
    }
