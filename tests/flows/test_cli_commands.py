"""Every command as a user meets it: what it does, what it prints, and the documents and exit codes it promises."""

from __future__ import annotations

import json
import re

import pytest
from running_cli import Cli

from muniment.cli.main import main
from muniment.cli.reference import DOCUMENTS, SHAPES

ANA = ("--user", "ana")
CHAT = [
    {"role": "user", "name": "Ana", "content": "I upgraded to the Harbor plan.", "timestamp": "2026-03-02T09:00:00Z"},
    {"role": "assistant", "content": "Noted, you are on Harbor now.", "timestamp": "2026-03-02T09:01:00Z"},
    {"role": "user", "name": "Ana", "content": "My boat is called Perseverance.", "timestamp": "2026-03-03T10:00:00Z"},
]


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


@pytest.fixture
def ids(cli):
    done = cli.as_json("ingest", cli.file("chat.json", CHAT), *ANA, "--conversation", "monday")
    return [item["id"] for item in done["files"][0]["items"]]


def keys(document, shape):
    assert list(document) == shape.split()
    return document


def check_record(record):
    keys(record, SHAPES["record"])
    keys(record["scope"], SHAPES["scope"])
    return record


def check_bundle(bundle):
    keys(bundle, SHAPES["bundle"])
    keys(bundle["health"], SHAPES["health"])
    for hit in bundle["hits"]:
        check_record(keys(hit, SHAPES["hit"])["record"])
        assert sum(hit["channels"].values()) == pytest.approx(hit["score"], abs=1e-4)
    return bundle


def test_ingest_says_what_became_of_each_file_and_item(cli):
    done = keys(
        cli.as_json("ingest", cli.file("chat.json", CHAT), cli.file("notes.md", "# Notes\n\nClosed on Fridays.\n"), *ANA),
        DOCUMENTS["ingest"],
    )
    assert done["scope"] == {"client": None, "customer": None, "user": "ana"}
    chat, notes = (keys(file, SHAPES["file"]) for file in done["files"])
    assert keys(chat["counts"], SHAPES["counts"])["stored"] == len(CHAT)
    assert [keys(item, SHAPES["item"])["outcome"] for item in chat["items"]] == ["stored"] * len(CHAT)
    assert (chat["format"], notes["format"]) == ("messages", "markdown")
    assert notes["error"] is None


def test_B02_ingesting_again_changes_nothing_and_says_so(cli, ids):
    told = cli("ingest", "chat.json", *ANA, "--conversation", "monday")
    assert "3 unchanged" in told.out
    assert cli.as_json("stats", *ANA)["records"] == len(CHAT)


def test_ingest_reads_standard_input(cli):
    assert "1 stored" in cli("ingest", "-", *ANA, stdin="The spare key is under the pot.").out
    assert len(cli.as_json("list", *ANA)["records"]) == 1


def test_ingest_keeps_what_can_be_read_and_exits_1(cli):
    bad = [
        CHAT[0],
        {"role": "nobody", "content": "?"},
        {"role": "user", "content": "nul \u0000 inside"},
        {"role": "user", "content": "  "},
    ]
    done = cli.as_json("ingest", cli.file("half.json", bad), *ANA, code=1)
    counts, items = done["files"][0]["counts"], done["files"][0]["items"]
    assert (counts["stored"], counts["refused"]) == (1, 3)
    assert {item["reason"] for item in items if item["outcome"] == "refused"} == {
        "role_unknown",
        "nul_not_allowed",
        "empty_content",
    }
    told = cli("ingest", "half.json", *ANA, code=1)
    assert told.out.count("refused ") >= 3


def test_ingest_goes_on_after_a_file_that_cannot_be_read(cli):
    done = cli.as_json("ingest", "missing.json", cli.file("chat.json", CHAT), *ANA, code=1)
    assert keys(done["files"][0]["error"], SHAPES["error"])["code"] == "unreadable"
    assert done["files"][1]["counts"]["stored"] == len(CHAT)


def test_ingest_takes_times_without_offset_in_the_zone_that_is_named(cli):
    local = [{"role": "user", "content": "Lunch at noon.", "timestamp": "2026-07-01T12:00:00"}]
    cli("ingest", cli.file("local.json", local), *ANA, code=1)
    cli("ingest", "local.json", *ANA, "--zone", "Europe/Lisbon")
    assert cli.as_json("list", *ANA)["records"][0]["said_at"] == "2026-07-01T11:00:00Z"
    assert cli.refused("ingest", "local.json", *ANA, "--zone", "Atlantis")["code"] == "zone_unknown"


def test_ingest_gives_histories_to_the_users_a_file_names(cli):
    history = lambda name: {  # noqa: E731  (a shape, twice)
        "sample_id": name,
        "conversation": {
            "speaker_a": "A",
            "speaker_b": "B",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [{"speaker": "A", "dia_id": "D1:1", "text": f"I am from {name}."}],
        },
    }
    both = cli.file("both.json", [history("north"), history("south")])
    cli("ingest", both, "--customer", "acme", "--users-from-file")
    assert len(cli.as_json("list", "--customer", "acme", "--user", "north")["records"]) == 1
    assert cli.as_json("list", "--customer", "acme")["records"] == []
    assert cli.refused("ingest", both, *ANA, "--users-from-file")["code"] == "scope_invalid"


def test_retrieve_shows_score_shares_terms_who_and_when(cli, ids):
    found = check_bundle(cli.as_json("retrieve", "What is the boat called?", *ANA))
    assert keys(found, DOCUMENTS["retrieve"])["hits"][0]["record"]["id"] == ids[2]
    assert found["health"]["searched"] == len(CHAT)
    told = cli("retrieve", "What is the boat called?", *ANA).out
    for part in ("Ana", "Tue 3 Mar 2026, 10:00", "monday", "Perseverance", "boat", ids[2], "searched 3 records"):
        assert part in told
    for name in found["hits"][0]["channels"]:
        assert name in told


def test_explain_says_what_became_of_a_record(cli, ids):
    found = keys(cli.as_json("explain", "What is the boat called?", ids[2], *ANA), DOCUMENTS["explain"])
    assert (found["code"], found["record"]["id"], found["hit"]["record"]["id"]) == ("found", ids[2], ids[2])
    told = cli("explain", "What is the boat called?", ids[0], *ANA, "--threshold", "1").out
    assert "below threshold" in told or "no match" in told
    assert cli.refused("explain", "boat", "nowhere", *ANA, code=1)["code"] == "not_found"


def test_P08_retrieve_says_when_nothing_is_found(cli, ids):
    found = cli.as_json("retrieve", "zeppelin quartz", *ANA)
    assert found["hits"] == []
    assert found["health"]["searched"] == len(CHAT)
    assert "Nothing found." in cli("retrieve", "zeppelin quartz", *ANA).out


def test_P06_P07_a_threshold_leaves_out_what_is_not_relevant_and_says_so(cli, ids):
    found = cli.as_json("retrieve", "boat zeppelin quartz marmalade", *ANA)
    assert found["hits"][0]["relevance"] < 0.9
    strict = cli.as_json("retrieve", "boat zeppelin quartz marmalade", *ANA, "--threshold", "0.9")
    assert strict["hits"] == []
    assert any("threshold" in sentence or "below" in sentence for sentence in strict["explanation"])
    for sentence in strict["explanation"]:
        assert sentence in cli("retrieve", "boat zeppelin quartz marmalade", *ANA, "--threshold", "0.9").out
    for threshold in ("1.1", "-0.1", "nan", "high"):
        assert "threshold" in str(cli.refused("retrieve", "boat", *ANA, "--threshold", threshold))


def test_retrieve_in_an_empty_scope_tells_how_to_begin(cli, ids):
    told = cli("retrieve", "anything", "--user", "ben")
    assert "Nothing found." in told.out
    for part in ("user=ben", "sqlite:///muniment.db", "muniment ingest FILE"):
        assert part in told.err


def test_M04_filters_hold_together(cli, ids):
    cli(
        "ingest",
        cli.file("more.json", [{"role": "user", "name": "Ben", "content": "The boat needs paint."}]),
        *ANA,
        "--conversation",
        "tuesday",
    )
    both = cli.as_json("retrieve", "boat", *ANA)
    assert {hit["record"]["conversation"] for hit in both["hits"]} == {"monday", "tuesday"}
    for narrowing in (
        ("--conversation", "tuesday"),
        ("--speaker", "Ben"),
        ("--conversation", "tuesday", "--speaker", "Ben", "--role", "user"),
    ):
        assert [hit["record"]["speaker"] for hit in cli.as_json("retrieve", "boat", *ANA, *narrowing)["hits"]] == ["Ben"]
    assert cli.as_json("retrieve", "boat", *ANA, "--conversation", "monday", "--speaker", "Ben")["hits"] == []
    assert cli.as_json("retrieve", "boat", *ANA, "--by-agent", "nobody")["hits"] == []


def test_retrieve_by_time(cli, ids):
    day = cli.as_json("list", *ANA, "--since", "2026-03-03", "--until", "2026-03-04T00:00+00:00")
    assert [record["id"] for record in day["records"]] == [ids[2]]


def test_assemble_prints_the_prompt_alone_and_its_receipt_beside(cli, ids):
    done = cli("assemble", "Which plan am I on?", *ANA, "--budget", "400", "--instructions", "Answer briefly.")
    assert done.out.startswith("Answer briefly.")
    assert "Harbor" in done.out
    assert done.out.rstrip().endswith("Which plan am I on?")
    assert "tokens" not in done.out
    assert re.search(r"\d+ of 400 tokens", done.err)
    assert "searched 3 records" in done.err


@pytest.mark.parametrize("form", ["openai", "anthropic"])
def test_assemble_in_the_forms_of_chat_services(cli, ids, form):
    prompt = json.loads(cli("assemble", "Which plan am I on?", *ANA, "--budget", "400", "--format", form).out)
    messages = prompt if form == "openai" else prompt["messages"]
    assert messages[-1]["role"] == "user"
    assert "Which plan am I on?" in json.dumps(messages[-1])


def test_assemble_as_a_document_has_every_block_and_the_evidence(cli, ids):
    done = keys(cli.as_json("assemble", "Which plan am I on?", *ANA, "--budget", "300", "--reserve", "50"), DOCUMENTS["assemble"])
    assert done["tokens"] + done["reserve"] <= done["budget"] == 300
    assert all(keys(block, SHAPES["block"]) for block in done["blocks"])
    assert [block["name"] for block in done["blocks"]][-1] == "message"
    check_bundle(done["bundle"])


def test_list_is_newest_first_and_goes_on_from_its_cursor(cli, ids):
    first = keys(cli.as_json("list", *ANA, "--limit", "2"), DOCUMENTS["list"])
    assert [check_record(record)["id"] for record in first["records"]] == [ids[2], ids[1]]
    rest = cli.as_json("list", *ANA, "--limit", "2", "--cursor", first["cursor"])
    assert ([record["id"] for record in rest["records"]], rest["cursor"]) == ([ids[0]], None)
    told = cli("list", *ANA, "--limit", "2")
    assert f"--cursor {first['cursor']}" in told.err
    assert [line.split("\t")[0] for line in told.out.splitlines()] == [ids[2], ids[1]]


def test_M04_list_takes_the_same_filters_as_retrieve(cli, ids):
    upgraded, noted, boat = ids
    for narrowing, wanted in (
        (("--conversation", "monday"), [boat, noted, upgraded]),
        (("--conversation", "tuesday"), []),
        (("--speaker", "Ana"), [boat, upgraded]),
        (("--role", "assistant"), [noted]),
        (("--kind", "passage"), []),
        (("--by-agent", "default"), [boat, noted, upgraded]),
        (("--by-agent", "support"), []),
        (("--since", "2026-03-03"), [boat]),
        (("--until", "2026-03-02T10:01+01:00"), [upgraded]),
        (("--speaker", "Ana", "--until", "2026-03-03"), [upgraded]),
    ):
        assert [record["id"] for record in cli.as_json("list", *ANA, *narrowing)["records"]] == wanted


def test_list_of_nothing_says_so(cli):
    cli.said("I am Ben.", scope=("--user", "ben"))
    told = cli("list", *ANA)
    assert told.out == ""
    assert "No records for user=ana in sqlite:///muniment.db." in told.err


def test_show_has_the_whole_record(cli, ids):
    record = check_record(cli.as_json("show", ids[0], *ANA))
    assert record["text"] == CHAT[0]["content"]
    told = cli("show", ids[0], *ANA).out
    for part in (ids[0], "user=ana", "Ana (user)", "Mon 2 Mar 2026, 09:00 UTC", "monday", "chat.json", CHAT[0]["content"]):
        assert part in told


def test_forget_by_id(cli, ids):
    gone = keys(cli.as_json("forget", ids[0], ids[1], *ANA), DOCUMENTS["forget"])
    assert gone["records"] == 2
    assert [record["id"] for record in cli.as_json("list", *ANA)["records"]] == [ids[2]]
    assert b"Harbor" not in (cli.folder / "muniment.db").read_bytes()


def test_forget_a_conversation(cli, ids):
    assert "Forgot 3 records" in cli("forget", "--conversation", "monday", *ANA).out
    assert cli.as_json("forget", "--conversation", "monday", *ANA, code=1)["records"] == 0


def test_forget_everything_wants_a_yes(cli, ids):
    assert cli.refused("forget", "--everything", *ANA)["code"] == "confirmation_required"
    assert cli.as_json("stats", *ANA)["records"] == len(CHAT)
    assert cli.as_json("forget", "--everything", "--yes", *ANA)["records"] == len(CHAT)


def test_forget_without_a_target_forgets_nothing(cli, ids):
    for words in ((), (ids[0], "--everything", "--yes"), (ids[0], "--conversation", "monday")):
        assert cli.refused("forget", *words, *ANA)["code"] == "target_required"
    assert cli.as_json("stats", *ANA)["records"] == len(CHAT)


def test_forget_of_an_absent_id_exits_1(cli, ids):
    assert cli.as_json("forget", "aaaaaaaaaaaaaaaa", *ANA, code=1)["records"] == 0
    assert cli("forget", "aaaaaaaaaaaaaaaa", *ANA, code=1).out.startswith("Nothing was forgotten")


def test_stats_of_a_scope_and_of_everything(cli, ids):
    cli.said("I am Ben.", scope=("--user", "ben"))
    assert keys(cli.as_json("stats", *ANA), DOCUMENTS["stats"])["records"] == len(CHAT)
    whole = cli.as_json("stats", "--all-scopes")
    assert (whole["records"], whole["scopes"], whole["scope"]) == (len(CHAT) + 1, 2, None)
    assert whole["oldest"] <= whole["newest"]
    assert "the whole store" in cli("stats", "--all-scopes").out


def test_doctor_finds_a_sound_store_sound(cli, ids):
    found = keys(cli.as_json("doctor"), DOCUMENTS["doctor"])
    assert found["ok"]
    assert all(keys(finding, SHAPES["finding"])["ok"] for finding in found["findings"])
    assert "The store is sound." in cli("doctor", "--repair").out


def test_V01_export_and_import_move_everything_and_twice_changes_nothing(cli, ids):
    cli("ingest", cli.file("shared.txt", "Closed on Fridays."), "--customer", "acme")
    told = keys(cli.as_json("export", "all.jsonl", "--all-scopes"), DOCUMENTS["export"])
    assert told["records"] == len(CHAT) + 1
    every = sum(told[name] for name in ("records", "memories", "entities", "merges", "architectures"))
    elsewhere = ("--store", "sqlite:///other.db")
    first = keys(cli.as_json("import", "all.jsonl", *elsewhere), DOCUMENTS["import"])
    assert first["counts"]["stored"] == every
    assert cli.as_json("import", "all.jsonl", *elsewhere)["counts"]["unchanged"] == every
    for record in ids:
        here, there = cli.as_json("show", record, *ANA), cli.as_json("show", record, *ANA, *elsewhere)
        assert here == there
    assert cli("export", "--all-scopes").out == cli("export", "--all-scopes", *elsewhere).out


def test_export_of_a_scope_holds_nothing_else(cli, ids):
    cli.said("I am Ben.", scope=("--user", "ben"))
    lines = cli("export", *ANA).out.splitlines()
    assert sum('"role"' in line for line in lines) == len(CHAT)
    assert "Ben" not in "".join(lines)


def test_export_does_not_replace_a_file_unasked(cli, ids):
    cli.file("all.jsonl", "precious")
    assert cli.refused("export", "all.jsonl", *ANA)["code"] == "exists"
    assert (cli.folder / "all.jsonl").read_text() == "precious"
    cli("export", "all.jsonl", "--replace", *ANA)
    assert (cli.folder / "all.jsonl").stat().st_mode & 0o077 == 0
    assert sorted(path.name for path in cli.folder.iterdir() if path.name.endswith(".part")) == []


def test_import_refuses_bad_lines_by_number_and_keeps_the_rest(cli, ids):
    lines = [line for line in cli("export", *ANA).out.splitlines() if '"role"' in line or '"muniment"' in line]
    lines.append('{"end":true,"records":3}')
    lines[1] = "{half a line"
    lines[2] = lines[2].replace("Noted", "Altered")
    cli.file("damaged.jsonl", "\n".join(lines))
    done = cli.as_json("import", "damaged.jsonl", "--store", "sqlite:///other.db", code=1)
    assert [item["outcome"] for item in done["items"]] == ["refused", "refused", "stored"], "in the order of the lines"
    assert done["items"][0]["place"] == "damaged.jsonl:2"
    assert (done["counts"]["stored"], done["counts"]["refused"]) == (1, 2)


def test_import_of_a_file_that_was_cut_short_takes_what_is_there_and_says_so(cli, ids):
    lines = cli("export", *ANA).out.splitlines(keepends=True)
    cli.file("cut.jsonl", "".join(lines[:3]))
    done = cli.as_json("import", "cut.jsonl", "--store", "sqlite:///other.db", code=1)
    assert (done["counts"]["stored"], done["counts"]["refused"]) == (2, 1)
    assert (done["items"][-1]["place"], done["items"][-1]["reason"]) == ("cut.jsonl:4", "cut_short")
    assert "cut short" in cli("import", "cut.jsonl", "--store", "sqlite:///other.db", code=1).out
    assert cli.as_json("ingest", "cut.jsonl", "--user", "ben", code=1)["files"][0]["counts"]["refused"] == 1


def test_version(cli):
    assert re.fullmatch(r"muniment \d+\.\d+\.\d+\n", cli("--version").out)


@pytest.mark.parametrize("named", main.commands.values(), ids=tuple(main.commands))
def test_a_command_is_listed_with_its_own_first_sentence(named):
    assert named.get_short_help_str(300) == named.loaded().get_short_help_str(300)


def test_help_stands_on_every_command(cli):
    assert all(name.split()[0] in cli("--help").out for name in DOCUMENTS)
    for name in DOCUMENTS:
        assert "--json" in cli(*name.split(), "--help").out
    assert cli(code=2).err.startswith("Usage: muniment")
