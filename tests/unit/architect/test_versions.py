"""Versions of architectures in a store: counted, never changed, gone back to as new ones, a client's own beside those of all."""

from __future__ import annotations

import pytest

import muniment
from muniment.architect import default_architecture, write_architecture
from muniment.errors import FormatError, NotFound


@pytest.fixture(params=["memory", "file"])
async def architectures(request, tmp_path):
    url = "memory://" if request.param == "memory" else f"sqlite:///{tmp_path / 'a.db'}"
    async with muniment.open(url, embedder=None, tokens="estimate") as engine:
        yield engine.architecture


async def test_an_agent_without_any_has_the_default_rules(architectures):
    assert await architectures.current("desk") == default_architecture("desk")
    assert await architectures.history("desk") == ()


async def test_what_is_applied_holds_and_is_counted_from_one(architectures):
    text = "agent: desk\n# why: fewer facts\nkinds: {fact: {}}\n"
    first = await architectures.apply(text, note="why", by="ana")
    assert (first.version, first.note, first.by, first.text) == (1, "why", "ana", text)
    second = await architectures.apply(default_architecture("desk"))
    assert (second.version, second.text) == (2, write_architecture(default_architecture("desk")))
    current = await architectures.current("desk")
    assert current.label == "desk@2"
    assert [applied.version for applied in await architectures.history("desk")] == [2, 1]
    assert (await architectures.current("other")).version == 0


async def test_the_same_text_again_is_no_new_version(architectures):
    await architectures.apply("agent: desk\n")
    assert (await architectures.apply("agent: desk\n")).version == 1


async def test_going_back_applies_the_older_text_anew(architectures):
    await architectures.apply("agent: desk\n")
    await architectures.apply("agent: desk\nprivate_conversations: true\n")
    assert (await architectures.current("desk")).private_conversations
    back = await architectures.rollback("desk", 1)
    assert (back.version, back.text, back.note) == (3, "agent: desk\n", "back to version 1")
    assert not (await architectures.current("desk")).private_conversations
    with pytest.raises(NotFound, match="no architecture version 9") as raised:
        await architectures.rollback("desk", 9)
    assert "1, 2, 3" in raised.value.hint


async def test_a_clients_own_version_holds_for_it_alone(architectures):
    await architectures.apply("agent: desk\n")
    await architectures.apply("agent: desk\ntimezone: Asia/Tokyo\n", client="acme")
    assert (await architectures.current("desk", "acme")).timezone == "Asia/Tokyo"
    assert (await architectures.current("desk", "other")).timezone == "UTC"
    assert (await architectures.current("desk")).timezone == "UTC"


async def test_a_client_begins_with_the_text_of_all_as_its_own_first_version(architectures):
    await architectures.apply("agent: desk\n")
    own = await architectures.apply("agent: desk\n", client="acme")
    assert (own.client, own.version) == ("acme", 1)


@pytest.mark.parametrize("text", ["agent: desk\nkinds: {fact: {keep: soon}}\n", "timezone: Mars/Base\n", "\0"])
async def test_what_is_no_architecture_is_not_kept(architectures, text):
    with pytest.raises(FormatError):
        await architectures.apply(text)
    assert await architectures.history("desk") == ()


@pytest.mark.parametrize("given", [None, b"agent: a", 5, {"agent": "a"}])
async def test_what_is_neither_an_architecture_nor_a_text_is_refused_with_a_hint(architectures, given):
    with pytest.raises(FormatError) as refused:
        await architectures.apply(given)
    assert refused.value.hint
    assert await architectures.history("a") == ()
