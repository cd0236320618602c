"""Input that cannot be used ends with a sentence, the next step and the right code; never with a traceback or a wider reading."""

from __future__ import annotations

import json
import os
import signal
import subprocess

import pytest
from running_cli import INTERRUPTIBLE, PROGRAM, Cli, environment, process

ANA = ("--user", "ana")
TRICKY = [
    '"',
    "(",
    "*",
    "a AND",
    "NEAR(",
    "'; DROP TABLE x;--",
    "%_%",
    "🙂",
    "multi-agent",
    "col:x",
    "^x",
    "{a b}:x",
    "a NOT",
    "C++",
    "foo'bar",
    "(a+)+$",
    "\\",
    "[[:alpha:]]",
    ".*",
    "the of and",
    "?",
    r"C:\repo\src\main.py",
    "a/b/c",
]


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


def test_L02_L03_vector_24_25_special_characters_in_a_query_are_text(cli):
    cli.said(*[f"literal {query} here" for query in TRICKY])
    for query in TRICKY:
        found = cli.as_json("retrieve", query, *ANA, "--limit", "30")
        assert found["query"] == query
        cli("retrieve", query, *ANA)
        cli("assemble", query, *ANA, "--budget", "2000")


def test_L02_paths_in_a_query_find_the_record_with_that_path(cli):
    cli.said(r"The entry point is C:\repo\src\main.py there.", "Notes are in a/b/c of the share.", "Nothing to see.")
    for query, word in ((r"C:\repo\src\main.py", "main.py"), ("a/b/c", "a/b/c")):
        assert word in cli.as_json("retrieve", query, *ANA)["hits"][0]["record"]["text"]


def test_a_query_that_begins_with_a_dash_goes_after_two_dashes(cli):
    cli.said("Use the -x switch.")
    error = cli.refused("retrieve", "-x", *ANA)
    assert "--" in error["hint"]
    assert "-x switch" in cli("retrieve", *ANA, "--", "-x switch").out


@pytest.mark.parametrize("query", ["", " ", "\n\t", "x" * (8 * 1024 + 1)])
def test_vector_23_26_an_empty_or_oversized_query_is_refused(cli, query):
    cli.said("Something.")
    assert cli.refused("retrieve", query, *ANA)["code"]


@pytest.mark.parametrize("limit", ["0", "-1", "1001", "1000000000", "ten", "1.5", "", "null", "1e3"])
@pytest.mark.parametrize("command", [("retrieve", "boat"), ("list",)])
def test_M07_P02_vector_27_a_limit_out_of_range_is_refused_by_name(cli, command, limit):
    error = cli.refused(*command, *ANA, "--limit", limit)
    assert "--limit" in error["message"]
    assert error["code"] == "usage"


@pytest.mark.parametrize("budget", ["-1", "0", "3.7", "1e12", "many", "1000000000000", "1"])
def test_vector_29_a_budget_that_cannot_be_met_is_refused(cli, budget):
    cli.said("Something.")
    error = cli.refused("assemble", "What was it that I told you about the boat?", *ANA, "--budget", budget)
    assert "budget" in (error["message"] + error["place"]).lower()


def test_vector_29_a_budget_smaller_than_the_instructions_says_how_much_is_wanted(cli):
    cli.said("Something.")
    error = cli.refused("assemble", "Hello?", *ANA, "--budget", "50", "--instructions", "word " * 200)
    assert any(letter.isdigit() for letter in error["message"])


@pytest.mark.parametrize("reserve", ["-1", "100", "1000"])
def test_vector_29_a_reserve_out_of_range_is_refused(cli, reserve):
    cli.said("Something.")
    assert cli.refused("assemble", "Hello?", *ANA, "--budget", "100", "--reserve", reserve)["code"]


@pytest.mark.parametrize("cursor", ["", "1", "1.abc", "../../etc", "9" * 10_000, "-1", "\u0661"])
def test_vector_28_a_cursor_that_was_altered_is_refused(cli, cursor):
    cli.said("One.", "Two.")
    assert cli.refused("list", *ANA, "--cursor", cursor)["code"]


def test_vector_28_a_cursor_of_another_listing_is_refused(cli):
    cli.said("One.", "Two.")
    cli.said("One.", "Two.", scope=("--user", "ben"))
    cursor = cli.as_json("list", *ANA, "--limit", "1")["cursor"]
    for other in (("--user", "ben"), (*ANA, "--role", "user")):
        assert cli.refused("list", *other, "--cursor", cursor)["code"] == "bad_cursor"


@pytest.mark.parametrize(
    "time", ["yesterday", "2026-02-30", "24:00:00", "10000-01-01", "2026-03-01T25:00", "", "2026-03-01T00:00+25:00"]
)
def test_vector_63_a_time_that_does_not_exist_is_refused(cli, time):
    for option in ("--since", "--until"):
        assert cli.refused("list", *ANA, option, time)["place"] == option


@pytest.mark.parametrize("record", ["../../etc/passwd", "..", "", "a" * 10_000, "' OR '1'='1", "\u202e", "a\nb"])
def test_vector_30_39_ids_are_never_paths_or_statements(cli, record):
    cli.said("Something.")
    assert cli.refused("show", record, *ANA, code=1)["code"] == "not_found"
    assert cli.as_json("forget", record, *ANA, code=1)["records"] == 0
    assert cli.as_json("stats", *ANA)["records"] == 1


def test_M02_M08_unknown_options_and_values_are_refused_with_a_hint(cli):
    for words in (
        ("list", "--containerTags", "x"),
        ("list", "--limt", "3"),
        ("list", "--role", "owner"),
        ("remember", "x"),
        ("list", "extra"),
    ):
        assert cli.refused(*words, *ANA)["code"] == "usage"
    assert "--limit" in cli.refused("list", "--limt", "3", *ANA)["message"]


FILES = {
    "empty": b"",
    "spaces": b"  \n\t ",
    "mark only": b"\xef\xbb\xbf",
    "binary": bytes(range(256)) * 20,
    "nul": b"abc\0def",
    "not utf-8": b"caf\xe9",
    "overlong": b'{"role":"user","content":"\xc0\xaf"}',
    "half JSON": b'[{"role": "user", "content": "half',
    "deep": b'{"a":' * 100_000,
    "no shape": b'[{"a": 1}, {"b": 2}]',
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES.keys())
def test_a_file_that_cannot_be_used_is_refused_and_makes_no_store(cli, content):
    path = cli.file("input.json", content)
    done = cli("ingest", path, *ANA, "--json", code=2)
    assert json.loads(done.out)["files"][0]["error"]["code"]
    assert cli("ingest", path, *ANA, code=2).err.startswith("Error: input.json")
    assert not (cli.folder / "muniment.db").exists()


def test_vector_18_trailing_bytes_and_two_documents_are_told(cli):
    for text in ('[{"role":"user","content":"a"}] x', '[{"role":"user","content":"a"}][{"role":"user","content":"b"}]'):
        cli("ingest", cli.file("two.json", text), *ANA, code=2)


def test_K08_a_line_of_50_megabytes_costs_only_itself(cli):
    good = json.dumps({"role": "user", "content": "The good line stands."})
    giant = json.dumps({"role": "user", "content": "x" * (50 << 20)})
    cli.file("giant.jsonl", f"{good}\n{giant}\n{good.replace('good', 'last')}\n")
    done = cli.as_json("ingest", "giant.jsonl", *ANA, code=1)
    assert (done["files"][0]["counts"]["stored"], done["files"][0]["counts"]["refused"]) == (2, 1)
    assert [item["reason"] for item in done["files"][0]["items"] if item["outcome"] == "refused"] == ["too_large"]


def test_what_is_no_readable_file_is_refused(cli):
    (cli.folder / "folder").mkdir()
    cases = {
        "missing.json": "unreadable",
        "folder": "not_a_file",
        "/dev/zero": "not_a_file",
        "nul\0name": "unreadable",
        "x" * 5000: "unreadable",
    }
    for name, code in cases.items():
        assert json.loads(cli("ingest", name, *ANA, "--json", code=2).out)["files"][0]["error"]["code"] == code
        if name != "missing.json":
            assert cli.refused("import", name)["code"] == code


def test_vector_39_import_and_export_names_are_only_files(cli):
    cli.said("Something.")
    outside = cli.folder / "outside"
    outside.write_text("sentinel")
    (cli.folder / "inner").mkdir()
    assert cli.refused("export", "inner/../outside", *ANA)["code"] == "exists"
    assert cli.refused("export", "absent/dir/file.jsonl", *ANA)["code"] == "unwritable"
    assert cli.refused("export", "inner", *ANA)["code"] == "not_a_file"
    assert cli.refused("import", "../../../../../../etc/hostname")["code"] in {"format_unknown", "unreadable"}
    assert outside.read_text() == "sentinel"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"", "format_unknown"),
        (b"{}", "format_unknown"),
        (b'[{"role":"user","content":"a"}]', "format_unknown"),
        (b'{"muniment":"export","version":99}', "export_version"),
    ],
)
def test_import_takes_exports_only_and_makes_no_store_for_others(cli, line, code):
    cli.file("other.jsonl", line)
    assert cli.refused("import", "other.jsonl")["code"] == code
    assert not (cli.folder / "muniment.db").exists()


def test_vector_01_03_bad_text_in_a_query_or_message_is_refused(cli):
    cli.said("Something.")
    surrogate = os.fsdecode(b"\xff")
    for words in (("retrieve", surrogate), ("assemble", surrogate, "--budget", "100")):
        assert "\\udcff" in json.dumps(cli.refused(*words, *ANA)) or cli.refused(*words, *ANA)["code"]


@pytest.mark.parametrize(
    "url", ["agent.db", "sqlit:///a.db", "sqlite://a.db", "postgresql://", "sqlite:///", "http://x", "", "sqlite:///a?b"]
)
def test_a_store_of_no_known_form_is_refused(cli, url):
    error = cli.refused("list", *ANA, "--store", url, code=2 if url == "" else 3)
    assert error["hint"]


def test_unknown_embedders_and_counters_are_refused(cli):
    for option in ("--embedder", "--tokens"):
        assert cli.refused("retrieve", "boat", *ANA, option, "magic")["code"].endswith("unknown")
        assert cli.refused("list", *ANA, option, "none")["code"] == "usage", "an option that would do nothing"
    assert cli.refused("ingest", "a.txt", *ANA, "--tokens", "estimate")["code"] == "usage", "nothing is counted when remembering"


def test_interrupting_ends_with_a_sentence(tmp_path):
    started = subprocess.Popen(
        [*INTERRUPTIBLE, "ingest", "-", "--user", "ana"],
        cwd=tmp_path,
        env=environment(tmp_path),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    started.stdin.write(b"x" * 1_000_000)  # more than a pipe holds: when it is written, the command is reading
    started.stdin.flush()
    started.send_signal(signal.SIGINT)
    started.stdin.close()
    err = started.stderr.read().decode()
    assert started.wait(timeout=30) == 130
    started.stdout.close()
    started.stderr.close()
    assert "Interrupted." in err
    assert "Traceback" not in err


def test_closed_standard_streams_are_no_traceback(tmp_path):
    command = " ".join(f"'{word}'" for word in [*PROGRAM, "list", "--user", "ana"])
    closed_out = subprocess.run(
        f"{command} >&-", shell=True, cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=False
    )
    assert closed_out.returncode == 2
    assert closed_out.stderr.startswith("Error: standard output is closed.")
    closed_in = process("ingest", "-", "--user", "ana", folder=tmp_path, stdin=subprocess.DEVNULL)
    assert closed_in.returncode == 2
    all_closed = subprocess.run(f"{command} <&- >&- 2>&-", shell=True, cwd=tmp_path, env=environment(tmp_path), check=False)
    assert all_closed.returncode == 2
