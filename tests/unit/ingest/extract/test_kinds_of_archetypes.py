"""What is typically told to an agent of each archetype becomes the kind that its architecture has for it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from facts_read import record

from muniment.architect import default_architecture, propose
from muniment.ingest.extract import extract
from muniment.knowledge.admit import refusal
from muniment.knowledge.decisions import hinted
from muniment.knowledge.kinds import kind_of

AGENTS = {
    "support": "A customer support agent that answers tickets about orders, refunds and broken products.",
    "coding": "A coding agent that edits a repository, runs the tests and opens pull requests.",
    "health": "A health intake agent that asks patients about symptoms, medication and allergies before a visit.",
    "tutor": "A tutor that teaches students mathematics, sets exercises and follows their progress.",
    "operations": "Is on call: looks at alerts, follows the runbook, writes the postmortem of each incident.",
    "legal": "Reads contracts for a law firm, notes clauses, obligations and court deadlines.",
    "research": "A research agent that reads papers, notes findings and keeps the sources.",
    "sales": "A sales agent that qualifies leads, follows up with prospects and notes objections to the price.",
}


def kinds(agent, text):
    architecture = propose(AGENTS[agent], agent=agent).architecture
    read = [one for one in extract(record(text), before=(), architecture=architecture).candidates if not hinted(one)]
    settled = [replace(one, kind=kind_of(one, architecture)) for one in read]
    return {one.kind for one in settled if not refusal(one, architecture)}


@pytest.mark.parametrize(
    ("agent", "text", "kind"),
    [
        ("support", "The kettle does not fit the base.", "issue"),
        ("support", "The courier never showed up.", "issue"),
        ("support", "The receipt for June is wrong.", "issue"),
        ("coding", "The login tests are flaky on Windows.", "failure"),
        ("coding", "The nightly build failed because of a missing header.", "failure"),
        ("health", "The swelling has gone down.", "condition"),
        ("health", "I feel dizzy when I stand up.", "condition"),
        ("health", "My mother had breast cancer.", "condition"),
        ("tutor", "I can solve linear equations now.", "mastery"),
        ("tutor", "I find geometry hard.", "mastery"),
        ("operations", "The root cause was an expired certificate.", "cause"),
        ("operations", "The failover was triggered by a network split.", "cause"),
        ("operations", "The gateway was restored at noon.", "event"),
        ("legal", "The buyer is obliged to give notice.", "obligation"),
        ("legal", "The licence must not be transferred.", "obligation"),
        ("research", "The dataset has 4,000 images.", "source"),
        ("research", "The second trial used 60 volunteers.", "finding"),
        ("sales", "The risk is too high for our board.", "objection"),
    ],
)
def test_a_typical_statement_becomes_the_kind_of_its_archetype(agent, text, kind):
    assert kinds(agent, text) == {kind}


@pytest.mark.parametrize("text", ["The weather is nice.", "The queue is long today.", "I think you have a problem."])
def test_what_holds_no_cue_or_speaks_of_the_other_side_stays_untold(text):
    assert "issue" not in kinds("support", text)


def test_an_architecture_that_adds_no_kind_tells_no_more_of_things():
    read = extract(record("The swelling has gone down."), before=(), architecture=default_architecture()).candidates
    assert not [one for one in read if not hinted(one)]
