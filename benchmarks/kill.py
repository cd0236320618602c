"""Kill processes that write to one file, again and again, and count what was acknowledged and is not there.

    python -m benchmarks kill --kills 60 --seed 1 --processes 2 --json kill.json

Writers put records, each with a key, and sometimes erase one or rebuild the index. A line in a log beside the store, synced
to the disk, says what was tried and what was acknowledged. A writer is killed at a random moment, another takes over its log
and first repeats what it finds unanswered, as a client would. After every round the file is opened and compared with the logs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from muniment.errors import StoreBusy
from muniment.ports import Target, Write
from muniment.shelf import Entry
from muniment.stores.sqlite import SqliteStore, open_sqlite
from muniment.testing.samples import DIM, sample_derive, sample_record, sample_write
from muniment.types import Record, Scope

MODEL = ("sample", DIM)
NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SCOPES = (Scope(client="acme"), Scope(client="acme", user="ana"), Scope(client="acme", user="ben"), Scope(user="cleo"))
TASKS = 4  # calls a writer has under way
ROUND = 10  # kills between two comparisons
LONGEST = 0.35  # seconds a writer lives at most


@dataclass(frozen=True, kw_only=True)
class Result:
    """One row of the table."""

    method: str = "muniment"
    slice: str = "overall"
    metric: str
    value: float
    low: float
    high: float
    n: int
    unit: str


@dataclass
class Tally:
    """What the comparisons found."""

    acked: int = 0
    erased: int = 0
    kept: int = 0
    lost: int = 0
    revived: int = 0
    duplicates: int = 0
    disagreements: int = 0
    kills: int = 0
    opened: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def main(argv: list[str]) -> int:
    """Run the benchmark; 0 when nothing was lost, doubled or in disagreement."""
    options = _arguments(argv)
    if options.writer:
        asyncio.run(_write(Path(options.folder), options.seed))
        return 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        tally = run(Path(folder), kills=options.kills, seed=options.seed, processes=options.processes)
    results = list(_results(tally))
    for result in results:
        print(f"{result.metric:>14} {result.value:>10g} {result.unit}")
    for fault in tally.faults[:20]:
        print(f"    {fault}")
    if options.json:
        document = {
            "benchmark": "kill",
            "data": f"synthetic, seed {options.seed}, {options.processes} processes",
            "commit": "",
            "machine": "",
            "seconds": round(time.monotonic() - began),
            "results": [asdict(result) for result in results],
        }
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return int(bool(tally.lost or tally.revived or tally.duplicates or tally.disagreements))


def run(folder: Path, *, kills: int, seed: int, processes: int) -> Tally:
    """Kill `kills` writers of a store in `folder` and compare it with their logs."""
    chance = random.Random(seed)
    tally = Tally()
    yard = _Yard(folder, seed)
    try:
        while tally.kills < kills:
            running = {slot: yard.start(slot) for slot in range(processes)}
            for _ in range(min(ROUND, kills - tally.kills)):
                time.sleep(chance.uniform(0, LONGEST))
                slot = chance.randrange(processes)
                running[slot].kill()
                tally.kills += 1
                running[slot] = yard.start(slot)
            time.sleep(chance.uniform(0, LONGEST))
            for writer in running.values():
                writer.kill()
                writer.wait()
            asyncio.run(_compare(folder, processes, tally))
    finally:
        yard.close()
    return tally


class _Yard:
    """Writers that wait for a word to begin, so that a killed one is followed at once."""

    def __init__(self, folder: Path, seed: int) -> None:
        self._folder = folder
        self._seed = seed
        self._waiting: list[subprocess.Popen[bytes]] = []
        self._all: list[subprocess.Popen[bytes]] = []

    def start(self, slot: int) -> subprocess.Popen[bytes]:
        while len(self._waiting) < 2:
            self._waiting.append(self._new())
        writer = self._waiting.pop(0)
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdout.readline()  # it has loaded what it needs
        writer.stdin.write(f"{slot}\n".encode())
        writer.stdin.flush()
        return writer

    def close(self) -> None:
        for writer in self._all:
            writer.kill()
            writer.wait()
            assert writer.stdin is not None
            assert writer.stdout is not None
            writer.stdout.close()
            with suppress(BrokenPipeError):
                writer.stdin.close()

    def _new(self) -> subprocess.Popen[bytes]:
        number = self._seed * 100_003 + len(self._all)
        command = [sys.executable, __file__, "--writer", "--folder", str(self._folder), "--seed", str(number)]
        writer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # our own file
        self._all.append(writer)
        return writer


class _Log:
    """One writer's log: `try n`, `ack n`, `drop n`, `gone n`, a line each; acknowledgements are synced to the disk."""

    def __init__(self, folder: Path, slot: int) -> None:
        self.slot = slot
        path = folder / f"writer-{slot}.log"
        self.lines: dict[str, set[int]] = {word: set() for word in ("try", "ack", "drop", "gone")}
        if path.exists():
            for line in path.read_text().splitlines(keepends=True):
                word, _, number = line.partition(" ")
                if line.endswith("\n"):  # a killed writer may have left half a line
                    self.lines[word].add(int(number))
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def close(self) -> None:
        os.close(self._file)

    def say(self, word: str, *numbers: int, synced: bool = True) -> None:
        os.write(self._file, "".join(f"{word} {number}\n" for number in numbers).encode())
        if synced:
            os.fsync(self._file)

    def record(self, number: int) -> Record:
        scope = SCOPES[number % len(SCOPES)]
        return sample_record(scope, f"writer {self.slot} says {number} " + "word " * (number % 40), conversation=f"c{number % 7}")

    def write(self, number: int) -> Write:
        record = self.record(number)
        return sample_write(record.scope, record.text, key=f"{self.slot}-{number}", conversation=record.conversation)


async def _write(folder: Path, seed: int) -> None:
    """A writer's life: wait for the word, repeat what was left unanswered, then go on until killed."""
    print("ready", flush=True)
    word = sys.stdin.readline()
    if not word:
        return
    log = _Log(folder, int(word))
    store = await open_sqlite(folder / "store.db")
    await store.adopt(MODEL)
    chance = random.Random(seed)
    fresh = iter(range(max(log.lines["try"], default=0) + 1, sys.maxsize))
    unanswered = sorted(log.lines["try"] - log.lines["ack"])
    for start in range(0, len(unanswered), 50):
        await _put(store, log, unanswered[start : start + 50])
    for dropped in log.lines["drop"] - log.lines["gone"]:
        await _drop(store, log, dropped)
    await asyncio.gather(*(_work(store, log, chance, fresh) for _ in range(TASKS)), _rebuild(store, chance))


async def _work(store: SqliteStore, log: _Log, chance: random.Random, fresh: Iterator[int]) -> None:
    while True:
        numbers = [next(fresh) for _ in range(chance.choice((1, 1, 2, 8, 60)))]
        log.say("try", *numbers, synced=False)
        await _put(store, log, numbers)
        if chance.random() < 0.2:
            log.say("drop", numbers[0], synced=False)
            await _drop(store, log, numbers[0])


async def _rebuild(store: SqliteStore, chance: random.Random) -> None:
    while True:
        await asyncio.sleep(chance.uniform(0.05, 2 * LONGEST))
        with suppress(StoreBusy):  # the other process has begun its own
            await store.reindex(_derive, MODEL)


async def _derive(records: Sequence[Record]) -> list[list[Entry]]:
    return await sample_derive(records)


async def _put(store: SqliteStore, log: _Log, numbers: Sequence[int]) -> None:
    await store.put([log.write(number) for number in numbers])
    log.say("ack", *numbers)


async def _drop(store: SqliteStore, log: _Log, number: int) -> None:
    record = log.record(number)
    await store.erase(Target(scope=record.scope, ids=(record.id,)), NOON)
    log.say("gone", number)


async def _compare(folder: Path, processes: int, tally: Tally) -> None:
    began = time.perf_counter()
    store = await open_sqlite(folder / "store.db")
    tally.opened.append(time.perf_counter() - began)
    try:
        kept = [record async for record in store.scan(None)]
        findings = await store.check(sample_derive)
    finally:
        await store.close()
    faults = [finding.message for finding in findings if not finding.ok]
    copies = Counter((record.scope, record.id) for record in kept)
    repeated = sum(record.occurrences != 1 for record in kept) + sum(count - 1 for count in copies.values())
    acked, gone, lost, revived = 0, 0, [], []
    for slot in range(processes):
        log = _Log(folder, slot)
        log.close()
        places = {number: (record.scope, record.id) for number in log.lines["try"] for record in (log.record(number),)}
        acked += len(log.lines["ack"])
        gone += len(log.lines["gone"])
        lost += [f"writer {slot}: {n} is lost" for n in log.lines["ack"] - log.lines["drop"] if places[n] not in copies]
        revived += [f"writer {slot}: {n} is back" for n in log.lines["gone"] if places[n] in copies]
    tally.acked, tally.erased, tally.kept = acked, gone, len(kept)
    tally.lost += len(lost)
    tally.revived += len(revived)
    tally.duplicates += repeated
    tally.disagreements += len(faults)
    tally.faults += [*lost, *revived, *faults]


def _results(tally: Tally) -> list[Result]:
    counts = {
        "kills": tally.kills,
        "acked": tally.acked,
        "erased": tally.erased,
        "kept": tally.kept,
        "lost": tally.lost,
        "revived": tally.revived,
        "duplicates": tally.duplicates,
        "disagreements": tally.disagreements,
    }
    rows = [
        Result(metric=name, value=count, low=count, high=count, n=tally.kills, unit="count") for name, count in counts.items()
    ]
    times = sorted(1000 * seconds for seconds in tally.opened)
    middle = times[len(times) // 2]
    return [*rows, Result(metric="open", value=middle, low=times[0], high=times[-1], n=len(times), unit="ms")]


def _arguments(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks kill", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--folder", help="where to keep the store meanwhile")
    parser.add_argument("--writer", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
