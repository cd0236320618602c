"""Public cases of kind D: dates and time zones."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from cases import ANA, STORES, opened, texts, url_of
from running_cli import Cli, environment, process

import muniment
from muniment import Filter, Turn
from muniment.testing import FixedClock, TableEmbedder


@pytest.fixture(params=STORES)
def url(request, tmp_path):
    return url_of(request.param, tmp_path)


@pytest.fixture
async def engine(url):
    async with opened(url) as found:
        yield found


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


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
