"""Public cases of kind B: duplicates and idempotency."""

from __future__ import annotations

import pytest
from cases import ANA, NORTH, STORES, kept, opened, url_of
from running_cli import Cli

from muniment import Kind, Outcome, Role, Turn


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


DOCUMENTS = {
    "lease.md": "# Lease\n\nThe lease of the boat shed ends in June.\n",
    "rota.txt": "Ben opens on Mondays.\n\nAna opens on Tuesdays.\n",
    "tides.md": "# Tides\n\nHigh water was at noon.\n\n## Next week\n\nIt comes at six.\n",
    "stock.txt": "Eleven coils of rope.",
}


async def test_B02_the_same_four_documents_twice_are_no_second_copy(engine):
    passages = [Turn(text=text, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=name, origin=name) for name, text in DOCUMENTS.items()]
    first, second = await engine.ingest(ANA, passages), await engine.ingest(ANA, passages)
    assert first.count(Outcome.STORED) == second.count(Outcome.UNCHANGED) == 4
    assert second.ids == first.ids
    assert (await engine.stats(ANA)).records == 4


def test_B02_the_same_four_files_twice_change_nothing_and_say_so(cli):
    files = [cli.file(name, text) for name, text in DOCUMENTS.items()]
    first, second = (cli.as_json("ingest", *files, "--user", "ana")["files"] for _ in range(2))
    for before, after in zip(first, second, strict=True):
        assert after["counts"]["unchanged"] == before["counts"]["stored"] > 0
        assert after["counts"]["stored"] == 0
        assert [item["id"] for item in after["items"]] == [item["id"] for item in before["items"]]
    assert "unchanged" in cli("ingest", *files, "--user", "ana").out


async def test_B03_a_request_sent_again_after_a_timeout_is_one_record(url):
    sent = [Turn(text="pay the rent", key="k1"), Turn(text="water the plants")]
    async with opened(url) as engine:
        first = await engine.ingest(ANA, sent)
        keyless = [Turn(text="pay the rent"), Turn(text="water the plants")]
        for again in (sent, keyless, sent):
            receipt = await engine.ingest(ANA, again)
            assert receipt.count(Outcome.UNCHANGED) == 2
            assert receipt.ids == first.ids
        assert await kept(engine, ANA) == ["pay the rent", "water the plants"]
    if not url.startswith("memory"):
        async with opened(url) as engine:
            assert (await engine.ingest(ANA, sent)).ids == first.ids
            assert (await engine.stats(ANA)).records == 2


async def test_B03_a_key_sent_again_with_other_words_is_refused_and_explained(engine):
    await engine.ingest(ANA, [Turn(text="pay the rent", key="k1")])
    (item,) = (await engine.ingest(ANA, [Turn(text="pay the tax", key="k1")])).items
    assert (item.outcome, item.reason) == (Outcome.REFUSED, "key_conflict")
    assert "key" in item.message
    assert await kept(engine, ANA) == ["pay the rent"]


async def test_B04_one_capture_three_times_is_one_record_seen_three_times(engine):
    for _ in range(3):
        receipt = await engine.ingest(ANA, "same content here", conversation="session")
    record = await engine.get(ANA, receipt.ids[0])
    assert (record.occurrences, (await engine.stats(ANA)).records) == (3, 1)


async def test_B11_the_same_words_in_two_scopes_are_kept_twice_and_counted_apart(engine):
    for scope in (ANA, NORTH):
        for _ in range(2):
            receipt = await engine.ingest(scope, "prefers tea")
        assert (await engine.get(scope, receipt.ids[0])).occurrences == 2
        assert await kept(engine, scope) == ["prefers tea"]
    assert len(await engine.retrieve(ANA, "tea")) == 2


async def test_B12_what_is_known_already_is_no_error_and_no_empty_entry(engine):
    await engine.ingest(ANA, "I take my tea black.")
    receipt = await engine.ingest(ANA, "I take my tea black.")
    assert receipt.ok
    assert [(item.outcome, item.reason) for item in receipt.items] == [(Outcome.UNCHANGED, "")]
    assert receipt.ids
    assert (await engine.stats(ANA)).records == 1


def test_B12_the_command_line_says_unchanged_and_ends_well(cli):
    cli.said("I take my tea black.")
    told = cli("ingest", "chat.json", "--user", "ana", code=0)
    assert "1 unchanged" in told.out
    assert "Error" not in told.out + told.err
    assert len(cli.as_json("list", "--user", "ana")["records"]) == 1
