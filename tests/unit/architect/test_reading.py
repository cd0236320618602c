"""Faults in architecture files: each is told by its line, all at once, with what to do next."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from muniment.architect import check, default_architecture, is_zone, read_architecture, schema
from muniment.architect.rules_keys import FILE, REASONS, WEIGHTS, Section
from muniment.cli.architect_reference import page
from muniment.errors import FormatError
from muniment.ingest.pii import DEFAULT_POLICY
from muniment.knowledge.architecture import Admission
from muniment.retrieve.weights import Weights

DOCS = Path(__file__).parents[3] / "docs" / "reference"

FAULTS = [
    ("agnt: x", 1, "unknown_key", "Did you mean 'agent'?"),
    ("agent: x\nkind:\n  fact: {}", 2, "unknown_key", "Did you mean 'kinds'?"),
    ("agent: [x, y]", 1, "type", "support"),
    ("agent: 'two words'", 1, "form", "support"),
    ("kinds:\n  fact:\n    keep: 18 monts", 3, "form", "18 months"),
    ("kinds:\n  fact:\n    keep: 0d", 3, "range", "above zero"),
    ("kinds:\n  fact:\n    keep: 5000 years", 3, "range", "1000 years"),
    ("kinds:\n  fact:\n    rung: usr", 3, "unknown_value", "`own`"),
    ("kinds:\n  fact:\n    rung: customer", 3, "unknown_value", "shared by hand"),
    ("kinds:\n  fact:\n    keep: 1d\n    embedder: openai:x", 4, "unknown_key", "where the store is opened"),
    ("kinds:\n  fact:\n    storage: [lexical, blob]", 3, "unknown_value", "beside it"),
    ("kinds:\n  fact:\n    pii:\n      email: tokenise", 4, "unknown_value", "pii of the file"),
    ("kinds:\n  fact:\n    share: everyone", 3, "unknown_value", "client"),
    ("kinds:\n  fact:\n    storage:\n    - lexical\n    - vectr", 5, "unknown_value", "Did you mean 'vector'?"),
    ("kinds:\n  fact:\n    writers: [user, user]", 3, "duplicate", "Keep one"),
    ("kinds:\n  fact: {}\n  fact: {}", 3, "duplicate_key", "Keep one"),
    ("kinds:\n  Fact: {}", 2, "form", "small letters"),
    ("kinds: {}", 1, "empty", "standard"),
    ("kinds: [fact]", 1, "type", "kind"),
    ("kinds:\n  fact:\n    enabled: maybe", 3, "type", "true"),
    ("kinds:\n  fact:\n    functional: [lives in]", 3, "form", "lives_in"),
    ("kinds:\n  fact:\n    pii:\n      emial: mask", 4, "unknown_key", "Did you mean 'email'?"),
    ("entities:\n  person:\n    merge_at: 1.5", 3, "range", "from 0 to 1"),
    ("entities:\n  person:\n    merge_at: high", 3, "type", "from 0 to 1"),
    ("entities:\n  person:\n    merge_at: 0.5\n    review_at: 0.9", 4, "range", "smaller"),
    ("admission:\n  least_words: 2.5", 2, "type", "whole number"),
    ("admission:\n  refuse: [greting]", 2, "unknown_value", "Did you mean 'greeting'?"),
    ("extraction:\n  mode: model", 2, "model_missing", "openai:NAME"),
    ("extraction:\n  mode: modl", 2, "unknown_value", "Did you mean 'model'?"),
    ("timezone: Europe/Lisbonn", 1, "zone_unknown", "Europe/Lisbon"),
    ("timezone: ../etc/passwd", 1, "form", "Europe/Lisbon"),
    ("languages: [English]", 1, "form", "`pt`"),
    ("weights:\n  meening: 1", 2, "unknown_key", "Did you mean 'meaning'?"),
    ("question_weights:\n  whenn: {time: 1}", 2, "unknown_key", "Did you mean 'when'?"),
    ("question_weights:\n  when:\n    tyme: 1", 3, "unknown_key", "Did you mean 'time'?"),
    ("question_weights:\n  when:\n    time: often", 3, "type", "from 0 to 100"),
    ("question_weights:\n  when: 1", 2, "type", "retrieval weight"),
    ("compaction:\n  keep_turns: many", 2, "type", "whole number"),
    ("anticipation:\n  mode: true", 2, "unknown_value", "off"),
    ("pii:\n  card: hide", 2, "unknown_value", "mask"),
    ("private_conversations: yes", 1, "type", "true"),
    ("agent: &a x", 1, "yaml_feature", "value itself"),
    ("agent: x\n---\nagent: y", 2, "several_documents", "one document"),
    ("- agent", 1, "type", "key: value"),
    ("description: Use it: now", 1, "malformed", "quotes"),
]


@pytest.mark.parametrize(("text", "line", "code", "hint"), FAULTS, ids=[text.replace("\n", " ")[:50] for text, *_ in FAULTS])
def test_a_fault_names_its_line_and_what_to_do(text, line, code, hint):
    [fault] = check(text, is_zone=is_zone).faults
    assert (fault.line, fault.code) == (line, code)
    assert hint in fault.hint
    with pytest.raises(FormatError) as raised:
        read_architecture(text, place="agent.yaml", is_zone=is_zone)
    assert raised.value.place == f"agent.yaml:{line}"
    assert raised.value.reason == code


def test_all_faults_are_told_at_once_in_the_order_of_their_lines():
    text = "agnt: x\nkinds:\n  fact:\n    keep: soon\n    rung: usr\npii:\n  card: hide\ntimezone: Mars/Base\n"
    assert [fault.line for fault in check(text, is_zone=is_zone).faults] == [1, 4, 5, 7, 8]
    with pytest.raises(FormatError, match=r"agent\.yaml:1: .*line 4: .*line 5: .*line 7: .*line 8: ") as raised:
        read_architecture(text, place="agent.yaml", is_zone=is_zone)
    assert raised.value.hint.startswith("Did you mean 'agent'?")


def test_what_a_file_leaves_out_is_as_by_default():
    read = read_architecture("kinds:\n  fact:\n    keep: 30d\n  mood: {}\npii:\n  email: mask\n")
    assert [rule.name for rule in read.kinds] == ["fact", "mood"]
    assert read.kinds[0].functional == default_architecture().kinds[0].functional
    assert read.kinds[1].functional == ()
    assert read.pii == {**default_architecture().pii, "email": "mask"}
    assert read.entities == default_architecture().entities


def test_what_is_seldom_meant_is_remarked_and_read_all_the_same():
    text = "kinds:\n  prefrence:\n    keep: 1d\n    forget_unused: 2d\n    writers: []\n    storage: [lexical]\n"
    checked = check(text)
    assert checked.architecture
    assert [remark.line for remark in checked.remarks] == [2, 5, 4]
    assert "'preference'" in checked.remarks[0].what


def test_each_key_that_has_no_effect_is_noted_once_where_it_asks_for_something():
    text = (
        "languages: [de]\ncompaction: {strategy: balanced}\nanticipation: {mode: on}\nprivate_conversations: true\n"
        "kinds:\n  fact: {share: client, storage: [vector], pii: {email: mask}}\n  event: {share: user}\n"
        "  decision: {share: client}\n"
    )
    notes = check(text).notes
    assert [note.path for note in notes] == ["anticipation"]
    assert [note.line for note in notes] == [3]


def test_what_asks_for_what_happens_anyway_is_not_noted():
    text = (
        "compaction: {strategy: off}\nanticipation: {mode: off}\nprivate_conversations: false\nweights: {words: 1}\n"
        "kinds:\n  fact: {rung: own, storage: [vector, lexical, graph]}\n"
    )
    assert check("").notes == ()
    assert check(text).architecture
    assert check(text).notes == ()


def test_a_large_or_deep_file_is_refused_at_once():
    assert check("a: " + "[" * 200).faults[0].code in {"too_deep", "malformed"}
    assert check("# " + "x" * 70_000).faults[0].code == "too_large"
    assert check("agent: " + "x" * 60_000).faults[0].code == "range"


def test_zones_are_those_of_this_machine():
    assert [is_zone(name) for name in ("UTC", "Europe/Lisbon", "Mars/Base", "", "../UTC", "/etc/localtime", "Europe")] == [
        True, True, False, False, False, False, False,
    ]  # fmt: skip


def test_the_published_schema_and_the_page_are_current():
    assert (DOCS / "architecture.schema.json").read_text(encoding="utf-8") == schema(), "run: make docs"
    assert (DOCS / "architecture.md").read_text(encoding="utf-8") == page(), "run: make docs"


def test_the_schema_names_every_key():
    properties = json.loads(schema())["properties"]
    assert list(properties) == [entry.name for entry in FILE]
    for entry in FILE:
        if isinstance(entry, Section):
            inside = properties[entry.name]
            inside = inside["additionalProperties"]["anyOf"][0] if entry.named else inside
            assert list(inside["properties"]) == [key.name for key in entry.keys]


def test_names_are_those_of_the_rooms_they_steer():
    weights = Weights()
    assert all(isinstance(getattr(weights, name), float) for name in WEIGHTS)
    assert set(Admission().refuse) <= set(REASONS)
    assert dict(default_architecture().pii) == dict(DEFAULT_POLICY)
