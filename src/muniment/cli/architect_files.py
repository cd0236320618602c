"""Architecture files, use cases and versions in a store as the command line names them.

Rule of this file: it only fetches. What a file means is decided in `architect`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from muniment.architect import Architectures, is_zone, read_architecture
from muniment.cli.call import Call
from muniment.cli.files import STDIN, opened
from muniment.errors import InputError, StoreUnusable
from muniment.knowledge.architecture import Architecture

MOST_BYTES: Final = 512 * 1024
"""Bytes of a use case or an architecture file that are read; none may be longer."""

_VERSION: Final = re.compile(r"(.+)@([0-9]{1,9}|current)")


@dataclass(frozen=True, slots=True)
class Version:
    """An architecture that was named as agent@version; no number is the current one."""

    agent: str
    number: int | None


def read_text(name: str) -> str:
    """The text of a file, or of standard input for `-`. Raises InputError when it is too large or not UTF-8."""
    with opened(name) as source:
        data = source.read(MOST_BYTES + 1)
    place = "stdin" if name == STDIN else name
    if len(data) > MOST_BYTES:
        hint = "Name the file that is meant; a page or two are enough."
        raise InputError(f"this is longer than {MOST_BYTES >> 10} KiB.", place=place, code="too_large", hint=hint)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text.", place=place, code="invalid_unicode", hint="Save it as UTF-8.") from error


def shown_name(name: str) -> str:
    """What a file is called in messages."""
    return "stdin" if name == STDIN else name


def file_or_version(name: str) -> str | Version:
    """A file's name, or the agent@version that is meant where there is no such file."""
    match = _VERSION.fullmatch(name)
    if match and not is_file(name):
        return Version(match[1], None if match[2] == "current" else int(match[2]))
    return name


def is_file(name: str) -> bool:
    """Whether there is a file or folder of this name."""
    try:
        return Path(name).exists()
    except (OSError, ValueError):
        return False


async def named(name: str | Version, architectures: Architectures | None, client: str | None) -> Architecture:
    """The architecture of a file, or of a version in the store."""
    if isinstance(name, str):
        return read_architecture(read_text(name), place=shown_name(name), is_zone=is_zone)
    if architectures is None:
        hint = "Name the store that has it, with --store."
        raise InputError("versions are kept in a store.", place=f"{name.agent}@{name.number}", code="usage", hint=hint)
    if name.number is None:
        return await architectures.current(name.agent, client)
    applied = await architectures.version(name.agent, name.number, client)
    return read_architecture(applied.text, place=f"{applied.agent}@{applied.version}")


async def current_or_default(call: Call, agent: str, client: str | None) -> Architecture | None:
    """What holds for an agent in the store that settings name; None where there is no store."""
    try:
        async with call.open(embeds=False) as engine:
            return await engine.architecture.current(agent, client)
    except StoreUnusable as error:
        if error.reason == "store_missing":
            return None
        raise
