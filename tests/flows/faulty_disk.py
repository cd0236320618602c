"""Disks for tests: one that writes down what is done to it and fails when told, and a small one that is soon full."""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from pathlib import PurePath

import apsw
import pytest

SECTOR = 512


class Disk(apsw.VFS):
    """The platform's disk under another name. `acts` is all that was done; `fails` may hold write, sync and carry.

    `carry` fails the sync of the main file, which happens when the log is carried into it. From its act number `fails_at` on
    every write and sync fails; 0 is never.
    """

    def __init__(self, name):
        super().__init__(name, "")
        self.name = name
        self.acts = []
        self.fails = set()
        self.fails_at = 0

    def xOpen(self, name, flags):
        return DiskFile(self, name, flags)

    def xDelete(self, name, sync):
        self.acts.append(("delete", PurePath(name).name))
        super().xDelete(name, sync)


class DiskFile(apsw.VFSFile):
    def __init__(self, disk, name, flags):
        super().__init__("", name, flags)
        self.disk = disk
        self.at = PurePath(name.filename() if isinstance(name, apsw.URIFilename) else name or "").name

    def xWrite(self, data, offset):
        self.disk.acts.append(("write", self.at, offset, bytes(data)))
        self.fail_if("write" in self.disk.fails)
        super().xWrite(data, offset)

    def xTruncate(self, size):
        self.disk.acts.append(("truncate", self.at, size))
        super().xTruncate(size)

    def xSync(self, flags):
        self.disk.acts.append(("sync", self.at))
        self.fail_if("sync" in self.disk.fails or ("carry" in self.disk.fails and not self.at.endswith("-wal")))
        super().xSync(flags)

    def fail_if(self, failing):
        if failing or 0 < self.disk.fails_at <= len(self.disk.acts):
            raise apsw.IOError


def image(acts, chance, *, torn):
    """What a disk may hold when the power goes after `acts`: all that was synced, and of the rest a part by chance.

    A write that was not synced is kept or dropped, and with `torn` each of its sectors by itself.
    """
    solid, loose = {}, {}
    for act in acts:
        kind, name = act[:2]
        if kind == "delete":
            solid.pop(name, None)
            loose.pop(name, None)
        elif kind == "sync":
            content = solid.setdefault(name, bytearray())
            for waiting in loose.pop(name, []):
                _apply(content, waiting)
        else:
            loose.setdefault(name, []).append(act)
    for name, waiting in loose.items():
        content = solid.setdefault(name, bytearray())
        for part in (part for act in waiting for part in _parts(act, torn=torn)):
            if chance.random() < 0.5:
                _apply(content, part)
    return solid


def _parts(act, *, torn):
    if act[0] == "truncate" or not torn:
        return [act]
    kind, name, offset, data = act
    return [(kind, name, offset + n, data[n : n + SECTOR]) for n in range(0, len(data), SECTOR)]


def _apply(content, act):
    if act[0] == "truncate":
        del content[act[2] :]
    else:
        offset, data = act[2:]
        content.extend(bytes(max(0, offset - len(content))))
        content[offset : offset + len(data)] = data


@contextmanager
def small_disk(folder, size):
    """A disk of `size` mounted at `folder`; skips the test where none may be mounted."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a disk")
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no disk may be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)
