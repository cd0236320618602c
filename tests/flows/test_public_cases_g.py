"""Public cases of kind G: languages other than English, by words alone."""

# ruff: noqa: RUF001  words of other scripts are what this file is about

from __future__ import annotations

import pytest
from cases import ANA, kept, known, learn, names, opened, texts

from muniment import Outcome
from muniment.knowledge.values import MemoryFilter


@pytest.fixture
async def words(url):
    """An engine without vectors."""
    async with opened(url, embedder=None) as found:
        yield found


FILLERS = ["we met by the lake", "明天开会讨论预算", "обед в полдень", "วันนี้อากาศดี"]


@pytest.mark.parametrize("query", ["精排", "rerank", "rerank 模型"])
async def test_G02_chinese_and_latin_words_of_one_text_are_both_found(words, query):
    text = "上个月换成的 rerank 精排模型叫什么"
    await words.ingest(ANA, [*FILLERS, text])
    assert texts(await words.retrieve(ANA, query)) == [text]


async def test_G03_a_mixed_text_is_found_by_its_own_words(words):
    text = "每周检查 cron 备份"
    await words.ingest(ANA, [*FILLERS, text])
    bundle = await words.retrieve(ANA, text)
    assert texts(bundle)[0] == text
    assert bundle.hits[0].channels["words"] > 0


@pytest.mark.parametrize("text", ["我决定下周改用 PostgreSQL", "搬家了", "猫"])
async def test_G04_a_short_chinese_turn_is_kept_and_found(words, text):
    receipt = await words.ingest(ANA, text)
    assert [item.outcome for item in receipt.items] == [Outcome.STORED]
    assert texts(await words.retrieve(ANA, text)) == [text]


@pytest.mark.parametrize("query", ["我不知道答案", "γειά σου", "سلام", "ขอบคุณ", "שלום", "ничего"])
async def test_G06_a_question_in_another_script_matches_only_what_holds_it(words, query):
    await words.ingest(ANA, [f"note {n} on tides" for n in range(40)])
    bundle = await words.retrieve(ANA, query, limit=1000)
    assert bundle.hits == ()
    assert bundle.explanation
    await words.ingest(ANA, f"she said {query} twice")
    assert texts(await words.retrieve(ANA, query, limit=1000)) == [f"she said {query} twice"]


EXACT = [
    "Lunch with Zo\u00eb",
    "Lunch with Zoe\u0308",
    "LUNCH WITH ZO\u00cb",
    "مَرْحَبًا يا سارة",
    "our family 👩‍👩‍👧",
    "e\u0323\u0301",
]


async def test_G07_marks_directions_and_emoji_come_back_exactly_and_spellings_meet(words):
    receipt = await words.ingest(ANA, EXACT)
    assert [text.encode() for text in await kept(words, ANA)] == [text.encode() for text in EXACT]
    assert len(set(receipt.ids)) == len(EXACT)
    for spelling in ("Zo\u00eb", "Zoe\u0308", "ZO\u00cb", "zoe"):
        assert sorted(texts(await words.retrieve(ANA, spelling))) == sorted(EXACT[:3])
    assert texts(await words.retrieve(ANA, "مرحبا")) == ["مَرْحَبًا يا سارة"]
    assert texts(await words.retrieve(ANA, "👩‍👩‍👧"))[0] == "our family 👩‍👩‍👧"


async def test_G02_what_a_chinese_question_finds_says_what_it_proves(words):
    await learn(words, ANA, "我住在北京。", "我喜欢喝茶。")
    (hit,) = (await words.retrieve(ANA, "北京")).hits
    assert hit.record.text == "我住在北京。"


async def test_G04_a_decision_in_chinese_is_learned_as_one_and_what_is_refused_is_explained(words):
    (decision,) = await learn(words, ANA, "我决定下周改用 PostgreSQL")
    assert (decision.kind, decision.value) == ("decision", "下周改用 PostgreSQL")
    assert await learn(words, ANA, "好的", "谢谢") == (decision,)
    assert sum((await words.work.refused(ANA)).values()) == 2


async def test_G06_memories_are_asked_in_another_script_by_their_words_alone(words):
    await learn(words, ANA, "I live in Porto.", "我决定下周改用 PostgreSQL")
    assert await known(words, ANA, MemoryFilter(text="我不知道答案")) == ()
    assert [memory.kind for memory in await known(words, ANA, MemoryFilter(text="PostgreSQL"))] == ["decision"]


async def test_G07_three_spellings_of_a_name_are_one_entity(words):
    told = await learn(words, ANA, "Zo\u00eb lives in Porto.", "Zoe\u0308 likes tea.", "ZO\u00cb plays chess.")
    assert len({memory.subject_id for memory in told}) == 1
    (zoe,) = [aliases for aliases in await names(words, ANA) if any("zo" in alias.casefold() for alias in aliases)]
    assert len(zoe) == 3


@pytest.mark.parametrize("text", [*EXACT, "\u202eI live in Porto", "👩‍👩‍👧 lives in Porto.", "أنا أعيش في القاهرة", "ผมอยู่กรุงเทพ"])
async def test_G07_no_script_breaks_the_work_behind_a_record(words, text):
    receipt = await words.ingest(ANA, text)
    await words.work.wait()
    assert [item.state.value for item in await words.work.status(ANA, receipt.ids)] == ["completed"]
    assert (await words.work.backlog()).parked == 0
