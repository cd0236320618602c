"""Public cases of kind U: secrets and personal data never reach a record, a memory, a vector, a model or a log."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest
from cases import ANA, EVERY, kept, known, learn, modelled, opened, shown

from muniment import Kind, Role, Turn
from muniment.knowledge.architecture import Keep
from muniment.testing import ScriptedAnswers, TableEmbedder

PASSWORD = "hunter2"
KEY = "sk-" + "abC1" * 9
TOKEN = "ghp_" + "aB3dE6gH9" * 4
SECRETS = (PASSWORD, KEY, TOKEN)


class Remembering(TableEmbedder):
    """Keeps every text it was given."""

    def __init__(self):
        super().__init__(dim=16)
        self.given = []

    async def passages(self, texts):
        self.given += texts
        return await super().passages(texts)


def bytes_of(folder):
    """Everything in the files of a store."""
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file())


def tool_result(text):
    return Turn(text=text, role=Role.TOOL, kind=Kind.TOOL_RESULT, speaker="fetch")


async def test_U01_secrets_are_replaced_before_they_reach_anything(url, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    embedder = Remembering()
    async with opened(url, embedder=embedder) as engine:
        receipt = await engine.ingest(ANA, [f"remember: db password is {PASSWORD}, key {KEY}. I live in Porto."])
        await engine.work.wait()
        assert "masked" in receipt.items[0].message
        told = [*await kept(engine, ANA), *(str(memory) for memory in await known(engine, ANA, EVERY)), *embedder.given]
        told += [await shown(engine, ANA, "what is the db password?"), str(receipt), caplog.text]
        assert not [secret for secret in SECRETS if any(secret in text for text in told)]
        assert "[secret]" in told[0]
        assert any("Porto" in memory.text for memory in await known(engine, ANA))
        assert (await engine.retrieve(ANA, KEY)).hits == ()
    assert not [secret for secret in SECRETS if secret.encode() in bytes_of(tmp_path)]


HARMLESS = [
    "No Firebase API key in the build",
    "apiKey: import.meta.env.X",
    "The password field is empty.",
    "Set the token limit to 4096.",
    "Order 4111-22 was shipped to gate 7.",
]


@pytest.mark.parametrize("text", HARMLESS)
async def test_U03_words_about_secrets_are_no_secrets(url, text):
    async with opened(url, embedder=None) as engine:
        receipt = await engine.ingest(ANA, text)
        assert receipt.items[0].message == ""
        assert await kept(engine, ANA) == [text]


async def test_U04_a_token_in_a_tools_output_reaches_no_model_no_memory_no_log_and_no_file(url, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    model = ScriptedAnswers()
    embedder = Remembering()
    async with opened(url, embedder=embedder) as engine:
        intake, work = modelled(engine, model)
        turns = [tool_result(f'{{"status": "ok", "token": "{TOKEN}", "owner": "Ben Stone"}}'), tool_result(f"Bearer {TOKEN}")]
        receipt = await intake.ingest(ANA, turns, agent="default", conversation="c")
        assert receipt.ok
        await work.wait()
        asked = [f"{question.instructions} {question.prompt}" for question in model.asked]
        assert asked
        told = [
            *asked,
            *await kept(engine, ANA),
            *(str(one) for one in await known(engine, ANA, EVERY)),
            *embedder.given,
            caplog.text,
        ]
        told.append(await shown(engine, ANA, "which token is it?", conversation="c"))
        assert not any(TOKEN in text for text in told)
        await learn(engine, ANA, tool_result(f"again {TOKEN} of Rita"))
        assert not any(TOKEN in text for text in await kept(engine, ANA))
        await work.close()
    assert TOKEN.encode() not in bytes_of(tmp_path)


async def test_U04_a_secret_that_is_kept_by_the_architecture_is_what_the_test_would_see(url, tmp_path):
    """The tests above can fail: where an agent's rules keep secrets, they are there."""
    async with opened(url, embedder=None) as engine:
        rules = await engine.architecture.current()
        await engine.architecture.apply(replace(rules, version=0, pii={"secret": Keep.KEEP}))
        await learn(engine, ANA, tool_result(f"Bearer {TOKEN}"))
        assert any(TOKEN in text for text in await kept(engine, ANA))
    if url.startswith("sqlite"):
        assert TOKEN.encode() in bytes_of(tmp_path)
