"""The benchmark of clean memory: its log, its judge, and a short run through the product."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from benchmarks import junk
from benchmarks.__main__ import run
from benchmarks.junk_log import DAYS, FACTS, KNOWN_BY, MESSAGES, Fact, generate, holds, read_log

from muniment.types import Role

PUBLIC = Path(os.environ.get("MUNIMENT_DATA", "/nowhere"))


def test_a_log_is_a_month_of_noise_with_a_few_facts():
    log = generate(31)
    assert (len(log.days), sum(map(len, log.days))) == (DAYS, MESSAGES)
    assert sum(fact.current for fact in log.facts) == FACTS
    assert any(not fact.current for fact in log.facts)
    assert max(fact.day for fact in log.facts) < KNOWN_BY
    said = {turn.text for day in log.days for turn in day if turn.role is Role.USER}
    assert all(any(way.lstrip("I")[1:] in text for text in said for way in fact.said) for fact in log.facts)


def test_a_seed_gives_one_log_and_another_gives_another():
    one, same, other = generate(1, messages=600), generate(1, messages=600), generate(2, messages=600)
    assert one.days == same.days
    assert one.days != other.days


def test_the_judge_goes_by_words_alone():
    facts = [Fact(words=("prefers", "tea"), said=("I prefer tea to coffee.",), day=0), Fact(words=("Porto",), said=(), day=0)]
    assert junk.supported("user prefers tea", facts)
    assert junk.supported("Ana moved to Porto", facts)
    assert junk.supported("user named coffee", facts)
    assert not junk.supported("user lives in Ghent", facts)
    assert junk.told("Ana lives in Porto", facts[1])
    assert not junk.told("Ana likes tea", facts[0])
    assert holds("He watches movies", "movie")
    assert not holds("in 2023", "2024")


def test_somebody_elses_log_is_measured(tmp_path, capsys):
    lines = [
        {"role": "system", "text": "You are a helpful assistant.", "said_at": "2026-05-01T08:00:00+00:00", "conversation": "a"},
        {"role": "user", "text": "I live in Porto.", "said_at": "2026-05-01T08:00:01+00:00", "conversation": "a"},
        {"role": "user", "text": "HEARTBEAT ok", "said_at": "2026-05-02T08:00:00+00:00", "conversation": "b"},
        {"role": "user", "text": "I moved to Ghent.", "said_at": "2026-05-02T09:00:00+00:00", "conversation": "b"},
        {"fact": ["Porto"], "current": False},
        {"fact": ["Ghent"], "current": True},
    ]
    log, out = tmp_path / "log.jsonl", tmp_path / "out.json"
    log.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert run(["junk", "--log", str(log), "--json", str(out)]) == 0
    found = {row["metric"]: row["value"] for row in json.loads(out.read_text(encoding="utf-8"))["results"]}
    assert (found["junk_share"], found["facts_current"]) == (0, 1)
    assert "facts_current" in capsys.readouterr().out


def test_a_bad_line_of_a_log_is_named(tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"text": "a"}\n{oops\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="line 2"):
        read_log(log)
    log.write_text('{"neither": 1}\n', encoding="utf-8")
    with pytest.raises(SystemExit, match="text or fact"):
        read_log(log)


def measured(seed, data=None, messages=MESSAGES):
    log = generate(seed, data, messages=messages)
    rows, _, _ = junk.rows_of(asyncio.run(junk.remember(log, store="memory://")), log.facts)
    return {row.metric: row.value for row in rows if row.metric != "growth"}


def test_a_short_log_leaves_little_junk_and_most_facts():
    found = measured(31, messages=1500)
    assert found["junk_share"] <= 0.1
    assert found["facts_current"] >= 0.85
    assert found["growth_per_day"] <= 0.3


@pytest.mark.slow
def test_ten_thousand_messages_leave_little_junk_and_stop_growing():
    found = measured(31)
    assert found["junk_share"] <= 0.05
    assert found["facts_current"] >= 0.95
    assert found["growth_per_day"] <= 0.1


@pytest.mark.data
@pytest.mark.skipif(not (PUBLIC / "msc").is_dir(), reason="the public sets are not here")
def test_facts_and_noise_of_public_sets_leave_little_junk():
    found = measured(7, PUBLIC, messages=2000)
    assert found["junk_share"] <= 0.15
    assert found["facts_current"] >= 0.85
