"""Files of every format, recognised by content: what becomes a turn, what is refused where, and that nothing goes missing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muniment.errors import FormatError
from muniment.ingest.formats import FORMATS, read_turns
from muniment.ingest.formats.lines import MAX_LINE
from muniment.types import Kind, Outcome, Role, ToolCall

FIXTURES = Path(__file__).parents[2] / "fixtures" / "formats"


def read(name: str, **given):
    return read_turns((FIXTURES / name).read_bytes(), name=name, **given)


def read_text(text: str, **given):
    return read_turns(text.encode(), name="given.txt", **given)


def failure(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as error:
        read_turns(data, name="given")
    assert error.value.place.startswith("given")
    assert error.value.hint
    return error.value


def test_messages_keep_words_speakers_times_tools_and_ids():
    parsed = read("messages.jsonl")
    assert (parsed.format, parsed.refused) == ("messages", ())
    system, asked, call, result, answer, thanks, dogs = parsed.turns
    assert system.role is Role.SYSTEM
    assert (asked.speaker, asked.ref, asked.text) == ("Zoë", "m-1", "Wann fährt die letzte Fähre nach Föhr?")
    assert asked.said_at == datetime(2026, 3, 1, 17, 5, 7, 123_456, tzinfo=UTC)
    assert (call.kind, call.text) == (Kind.TOOL_CALL, "")
    assert call.tool_calls == (ToolCall(id="call_1", name="timetable", arguments='{"to": "Föhr"}'),)
    assert (result.role, result.kind, result.tool_call_id, result.speaker) == (Role.TOOL, Kind.TOOL_RESULT, "call_1", "timetable")
    assert answer.text == "Um 20:45 Uhr.\n[image: https://example.org/pier.png]"
    assert answer.said_at.microsecond == 250_000
    assert thanks.text == "شكراً جزيلاً، هل الكلاب مسموحة؟"
    assert dogs.conversation == "evening"
    assert {turn.origin for turn in parsed.turns} == {"messages.jsonl"}
    assert [turn.place for turn in parsed.turns] == [f"messages.jsonl:{n}" for n in range(1, 8)]


def test_F10_names_of_users_in_metadata_stay_metadata():
    thanks = read("messages.jsonl").turns[5]
    assert thanks.metadata == {"user_id": "somebody-else", "mood": "glad"}
    assert [history.suggested_user for history in read("messages.jsonl").histories] == [None]


def test_a_damaged_file_keeps_its_good_lines_and_names_the_bad_ones():
    parsed = read("damaged.jsonl")
    assert [turn.text for turn in parsed.turns] == ["The first line is whole.", "The last line is whole too."]
    assert [(item.place, item.reason) for item in parsed.refused] == [
        ("damaged.jsonl:2", "malformed"),
        ("damaged.jsonl:3", "malformed"),
        ("damaged.jsonl:5", "content_missing"),
        ("damaged.jsonl:6", "role_missing"),
        ("damaged.jsonl:7", "role_unknown"),
        ("damaged.jsonl:8", "type"),
        ("damaged.jsonl:9", "invalid_unicode"),
        ("damaged.jsonl:10", "duplicate_key"),
        ("damaged.jsonl:11", "number_out_of_range"),
        ("damaged.jsonl:12", "timestamp_invalid"),
        ("damaged.jsonl:13", "tz_required"),
        ("damaged.jsonl:14", "type"),
        ("damaged.jsonl:15", "format_unknown"),
        ("damaged.jsonl:16", "part_unknown"),
    ]
    assert all(item.outcome is Outcome.REFUSED and item.message for item in parsed.refused)


def test_a_damaged_list_of_messages_keeps_its_good_part_too():
    lines = [line for line in (FIXTURES / "damaged.jsonl").read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    parsed = read_text("[" + ",\n".join(lines) + "]")
    assert [turn.text for turn in parsed.turns] == ["The first line is whole.", "The last line is whole too."]
    assert len(parsed.refused) == len(lines) - 2
    assert parsed.refused[0].place == "given.txt[1]"


def test_a_first_line_that_is_broken_does_not_cost_the_others():
    parsed = read_text('{"role": "user", "conte\n{"role": "user", "content": "a"}\n{"role": "user", "content": "b"}\n')
    assert [turn.text for turn in parsed.turns] == ["a", "b"]
    assert [item.place for item in parsed.refused] == ["given.txt:1"]


def test_times_without_a_zone_are_taken_in_the_zone_the_caller_names():
    turns = read("damaged.jsonl", zone=ZoneInfo("Asia/Tokyo")).turns
    assert turns[1].said_at == datetime(2026, 2, 20, 1, tzinfo=UTC)


def test_conversations_are_kept_apart():
    parsed = read("conversations.jsonl")
    assert parsed.format == "conversations"
    assert [turn.conversation for turn in parsed.turns] == ["tuesday", "tuesday", "conversations.jsonl:2"]
    assert [item.place for item in parsed.refused] == ["conversations.jsonl:2.messages[1]"]
    assert parsed.notes == ("Keys that are not kept: title.",)
    whole = [json.loads(line) for line in (FIXTURES / "conversations.jsonl").read_text(encoding="utf-8").splitlines()]
    for shape in (whole, {"conversations": whole}):
        names = [turn.conversation for turn in read_text(json.dumps(shape)).turns]
        assert names == ["tuesday", "tuesday", "given.txt:2"]


def test_the_callers_conversation_names_one_and_goes_in_front_of_several():
    assert {turn.conversation for turn in read("older_calls.json", conversation="c").turns} == {"c"}
    assert {turn.conversation for turn in read("older_calls.json").turns} == {None}
    assert {turn.conversation for turn in read("conversations.jsonl", conversation="c").turns} == {
        "c:tuesday",
        "c:conversations.jsonl:2",
    }
    assert {turn.conversation for turn in read("messages.jsonl", conversation="c").turns} == {"c", "c:evening"}


def test_older_function_calls_are_paired_by_name():
    _, call, result, _ = read("older_calls.json").turns
    assert call.tool_calls == (ToolCall(id="function:price", name="price", arguments='{"of": "plums"}'),)
    assert (result.role, result.tool_call_id) == (Role.TOOL, "function:price")


def test_tool_parts_become_calls_and_results_of_their_own():
    parsed = read("tool_parts.json")
    assert [(turn.role, turn.kind, turn.text) for turn in parsed.turns] == [
        (Role.USER, Kind.TURN, "Is the bakery open, and the mill?"),
        (Role.ASSISTANT, Kind.TURN, "I will look."),
        (Role.TOOL, Kind.TOOL_RESULT, "open until six"),
        (Role.TOOL, Kind.TOOL_RESULT, "closed"),
        (Role.ASSISTANT, Kind.TURN, "The bakery is open until six; the mill is closed."),
    ]
    assert [call.id for call in parsed.turns[1].tool_calls] == ["t1", "t2"] == [turn.tool_call_id for turn in parsed.turns[2:4]]


def test_locomo_samples_are_histories_of_their_own():
    parsed = read("locomo.json")
    assert (parsed.format, [history.suggested_user for history in parsed.histories]) == ("locomo", ["duo-1", "duo-2"])
    first, second = (history.turns for history in parsed.histories)
    assert [(turn.conversation, turn.speaker, turn.ref) for turn in first] == [
        ("session_1", "Ines", "D1:1"),
        ("session_1", "Bo", "D1:2"),
        ("session_2", "Bo", "D2:1"),
    ]
    assert first[0].text == "I bought a kayak today. [image: a red kayak on a roof]"
    assert {turn.role for turn in first} == {Role.USER}
    assert [turn.said_at for turn in first[1:]] == [
        datetime(2023, 12, 7, 21, 30, tzinfo=UTC),
        datetime(2024, 1, 1, 0, 5, tzinfo=UTC),
    ]
    assert second[0].said_at == datetime(2024, 2, 29, 12, 15, tzinfo=UTC)
    assert [(item.place, item.reason) for item in parsed.refused] == [
        ("locomo.json[0].conversation.session_3[0]", "timestamp_invalid"),
        ("locomo.json[1].conversation.session_1[1]", "content_missing"),
    ]
    assert "qa" in parsed.notes[0]


def test_several_histories_for_one_user_stay_apart():
    assert {turn.conversation for turn in read("locomo.json").turns} == {"duo-1:session_1", "duo-1:session_2", "duo-2:session_1"}
    one = json.dumps(json.loads((FIXTURES / "locomo.json").read_text(encoding="utf-8"))[0])
    assert {turn.conversation for turn in read_text(one).turns} == {"session_1", "session_2"}


def test_answers_of_data_sets_are_never_read_as_conversation():
    for name in ("locomo.json", "longmemeval.json", "trajectories.jsonl"):
        text = repr(read(name).histories)
        assert "Who bought" not in text
        assert "not part of the talk" not in text
        assert "Where do I sail" not in text
        assert "not_a_scope" not in text


def test_longmemeval_haystacks_are_histories_by_question():
    parsed = read("longmemeval.json")
    assert parsed.format == "longmemeval"
    assert [(history.suggested_user, [turn.conversation for turn in history.turns]) for history in parsed.histories] == [
        (None, ["s_free"]),
        ("q_ferry", ["s_2", "s_2", "s_1", "s_1"]),
        ("q_none_abs", []),
    ]
    assert parsed.histories[1].turns[2].said_at == datetime(2024, 4, 9, 8, tzinfo=UTC)
    assert parsed.histories[0].turns[0].said_at is None
    assert [(item.place, item.reason) for item in parsed.refused] == [
        ("longmemeval.json.sessions.s_3[0]", "timestamp_invalid"),
        ("longmemeval.json.sessions.s_gone", "session_missing"),
    ]
    berlin = read("longmemeval.json", zone=ZoneInfo("Europe/Berlin"))
    assert berlin.histories[1].turns[2].said_at == datetime(2024, 4, 9, 6, tzinfo=UTC)


def test_longmemeval_as_a_list_reads_the_same():
    listed, stored = read("longmemeval_list.json"), read("longmemeval.json")
    assert listed.histories[0].suggested_user == "q_ferry"
    assert [turn.text for turn in listed.turns] == [turn.text for turn in stored.histories[1].turns[2:]]


def test_trajectories_are_conversations_by_task_and_trial():
    parsed = read("trajectories.jsonl")
    assert parsed.format == "trajectories"
    assert [turn.conversation for turn in parsed.turns] == ["task_4_trial_1"] * 3 + ["task_4_trial_2"]
    assert parsed.turns[2].tool_call_id == parsed.turns[1].tool_calls[0].id


@pytest.mark.parametrize("name", ["handbook.md", "letter.txt"])
def test_passages_of_a_document_are_its_text(name):
    data = (FIXTURES / name).read_bytes()
    parsed = read(name)
    assert "".join(turn.text for turn in parsed.turns) == data.decode()
    assert {(turn.role, turn.kind, turn.ref) for turn in parsed.turns} == {(Role.DOCUMENT, Kind.PASSAGE, name)}


def test_markdown_is_cut_at_headings_and_paragraphs():
    parsed = read("handbook.md")
    assert parsed.format == "markdown"
    assert [(turn.text.split("\n")[0], turn.metadata.get("heading")) for turn in parsed.turns] == [
        ("---", None),
        ("# Hafen", "Hafen"),
        ("## Νερό", "Hafen > Νερό"),
        ("- first tap: left", "Hafen > Νερό"),
        ("```sh", "Hafen > Νερό"),
        ("### 電気", "Hafen > Νερό > 電気"),
        ("# Hafen #", "Hafen"),
    ]
    assert "not a heading\n\necho" in parsed.turns[4].text


def test_plain_text_is_cut_at_blank_lines():
    parsed = read("letter.txt")
    assert parsed.format == "text"
    assert [turn.text.strip().split()[0] for turn in parsed.turns] == ["Dear", "мы", "שלום", "Yours,"]


def test_K08_a_text_without_spaces_is_cut_and_nothing_is_lost():
    text = "x" * (2 << 20)
    turns = read_text(text).turns
    assert len(turns) > 1000
    assert "".join(turn.text for turn in turns) == text
    marked = "e\u0301" * 5000
    assert all(not turn.text.startswith("\u0301") for turn in read_text(marked).turns)


PIECES = st.sampled_from(
    ["word ", "\n", "\n\n", "# Title\n", "```\n", "---\n", " \t", "\r\n", "\u200b", "é" * 30, "。", "x" * 2500, "* item\n"]
)


@given(st.lists(PIECES | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)).map("".join))
def test_passages_joined_are_the_text_again(text):
    try:
        parsed = read_turns(b"\n. " + text.encode(), name="x")
    except FormatError:
        return
    assert "".join(turn.text for turn in parsed.turns) == "\n. " + text
    assert all(turn.text.strip() for turn in parsed.turns)


@given(st.binary(max_size=300))
def test_random_bytes_are_read_or_a_format_error(data):
    for start in (b"", b"[", b"{", b'[{"role":', b'{"role":"user","content":', b"\xff\xfe"):
        try:
            read_turns(start + data, name="x")
        except FormatError as error:
            assert error.hint  # noqa: PT017  what else is raised fails the test


SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS = st.sampled_from(
    [
        *("role", "content", "text", "name", "id", "type", "created_at", "metadata", "conversation", "messages", "conversations"),
        *("tool_calls", "function_call", "tool_call_id", "traj", "session_1", "session_1_date_time", "muniment", "version"),
        *("questions", "sessions", "haystack_sessions", "haystack_session_ids", "haystack_dates"),
    ]
)
SHAPES = st.recursive(SCALARS, lambda part: st.lists(part, max_size=4) | st.dictionaries(KEYS, part, max_size=6), max_leaves=25)


@given(SHAPES)
def test_any_json_shape_is_read_or_a_format_error(value):
    for text in (json.dumps(value), json.dumps(value) + "\n" + json.dumps({"role": "user", "content": "x"})):
        try:
            read_turns(text.encode("utf-8", "surrogatepass"), name="x")
        except FormatError as error:
            assert error.hint  # noqa: PT017  what else is raised fails the test


@given(st.lists(st.dictionaries(st.sampled_from(["role", "content", "name", "id", "x"]), SCALARS, max_size=5), max_size=6))
def test_every_message_is_a_turn_or_a_receipt(messages):
    text = json.dumps({"messages": messages})
    parsed = read_turns(text.encode("utf-8", "surrogatepass"), name="x")
    assert len(parsed.turns) + len(parsed.refused) == len(messages)


def test_what_is_none_of_the_formats_says_which_are_read():
    for text in ('{"a": 1}', '["a", "b"]', "[1, 2, 3]", '{"name": "x"}\n{"name": "y"}\n', '{"questions": 1}'):
        error = failure(text.encode())
        assert error.reason == "format_unknown"
        assert all(name in error.hint for name in FORMATS)


@pytest.mark.parametrize("data", [b"", b" \n\t ", b"\xef\xbb\xbf", b"\xff\xfe", "\u200b\n".encode()], ids=repr)
def test_vector_11_an_empty_file_is_refused(data):
    assert failure(data).reason == "empty_content"


def test_no_messages_are_no_turns():
    for text in ("[]", '{"messages": []}', '{"conversations": []}'):
        assert read_text(text).turns == ()


@pytest.mark.parametrize(
    "text", ['{"messages": [{"role": "user",\n "content": "half', '[{"role": "user", "content": "a"},\n {"role": "us']
)
def test_vector_18_half_a_document_names_line_and_column(text):
    error = failure(text.encode())
    assert error.reason == "malformed"
    assert "line 2, column" in error.message


def test_vector_18_two_documents_in_one_are_refused():
    assert failure(b'[{"role": "user", "content": "a"}] [1]').reason == "malformed"


def test_vector_12_a_document_that_is_too_deep_is_refused_and_a_line_costs_only_itself():
    deep = '{"role": "user", "content": ' + "[" * 100_000 + "]" * 100_000 + "}"
    assert failure(deep.encode()).reason == "too_deep"
    parsed = read_text(deep + '\n{"role": "user", "content": "a"}')
    assert [turn.text for turn in parsed.turns] == ["a"]
    assert [item.reason for item in parsed.refused] == ["too_deep"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32", "utf-16-le-bom", "utf-16-be-bom"])
def test_encodings_that_say_what_they_are_are_read(encoding):
    for name in ("messages.jsonl", "locomo.json", "handbook.md"):
        text = (FIXTURES / name).read_text(encoding="utf-8")
        data = ("\ufeff" + text).encode(encoding[:-4]) if encoding.endswith("-bom") else text.encode(encoding)
        assert read_turns(data, name=name) == read(name)


def test_vector_02_bytes_that_are_no_text_are_named():
    error = failure("Grüße aus Köln".encode("latin-1"))
    assert error.reason == "invalid_utf8"
    assert "byte 2 (0xfc, line 1)" in error.message
    assert failure(b'[{"role": "user", "content": "\xc0\xaf"}]').reason == "invalid_utf8"
    assert failure(b"\xff\xfea").reason == "invalid_utf8"
    parsed = read_turns(b'{"role": "user", "content": "\xff"}\n{"role": "user", "content": "a"}', name="x")
    assert [(item.place, item.reason) for item in parsed.refused] == [("x:1", "invalid_utf8")]


def test_vector_01_a_binary_file_is_no_text():
    assert failure(b"some text\n\0\0\0").reason == "nul_not_allowed"
    assert failure("text".encode("utf-16-le")).reason == "nul_not_allowed"
    parsed = read_turns(b'{"role": "user", "content": "a\0b"}\n{"role": "user", "content": "a"}', name="x")
    assert [item.reason for item in parsed.refused] == ["malformed"]


def test_line_ends_of_every_kind_are_read():
    text = (FIXTURES / "messages.jsonl").read_text(encoding="utf-8")
    assert read_turns(text.replace("\n", "\r\n").encode(), name="messages.jsonl") == read("messages.jsonl")
    assert read_turns(text.rstrip("\n").encode(), name="messages.jsonl") == read("messages.jsonl")
    assert read_text('{"role": "user", "content": "a\u2028b"}\n{"role": "user", "content": "c\x85d"}').turns[0].text == "a\u2028b"


def test_vector_10_a_giant_line_is_refused_and_the_rest_is_kept():
    giant = b'{"role": "user", "content": "' + b"x" * (50 << 20) + b'"}\n'
    parsed = read_turns(b'{"role": "user", "content": "a"}\n' + giant + b'{"role": "user", "content": "b"}\n', name="x")
    assert [turn.text for turn in parsed.turns] == ["a", "b"]
    assert [(item.place, item.reason) for item in parsed.refused] == [("x:2", "too_large")]
    at_limit = b"{" + b" " * (MAX_LINE - len(b'{"role": "user", "content": "b"}')) + b'"role": "user", "content": "b"}\n'
    assert len(at_limit) == MAX_LINE + 1
    assert len(read_turns(at_limit * 2, name="x").turns) == 2


@pytest.mark.parametrize(
    "text",
    [
        "[![badge](https://example.org/b.svg)](https://example.org)\n\nText",
        "[link] and text",
        "[ ] a task",
        "[[a wiki link]] and text",
        "{% include header %}\n\nText",
        "{{ title }}",
        '"quoted" text',
        "12345",
        "[1] a reference",
    ],
)
def test_text_that_only_begins_like_json_is_text(text):
    assert "".join(turn.text for turn in read_text(text).turns) == text


@pytest.mark.parametrize(
    "name", ["../../etc/hosts", "/abs/a.json", "C:\\x\\y.md", "file:///x", "a\u202egnp.md", "..", "", "x" * 300 + ".md"]
)
def test_vector_39_a_file_name_is_only_a_label(name):
    parsed = read_turns(b"some words", name=name)
    assert parsed.turns[0].origin == name
    assert "/" not in parsed.turns[0].ref
    assert len(parsed.turns[0].ref.encode()) < 255
    assert len(read_turns(b'{"messages": [{"role": "user", "content": "a"}]}\n' * 2, name=name).turns) == 2


def test_G02_G04_G07_words_of_any_language_come_through_unchanged():
    texts = ["我们最近配置的 rerank 精排是什么模型", "我决定下周改用 PostgreSQL", "Zoe\u0308", "مَرْحَبًا", "👩‍👩‍👧", "สวัสดี", "नमस्ते"]
    parsed = read_text(json.dumps([{"role": "user", "content": text} for text in texts], ensure_ascii=True))
    assert [turn.text for turn in parsed.turns] == texts
