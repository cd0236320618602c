"""A support conversation as a whole: one customer under three names, two changes of her plan, small talk, and another company.

Asked which plan she is on, the record that says so comes first and the old ones are marked; asked when it changed, the dated
change; asked what it was at first, the first; another company's user finds nothing and is told so.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
import pytest_asyncio
from cases import STORES, opened, url_of

from muniment import Role, Scope, Turn
from muniment.assemble import recalled_line
from muniment.plugins import is_installed
from muniment.testing import FixedClock, TableEmbedder

PRIYA = Scope(client="helpdesk", customer="larkspur", user="pn")
OTHER = Scope(client="helpdesk", customer="tidewater", user="pn")
TODAY = datetime(2026, 6, 1, 9, tzinfo=UTC)
EMBEDDERS = ["none", "table", *(["local"] if is_installed() else [])]
FIRST, SECOND, NOW = "I'm on the Starter plan", "upgraded to the Team plan", "from Team to Business"


def said(text, day, who="Priya Nair", role=Role.USER):
    at = datetime.fromisoformat(f"{day}T09:00:00+00:00")
    return Turn(text=text, speaker=who, role=role, said_at=at, conversation=day)


def answered(text, day):
    return said(text, day, "Support", Role.ASSISTANT)


TALK = (
    said("Hello, this is Priya Nair from Larkspur. I'm on the Starter plan.", "2026-02-02"),
    answered("Hello Priya, thanks for getting in touch. I can see your account. How can I help?", "2026-02-02"),
    said("The export button does nothing since this morning.", "2026-02-02"),
    answered("Please clear the cache and try the export again.", "2026-02-02"),
    said("That worked, thank you!", "2026-02-02"),
    said("Good morning! I upgraded to the Team plan yesterday.", "2026-03-12", "Priya"),
    answered("Great choice. The Team plan comes with shared folders and a longer history.", "2026-03-12"),
    said("Lovely. It is raining here all week, by the way.", "2026-03-12", "Priya"),
    answered("Let me know if anything about your plan is unclear.", "2026-03-12"),
    said("PN here. We moved from Team to Business on May 3.", "2026-05-11", "PN"),
    answered("Thanks for letting me know. Is there anything else I can do now?", "2026-05-11"),
    said("Can you send me the invoice for April?", "2026-05-11", "PN"),
    said("Never mind, I found it.", "2026-05-11", "PN"),
)
NOW_ASKED = (
    "Which plan is Priya on now?",
    "What plan is Priya Nair on?",
    "Which plan is she on now?",
    "What is her current plan?",
    "Which plan am I on?",
    "What's my plan now?",
    "Which subscription does PN have?",
    "What tier is she on at the moment?",
)
WHEN_ASKED = (
    "When did she change her plan?",
    "When did Priya's plan change?",
    "When did I change my plan?",
    "When did her plan last change?",
)
FIRST_ASKED = ("Which plan was Priya on at first?", "What plan did she have originally?", "Which plan did I start with?")


def embedder_of(name):
    return {"none": None, "table": TableEmbedder(dim=32)}.get(name, name)


DESKS = [(store, embedder) for store in STORES for embedder in EMBEDDERS]
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module", params=DESKS, ids="-".join)
async def desk(request, tmp_path_factory):
    """An engine that holds the conversation, derived from. The tests only ask it."""
    store, embedder = request.param
    async with opened(
        url_of(store, tmp_path_factory.mktemp("desk")), embedder=embedder_of(embedder), clock=FixedClock(TODAY)
    ) as engine:
        await engine.ingest(PRIYA, TALK)
        await engine.work.wait()
        yield engine


@pytest.mark.parametrize("question", NOW_ASKED)
async def test_the_plan_she_is_on_comes_first_and_the_old_ones_are_marked(desk, question):
    bundle = await desk.retrieve(PRIYA, question)
    assert NOW in bundle.hits[0].record.text
    assert not bundle.hits[0].superseded
    old = [hit for hit in bundle if FIRST in hit.record.text or SECOND in hit.record.text]
    assert all(hit.superseded for hit in old)
    assert any("superseded by" in line and "Business (2026-05-03)" in line for line in bundle.explanation)


@pytest.mark.parametrize("question", WHEN_ASKED)
async def test_asked_when_the_plan_changed_the_dated_change_comes_first(desk, question):
    first = (await desk.retrieve(PRIYA, question)).hits[0]
    assert NOW in first.record.text
    assert any(memory.event and memory.event.since == datetime(2026, 5, 3, tzinfo=UTC) for memory in first.memories)


async def test_asked_when_it_changed_to_a_plan_that_change_comes_first(desk):
    first = (await desk.retrieve(PRIYA, "When did she upgrade to Team?")).hits[0]
    assert SECOND in first.record.text
    assert any(memory.event and memory.event.since == datetime(2026, 3, 11, tzinfo=UTC) for memory in first.memories)


@pytest.mark.parametrize("question", FIRST_ASKED)
async def test_asked_what_it_was_at_first_the_first_plan_comes_first(desk, question):
    assert FIRST in (await desk.retrieve(PRIYA, question)).hits[0].record.text


async def test_asked_what_it_was_before_the_plan_before_comes_first(desk):
    assert SECOND in (await desk.retrieve(PRIYA, "Which plan was Priya on before?")).hits[0].record.text


async def test_a_question_that_names_the_old_plan_finds_what_took_its_place(desk):
    assert NOW in (await desk.retrieve(PRIYA, "Is Priya on Team?")).hits[0].record.text


async def test_a_prompt_says_of_the_old_plans_when_they_gave_way(desk):
    bundle = (await desk.assemble(PRIYA, "Tell me about Priya's plan: Starter, Team?", budget=2000)).bundle
    lines = {hit.record.text: recalled_line(hit) for hit in bundle}
    assert any(
        re.search(r" \(superseded on 2026-05-\d\d; it was: Team\)$", line) for text, line in lines.items() if SECOND in text
    )
    assert any(
        re.search(r" \(superseded on 2026-03-\d\d; it was: Starter\)$", line) for text, line in lines.items() if FIRST in text
    )
    assert all("superseded" not in line for text, line in lines.items() if NOW in text)


@pytest.mark.parametrize("question", [*NOW_ASKED, *WHEN_ASKED, *FIRST_ASKED])
async def test_another_companys_user_finds_nothing_and_is_told_that_nothing_is_known(desk, question):
    bundle = await desk.retrieve(OTHER, question)
    assert not bundle.hits
    assert "nothing is known here about it" in bundle.explanation[-1]
    assert not any(word in " ".join(bundle.explanation) for word in ("Starter", "Team", "Business", "Nair"))


async def test_the_three_names_are_one_person(desk):
    people = [entity for entity in (await desk.entities.list(PRIYA)).entities if entity.kind == "person"]
    assert [entity.name for entity in people] == ["Priya Nair"]
    assert {alias.text for alias in people[0].aliases} >= {"Priya Nair", "Priya", "PN"}
