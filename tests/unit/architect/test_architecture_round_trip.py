"""Architectures as files: what is written reads back as the same value, and as the same bytes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muniment.architect import check, default_architecture, read_architecture, write_architecture
from muniment.architect.rules_keys import CHANNELS, PII, REASONS, WEIGHTS, WRITERS
from muniment.architect.rules_shapes import LONGEST, span_of, span_text
from muniment.knowledge.architecture import Admission, Architecture, EntityRule, Keep, KindRule, Mode
from muniment.knowledge.questions import QUESTIONS
from muniment.types import RUNGS

WRITABLE = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
PROSE = st.text(WRITABLE, max_size=80)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
CUES = st.text(WRITABLE, min_size=1, max_size=20).map(lambda t: " ".join(t.split())).filter(bool)
SPANS = st.none() | st.integers(1, int(LONGEST.total_seconds())).map(lambda s: timedelta(seconds=s))
WEIGHED = st.dictionaries(st.sampled_from(WEIGHTS), st.floats(0, 100).map(abs), max_size=4)
UNIT = st.floats(0, 1).map(abs)


def subsets(options):
    return st.lists(st.sampled_from(options), unique=True).map(tuple)


KINDS = st.builds(
    KindRule,
    name=NAMES | st.sampled_from([rule.name for rule in default_architecture().kinds]),
    description=PROSE,
    cues=st.lists(CUES, unique=True, max_size=12).map(tuple),
    functional=st.lists(NAMES | st.sampled_from(["favourite:*", "likes:green tea"]), unique=True, max_size=30).map(tuple),
    writers=subsets(WRITERS),
    share=st.sampled_from(["", *RUNGS]),
    storage=subsets(CHANNELS),
    keep=SPANS,
    forget_unused=SPANS,
    enabled=st.booleans(),
    pii=st.dictionaries(st.sampled_from(PII), st.sampled_from([Keep.KEEP, Keep.MASK, Keep.REFUSE])),
)


@st.composite
def entities(draw):
    low, high = sorted((draw(UNIT), draw(UNIT)))
    share = draw(st.sampled_from(["", *RUNGS]))
    return EntityRule(name=draw(NAMES), description=draw(PROSE), merge_at=high, review_at=low, share=share)


@st.composite
def architectures(draw):
    mode = draw(st.sampled_from(Mode))
    return Architecture(
        agent=draw(st.sampled_from(["default", "support", "no", "a:b@c", "ágnes", "123", "-", "#1"])),
        description=draw(PROSE),
        archetypes=draw(st.lists(NAMES, unique=True, max_size=3).map(tuple)),
        kinds=draw(st.lists(KINDS, min_size=1, max_size=5, unique_by=lambda rule: rule.name).map(tuple)),
        entities=draw(st.lists(entities(), max_size=4, unique_by=lambda rule: rule.name).map(tuple)),
        admission=Admission(
            confidence=draw(UNIT),
            least_words=draw(st.integers(0, 100)),
            refuse=draw(subsets(REASONS)),
            most_per_record=draw(st.integers(1, 1000)),
        ),
        mode=mode,
        model=draw(st.sampled_from(["openai:m", "gguf:/a/b.gguf"] if mode is not Mode.RULES else ["", "openai:m"])),
        timezone=draw(st.sampled_from(["UTC", "Europe/Lisbon", "Etc/GMT+5"])),
        languages=draw(subsets(["en", "pt", "zh-Hant", "no"])),
        weights=draw(WEIGHED),
        question_weights=draw(st.dictionaries(st.sampled_from(list(QUESTIONS)), WEIGHED.filter(bool), max_size=3)),
        compaction=draw(st.sampled_from([{}, {"strategy": "off"}, {"strategy": "adaptive", "share": "0.3", "keep_turns": "6"}])),
        anticipation=draw(st.sampled_from([{}, {"mode": "on", "most": "3", "keep": "5min"}])),
        pii=draw(st.fixed_dictionaries(dict.fromkeys(PII, st.sampled_from(Keep)))),
        private_conversations=draw(st.booleans()),
    )


@settings(deadline=None)
@given(architectures())
def test_what_is_written_reads_back_as_the_same_value_and_writes_as_the_same_bytes(architecture):
    text = write_architecture(architecture)
    assert read_architecture(text) == architecture
    assert write_architecture(read_architecture(text)) == text


@settings(deadline=None)
@given(architectures(), st.lists(PROSE, max_size=3))
def test_comments_change_nothing_that_is_read(architecture, lines):
    comments = {(): lines, ("kinds",): lines, ("kinds", architecture.kinds[0].name): lines, ("agent",): lines}
    assert read_architecture(write_architecture(architecture, comments=comments)) == architecture


@given(st.integers(1, int(LONGEST.total_seconds())))
def test_a_duration_is_written_as_it_is_read(seconds):
    assert span_of(span_text(timedelta(seconds=seconds))) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("365d", 365),
        ("18 months", 540),
        ("1 month", 30),
        ("2 years", 730),
        ("1week", 7),
        ("48h", 2),
        ("1440 min", 1),
        ("1 day", 1),
    ],
)
def test_durations_are_read_in_days_months_and_years(text, days):
    assert span_of(text) == timedelta(days=days)


@pytest.mark.parametrize("text", ["", "d", "12", "1.5d", "-3d", "3 fortnights", "3  d", "3dd", "٣d", "9" * 400 + "d"])
def test_what_is_no_duration_is_not_taken_for_one(text):
    assert span_of(text) is None


def test_the_default_architecture_is_a_file_too():
    default = default_architecture("support")
    assert read_architecture(write_architecture(default)) == default
    assert read_architecture("agent: support") == default
    assert read_architecture("") == default_architecture()


@given(st.text())
def test_any_text_gives_an_architecture_or_faults_with_a_line_and_a_next_step(text):
    checked = check(text)
    assert (checked.architecture is None) == bool(checked.faults)
    assert all(fault.line >= 1 and fault.what and fault.hint and fault.code for fault in checked.faults)
