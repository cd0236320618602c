"""Public cases of kind B: duplicates and idempotency."""

from __future__ import annotations

from cases import ANA, BEN, EVERY, NORTH, kept, known, learn, lines, names, opened, texts

from muniment import Kind, Outcome, Role, Turn
from muniment.knowledge.values import MemoryFilter, Status, WorkState

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


async def test_B02_the_same_document_twice_is_learned_once_and_queues_no_work(engine):
    passages = [Turn(text=text, role=Role.DOCUMENT, kind=Kind.PASSAGE, ref=name, origin=name) for name, text in DOCUMENTS.items()]
    first = await learn(engine, ANA, *passages)
    assert first
    second = await learn(engine, ANA, *passages)
    assert [(m.id, len(m.evidence)) for m in second] == [(m.id, len(m.evidence)) for m in first]


async def test_B03_a_request_sent_again_is_one_memory(engine):
    for _ in range(3):
        (only,) = await learn(engine, ANA, Turn(text="I live in Porto.", key="k1"), Turn(text="I live in Porto."))
    assert only.text == "user lives in Porto"
    assert len(await known(engine, ANA, EVERY)) == 1


async def test_B04_what_is_said_again_is_more_evidence_for_one_memory(engine):
    for day in ("monday", "tuesday", "friday"):
        (only,) = await learn(engine, ANA, "I live in Porto.", conversation=day)
    assert len(only.evidence) == 3
    assert len({proof.record for proof in only.evidence}) == 3


async def test_B06_reading_everything_anew_five_times_adds_nothing(engine):
    facts = await learn(engine, ANA, *(f"I visited Harbour{n}." for n in range(30)))
    whole = await known(engine, ANA, EVERY)
    for _ in range(5):
        assert await engine.work.rederive(ANA) == 30
        await engine.work.wait()
        assert [(m.id, m.evidence, m.status) for m in await known(engine, ANA, EVERY)] == [
            (m.id, m.evidence, m.status) for m in whole
        ]
    assert len(facts) == 30
    assert (await engine.memories.audit(ANA)).duplicates == ()


WORDINGS = [
    "We decided to use Postgres for the billing service.",
    "We agreed to use Postgres for billing.",
    "We've decided on Postgres for the billing service.",
    "I decided to use Postgres for the billing service.",
]


async def test_B07_one_decision_told_in_twelve_sessions_is_one_memory_with_twelve_proofs(engine):
    for session in range(12):
        told = await learn(engine, ANA, WORDINGS[session % len(WORDINGS)], conversation=f"session-{session}")
    (only,) = [memory for memory in told if memory.kind == "decision"]
    assert len({proof.record for proof in only.evidence}) == 12


async def test_B07_two_decisions_in_one_matter_stay_two(engine):
    told = await learn(
        engine, ANA, "We decided to use Postgres for the billing service.", "We decided to use Redis for the session cache."
    )
    assert len([memory for memory in told if memory.kind == "decision"]) == 2


async def test_B08_what_was_taken_into_another_is_found_in_its_history_alone(engine):
    (old,) = await learn(engine, ANA, "I have a dog.")
    current = await learn(engine, ANA, "I have a dog named Rex.")
    assert len(current) == 1
    (now,) = current
    assert old.id in [memory.id for memory in await engine.memories.history(ANA, now.id)]
    assert "Rex" in now.text or len(now.evidence) == 2


async def test_B10_three_tellings_of_one_liking_fit_the_budget_and_repeat_nothing(engine):
    said = ["I like Python.", "I am a senior Python developer.", "My favourite language is Python."]
    await learn(engine, ANA, *said)
    bundle = await engine.retrieve(ANA, "what about Python?", budget=12)
    assert bundle.tokens <= 12
    assert 0 < len(texts(bundle)) == len(set(texts(bundle)))
    values = [(memory.attribute, memory.value) for memory in await known(engine, ANA)]
    assert len(values) == len(set(values)) == 3


async def test_B11_the_same_words_of_two_users_are_two_memories(engine):
    for scope in (ANA, BEN, ANA):
        await learn(engine, scope, "I prefer tea.", "Kim Stone lives in Oslo.")
    for scope in (ANA, BEN):
        told = await known(engine, scope)
        assert {memory.scope for memory in told} == {scope}
        assert [len(memory.evidence) for memory in told] == [1, 1]
    assert await names(engine, ANA) == await names(engine, BEN)
    assert await known(engine, NORTH) == ()


async def test_B12_a_fact_that_is_known_is_answered_as_known(engine):
    first = await engine.memories.add(ANA, "user takes tea black")
    again = await engine.memories.add(ANA, "user takes tea black")
    assert (first.unchanged, again.unchanged, again.memory.id) == (False, True, first.memory.id)
    assert lines(await known(engine, ANA, MemoryFilter(statuses=tuple(Status)))) == ["user takes tea black"]
    receipt = await engine.ingest(ANA, "I take my tea black.")
    await engine.work.wait()
    (item,) = await engine.work.status(ANA, receipt.ids)
    assert (item.state, item.reason) == (WorkState.COMPLETED, "")
