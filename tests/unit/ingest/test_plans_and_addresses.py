"""What supersedes a plan however the upgrade is told, and a street that takes no town's place."""

from __future__ import annotations

import pytest

import muniment
from muniment import MemoryFilter, Scope
from muniment.ingest.pii import clean
from muniment.knowledge.architecture import Keep

ANA = Scope(user="ana")


async def current(attribute, *texts):
    async with muniment.open("memory://", embedder=None, tokens="estimate") as engine:
        for text in texts:
            await engine.ingest(ANA, [{"role": "user", "content": text}])
        await engine.work.wait()
        return [memory.value for memory in await engine.memories.list(ANA, MemoryFilter(attribute=attribute))]


@pytest.mark.parametrize(
    "told",
    [
        "We upgraded to the Fleet plan.",
        "We upgraded again, to the Fleet plan.",
        "We upgraded again to the Fleet plan.",
        "I've upgraded once more to the Fleet plan.",
        "We recently downgraded to the Fleet plan.",
        "Support moved us to the Fleet plan.",
        "I am on the Fleet plan, not the Harbor plan.",
    ],
)
async def test_the_last_plan_told_is_the_only_one(told):
    assert await current("plan", "We are on the Harbor plan.", told) == ["Fleet"]


@pytest.mark.parametrize("told", ["My address is 12 Elm Street.", "I live at 12 Elm Street.", "My new address is 12 Elm Street."])
async def test_a_street_stands_beside_the_town(told):
    assert await current("lives_in", "I live in Porto.", told) == ["Porto"]
    assert await current("address", "I live in Porto.", told) == ["12 Elm Street"]


async def test_a_corrected_address_takes_the_place_of_the_other():
    texts = ("My address is 12 Elm Street.", "Correction: my address is 21 Elm Street, not 12 Elm Street.")
    assert await current("address", *texts) == ["21 Elm Street"]


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("My address is 12 Elm Street. I like tea.", "My address is [address]. I like tea."),
        ("Ship it to 12 Elm St., Apt 4.", "Ship it to [address]."),
        ("It is at 12 Elm Street.", "It is at [address]."),
    ],
)
def test_a_masked_address_leaves_the_full_stop(text, masked):
    assert clean(text, policy={"address": Keep.MASK}, token=lambda _kind, _value: "t").text == masked


@pytest.mark.parametrize(
    ("told", "holds"), [("I recently moved to Porto.", "Porto"), ("I have recently moved to Porto.", "Porto")]
)
async def test_what_came_about_recently_holds_now(told, holds):
    assert await current("lives_in", "I live in Lisbon.", told) == [holds]
