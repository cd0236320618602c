"""Public cases of kind D: dates and time zones."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from cases import ANA, EVERY, known, learn, modelled, opened, texts
from running_cli import environment, process

import muniment
from muniment import Filter, Turn
from muniment.architect import default_architecture
from muniment.knowledge.architecture import Mode
from muniment.knowledge.values import MemoryFilter
from muniment.testing import FixedClock, ScriptedAnswers, TableEmbedder
from muniment.testing.answers import memories, remembered
from muniment.types import Precision

USER = ("--user", "ana")


@pytest.fixture
def pacific(monkeypatch):
    """This process lives on the Pacific coast."""
    monkeypatch.setenv("TZ", "US/Pacific")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


async def test_D01_the_zone_of_the_process_moves_no_instant(url, pacific):
    at = datetime(2025, 7, 25, 2, tzinfo=UTC)
    assert at.astimezone().day == 24
    async with opened(url, clock=FixedClock(at)) as engine:
        (plain, dated) = (await engine.ingest(ANA, ["a kettle", Turn(text="a dated kettle", said_at=at)])).ids
        assert (await engine.get(ANA, plain)).recorded_at == (await engine.get(ANA, dated)).said_at == at
        day = Filter(since=datetime(2025, 7, 25, tzinfo=UTC), until=datetime(2025, 7, 26, tzinfo=UTC))
        assert [record.id for record in (await engine.list(ANA, where=day)).records] == [dated]
        assert texts(await engine.retrieve(ANA, "kettle", where=day)) == ["a dated kettle"]
        assert "said then" in (await engine.retrieve(ANA, "which kettle on 25 July 2025?")).explanation[0]


def test_D01_the_command_line_in_another_zone_keeps_and_filters_by_utc(tmp_path):
    env = environment(tmp_path, TZ="US/Pacific")
    chat = [{"role": "user", "content": "A kettle.", "timestamp": "2025-07-25T02:00:00Z"}]
    (tmp_path / "chat.json").write_text(json.dumps(chat))
    assert process("ingest", "chat.json", *USER, folder=tmp_path, env=env).returncode == 0
    window = ("--since", "2025-07-25", "--until", "2025-07-26")
    listed = json.loads(process("list", *USER, *window, "--json", folder=tmp_path, env=env).stdout)
    assert [record["said_at"] for record in listed["records"]] == ["2025-07-25T02:00:00Z"]


async def test_D02_a_local_time_is_kept_as_its_instant_and_not_told_as_another_hour(engine):
    shanghai = timezone(timedelta(hours=8))
    (record,) = (
        await engine.ingest(ANA, [Turn(text="I just finished lunch", said_at=datetime(2026, 3, 2, 12, 45, tzinfo=shanghai))])
    ).ids
    assert (await engine.get(ANA, record)).said_at == datetime(2026, 3, 2, 4, 45, tzinfo=UTC)
    made = (await engine.assemble(ANA, "When did I finish lunch?", budget=200)).compilation.text
    assert "I just finished lunch" in made
    assert "04:45" not in made


def test_D02_a_local_time_is_read_in_the_zone_that_is_named(cli):
    chat = cli.file("chat.json", [{"role": "user", "content": "I just finished lunch.", "timestamp": "2026-03-02T12:45:00"}])
    assert cli.as_json("ingest", chat, *USER, code=1)["files"][0]["items"][0]["reason"] == "tz_required"
    cli("ingest", chat, *USER, "--zone", "Asia/Shanghai")
    assert [record["said_at"] for record in cli.as_json("list", *USER)["records"]] == ["2026-03-02T04:45:00Z"]


async def test_D04_a_year_in_the_words_is_no_day_and_costs_no_rank(url):
    async with opened(url, embedder=None, clock=FixedClock(datetime(2026, 8, 30, tzinfo=UTC))) as engine:
        await engine.ingest(
            ANA,
            [
                Turn(text="I spoke at the 2026 harbour summit."),
                Turn(text="Changed the theme to light.", said_at=datetime(2026, 8, 24, tzinfo=UTC)),
            ],
        )
        bundle = await engine.retrieve(ANA, "Which summit did I speak at?")
        assert texts(bundle)[0] == "I spoke at the 2026 harbour summit."
        assert bundle.hits[0].record.said_at is None
        assert "time" not in bundle.hits[0].channels


async def test_D05_D09_no_time_is_made_up_from_the_words(engine):
    words = ["yesterday the sensors failed", "[imported 2026-05-18 10:00] Ben joined in 2021"]
    for record in (await engine.ingest(ANA, words)).ids:
        assert (await engine.get(ANA, record)).said_at is None
    assert (await engine.list(ANA, where=Filter(since=datetime(2000, 1, 1, tzinfo=UTC)))).records == ()
    bundle = await engine.retrieve(ANA, "Who joined on 2026-05-18?")
    assert "nothing was said then" in bundle.explanation[0]
    (dated,) = (await engine.ingest(ANA, [Turn(text=words[0], said_at=datetime(2026, 7, 27, tzinfo=UTC))])).ids
    assert (await engine.get(ANA, dated)).text == words[0]


async def test_D08_an_instant_is_the_same_on_every_store_to_the_microsecond(engine):
    said = [datetime(2026, 7, 25, 1, 30, 0, 1, tzinfo=timezone(timedelta(hours=h))) for h in (-12, 0, 5.75, 14)]
    said += [datetime(year, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC) for year in (1200, 1969, 9998)]
    ids = (await engine.ingest(ANA, [Turn(text="x", said_at=at) for at in said])).ids
    async with opened("memory://") as other:
        await other.restore(engine.export())
        for at, record in zip(said, ids, strict=True):
            assert (await engine.get(ANA, record)).said_at == (await other.get(ANA, record)).said_at == at


@pytest.mark.parametrize("embedder", [None, TableEmbedder(dim=16)], ids=["words", "vectors"])
async def test_D10_the_eighth_of_march_is_not_passed_off_as_the_eighteenth(url, embedder):
    async with opened(url, embedder=embedder) as engine:
        for day, text in ((8, "the pump failed"), (9, "the pump was mended")):
            await engine.ingest(ANA, [Turn(text=text, said_at=datetime(2026, 3, day, tzinfo=UTC))])
        bundle = await engine.retrieve(ANA, "what happened on March 18?")
        assert "March 18" in bundle.explanation[0]
        assert "nothing was said then; the nearest is of 2026-03-09" in bundle.explanation[0]
        assert len(bundle) == 0 or embedder is not None
        bundle = await engine.retrieve(ANA, "what happened on March 8?")
        assert texts(bundle)[0] == "the pump failed"
        assert "1 passages were said then" in bundle.explanation[0]


async def test_D12_last_month_is_a_window_that_is_used_and_shown(engine):
    for month, text in ((1, "planted peas"), (2, "planted beans"), (3, "sold the shed")):
        await engine.ingest(ANA, [Turn(text=text, said_at=datetime(2026, month, 10, tzinfo=UTC))])
    bundle = await engine.retrieve(ANA, "what did I do last month")
    assert texts(bundle)[0] == "planted beans"
    assert bundle.hits[0].channels["time"] > 0
    assert "2026-02-01 to 2026-02-28 (last month)" in bundle.explanation[0]


def test_D14_when_it_was_said_can_be_told_on_every_write_surface(url, cli):
    said = datetime(2020, 2, 29, 23, 59, 59, 999_999, tzinfo=UTC)
    with muniment.sync.open(url, embedder=None) as engine:
        items = [
            Turn(text="a", said_at=said),
            *({"role": "user", "content": k, k: said.isoformat()} for k in ("said_at", "created_at", "timestamp")),
        ]
        found = [engine.get(ANA, record) for record in engine.ingest(ANA, items).ids]
        assert {record.said_at for record in found} == {said}
        assert all(record.recorded_at > said for record in found)
    cli.said("From a file.", timestamp=said.isoformat())
    assert cli.as_json("list", *USER)["records"][0]["said_at"] == "2020-02-29T23:59:59.999999Z"


def day(*of):
    return datetime(*of, tzinfo=UTC)


async def test_D02_what_is_learned_is_dated_by_the_instant_and_reads_words_in_the_zone_of_the_agent(engine):
    await engine.architecture.apply(replace(default_architecture(), timezone="Asia/Shanghai"))
    shanghai = timezone(timedelta(hours=8))
    said = [
        Turn(text="I just finished lunch", said_at=datetime(2026, 3, 2, 12, 45, tzinfo=shanghai)),
        Turn(text="Yesterday I ran in the park.", said_at=datetime(2026, 3, 3, 1, 0, tzinfo=shanghai)),
    ]
    told = await learn(engine, ANA, *said)
    assert told
    assert "04:45" not in " ".join(memory.text for memory in told)
    assert {memory.said_at for memory in told} <= {turn.said_at for turn in said}
    (run,) = [memory for memory in told if "ran" in memory.text]
    assert run.event.since == datetime(2026, 3, 2, tzinfo=shanghai)


async def test_D04_a_year_is_kept_as_a_year(engine):
    told = await learn(
        engine,
        ANA,
        "I attended the 2026 harbour summit as a speaker.",
        Turn(text="On 24 Aug 2026 I changed the theme to light.", said_at=day(2026, 8, 24, 9)),
    )
    year, theme = (memory.event for memory in told)
    assert (year.precision, year.words, year.since, year.until) == (Precision.YEAR, "2026", day(2026, 1, 1), day(2027, 1, 1))
    assert (theme.precision, theme.since) == (Precision.DAY, day(2026, 8, 24))


async def test_D05_a_relative_day_is_reckoned_from_when_it_was_said_and_flagged_when_that_is_assumed(engine):
    dated, bare = await learn(
        engine, ANA, Turn(text="Yesterday I repaired the sensors.", said_at=day(2026, 7, 27, 9)), "yesterday I repaired the pumps"
    )
    assert (dated.event.since, dated.event.words, dated.event.assumed) == (day(2026, 7, 26), "Yesterday", False)
    assert (bare.event.since, bare.event.words, bare.event.assumed) == (day(2026, 3, 19), "yesterday", True)


async def test_D05_what_failed_yesterday_is_dated_too(engine):
    told = await learn(engine, ANA, Turn(text="yesterday the sensors failed", said_at=day(2026, 7, 27, 9)))
    assert [(memory.event.since, memory.event.words) for memory in told] == [(day(2026, 7, 26), "yesterday")]


async def test_D06_a_day_that_a_model_makes_up_is_not_taken(url):
    made_up = remembered(1, "This morning I ran 5 km", "user ran 5 km", kind="event", when="25 May 2023")
    async with opened(url, embedder=None) as engine:
        intake, work = modelled(engine, ScriptedAnswers(memories(made_up)), mode=Mode.MODEL)
        turn = Turn(text="This morning I ran 5 km", said_at=day(2026, 5, 16, 20))
        await intake.ingest(ANA, [turn], agent="default", conversation=None)
        await work.wait()
        for memory in await known(engine, ANA, EVERY):
            assert memory.event is None or memory.event.since.date().isoformat() == "2026-05-16"
            assert "2023" not in memory.text
        await work.close()


async def test_D06_this_morning_is_the_morning_of_the_message(engine):
    (run,) = await learn(engine, ANA, Turn(text="This morning I ran 5 km", said_at=day(2026, 5, 16, 20)))
    assert run.event.since.date() == run.event.until.date() == day(2026, 5, 16).date()


async def test_D08_what_is_derived_has_the_same_instants_on_every_store(engine):
    said = datetime(2026, 7, 25, 1, 30, 0, 1, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    turns = [
        Turn(text="I live in Lisbon.", said_at=said),
        Turn(text="I moved to Porto.", said_at=said + timedelta(microseconds=3)),
    ]
    told = await learn(engine, ANA, *turns)
    assert [memory.valid_from for memory in told] == [said + timedelta(microseconds=3)]
    async with opened("memory://") as other:
        await learn(other, ANA, *turns)
        times = [(m.valid_from, m.valid_to, m.said_at, m.recorded_at) for m in await known(engine, ANA, EVERY)]
        assert times == [(m.valid_from, m.valid_to, m.said_at, m.recorded_at) for m in await known(other, ANA, EVERY)]


async def test_D09_a_stamp_of_import_is_no_fact_and_a_year_told_is_when_it_holds_from(engine):
    (joined,) = await learn(engine, ANA, "[imported 2026-05-18 10:00] Ben joined in 2021")
    assert joined.text == "Ben joined in 2021"
    assert joined.valid_from == joined.event.since == day(2021, 1, 1)


async def test_D10_memories_of_a_day_are_asked_by_that_day(engine):
    for of, text in ((8, "I painted the harbour pump."), (9, "I mended the pump.")):
        await learn(engine, ANA, Turn(text=text, said_at=day(2026, 3, of, 10)))
    for of, there in ((8, True), (18, False)):
        where = MemoryFilter(since=day(2026, 3, of), until=day(2026, 3, of + 1))
        assert bool(await known(engine, ANA, where)) == there


async def test_D13_what_is_asked_as_of_a_day_is_answered_of_that_day_and_not_of_today(engine):
    await learn(
        engine,
        ANA,
        Turn(text="I live in Lisbon.", said_at=day(2019, 5, 1)),
        Turn(text="I moved to Porto.", said_at=day(2024, 5, 1)),
    )
    (then,) = await known(engine, ANA, MemoryFilter(valid_at=day(2020, 1, 1)))
    assert (then.value, then.recorded_at) == ("Lisbon", engine.clock.now())
