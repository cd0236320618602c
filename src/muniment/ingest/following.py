"""Following the work of a store that several processes write to: a worker that waits for more instead of ending."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from muniment.errors import StoreUnusable
from muniment.ports import Wakes

LOOKS = 5.0  # seconds after which a worker looks by itself: for what is to be tried again, and for leases that ran out
ASKS = 0.5  # the same where nobody tells


async def followed(step: Callable[[], Awaitable[int]], store: object, *, seconds: float | None, ended: Callable[[], bool]) -> int:
    """Take steps while there is work, wait for more, and go on until so many seconds are over or it has `ended`."""
    loop = asyncio.get_running_loop()
    end = None if seconds is None else loop.time() + seconds
    patience = LOOKS if isinstance(store, Wakes) else ASKS
    done = 0
    while not ended():
        try:
            taken = await step()
            done += taken
            left = patience if end is None else min(patience, end - loop.time())
            if taken:
                continue
            if left <= 0:
                break
            if isinstance(store, Wakes):
                await store.woken(left)
            else:
                await asyncio.sleep(left)
        except StoreUnusable:
            if not ended():
                raise
    return done
