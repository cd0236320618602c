"""Versions of architectures in a store: applied, read, gone back to, compared.

Rule of this file: it fetches and keeps; rules decide. A version is never changed: going back applies the older text anew.
Reading and writing a file's text is taken from the room's door, which loads it when there is a text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from muniment import architect
from muniment.architect.rules_default import default_architecture
from muniment.errors import FormatError, NotFound
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import AppliedArchitecture
from muniment.ports import Architectures as Versions
from muniment.ports import Clock, Shelved


class Architectures:
    """The architectures of a store's agents, one version after the other. A client may have its own of an agent."""

    def __init__(self, store: Shelved, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def current(self, agent: str = "default", client: str | None = None) -> Architecture:
        """The newest version applied for this agent; the default architecture, version 0, where there is none."""
        return await current(self._store.architectures, agent, client)

    async def apply(
        self, architecture: Architecture | str, *, client: str | None = None, note: str = "", by: str = ""
    ) -> AppliedArchitecture:
        """Keep an architecture, or the text of its file, as its agent's newest version. What it says holds from now on.

        The same text as the newest version's is no new version. Raises FormatError when it is no architecture.
        """
        text = _text_of(architecture)
        agent = architect.read_architecture(text, is_zone=is_zone).agent
        before = await self._store.architectures(agent, client)
        if before and before[0].text == text and before[0].client == client:
            return before[0]
        now = self._clock.now()
        return await self._store.apply_architecture(
            AppliedArchitecture(agent=agent, version=0, text=text, at=now, note=note, by=by, client=client)
        )

    async def history(self, agent: str = "default", client: str | None = None) -> Sequence[AppliedArchitecture]:
        """Every version of an agent's architecture, newest first; none where none was applied."""
        return tuple(await self._store.architectures(agent, client))

    async def version(self, agent: str, version: int, client: str | None = None) -> AppliedArchitecture:
        """One version. Raises NotFound, naming those there are."""
        history = await self._store.architectures(agent, client)
        for applied in history:
            if applied.version == version:
                return applied
        known = ", ".join(str(applied.version) for applied in reversed(history[:20]))
        hint = f"There are: {known}." if known else "Apply one first: muniment architect apply FILE."
        raise NotFound(f"agent {agent!r} has no architecture version {version}.", place=f"{agent}@{version}", hint=hint)

    async def rollback(
        self, agent: str, version: int, *, client: str | None = None, note: str = "", by: str = ""
    ) -> AppliedArchitecture:
        """Apply an older version's text as a new version. Raises NotFound when there is no such version."""
        older = await self.version(agent, version, client)
        return await self.apply(older.text, client=client, note=note or f"back to version {version}", by=by)


async def current(architectures: Versions, agent: str, client: str | None) -> Architecture:
    """The newest of an agent's `architectures`; the default architecture, version 0, where there is none."""
    applied = await architectures(agent, client)
    return _valued(applied[0]) if applied else default_architecture(agent)


def _text_of(given: object) -> str:
    if isinstance(given, Architecture):
        return architect.write_architecture(given)
    if isinstance(given, str):
        return given
    what = f"an architecture is an Architecture or the text of its file, not {type(given).__name__}."
    raise FormatError(what, place="architecture", hint="Give the text, for example Path('agent.yaml').read_text().")


def _valued(applied: AppliedArchitecture) -> Architecture:
    """The architecture of a version. It was valid when it was applied; raises FormatError if this release reads it otherwise."""
    try:
        return replace(read_text(applied.text), agent=applied.agent, version=applied.version)
    except FormatError as error:
        error.place = f"{applied.agent}@{applied.version}, {error.place}"
        raise


@lru_cache(maxsize=64)
def read_text(text: str) -> Architecture:
    """The architecture of a file's text; the reader is loaded when there is one. Raises FormatError when it is none."""
    return architect.read_architecture(text)


def is_zone(name: str) -> bool:
    """Whether this machine knows a time zone of this name."""
    if name == "UTC":
        return True
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
