"""Everyday statements, one after the other: what stands in the end, and what has made way."""

from __future__ import annotations

import pytest

import muniment
from muniment import Scope, Turn

ANA = Scope(user="ana")
CHAT = ("I had a long day.", "It rained a lot.", "My sister called.", "I went for a run.")


async def standing(*said):
    async with muniment.open("memory://", embedder=None) as engine:
        for number, text in enumerate(said):
            await engine.ingest(ANA, [Turn(text=text, ref=f"m{number}")], conversation="one")
        await engine.work.wait()
        memories = (await engine.memories.list(ANA)).memories
    return {(one.attribute, one.value) for one in memories if one.attribute and not one.negated}


@pytest.mark.parametrize(
    ("said", "stands", "gone"),
    [
        (("My boat is called Endurance.", "I renamed my boat to Perseverance."), ("boat", "Perseverance"), ("boat", "Endurance")),
        (
            ("My cat is called Milo.", "We renamed our cat Milo to Max."),
            ("has_pet", "cat named Max"),
            ("has_pet", "cat named Milo"),
        ),
        (("Our team is called Edge.", "Our team was renamed to Core."), ("team", "Core"), ("team", "Edge")),
        (("I use Vim.", "I switched from Vim to Emacs."), ("uses", "Emacs"), ("uses", "Vim")),
        (("I use Vim.", "I switched from Vim to Emacs.", *CHAT, "I'm back on Vim."), ("uses", "Vim"), ("uses", "Emacs")),
        (
            ("I use Chrome.", "I switched back to Firefox from Chrome."),
            ("uses", "Firefox"),
            ("uses", "Chrome"),
        ),
        (("My printer is broken.", "My printer works again."), ("status", "works"), ("status", "broken")),
        (("I live in Porto.", "I moved to Spain."), ("lives_in", "Spain"), ("lives_in", "Porto")),
        (("I live in Porto.", "Actually, I live in Spain."), ("lives_in", "Spain"), ("lives_in", "Porto")),
        (("I live in Spain.", "I live in Portugal."), ("lives_in", "Portugal"), ("lives_in", "Spain")),
    ],
)
async def test_the_new_value_stands_and_the_old_one_made_way(said, stands, gone):
    found = await standing(*said)
    assert stands in found
    assert gone not in found


@pytest.mark.parametrize(
    ("said", "both"),
    [
        (("I live in Porto.", "I live in Portugal."), {("lives_in", "Porto"), ("lives_in", "Portugal")}),
        (("I use Slack.", "I switched from Vim to Emacs."), {("uses", "Slack"), ("uses", "Emacs")}),
        (
            ("I have a cat named Zoe.", "We renamed our cat Milo to Max."),
            {("has_pet", "cat named Zoe"), ("has_pet", "cat named Max")},
        ),
        (("I work at Globex.", "I start at Acme in ten days."), {("works_at", "Globex"), ("works_at", "Acme")}),
    ],
)
async def test_what_says_nothing_against_the_other_stands_beside_it(said, both):
    assert both <= await standing(*said)
