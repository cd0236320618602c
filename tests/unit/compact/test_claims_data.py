"""On public conversations: claims cover what an independent pattern counts, and what is true to its source is let through."""

from __future__ import annotations

import json
import os
import re
from collections import Counter, defaultdict
from datetime import UTC, datetime
from pathlib import Path

import pytest

from muniment.compact.rules_claims import claims
from muniment.compact.rules_statements import statements
from muniment.compact.rules_verify import verify
from muniment.ingest.extract.rules_names import mentions
from muniment.knowledge.digests import ClaimKind, DigestLine, Span
from muniment.types import Kind, Record, RecordId, Role, Scope, ToolCall, words_of

DATA = Path(os.environ.get("MUNIMENT_DATA", "/nowhere"))
pytestmark = [pytest.mark.data, pytest.mark.skipif(not DATA.is_dir(), reason="MUNIMENT_DATA names no folder of public data sets")]

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Mon|Tues|Wed|Thurs|Fri|Sat|Sun"
PATTERNS = {
    "number": re.compile(r"(?<![\w.,])\d+(?:[.,]\d+)*(?!\w)"),
    "date": re.compile(
        rf"\b(?:\d{{4}}-\d\d-\d\d|(?:{MONTHS}) \d{{1,2}}\b|\d{{1,2}} (?:{MONTHS})\b|yesterday|tomorrow"
        rf"|(?:last|next) (?:week|month|year|night|summer|weekend)|(?:{DAYS}))\b"
    ),
    "name": re.compile(rf"(?<=[a-z,] )(?!(?:{MONTHS}|{DAYS}|Christmas|Easter|Halloween|Thanksgiving)\b)[A-Z][a-z]{{2,}}\b"),
}
EXACT = {ClaimKind.NUMBER, ClaimKind.MONEY, ClaimKind.DATE, ClaimKind.NAME, ClaimKind.LINK, ClaimKind.CODE, ClaimKind.QUOTE}
TALKS, TASKS = 3, 12


def record(number, text, *, role="user", speaker="", calls=(), answers=None):
    return Record(
        id=RecordId(f"r{number}"),
        scope=Scope(user="anyone"),
        text=text,
        role=Role(role),
        kind=Kind.TURN,
        speaker=speaker,
        agent="",
        recorded_at=datetime(2024, 1, 1, tzinfo=UTC),
        tool_calls=calls,
        tool_call_id=answers,
    )


def locomo():
    for talk in json.loads((DATA / "locomo" / "dev.json").read_text(encoding="utf-8"))[:TALKS]:
        said = talk["conversation"]
        sessions = sorted((key for key in said if re.fullmatch(r"session_\d+", key)), key=lambda key: int(key.split("_")[1]))
        turns = [turn for key in sessions for turn in said[key]]
        yield [record(number, turn["text"], speaker=turn["speaker"]) for number, turn in enumerate(turns)]


def tau():
    lines = (DATA / "tau_bench" / "airline_trajectories_dev.jsonl").read_text(encoding="utf-8").splitlines()
    for line in lines[:TASKS]:
        yield [
            record(
                number,
                turn.get("content") or "",
                role=turn["role"],
                speaker=turn["role"],
                calls=tuple(
                    ToolCall(id=call["id"], name=call["function"]["name"], arguments=call["function"]["arguments"])
                    for call in turn.get("tool_calls") or ()
                ),
                answers=turn.get("tool_call_id"),
            )
            for number, turn in enumerate(json.loads(line)["traj"])
        ]


def told(kind, words, claim):
    value = words.casefold().replace(",", "") if kind == "number" else words.casefold()
    dated = claim.kind is ClaimKind.DATE and kind in {"number", "date"}
    return dated or (kind != "date" and (value in claim.value or value.rstrip("0").rstrip(".") in claim.value))


@pytest.mark.parametrize("spans", [locomo, tau])
def test_claims_cover_what_an_independent_pattern_counts(spans):
    counted, covered = Counter(), Counter()
    for records in spans():
        said = statements(records, names=mentions)
        at = defaultdict(list)
        for made in claims(said, [0.5] * len(said)):
            for span in made.claim.spans if made.claim.kind in EXACT else ():
                at[span.record].append((span, made.claim))
        for one in records:
            for kind, pattern in PATTERNS.items():
                for found in pattern.finditer(words_of(one)):
                    here = (claim for span, claim in at[one.id] if span.start <= found.start() and found.end() <= span.end)
                    counted[kind] += 1
                    covered[kind] += any(told(kind, found[0], claim) for claim in here)
    assert counted.total() > 500
    assert covered.total() >= 0.95 * counted.total()
    assert all(covered[kind] >= 0.95 * counted[kind] for kind in counted if counted[kind] >= 100)


@pytest.mark.parametrize("spans", [locomo, tau])
def test_records_are_true_to_themselves_proved_and_read_anew(spans):
    for records in spans():
        proved = [
            DigestLine(
                text=words_of(one),
                spans=(Span(record=one.id, start=0, end=len(words_of(one))),),
                speaker=one.speaker,
                trust=one.trust,
            )
            for one in records
            if words_of(one).strip()
        ]
        anew = [DigestLine(text=line.text, spans=(), speaker=line.speaker, verbatim=False) for line in proved]
        for lines in (proved, anew, proved[::2], anew[1::2]):
            checked = verify(records, lines, names=mentions)
            assert [one.why for one in (*checked.alterations, *checked.inventions)] == []
            assert checked.score == 1 or len(lines) < len(proved)
