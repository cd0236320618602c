"""A move that is killed again and again, at any moment, is finished by the next: to a server and from one."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import subprocess
import sys

import pytest
from cases import ANA, BEN, NOON, opened

from muniment import Scope, Turn
from muniment.ingest.moving import move, sums_of

CALM = {"MUNIMENT_EMBEDDER": "none", "MUNIMENT_TOKENS": "estimate"}


async def fill(url):
    """Records of several scopes, more than one portion of them, with memories and a key to a retry."""
    async with opened(url, embedder=None) as engine:
        for n in range(4):
            turns = [Turn(text=f"Note {n}.{k}: I like kind{n}{k}.", said_at=NOON, conversation=f"c{k % 5}") for k in range(150)]
            await engine.ingest(Scope(client="acme", user=f"u{n}"), turns)
        await engine.ingest(ANA, [Turn(text="I live in Porto.", key="k1"), Turn(text="I live in Lisbon now.")])
        await engine.work.wait()


def run(source, target, *, until):
    """The command in a process of its own, killed after so many seconds; its exit code, or None when it was killed."""
    command = [sys.executable, "-m", "muniment", "migrate", "--from", source, "--to", target]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env={**os.environ, **CALM}, **quiet) as process:
        try:
            process.communicate(timeout=until)
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            return None
        return process.returncode


@pytest.fixture(params=["to the server", "from the server"])
def urls(request, emptied, tmp_path):
    """Where from, and where to."""
    file = f"sqlite:///{tmp_path}/file.db"
    return (file, emptied) if request.param == "to the server" else (emptied, file)


def test_a_move_killed_at_random_moments_is_finished_by_the_next(urls):
    asyncio.run(fill(urls[0]))
    moments = random.Random(7)
    killed = 0
    for _ in range(3):
        if run(*urls, until=0.4 + moments.random() * 1.2) is None:
            killed += 1
    assert killed
    assert run(*urls, until=120) == 0

    async def compared():
        async with opened(urls[0], embedder=None) as old, opened(urls[1], embedder=None) as new:
            assert await sums_of(new.transfer) == await sums_of(old.transfer)
            again = await move((old.store, old.transfer), (new.store, new.transfer), derive=new.index.entries)
            assert (again.differs, {item.outcome.value for item in again.receipt.items}) == ((), {"unchanged"})
            assert all(finding.ok for finding in await new.doctor())
            receipt = await new.ingest(ANA, [Turn(text="I live in Porto.", key="k1")])
            assert receipt.items[0].outcome == "unchanged"
            assert (await new.stats(BEN)).records == 0

    asyncio.run(compared())
