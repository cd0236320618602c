"""Telling the workers of all processes that there is work: NOTIFY after a commit, and one connection that listens.

Rule of this file: a word too little costs time and no work, since workers also look by themselves. It is said outside the write,
many at once: inside, one write after the other would have to wait for the word of the one before to be kept.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import asyncpg

from muniment.stores.postgres_errors import FAULTS
from muniment.stores.postgres_link import Link

CHANNEL = "muniment_work"
TOGETHER = 0.01  # seconds in which what is queued is told as one


class Bell:
    """Rings for every process of a store, and hears it."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._heard: asyncio.Event | None = None
        self._listening: asyncpg.Connection[asyncpg.Record] | None = None
        self._ringing = False

    async def ring(self) -> None:
        """Tell that work was queued; returns at once."""
        if not self._ringing:
            await self._link.call(self._begin)

    async def hear(self, seconds: float) -> bool:
        """Wait until somebody has rung since the last call, for so long at most. True at first, and after a broken line."""
        return await self._link.call(lambda: self._wait(seconds))

    async def close(self) -> None:
        """Listen no more."""
        await self._link.call(self._stop)

    async def _begin(self) -> None:
        if not self._ringing:
            self._ringing = True
            self._link.later(self._ring)

    async def _ring(self) -> None:
        await asyncio.sleep(TOGETHER)
        self._ringing = False
        with suppress(*FAULTS):
            await self._link.tell(CHANNEL)

    async def _wait(self, seconds: float) -> bool:
        if self._heard is None:
            self._heard = asyncio.Event()
        try:
            if self._listening is None or self._listening.is_closed():
                self._listening = await self._link.connect()
                await self._listening.add_listener(CHANNEL, self._note)
                return True
        except FAULTS:
            await asyncio.sleep(seconds)  # the server is away: whoever asked for work meets the error
            return True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._heard.wait(), seconds)
        heard = self._heard.is_set() or self._listening.is_closed()
        self._heard.clear()
        return heard

    async def _stop(self) -> None:
        if self._listening is not None:
            self._listening.terminate()
        if self._heard is not None:
            self._heard.set()

    def _note(self, *_: Any) -> None:
        if self._heard is not None:
            self._heard.set()
