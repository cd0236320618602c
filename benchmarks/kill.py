"""Kill processes that write to one file, again and again, and count what was acknowledged and is not there.

    python -m benchmarks kill --kills 60 --seed 1 --processes 2 --enrich mixed --json kill.json

Writers put records, each with a key, and sometimes erase one or rebuild the index. A line in a log beside the store, synced
to the disk, says what was tried and what was acknowledged. A writer is killed at a random moment, another takes over its log
and first repeats what it finds unanswered, as a client would. Beside writing it enriches what waits, under leases so short that
they run out in its hands. After every round the file is opened, what waits is enriched, and all is compared with the logs.
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
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from muniment.architect.rules_default import default_architecture
from muniment.errors import StoreBusy
from muniment.ingest.enrich import Enrichment
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Memory, Status, WorkState
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
ENRICHED = {"none": 0, "mixed": 5, "all": 1}  # every so manieth record is enriched
FASTER = 1200  # how much faster than ours the clock of leases runs, so that one of two minutes ends within a writer's life
LATER = timedelta(days=1)


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
    enriched: int = 0
    memories: int = 0
    unfinished: int = 0
    repeated: int = 0
    unproved: int = 0
    kills: int = 0
    opened: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def main(argv: list[str]) -> int:
    """Run the benchmark; 0 when nothing was lost, doubled or in disagreement."""
    options = _arguments(argv)
    if options.writer:
        asyncio.run(_write(Path(options.folder), options.seed, ENRICHED[options.enrich]))
        return 0
    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        tally = run(Path(folder), kills=options.kills, seed=options.seed, processes=options.processes, enrich=options.enrich)
    results = list(_results(tally))
    for result in results:
        print(f"{result.metric:>14} {result.value:>10g} {result.unit}")
    for fault in tally.faults[:20]:
        print(f"    {fault}")
    if options.json:
        document = {
            "benchmark": "kill",
            "data": f"synthetic, seed {options.seed}, {options.processes} processes, enriched: {options.enrich}",
            "commit": "",
            "machine": "",
            "seconds": round(time.monotonic() - began),
            "results": [asdict(result) for result in results],
        }
        Path(options.json).write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    faults = (tally.lost, tally.revived, tally.duplicates, tally.disagreements, tally.unfinished, tally.repeated, tally.unproved)
    return int(any(faults))


def run(folder: Path, *, kills: int, seed: int, processes: int, enrich: str = "mixed") -> Tally:
    """Kill `kills` writers of a store in `folder` and compare it with their logs."""
    chance = random.Random(seed)
    tally = Tally()
    yard = _Yard(folder, seed, enrich)
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
            asyncio.run(_compare(folder, processes, tally, ENRICHED[enrich]))
    finally:
        yard.close()
    return tally


class _Yard:
    """Writers that wait for a word to begin, so that a killed one is followed at once."""

    def __init__(self, folder: Path, seed: int, enrich: str) -> None:
        self._folder = folder
        self._seed = seed
        self._enrich = enrich
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
        told = ["--folder", str(self._folder), "--seed", str(number), "--enrich", self._enrich]
        command = [sys.executable, __file__, "--writer", *told]
        writer = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603  # our own file
        self._all.append(writer)
        return writer


class _Log:
    """One writer's log: `try n`, `ack n`, `drop n`, `gone n`, a line each; acknowledgements are synced to the disk."""

    def __init__(self, folder: Path, slot: int, every: int) -> None:
        self.slot = slot
        self._every = every
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

    def enriched(self, number: int) -> bool:
        return bool(self._every) and number % self._every == 0

    def record(self, number: int) -> Record:
        scope = SCOPES[number % len(SCOPES)]
        said = f"writer {self.slot} says {number} " + "word " * (number % 40)
        if self.enriched(number):
            what = ("work at Firm", "have a cat named Cat", "visited Town")[number % 3]
            said = f"Thanks! I {what}{self.slot}x{number}."  # one statement of its own, and one refusal
        return sample_record(scope, said, conversation=f"c{number % 7}")

    def write(self, number: int) -> Write:
        record = self.record(number)
        write = sample_write(record.scope, record.text, key=f"{self.slot}-{number}", conversation=record.conversation)
        return replace(write, enrich=self.enriched(number))


class _Clock:
    """A clock that runs fast, the same in all processes."""

    def __init__(self, ahead: timedelta = timedelta(0)) -> None:
        self._ahead = ahead

    def now(self) -> datetime:
        return NOON + self._ahead + FASTER * timedelta(seconds=time.time() % 1_000_000)


async def _rules(agent: str, client: str | None) -> Architecture:
    del client
    return default_architecture(agent)


async def _write(folder: Path, seed: int, every: int) -> None:
    """A writer's life: wait for the word, repeat what was left unanswered, then go on until killed."""
    print("ready", flush=True)
    word = sys.stdin.readline()
    if not word:
        return
    log = _Log(folder, int(word), every)
    store = await open_sqlite(folder / "store.db")
    await store.adopt(MODEL)
    chance = random.Random(seed)
    fresh = iter(range(max(log.lines["try"], default=0) + 1, sys.maxsize))
    unanswered = sorted(log.lines["try"] - log.lines["ack"])
    for start in range(0, len(unanswered), 50):
        await _put(store, log, unanswered[start : start + 50])
    for dropped in log.lines["drop"] - log.lines["gone"]:
        await _drop(store, log, dropped)
    tasks = [_work(store, log, chance, fresh) for _ in range(TASKS)]
    await asyncio.gather(*tasks, _rebuild(store, chance), *([_enrich(store)] if every else []))


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


async def _enrich(store: SqliteStore) -> None:
    work = Enrichment(store, clock=_Clock(), architecture=_rules)
    while True:
        with suppress(StoreBusy):  # what it held is taken by another when the lease is over
            if not await work.step():
                await asyncio.sleep(0.02)


async def _derive(records: Sequence[Record]) -> list[list[Entry]]:
    return await sample_derive(records)


async def _put(store: SqliteStore, log: _Log, numbers: Sequence[int]) -> None:
    await store.put([log.write(number) for number in numbers])
    log.say("ack", *numbers)


async def _drop(store: SqliteStore, log: _Log, number: int) -> None:
    record = log.record(number)
    await store.erase(Target(scope=record.scope, ids=(record.id,)), NOON)
    log.say("gone", number)


async def _compare(folder: Path, processes: int, tally: Tally, every: int) -> None:
    began = time.perf_counter()
    store = await open_sqlite(folder / "store.db")
    tally.opened.append(time.perf_counter() - began)
    try:
        await Enrichment(store, clock=_Clock(LATER), architecture=_rules).wait()
        kept = [record async for record in store.scan(None)]
        findings = await store.check(sample_derive)
        logs = [_Log(folder, slot, every) for slot in range(processes)]
        known = [one async for one in store.knowledge(None)]
        await _look_at_work(store, logs, kept, [one for one in known if isinstance(one, Memory)], tally)
    finally:
        await store.close()
    faults = [finding.message for finding in findings if not finding.ok]
    copies = Counter((record.scope, record.id) for record in kept)
    repeated = sum(record.occurrences != 1 for record in kept) + sum(count - 1 for count in copies.values())
    acked, gone, lost, revived = 0, 0, [], []
    for slot, log in enumerate(logs):
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


async def _look_at_work(
    store: SqliteStore, logs: Sequence[_Log], kept: Sequence[Record], memories: Sequence[Memory], tally: Tally
) -> None:
    """Every enriched record that is kept was read once and proves something; nothing is told twice or without proof."""
    meant = {
        (record.scope, record.id)
        for log in logs
        for number in log.lines["try"]
        if log.enriched(number)
        for record in (log.record(number),)
    }
    here = [record for record in kept if (record.scope, record.id) in meant]
    tally.enriched, tally.memories, unfinished, repeated, unproved = len(here), len(memories), [], [], []
    for scope in SCOPES:
        mine = [record.id for record in here if record.scope == scope]
        done = {item.record: item for item in await store.work(scope, mine)}
        proved = await store.proved_by(scope, mine)
        refused = sum((await store.refused(scope)).values())
        below = sum(scope.covers(record.scope) for record in here)
        unfinished += [
            f"{scope}: {one} was not read" for one in mine if one not in done or done[one].state != WorkState.COMPLETED
        ]
        repeated += [
            f"{scope}: {one} was read again: {item.outcomes}"
            for one, item in done.items()
            if len(item.outcomes) != 2 or any(code.startswith("unchanged") for code in item.outcomes)
        ]
        repeated += [f"{scope}: {refused} refusals of {below} records"] if refused != below else []
        unproved += [f"{scope}: {one} proves nothing" for one in mine if one not in proved]
    unproved += [f"{one.scope}: nothing proves {one.text!r}" for one in memories if not one.evidence]
    current = Counter((one.scope, one.subject, one.text.casefold()) for one in memories if one.status is Status.CURRENT)
    repeated += [f"{what} stands {count} times" for what, count in current.items() if count > 1]
    tally.unfinished += len(unfinished)
    tally.repeated += len(repeated)
    tally.unproved += len(unproved)
    tally.faults += [*unfinished, *repeated, *unproved]


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
        "enriched": tally.enriched,
        "memories": tally.memories,
        "unfinished": tally.unfinished,
        "repeated": tally.repeated,
        "unproved": tally.unproved,
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
    parser.add_argument("--enrich", choices=ENRICHED, default="mixed", help="which records are enriched")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--folder", help="where to keep the store meanwhile")
    parser.add_argument("--writer", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
