"""Listening: events handed to whoever listens in this process.

Rule of this file: a slow listener holds nobody up. Of too many events waiting for it the oldest are dropped, and it is told how
many.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from muniment.knowledge.values import Enriched, WorkItem
from muniment.types import Scope

EVENTS_KEPT = 1000
"""Events that wait for one listener."""


class _Listener:
    """The events one listener has not taken yet."""

    def __init__(self) -> None:
        self.more = asyncio.Event()
        self.ended = False
        self._events: deque[Enriched] = deque()
        self._missed = 0

    def tell(self, event: Enriched) -> None:
        self._events.append(event)
        if len(self._events) > EVENTS_KEPT:
            self._events.popleft()
            self._missed += 1
        self.more.set()

    def end(self) -> None:
        """Let the listener take what waits, and then go."""
        self.ended = True
        self.more.set()

    def next(self) -> Enriched | None:
        """The event that waits longest; None when it is all over."""
        if not self._events:
            return None
        event = replace(self._events.popleft(), missed=self._missed)
        self._missed = 0
        if not self._events and not self.ended:
            self.more.clear()
        return event


class Listeners:
    """All who listen to the work of one store."""

    def __init__(self) -> None:
        self._all: list[_Listener] = []
        self._ended = False

    def tell(self, scope: Scope, items: Sequence[WorkItem]) -> None:
        """Hand every listener an event for each item."""
        for listener in self._all:
            for item in items:
                listener.tell(Enriched(scope=scope, item=item))

    def end(self) -> None:
        """Say that no more will come: who listens takes what waits, and ends."""
        self._ended = True
        for listener in self._all:
            listener.end()

    async def listen(self) -> AsyncIterator[Enriched]:
        """Every event from now on, until the listener leaves or no more will come."""
        if self._ended:
            return
        listener = _Listener()
        self._all.append(listener)
        try:
            while True:
                await listener.more.wait()
                if (event := listener.next()) is None:
                    return
                yield event
        finally:
            self._all.remove(listener)
