"""A second opinion settles what is lost or doubts what is told, never the other way round, and may fail."""

from __future__ import annotations

import asyncio

import pytest

from muniment.compact.rules_verify import lines_of, verify
from muniment.compact.second import AskedModel, second_opinion
from muniment.errors import ProviderError
from muniment.ingest.extract.rules_names import mentions
from muniment.knowledge.digests import ClaimFate, ClaimKind
from muniment.testing.answers import ScriptedAnswers

SOURCE = "The workshop prefers oak over pine. Never share my address."
DIGEST = "The workshop has oak."


def judged(*answers, then=None, digest=DIGEST):
    checked = verify(SOURCE, digest, names=mentions)
    lines = lines_of(digest, speakers=())
    model = ScriptedAnswers(*answers, then=then or {"share": 1})
    after = asyncio.run(second_opinion(checked, lines, [SOURCE] * len(lines), judge=AskedModel(model)))
    return checked, after, model


def test_what_a_model_finds_in_a_line_is_kept_there():
    checked, after, _ = judged()
    settled = [one for one in after.claims if "scripted" in one.why]
    assert settled
    assert all(one.fate is ClaimFate.KEPT and one.line == 0 for one in settled)
    assert after.score > checked.score


def test_no_rule_is_kept_on_the_word_of_a_model():
    _, after, model = judged()
    assert [one.fate for one in after.claims if one.claim.kind is ClaimKind.CONSTRAINT] == [ClaimFate.LOST]
    assert not any("address" in asked.prompt and '"claim": "Never' in asked.prompt for asked in model.asked)


def test_what_a_model_does_not_find_in_the_records_is_told():
    _, after, _ = judged(then={"share": 0})
    assert any("does not find it" in one.why for one in after.alterations)


def test_what_the_rules_found_stays_found():
    checked, after, _ = judged(digest="The workshop prefers pine over oak. The mayor resigned.")
    assert checked.flagged
    assert after.inventions == checked.inventions
    assert set(checked.alterations) <= set(after.alterations)


@pytest.mark.parametrize("answer", [ProviderError("down."), "no json", {"share": 7}, {"share": "high"}, {"share": True}])
def test_a_model_that_fails_changes_nothing_and_is_told(answer):
    checked, after, _ = judged(answer)
    assert (after.claims, after.score, after.alterations) == (checked.claims, checked.score, checked.alterations)
    assert "no second opinion of scripted" in after.notes[-1]


def test_every_line_needs_its_records():
    checked = verify(SOURCE, DIGEST, names=mentions)
    with pytest.raises(ValueError, match="1 lines have 0 premises"):
        asyncio.run(second_opinion(checked, lines_of(DIGEST, speakers=()), [], judge=AskedModel(ScriptedAnswers())))
