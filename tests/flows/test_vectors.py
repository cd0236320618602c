"""Public test vectors of hostile input, by their number, through the engine and the command line, on every store."""

from __future__ import annotations

import gzip
import json
import os
import re
from dataclasses import replace

import numpy as np
import pytest
from cases import ANA, BEN, CLIENT, NOON, NORTH, RIVAL, STRANGERS, kept, opened, reasons, refusal, texts, url_of

from muniment import Band, Filter, Outcome, Registry, Role, Scope, Turn
from muniment.errors import (
    BlockError,
    BudgetError,
    EmbedderMismatch,
    MunimentError,
    NotFound,
    QueryError,
    ScopeError,
)
from muniment.ingest.rules import MAX_TEXT
from muniment.scope import resolve
from muniment.testing import FaultyEmbedder, TableEmbedder
from muniment.types import Fate, Kind

USER = ("--user", "ana")
GOOD = {"role": "user", "content": "a good neighbour"}


def message(**fields):
    return {"role": "user", "content": "words", **fields}


def taken(cli, content, *, code=1, name="input.json", **options):
    """The items and the error of one file given to `ingest`."""
    done = cli.as_json("ingest", cli.file(name, content), *USER, code=code, **options)["files"][0]
    return [item["reason"] for item in done["items"] if item["outcome"] == "refused"], done["error"] and done["error"]["code"]


# Text


async def test_vector_01_nul_is_refused_at_every_door(engine):
    named = [replace(Turn(text="x"), **{field: "a\0b"}) for field in ("text", "speaker", "ref", "key", "origin", "tool_call_id")]
    described = [Turn(text="x", metadata={"a": "b\0"}), Turn(text="x", metadata={"a\0": "b"})]
    mapped = [message(**{field: "a\0b"}) for field in ("content", "name", "id", "key")]
    receipt = await engine.ingest(ANA, [*named, *described, *mapped, "good"])
    assert reasons(receipt) == ["nul_not_allowed"] * 12 + [""]
    assert await kept(engine, ANA) == ["good"]
    for call in (
        engine.retrieve(ANA, "a\0b"),
        engine.assemble(ANA, "a\0b", budget=100),
        engine.assemble(ANA, "ab", budget=100, instructions="a\0b"),
    ):
        assert await refusal(call) == "nul_not_allowed"
    for field in ({"agent": "a\0b"}, {"conversation": "a\0b"}):
        assert await refusal(engine.ingest(ANA, "x", **field)) == "id_invalid"
    for text, name in (("a\0b", "rule"), ("rule", "a\0b")):
        with pytest.raises(BlockError) as caught:
            Registry().write(text, name=name)
        assert caught.value.reason == "nul_not_allowed"
    assert await refusal(engine.get(ANA, "a\0b"), NotFound) == "not_found"
    assert (await engine.forget(ANA, ids=["a\0b"])).records == 0


def test_vector_01_02_03_files_that_hold_no_text_are_refused(cli):
    assert taken(cli, [GOOD, message(content="a\0b")]) == (["nul_not_allowed"], None)
    assert taken(cli, json.dumps([GOOD, message(content="a\ud83d")])) == (["invalid_unicode"], None)
    assert [record["text"] for record in cli.as_json("list", *USER)["records"]] == [GOOD["content"]]
    for data in (b'[{"role": "user", "content": "\xff"}]', b'[{"role": "user", "content": "\xc0\xaf"}]'):
        assert taken(cli, data, code=2) == ([], "invalid_utf8")


async def test_vector_03_half_a_character_is_refused_and_its_neighbours_stand(engine):
    receipt = await engine.ingest(ANA, [Turn(text="a\ud83d"), message(content="\udc00"), message(name="\ud83d"), "good"])
    assert reasons(receipt) == ["invalid_unicode"] * 3 + [""]
    assert await kept(engine, ANA) == ["good"]
    for call in (
        engine.retrieve(ANA, "\ud83d"),
        engine.assemble(ANA, "\ud83d", budget=100),
        engine.assemble(ANA, "ab", budget=100, instructions="\ud83d"),
    ):
        assert await refusal(call) == "invalid_unicode"
    assert (await engine.list(ANA, where=Filter(speaker="\ud83d"))).records == ()


async def test_vector_04_nothing_is_cut_inside_what_is_seen_as_one_letter(engine):
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    text = family * 2000
    await engine.ingest(ANA, text)
    assert await kept(engine, ANA) == [text]
    (hit,) = await engine.retrieve(ANA, family)
    start, end = hit.passage
    assert (start % len(family), end % len(family)) == (0, 0)
    assert end - start < len(text)
    made = (await engine.assemble(ANA, f"what is {family}?", budget=1000)).compilation
    recalled = made.text[: made.text.rindex("what is")]
    assert recalled.count("\U0001f467") == recalled.count("\U0001f469") / 2 > 10


def test_vector_05_a_name_that_reorders_a_line_is_kept_and_shown_spelled_out(cli):
    name = "invoice\u202egnp.exe"
    [record] = cli.said("The invoice is paid.", name=name)
    assert cli.as_json("show", record, *USER)["origin"] == name
    shown = cli("show", record, *USER).out
    assert "\u202e" not in shown
    assert "invoice\\u202egnp.exe" in shown
    assert sorted(path.name for path in cli.folder.iterdir() if not path.name.startswith("muniment.db")) == [name]


async def test_vector_06_07_ids_that_look_alike_are_distinct_or_refused_and_never_one(engine):
    scopes = [Scope(client="acme", user=name) for name in ("admin", "\u0430dmin", "Admin")]
    for number, scope in enumerate(scopes):
        await engine.ingest(scope, f"secret {number}", conversation="admin", agent="admin")
    for number, scope in enumerate(scopes):
        assert await kept(engine, scope) == texts(await engine.retrieve(scope, "secret")) == [f"secret {number}"]
    for name, code in (("admin ", "id_invalid"), ("admin\u200b", "id_invalid"), ("e\u0301", "id_not_normalized")):
        for rung in ("client", "customer", "user"):
            with pytest.raises(ScopeError) as caught:
                Scope(**{rung: name})
            assert (caught.value.reason, caught.value.place) == (code, rung)
        for field in ("agent", "conversation"):
            assert await refusal(engine.ingest(ANA, "x", **{field: name})) == code
        assert await refusal(engine.assemble(ANA, "x", budget=100, conversation=name)) == code


@pytest.mark.parametrize(
    "text", ["Z" + "\u0301" * 10_000, "\ufdfa" * 60_000, "\ufb01" * 300_000], ids=["marks", "ligature", "fi"]
)
async def test_vector_08_09_piled_up_and_expanding_text_is_kept_and_found(engine, text):
    receipt = await engine.ingest(ANA, [text, "a kettle"])
    assert receipt.ok
    assert (await engine.get(ANA, receipt.ids[0])).text == text
    assert texts(await engine.retrieve(ANA, "kettle"))[0] == "a kettle"
    assert text in texts(await engine.retrieve(ANA, text[:1000]))


async def test_vector_10_the_limit_of_a_turn_counts_bytes_and_is_told(engine):
    sizes = {
        "a" * MAX_TEXT: "",
        "a" * (MAX_TEXT + 1): "too_large",
        "é" * (MAX_TEXT // 2 + 1): "too_large",
        "a" * (100 << 20): "too_large",
    }
    receipt = await engine.ingest(ANA, [{"role": "user", "content": text} for text in sizes])
    assert reasons(receipt) == list(sizes.values())
    assert all(len(item.message) < 400 for item in receipt.items)
    assert [len(text) for text in await kept(engine, ANA)] == [MAX_TEXT]


BLANK = ["", "   ", "\u200b", "\n", "\ufeff", "\u2060\u200d", "\u3164"]


async def test_vector_11_nothing_to_see_is_refused(engine):
    assert reasons(await engine.ingest(ANA, [*BLANK, *map(Turn, [])])) == ["empty_content"] * len(BLANK)
    assert reasons(await engine.ingest(ANA, [message(content=text) for text in BLANK])) == ["empty_content"] * len(BLANK)
    assert (await engine.stats(ANA)).records == 0


def test_vector_11_files_with_nothing_to_see_are_refused(cli):
    for data in (b"", b"  \n\t ", b"\xef\xbb\xbf", "\u200b".encode()):
        assert taken(cli, data, code=2) == ([], "empty_content")
    assert taken(cli, [message(content=text) for text in BLANK]) == (["empty_content"] * len(BLANK), None)


# JSON


async def test_vector_12_14_15_16_17_metadata_and_fields_of_a_message_are_checked(engine):
    nested = []
    for _ in range(100):
        nested = [nested]
    wrong = {
        "too_deep": [message(metadata={"a": nested})],
        "number_out_of_range": [message(metadata={"a": number}) for number in (float("nan"), float("inf"), 10**400)],
        "too_many_keys": [message(metadata=dict.fromkeys(map(str, range(100_000)), ""))],
        "key_too_long": [message(metadata={"k" * (1 << 20): ""})],
        "too_large": [message(metadata={"k": "v" * (64 << 10)})],
        "type": [
            message(content=42),
            message(content={"text": "x"}),
            message(role=True),
            message(name=["a"]),
            message(id=1.5),
            message(metadata=["a"]),
            message(metadata={1: "a"}),
            message(tool_calls="x"),
            message(conversation=True),
            Turn(text=b"x"),
            Turn(text=None),
            Turn(text="x", metadata={"a": 1}),
            Turn(text="x", role="wizard"),
            None,
            42,
            ["x"],
        ],
        "tz_required": [Turn(text="x", said_at="2026-03-02")],
        "timestamp_invalid": [message(created_at=True), message(created_at=["2026"]), Turn(text="x", said_at=True)],
        "role_unknown": [message(role="w" * (1 << 20))],
    }
    for reason, items in wrong.items():
        receipt = await engine.ingest(ANA, items)
        assert reasons(receipt) == [reason] * len(items)
        assert all(0 < len(item.message) < 400 for item in receipt.items)
    assert (await engine.stats(ANA)).records == 0


@pytest.mark.parametrize("turns", [None, 42, b"text", object()], ids=["None", "42", "bytes", "object"])
async def test_vector_17_what_is_no_list_of_turns_is_refused(engine, turns):
    assert await refusal(engine.ingest(ANA, turns)) == "type"
    assert (await engine.stats(ANA)).records == 0


async def test_vector_17_what_is_no_record_is_refused(engine):
    assert reasons(await engine.restore([None, 42, {"id": "x"}])) == ["type"] * 3
    for records in (None, 42):
        assert await refusal(engine.restore(records)) == "type"


async def test_vector_15_magic_keys_are_plain_data_through_export_and_restore(engine):
    magic = {"__proto__": {"lc": 1, "type": "constructor", "id": ["os", "system"]}, "__class__": "x", "$ref": "#/", "lc": 1}
    receipt = await engine.ingest(ANA, [message(metadata=magic, __class__="x", constructor="y")])
    record = await engine.get(ANA, receipt.ids[0])
    assert type(record.metadata) is dict
    assert {key: json.loads(value) for key, value in record.metadata.items() if key in {"__proto__", "lc"}} == {
        "__proto__": magic["__proto__"],
        "lc": 1,
    }
    async with opened("memory://") as other:
        await other.restore(engine.export())
        assert (await other.get(ANA, record.id)).metadata == record.metadata


async def test_vector_16_keys_that_differ_by_case_are_two(engine):
    receipt = await engine.ingest(ANA, [message(metadata={"Key": "1", "key": "2"})])
    assert (await engine.get(ANA, receipt.ids[0])).metadata == {"Key": "1", "key": "2"}


def test_vector_12_13_14_16_lines_of_a_file_are_strict_json(cli):
    deep = "[" * 100_000 + "]" * 100_000
    bad = {
        "duplicate_key": '{"role": "user", "content": "a", "content": "b"}',
        "too_deep": f'{{"role": "user", "content": "x", "metadata": {{"a": {deep}}}}}',
        "number_out_of_range": '{"role": "user", "content": "x", "metadata": {"a": NaN}}',
        "key_too_long": json.dumps(message(metadata={"k" * (1 << 20): ""})),
        "malformed": '{"role": "user", "content": "half',
    }
    lines = [json.dumps(GOOD), *bad.values(), '{"role": "user", "content": "x", "metadata": {"n": -0}}']
    assert taken(cli, "\n".join(lines), name="chat.jsonl") == (list(bad), None)
    assert [record["metadata"] for record in cli.as_json("list", *USER)["records"]] == [{"n": "0"}, {}]
    assert taken(cli, deep, code=2)[1] == "too_deep"


def test_vector_18_what_is_cut_off_doubled_or_packed_is_refused_whole(cli):
    body = json.dumps([GOOD]).encode()
    for data, code in (
        (body[:-5], "malformed"),
        (body + b" x", "malformed"),
        (body + body, "malformed"),
        (gzip.compress(b"\0" * (64 << 20)), "invalid_utf8"),
        (json.dumps([message(content="é")], ensure_ascii=False).encode("latin-1"), "invalid_utf8"),
    ):
        assert taken(cli, data, code=2) == ([], code)
    assert not (cli.folder / "muniment.db").exists()


# Vectors


class Misfit(TableEmbedder):
    """Gives rows that nobody can use, until it is well again."""

    def __init__(self, rows):
        super().__init__(dim=16)
        self.rows = rows

    async def passages(self, texts):
        sound = await super().passages(texts)
        return self.rows(sound) if self.rows else sound

    async def query(self, text):
        sound = await super().query(text)
        return self.rows(sound[np.newaxis])[0] if self.rows else sound


MISFITS = {
    "no dimensions": lambda rows: rows[:, :0],
    "one short": lambda rows: rows[:, :-1],
    "one long": lambda rows: np.pad(rows, ((0, 0), (0, 1))),
    "far too long": lambda rows: np.zeros((len(rows), 100_000), np.float32),
    "nan": lambda rows: rows * np.nan,
    "infinite": lambda rows: np.full_like(rows, np.inf),
    "minus infinite": lambda rows: np.full_like(rows, -np.inf),
    "too large to square": lambda rows: np.full_like(rows, 1e38),
    "too small to square": lambda rows: np.full_like(rows, 1e-40),
    "zero": lambda rows: rows * 0,
}


@pytest.mark.parametrize("rows", MISFITS.values(), ids=MISFITS)
async def test_vector_19_20_unusable_vectors_cost_no_words_and_are_made_anew(url, rows):
    embedder = Misfit(None)
    async with opened(url, embedder=embedder) as engine:
        await engine.ingest(ANA, "my boat is called Perseverance")
        embedder.rows = rows
        receipt = await engine.ingest(ANA, ["the boat is red", "the house is blue"])
        assert receipt.count(Outcome.STORED) == 2
        assert receipt.degraded
        assert (await engine.stats(ANA)).vectors == 1
        bundle = await engine.retrieve(ANA, "which boat is red?")
        assert texts(bundle)[0] == "the boat is red"
        assert bundle.health.degraded
        embedder.rows = None
        bundle = await engine.retrieve(ANA, "which boat is red?")
        assert texts(bundle)[0] == "the boat is red"
        assert all(np.isfinite(hit.score) for hit in bundle)
        assert all(finding.ok for finding in await engine.doctor(repair=True))
        assert (await engine.stats(ANA)).vectors == 3
        assert not (await engine.retrieve(ANA, "which boat is red?")).health.degraded


async def test_vector_21_fewer_vectors_than_texts_are_paired_with_none(url):
    embedder = FaultyEmbedder("short", dim=16)
    async with opened(url, embedder=embedder) as engine:
        assert (await engine.ingest(ANA, ["one boat", "two boats", "three boats"])).degraded
        assert (await engine.stats(ANA)).vectors == 0
    async with opened(url, embedder=TableEmbedder(dim=16)) as engine:
        await engine.ingest(ANA, ["one boat", "two boats", "three boats"])
        await engine.doctor(repair=True)
        assert (await engine.stats(ANA)).vectors == 3
        for text in ("one boat", "two boats", "three boats"):
            assert texts(await engine.retrieve(ANA, text))[0] == text


async def test_vector_22_vectors_of_two_models_never_meet(tmp_path):
    url = url_of("sqlite", tmp_path)
    async with opened(url, embedder=TableEmbedder(dim=16, identity="old")) as engine:
        await engine.ingest(ANA, "my boat is called Perseverance")
        for other in (TableEmbedder(dim=16, identity="new"), TableEmbedder(dim=32, identity="old")):
            with pytest.raises(EmbedderMismatch) as caught:
                async with opened(url, embedder=other):
                    pass
            assert all(part in str(caught.value) for part in ("old (16", f"{other.identity} ({other.dim}", "reembed"))
        assert texts(await engine.retrieve(ANA, "boat")) == ["my boat is called Perseverance"]


# Queries


async def test_vector_23_queries_with_little_in_them_are_answered_or_refused(engine):
    await engine.ingest(ANA, ["one of the boats", "the kettle 🫖", "to be or not to be"])
    for query in ("", " ", "\n\t", "\u200b"):
        assert await refusal(engine.retrieve(ANA, query)) == "query_empty"
    assert "one of the boats" in texts(await engine.retrieve(ANA, "the of and"))
    assert texts(await engine.retrieve(ANA, "to be or not to be"))[0] == "to be or not to be"
    assert texts(await engine.retrieve(ANA, "🫖"))[0] == "the kettle 🫖"
    assert (await engine.retrieve(ANA, "?")).explanation


LITERALS = ["multi-agent", "a AND", "NEAR(", "col:x", "^x", "{a b}:x", "-x", "a NOT", "C++", "foo'bar", "(a+)+$", "[[:alpha:]]"]
SIGNS = ['"', "*", "%", "_", "\\", ".*", "(", "%_%"]


@pytest.mark.parametrize("query", LITERALS)
@pytest.mark.parametrize("embedder", [None, TableEmbedder(dim=16)], ids=["words", "vectors"])
async def test_vector_24_25_what_other_languages_call_operators_is_text_and_found(url, query, embedder):
    async with opened(url, embedder=embedder) as engine:
        await engine.ingest(ANA, ["nothing of the kind", f"someone wrote {query} on the wall", "nor here"])
        assert texts(await engine.retrieve(ANA, query))[0] == f"someone wrote {query} on the wall"
        assert (await engine.assemble(ANA, query, budget=200)).compilation.text.count(query) >= 1


@pytest.mark.parametrize("query", SIGNS)
async def test_vector_24_25_signs_alone_are_no_error_and_match_nothing_by_pattern(engine, query):
    await engine.ingest(ANA, ["abc", f"someone wrote {query} on the wall"])
    await engine.ingest(BEN, "of ben")
    found = texts(await engine.retrieve(ANA, query))
    assert set(found) <= set(await kept(engine, ANA))
    assert len(await kept(engine, ANA)) == 2


@pytest.mark.parametrize("query", ["x" * 8193, "é" * 4097, "word " * 2000])
async def test_vector_26_a_query_beyond_the_limit_is_refused(engine, query):
    assert await refusal(engine.retrieve(ANA, query)) == "query_too_long"


@pytest.mark.parametrize("query", [" ".join(f"w{n}" for n in range(1400)), "z" * 8192, '"' * 1000, "boat " * 1600])
async def test_vector_26_a_query_at_the_limit_is_answered(engine, query):
    await engine.ingest(ANA, ["w7 w8 w9", "a boat"])
    assert (await engine.retrieve(ANA, query)).health.searched == 2


@pytest.mark.parametrize("limit", [0, -1, 10**9, "10", None, 2.5, True, float("nan"), [1] * 10_000], ids=lambda v: repr(v)[:9])
async def test_vector_27_numbers_out_of_range_are_refused_by_name(engine, limit):
    assert await refusal(engine.list(ANA, limit=limit)) == "range"
    assert await refusal(engine.retrieve(ANA, "boat", limit=limit)) == "range"
    if limit not in (0, None, True):
        assert await refusal(engine.retrieve(ANA, "boat", threshold=limit)) == "range"


async def test_vector_28_a_cursor_is_good_for_its_own_listing_alone(engine):
    for scope in (ANA, BEN):
        await engine.ingest(scope, ["one", "two", "three"])
    cursor = (await engine.list(ANA, limit=1)).cursor
    altered = [cursor[:n] + chr(ord(cursor[n]) ^ 1) + cursor[n + 1 :] for n in range(len(cursor))]
    for bad in (*altered, cursor[:-1], cursor + "0", "", "9" * (1 << 20), "9" * (1 << 20) + cursor, 7, b"1.a", ["1"]):
        assert await refusal(engine.list(ANA, limit=1, cursor=bad)) == "bad_cursor"
    for scope, where in ((BEN, Filter()), (NORTH, Filter()), (ANA, Filter(role=Role.USER))):
        assert await refusal(engine.list(scope, where=where, limit=1, cursor=cursor)) == "bad_cursor"
    assert [record.text for record in (await engine.list(ANA, limit=1, cursor=cursor)).records] == ["two"]


@pytest.mark.parametrize("budget", [-1, 0, 10**12, 3.7, "100", None, True, float("nan")])
async def test_vector_29_budgets_out_of_range_are_refused(engine, budget):
    assert await refusal(engine.assemble(ANA, "hello there", budget=budget), BudgetError) == "range"
    if budget is not None:
        assert await refusal(engine.retrieve(ANA, "hello", budget=budget)) == "range"
    if budget != 0:
        assert await refusal(engine.assemble(ANA, "hello there", budget=100, reserve=budget), BudgetError) == "range"


async def test_vector_29_a_budget_below_the_pinned_blocks_names_their_sizes_and_drops_none(engine):
    registry = Registry()
    registry.write("never delete anything without asking", name="promise", band=Band.PINNED)
    for budget in (1, 5):
        with pytest.raises(BudgetError) as caught:
            await engine.assemble(ANA, "hello", budget=budget, registry=registry)
        assert caught.value.reason == "pinned_exceed_budget"
        assert "promise 5" in str(caught.value)
        assert "message 2" in str(caught.value)
    made = (await engine.assemble(ANA, "hello", budget=7, registry=registry)).compilation
    assert {row.fate for row in made.receipt} == {Fate.INCLUDED}


# Ids and filters

NO_IDS = ["", "x" * 256, "é" * 128, ".", "..", "/", "a/b", "con", "nul.txt", "a.", "a\nb", "a\tb", " a"]


@pytest.mark.parametrize("name", NO_IDS, ids=ascii)
async def test_vector_30_names_outside_the_rules_are_refused_wherever_one_is_given(engine, name):
    for rung in ("client", "customer", "user"):
        with pytest.raises(ScopeError) as caught:
            resolve({rung: name})
        assert (caught.value.reason, caught.value.place) == ("id_invalid", rung)
    for field in ("agent", "conversation"):
        assert await refusal(engine.ingest(ANA, "x", **{field: name}), ScopeError) == "id_invalid"
    assert reasons(await engine.ingest(ANA, [message(conversation=name)])) == ["id_invalid"]
    assert await refusal(engine.forget(ANA, conversation=name), ScopeError) == "id_invalid"
    assert await refusal(engine.assemble(ANA, "x", budget=9, conversation=name), ScopeError) == "id_invalid"
    assert await refusal(engine.retrieve(ANA, "x", agent=name), ScopeError) == "id_invalid"


@pytest.mark.parametrize("name", ["0", "x" * 255, "é" * 127, "a:b c", "auth0|1"])
async def test_vector_30_names_within_the_rules_work_wherever_one_is_given(engine, name):
    scope = Scope(client=name, customer=name, user=name)
    await engine.ingest(scope, "a boat", agent=name, conversation=name)
    where = Filter(agent=name, conversation=name)
    assert texts(await engine.retrieve(scope, "boat", where=where)) == await kept(engine, scope, where=where) == ["a boat"]
    assert (await engine.forget(scope, conversation=name)).records == 1


KEYS = ["x') OR 1=1 --", "$.a", "a.b", "a[0]", 'a"b', "a'b", "a`b", "*", "@", "", "tenat_id"]
RESERVED = ["tenant_id", "user_id", "client_id", "user", "customer", "client", "scope"]
OPERATORS = ["$where", "$regex", "$expr", "__gt", "eq; ", "said_at__gt", "$or"]
READS = ("list", "retrieve", "explain", "memories.list", "entities.list", "decisions.list")
"""The reads that take a filter."""


def narrowed(engine, where):
    """One call for each read that takes a filter, all with this one."""
    for name in READS:
        *group, verb = name.split(".")
        read = getattr(getattr(engine, group[0]) if group else engine, verb)
        yield read(ANA, *{"retrieve": ["boat"], "explain": ["boat", "no-such-id"]}.get(name, []), where=where)


def expected(key):
    """The code with which a key that is none is refused."""
    if key in OPERATORS:
        return "filter_op_invalid"
    if key in RESERVED:
        return "reserved"
    return "unknown_filter" if re.fullmatch(r"\w+", key) else "filter_key_invalid"


@pytest.mark.parametrize("keys", [[*KEYS, "sort"], [*OPERATORS, "order_by"], RESERVED], ids=["keys", "operators", "reserved"])
async def test_vector_31_32_33_34_38_a_key_that_is_none_is_refused_by_every_read_alike(engine, keys):
    await engine.ingest(ANA, "a boat")
    for key in keys:
        for value in ("ben", ["ben"], {"$eq": "ben"}):
            for call in narrowed(engine, {key: value}):
                assert await refusal(call) == expected(key), key
    assert await kept(engine, ANA, where={"metadata.x') OR 1=1 --": "1"}) == []


async def test_vector_33_35_values_that_hold_others_are_refused_by_every_read_alike(engine):
    deep = "x"
    for _ in range(10_000):
        deep = {"$or": [deep]}
    for value, code in (
        ({"$eq": {"$eq": 1}}, "too_deep"),
        (deep, "too_deep"),
        ([["a"]], "too_deep"),
        ({"$eq": "a"}, "filter_op_invalid"),
        (["a"] * 100_000, "range"),
        ([], "range"),
        (None, "type"),
        (7, "type"),
        (True, "type"),
    ):
        for name, call in zip(READS, narrowed(engine, {"kind": value}), strict=True):
            assert await refusal(call) == ("unknown_filter" if name == "decisions.list" else code)
    for call in narrowed(engine, {"since": "2026-03-01"}):
        assert await refusal(call) == "tz_required"
    for call in narrowed(engine, {"$or": deep}):
        assert await refusal(call) == "filter_op_invalid"
    for where in ("monday", 7, ["conversation"], [{}]):
        for call in narrowed(engine, where):
            assert await refusal(call) == "type"


def test_vector_31_32_33_34_38_the_command_line_says_the_same(cli):
    for key in [*KEYS, *OPERATORS, *RESERVED, "order_by"]:
        for command in (("list",), ("retrieve", "boat"), ("memories", "list"), ("entities", "list"), ("decisions", "list")):
            assert cli.refused(*command, *USER, "--where", json.dumps({key: "x"}))["code"] == expected(key)
    for text in ("{", "x", '{"speaker": NaN}', '{"speaker": "a", "speaker": "b"}'):
        assert cli.refused("list", *USER, "--where", text)["code"] == "type"


@pytest.mark.parametrize("key", [*KEYS, *OPERATORS, *RESERVED, "order_by", "sort", "offset"])
def test_vector_31_32_33_34_38_there_are_no_keys_but_the_documented_ones(cli, key):
    with pytest.raises(TypeError):
        Filter(**{key: "x"})
    if key not in {"user", "customer", "client"}:
        with pytest.raises(ScopeError) as caught:
            resolve({"user": "ana", key: "ben"})
        assert caught.value.reason == "scope_unknown_parameter"
        assert caught.value.hint
        for command in (("list",), ("retrieve", "boat"), ("forget", "--everything", "--yes")):
            assert cli.refused(*command, *USER, f"--{key or '='}", "ben")["code"] == "usage"


@pytest.mark.parametrize(
    "asked",
    [
        {"conversation": ["a"] * 100_000},
        {"conversation": {"$eq": "a"}},
        {"speaker": 7},
        {"agent": True},
        {"role": "owner"},
        {"role": ["user"]},
        {"metadata": {"a": 1}},
        {"metadata": {"a": None}},
        {"metadata": "a"},
        {"kind": 1},
        {"since": "2026-03-01"},
        {"until": 1772384712},
    ],
    ids=lambda asked: str(asked)[:30],
)
def test_vector_35_a_value_of_another_type_is_refused_by_its_field(asked):
    with pytest.raises(QueryError) as caught:
        Filter(**asked)
    assert (caught.value.reason, caught.value.place) == ("type", *asked)
    assert len(str(caught.value)) < 400


def test_vector_35_65_a_time_without_a_zone_is_refused():
    for place in ("since", "until"):
        with pytest.raises(QueryError) as caught:
            Filter(**{place: NOON.replace(tzinfo=None)})
        assert (caught.value.reason, caught.value.place) == ("tz_required", place)


async def test_vector_35_values_are_compared_as_they_are_on_every_store(engine):
    names = ["Ana", "ana", "%", "_", "An%", "' OR '1'='1", "2026-03-01", "null", "*"]
    await engine.ingest(
        ANA,
        [
            Turn(text=f"said by {number}", speaker=name, conversation=name.strip("*") or None)
            for number, name in enumerate(names)
            if name != "null"
        ],
    )
    for number, name in enumerate(names):
        wanted = [] if name == "null" else [f"said by {number}"]
        assert await kept(engine, ANA, where=Filter(speaker=name)) == wanted
        assert texts(await engine.retrieve(ANA, "said", where=Filter(speaker=name))) == wanted
    assert len(await kept(engine, ANA, where=Filter(role="user", kind="turn"))) == len(names) - 1
    assert Filter(role="user", kind="turn") == Filter(role=Role.USER, kind=Kind.TURN)


NAMES = ["m; DROP TABLE m", '"m"', "sqlite_master", "pg_catalog.x", "x` SET n.x=1", "A|B", ":X", "x' OR '1'='1"]


@pytest.mark.parametrize("name", NAMES)
async def test_vector_36_37_names_are_data_and_never_identifiers(engine, name):
    scope = Scope(client=name, user=name)
    await engine.ingest(
        scope, [Turn(text="a boat", speaker=name, ref=name, key=name, origin=name)], agent=name, conversation=name
    )
    where = Filter(speaker=name, agent=name, conversation=name)
    assert await kept(engine, scope, where=where) == texts(await engine.retrieve(scope, "boat", where=where)) == ["a boat"]
    registry = Registry()
    registry.write("Be brief.", name=name)
    made = (await engine.assemble(scope, "boat?", budget=100, conversation=name, registry=registry)).compilation
    assert name in made.names
    assert all(finding.ok for finding in await engine.doctor())
    assert (await engine.forget(scope)).records == 1


PATHS = ["../../etc/hosts", "..%2f", "%252e%252e/", "..\\..\\x", "/abs", "C:\\x", "file:///x", "\\\\host\\x"]


@pytest.mark.parametrize("path", PATHS)
async def test_vector_39_a_path_is_no_id_and_a_label_is_no_path(engine, path, tmp_path):
    sentinel = tmp_path.parent / f"{tmp_path.name}-sentinel"
    sentinel.write_text("untouched")
    with pytest.raises(ScopeError):
        Scope(user=path)
    assert reasons(await engine.ingest(ANA, [message(conversation=path)])) == ["id_invalid"]
    receipt = await engine.ingest(ANA, [Turn(text="a boat", origin=path, ref=path, role=Role.DOCUMENT, kind=Kind.PASSAGE)])
    assert (await engine.get(ANA, receipt.ids[0])).origin == path
    await engine.assemble(ANA, "which boat?", budget=100)
    await engine.forget(ANA)
    assert sentinel.read_text() == "untouched"
    assert {name.name.partition("-")[0] for name in tmp_path.iterdir()} <= {"agent.db"}


def test_vector_40_folders_and_devices_are_not_read(cli):
    (cli.folder / "inner").mkdir()
    (cli.folder / "inner" / "link").symlink_to("/etc/hostname")
    for name in ("inner", "/dev/zero", "/dev/null"):
        done = cli.as_json("ingest", name, *USER, code=2)["files"][0]
        assert done["error"]["code"] == "not_a_file"
    (cli.folder / "loop").symlink_to("loop")
    assert cli.as_json("ingest", "loop", *USER, code=2)["files"][0]["error"]["code"] == "unreadable"
    assert os.listdir(cli.folder / "inner") == ["link"]  # noqa: PTH208  one name is looked for


# Tenants


@pytest.mark.parametrize("stranger", STRANGERS, ids=str)
async def test_vector_41_42_a_foreign_id_is_answered_like_one_that_never_was(engine, stranger):
    (foreign,) = (await engine.ingest(ANA, "private", conversation="c1")).ids
    await engine.ingest(stranger, "own", conversation="c2")
    errors = []
    for name in (foreign, "0000000000000000"):
        with pytest.raises(NotFound) as caught:
            await engine.get(stranger, name)
        errors.append((str(caught.value).replace(name, ""), caught.value.reason, caught.value.place, caught.value.hint))
    assert errors[0] == errors[1]
    assert await engine.forget(stranger, ids=[foreign]) == await engine.forget(stranger, ids=["0000000000000000"])
    assert await engine.forget(stranger, conversation="c1") == await engine.forget(stranger, conversation="c3")
    assert (await engine.list(stranger, where=Filter(conversation="c1"))).records == ()
    assert [record.text async for record in engine.export(stranger)] == ["own"]
    shown = (await engine.assemble(stranger, "What is private?", budget=100, conversation="c1")).compilation.text
    assert "private" not in shown.replace("What is private?", "")
    assert await kept(engine, ANA) == ["private"]


NO_SCOPES = [None, "", "*", "ana", "undefined", "None", ["u1", "u2"], {"user": "ana"}, 0, True]


@pytest.mark.parametrize("scope", NO_SCOPES, ids=repr)
async def test_vector_44_what_is_no_scope_is_refused_by_every_verb_and_is_never_everything(engine, scope):
    (record,) = (await engine.ingest(ANA, "a boat", conversation="c1")).ids
    code = "scope_required" if scope is None else "scope_invalid"
    calls = [
        lambda: engine.ingest(scope, "x"),
        lambda: engine.retrieve(scope, "boat"),
        lambda: engine.assemble(scope, "boat", budget=100),
        lambda: engine.assemble(scope, "boat", budget=100, conversation="c1"),
        lambda: engine.forget(scope),
        lambda: engine.forget(scope, ids=[record]),
        lambda: engine.forget(scope, conversation="c1"),
        lambda: engine.list(scope),
        lambda: engine.get(scope, record),
    ]
    if scope is not None:
        calls += [lambda: engine.stats(scope), lambda: anext(engine.export(scope))]
    for call in calls:
        with pytest.raises(ScopeError) as caught:
            await call()
        assert (caught.value.reason, caught.value.place) == (code, "scope")
    assert await kept(engine, ANA) == ["a boat"]


@pytest.mark.parametrize("value", ["", "*", ["u1", "u2"], 7, True, {"u": 1}, "undefined", "None", "null"], ids=repr)
def test_vector_44_a_rung_that_names_nobody_is_refused(value):
    for rung in ("client", "customer", "user"):
        with pytest.raises(ScopeError) as caught:
            Scope(**{"client": "acme", rung: value})
        assert (caught.value.reason, caught.value.place) == ("id_invalid", rung)


async def test_vector_45_a_foreign_id_among_fifty_is_answered_like_an_absent_one(engine):
    receipts = []
    for odd in ("foreign", "absent"):
        own = (await engine.ingest(ANA, [f"note {n} of {odd}" for n in range(49)])).ids
        (foreign,) = (await engine.ingest(BEN, "private")).ids
        name = foreign if odd == "foreign" else "0000000000000000"
        receipts.append(await engine.forget(ANA, ids=[*own[:20], name, *own[20:]]))
    assert receipts[0] == receipts[1]
    assert receipts[0].records == 49
    assert await kept(engine, BEN) == ["private"]


async def test_vector_46_one_conversation_id_of_two_users_is_two_conversations(engine):
    for scope, name in ((ANA, "Ana"), (BEN, "Ben"), (NORTH, "the office")):
        await engine.ingest(scope, f"I am {name}.", conversation="session-1")
    for scope, text in ((ANA, "I am Ana."), (BEN, "I am Ben.")):
        assert await kept(engine, scope, where=Filter(conversation="session-1")) == [text]
        shown = (await engine.assemble(scope, "hello", budget=200, conversation="session-1")).compilation
        assert text in shown.text
        assert sum(f"I am {name}." in shown.text for name in ("Ana", "Ben")) == 1
    assert (await engine.stats(NORTH)).conversations == 3
    assert (await engine.forget(BEN, conversation="session-1")).records == 1
    assert await kept(engine, ANA) == ["I am Ana."]


async def test_vector_47_a_key_or_words_used_elsewhere_leave_no_hint(engine):
    turn = Turn(text="prefers tea", key="k1")
    for scope in (BEN, RIVAL, NORTH, ANA):
        receipt = await engine.ingest(scope, [turn, Turn(text=f"only {scope}", key="k2")])
        assert [(item.outcome, item.reason, item.message) for item in receipt.items] == [(Outcome.STORED, "", "")] * 2
        assert (await engine.get(scope, receipt.ids[0])).occurrences == 1


@pytest.mark.parametrize(("neighbour", "crowd"), [(BEN, 20_000), (RIVAL, 800)], ids=str)
async def test_vector_48_49_a_crowd_of_near_twins_next_door_changes_nothing(url, engine, neighbour, crowd):
    crowd = min(crowd, 2000) if url.startswith("postgresql") else crowd
    await engine.ingest(ANA, [f"the red boat number {n} lies by the lake" for n in range(30)])
    await engine.ingest(NORTH, "the boat yard opens at noon")
    await engine.work.wait()  # what is derived behind the writes is there before the first answer
    asked = ["red boat lake", "number 7", "yard", "an unheard word"]

    async def answer(query):
        """All of an answer but how often its memories were served, which her own questions change."""
        bundle = await engine.retrieve(ANA, query, limit=20)
        hits = [replace(hit, memories=tuple(replace(m, recalled=0, recalled_at=None) for m in hit.memories)) for hit in bundle]
        return replace(bundle, hits=tuple(hits))

    before = [await answer(query) for query in asked]
    assert len(before[0]) == 20
    await engine.ingest(neighbour, (f"the red boat number {n} lies by the yard of the lake" for n in range(crowd)))
    assert [await answer(query) for query in asked] == before
    assert (await engine.stats(ANA)).records == 30


async def test_vector_42_what_a_scope_shares_is_read_and_not_changed_from_below(engine):
    (shared,) = (await engine.ingest(NORTH, "the office closes at noon")).ids
    assert (await engine.get(ANA, shared)).scope == NORTH
    assert (await engine.forget(ANA, ids=[shared])).records == 0
    assert (await engine.list(ANA)).records == ()
    assert await kept(engine, NORTH) == ["the office closes at noon"]
    with pytest.raises(NotFound):
        await engine.get(CLIENT, shared)


async def test_errors_are_all_of_one_tree_and_say_what_to_do_next(engine):
    for call in (
        engine.retrieve(ANA, ""),
        engine.get(ANA, "x" * 100_000),
        engine.list(ANA, limit=0),
        engine.assemble(ANA, "x", budget=0),
    ):
        with pytest.raises(MunimentError) as caught:
            await call
        assert caught.value.hint
        assert len(str(caught.value)) < 400
