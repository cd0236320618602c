"""Hypothesis strategies for the values of the house: ids, scopes, texts in many scripts, moments, turns and records.

Needs hypothesis, which only tests install.
"""

# ruff: noqa: RUF001  look-alike letters of many scripts are the point of this file

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from unicodedata import normalize

from hypothesis import strategies as st

from muniment.errors import ScopeError
from muniment.knowledge.values import (
    KEPT,
    Alias,
    Entity,
    EntityId,
    Evidence,
    Link,
    Memory,
    MemoryFilter,
    MemoryId,
    Modality,
    Status,
)
from muniment.testing.acts import Act, Verb
from muniment.testing.fakes import NOON
from muniment.testing.samples import sample_record
from muniment.types import Filter, Kind, Precision, Record, RecordId, Role, Scope, ToolCall, Trust, Turn, When, check_id

SCRIPTS = (
    "The ferry leaves at noon.",
    "Zoë naïve Straße ﬁn",
    "Мама спит у окна",
    "Η γάτα κοιμάται",
    "الطقس جميل اليوم",
    "שלום, מה שלומך?",
    "今天天气很好，我们去散步。",
    "昨日、京都へ行きました",
    "오늘은 날씨가 좋다",
    "วันนี้อากาศดี",
    "आज मौसम अच्छा है",
    "e\u0301 o\u0308 n\u0303",
    "👩‍👩‍👧 🇵🇹 1️⃣ 👍🏽",
    "x\u202egnp.exe",
    "a\tb\r\nc\u2028d",
    "'; DROP TABLE record; --",
    '{"$ref": ["%s", "_", "\\\\"]}',
)


TWINS = ("ana", "Ana", "a_b", "a.b", "a%b", "a-b", "a b", "аna", "ana@example.org", "m; DROP TABLE m", "用户1")
SHOWN = st.characters(exclude_categories=["C", "Zl", "Zp"], exclude_characters="/\\")


def ids() -> st.SearchStrategy[str]:
    """Usable ids: plain words, near twins that must stay apart, and whatever else `check_id` lets pass."""
    drawn = st.text(SHOWN, min_size=1, max_size=30).map(_tidy)
    return st.one_of(st.sampled_from(TWINS), drawn.filter(_usable))


def _tidy(value: str) -> str:
    return normalize("NFC", value).strip(" .\u00a0\u3000")


def _usable(value: str) -> bool:
    try:
        check_id(value, "id")
    except ScopeError:
        return False
    return True


@st.composite
def scopes(draw: st.DrawFn) -> Scope:
    """Scopes with one to three rungs, in every combination."""
    given = draw(st.sampled_from(range(1, 8)))
    client, customer, user = (draw(ids()) if given & bit else None for bit in (1, 2, 4))
    return Scope(client=client, customer=customer, user=user)


def texts() -> st.SearchStrategy[str]:
    """Texts that a store must give back unchanged: many scripts, emoji, controls; no NUL, no lone surrogate, never blank."""
    drawn = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=200)
    mixed = st.lists(st.sampled_from(SCRIPTS), min_size=1, max_size=6).map(" ".join)
    return st.one_of(st.sampled_from(SCRIPTS), mixed, drawn).filter(lambda text: bool(text.strip()))


def moments() -> st.SearchStrategy[datetime]:
    """Instants to the microsecond, from year 2 to 9998, in zones from -14 to +14 hours."""
    zones = st.integers(-14 * 4, 14 * 4).map(lambda quarters: timezone(timedelta(minutes=15 * quarters)))
    return st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=st.just(UTC) | zones)  # noqa: DTZ001  the zone is drawn


def tool_calls() -> st.SearchStrategy[tuple[ToolCall, ...]]:
    """None to three calls, with arguments that need not be JSON."""
    call = st.builds(ToolCall, id=ids(), name=ids(), arguments=st.just("{}") | texts())
    return st.lists(call, max_size=3).map(tuple)


def metadata() -> st.SearchStrategy[dict[str, str]]:
    """Up to four pairs, keys that imitate scope rungs among them."""
    return st.dictionaries(
        st.sampled_from(["user", "client", "__class__", "$.a", "a') OR 1=1 --"]) | texts(), texts() | st.just(""), max_size=4
    )


def turns() -> st.SearchStrategy[Turn]:
    """Turns with every field drawn."""
    return st.builds(
        Turn,
        text=texts(),
        role=st.sampled_from(Role),
        speaker=st.none() | ids(),
        said_at=st.none() | moments(),
        conversation=st.none() | ids(),
        kind=st.sampled_from(Kind),
        ref=st.none() | ids(),
        key=st.none() | ids(),
        origin=st.just("") | ids(),
        tool_calls=tool_calls(),
        tool_call_id=st.none() | ids(),
        metadata=metadata(),
    )


@st.composite
def records(draw: st.DrawFn, scope: st.SearchStrategy[Scope] | None = None) -> Record:
    """Records with every field drawn; the id follows from scope and text, as in `sample_record`."""
    turn = draw(turns())
    return replace(
        sample_record(draw(scope if scope is not None else scopes()), turn.text),
        role=turn.role,
        kind=turn.kind,
        speaker=turn.speaker or "user",
        agent=draw(ids()),
        recorded_at=draw(moments()),
        said_at=turn.said_at,
        conversation=turn.conversation,
        ref=turn.ref,
        origin=turn.origin,
        trust=draw(st.sampled_from(Trust)),
        tool_calls=turn.tool_calls,
        tool_call_id=turn.tool_call_id,
        metadata=turn.metadata,
    )


def evidence() -> st.SearchStrategy[Evidence]:
    """Proofs by any record."""
    return st.builds(
        Evidence,
        record=ids().map(RecordId),
        start=st.integers(0, 999),
        end=st.integers(0, 999),
        said_at=st.none() | moments(),
        speaker=st.just("") | ids(),
    )


def whens() -> st.SearchStrategy[When]:
    """Stretches of time of every precision, open or not."""
    return st.builds(
        When,
        since=st.none() | moments(),
        until=st.none() | moments(),
        precision=st.sampled_from(Precision),
        words=texts(),
        recurrence=st.sampled_from(["", "FREQ=DAILY"]),
        approximate=st.booleans(),
        assumed=st.booleans(),
    )


def memories(scope: Scope) -> st.SearchStrategy[Memory]:
    """Memories of a scope with every field drawn."""
    name, at = ids(), st.none() | moments()
    named = st.lists(name, max_size=3).map(tuple)
    return st.builds(
        Memory,
        id=name.map(MemoryId),
        scope=st.just(scope),
        kind=name,
        text=texts(),
        subject=texts(),
        recorded_at=moments(),
        evidence=st.lists(evidence(), max_size=3).map(tuple),
        subject_id=st.none() | name,
        attribute=st.just("") | name,
        value=st.just("") | texts(),
        object_id=st.none() | name,
        entities=named,
        negated=st.booleans(),
        modality=st.sampled_from(Modality),
        speaker=st.just("") | name,
        event=st.none() | whens(),
        said_at=at,
        valid_from=at,
        valid_to=at,
        retired_at=at,
        status=st.sampled_from(KEPT),
        replaced_by=st.none() | name,
        replaces=named,
        links=st.lists(st.builds(Link, relation=name, memory=name.map(MemoryId)), max_size=2).map(tuple),
        parts=st.dictionaries(name, named, max_size=2),
        confidence=st.floats(0, 1),
        trust=st.sampled_from(Trust),
        conversation=st.none() | name,
        metadata=metadata(),
        expires_at=at,
        held=st.booleans(),
        recalled=st.integers(0, 99),
        recalled_at=at,
    )


def entities(scope: Scope) -> st.SearchStrategy[Entity]:
    """Entities of a scope with every field drawn."""
    alias = st.builds(
        Alias, text=texts(), kind=ids(), count=st.integers(1, 9), evidence=st.lists(evidence(), max_size=3).map(tuple)
    )
    return st.builds(
        Entity,
        id=ids().map(EntityId),
        scope=st.just(scope),
        name=texts(),
        kind=ids(),
        aliases=st.lists(alias, max_size=3).map(tuple),
        keys=st.lists(texts(), max_size=3).map(tuple),
        first_seen=moments(),
        last_seen=moments(),
        merged_into=st.none() | ids().map(EntityId),
        trust=st.sampled_from(Trust),
    )


WORDS = ("a red boat", "a blue boat", "the boat house by the lake is red today", "今天天气很好", "👍🏽")


@st.composite
def acts(draw: st.DrawFn, scopes: st.SearchStrategy[Scope], *, of: st.SearchStrategy[Scope] | None = None) -> Act:
    """Acts in `scopes` over few texts, keys and conversations, so that repeats, conflicts and misses are common."""
    names = st.none() | st.sampled_from(["c1", "c2"])
    put = st.just(Verb.PUT)
    return Act(
        verb=draw(put | st.sampled_from(Verb)),
        scope=draw(scopes),
        texts=tuple(draw(st.lists(st.sampled_from(WORDS), max_size=4, unique=True))),
        of=draw(st.none() | of) if of is not None else None,
        key=draw(st.none() | st.sampled_from(["k1", "k2"])),
        conversation=draw(names),
        speaker=draw(st.sampled_from(["Ana", "Ben"])),
        where=draw(st.builds(Filter, conversation=names, speaker=st.none() | st.sampled_from(["Ana", ("Ana", "Ben")]))),
        limit=draw(st.integers(1, 3)),
        among=draw(filters_of_memories()),
        fence=draw(st.integers(1, 4)),
        minute=draw(st.integers(0, 4)),
        enrich=draw(st.booleans()),
        flag=draw(st.booleans()),
    )


def filters_of_memories() -> st.SearchStrategy[MemoryFilter]:
    """Filters that often let something of `acts` pass."""
    at = st.none() | st.integers(0, 4).map(lambda minute: NOON + timedelta(minutes=minute))
    return st.builds(
        MemoryFilter,
        statuses=st.sampled_from([(Status.CURRENT,), (Status.CURRENT, Status.SUPERSEDED), ()]),
        kinds=st.sampled_from([(), ("fact",), ("fact", "event"), ("event",)]),
        subject=st.none() | st.sampled_from(["Ana", "ANA", "Ben"]),
        attribute=st.none() | st.sampled_from(["k1", ("k1", "k2")]),
        conversation=st.none() | st.sampled_from(["c1", ("c1", "c2")]),
        valid_at=at,
        known_at=at,
        text=st.none() | st.sampled_from(["boat", "RED a", "今天"]),
    )
