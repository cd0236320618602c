"""Files below one root, on disk or in an archive, as the same small thing.

Rule of this file: paths inside a tree are relative, with slashes, and never lead out of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from muniment.errors import SeedError

MOST_BYTES: Final = 100 << 20
"""Bytes read by one call, and bytes an archive may unfold to."""
MOST_FILES: Final = 10_000
"""Files below one root."""


class Tree(Protocol):
    """Files below a root. `label`, if it has one, is put before their paths in messages and in the paths of seeds."""

    label: str

    def sizes(self) -> Mapping[str, int]:
        """Bytes of every file, by path, in reading order: the files of a folder before its subfolders, by name."""
        ...

    def size(self, path: str) -> int | None:
        """Bytes of one file; None when there is no such file."""
        ...

    def read(self, path: str) -> bytes:
        """All bytes of one file."""
        ...


_SKIPPED: Final = frozenset({"node_modules", "__pycache__", "__MACOSX", "venv"})
_OPENED_DOT_FOLDERS: Final = frozenset({".agents", ".claude", ".codex"})


def is_closed(folder: str) -> bool:
    """Whether a folder of this name is left out: hidden ones but `.claude`, `.codex` and `.agents`, and installed packages."""
    return folder in _SKIPPED or (folder.startswith(".") and folder not in _OPENED_DOT_FOLDERS)


def is_hidden(path: str) -> bool:
    """Whether a file is left out, by its own name or that of a folder above it."""
    *folders, name = path.split("/")
    return name.startswith(".") or any(is_closed(folder) for folder in folders)


def in_order(path: str) -> tuple[tuple[bool, str], ...]:
    """A key to sort paths by: the files of a folder come before its subfolders, each by name."""
    parts = path.split("/")
    return tuple((n < len(parts) - 1, part) for n, part in enumerate(parts))


def place(tree: Tree, path: str) -> str:
    """A path of a tree as messages and seeds name it."""
    return f"{tree.label}/{path}" if tree.label else path


def joined(folder: str, path: str) -> str | None:
    """`path` as seen from `folder` of a tree; None when it leads out of the tree."""
    parts = [part for part in folder.split("/") if part]
    for part in path.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts)


def decoded(data: bytes, name: str) -> str:
    """The text of UTF-8 bytes. Raises SeedError with the line of the first byte that is none."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        hint = "Save the file as UTF-8." if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "Name text files only, saved as UTF-8."
        raise SeedError("this is not UTF-8 text.", place=f"{name}:{line}", code="not_utf8", hint=hint) from error


@dataclass(slots=True)
class Allowance:
    """How many bytes one call may still read."""

    left: int = MOST_BYTES

    def take(self, size: int, name: str) -> None:
        """Count `size` bytes. Raises SeedError when that is more than what is left."""
        self.left -= size
        if self.left < 0:
            hint = "Read fewer paths at once."
            raise SeedError(f"together these files exceed {MOST_BYTES:,} bytes.", place=name, code="too_large", hint=hint)
