"""Output is good at 80 and 120 columns and in a pipe, carries any text safely, and survives a reader that leaves."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata

import pytest
from running_cli import PROGRAM, Cli, environment, on_terminal, process

ANA = ("--user", "ana")
SPEAKER = "Ana \u202e 👩‍👩‍👧‍👦 של"
TEXTS = (
    "The boat is called Perseverance, and its engine is an old diesel that somebody painted green in the year it was built in.",
    "First line\nsecond line\twith a tab about the boat",
    "\u202eevil.exe\u202c \x1b]0;title\x07 \x1b[2J boat",
    "הסירה שלי נקראת boat בשם",
    "船の名前は不屈です。とても長い文章がここに続きます。端末の幅を超えるまで続きます。boat もう少し続きます。",
    "👩‍👩‍👧‍👦 boat 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
)


@pytest.fixture
def cli(tmp_path, monkeypatch):
    cli = Cli(tmp_path, monkeypatch)
    cli.said(*TEXTS, name="c.json")
    cli.file("named.json", [{"role": "user", "name": SPEAKER, "content": "Named boat."}])
    cli("ingest", "named.json", *ANA)
    return cli


COMMANDS = [
    ("retrieve", "boat", *ANA),
    ("list", *ANA),
    ("stats", *ANA),
    ("doctor",),
    ("assemble", "What is the boat called?", "--budget", "500", *ANA),
    ("--help",),
    ("retrieve", "--help"),
    ("list",),
]


def cells(line):
    return sum(
        0 if unicodedata.combining(c) or c in "\u200d\ufe0f" else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in line
    )


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: " ".join(words[:2]))
def test_in_a_pipe_there_is_no_colour_and_nothing_active(cli, words):
    done = process(*words, folder=cli.folder, env=environment(cli.folder))
    for stream in (done.stdout.decode(), done.stderr.decode()):
        assert "\x1b" not in stream or words[0] == "assemble"
        assert "\u202e" not in stream or words[0] == "assemble"
        assert "Traceback" not in stream


def test_assemble_in_a_pipe_prints_the_prompt_byte_for_byte(cli):
    words = ("assemble", "What is the boat called?", "--budget", "500", *ANA)
    prompt = cli.as_json(*words)["prompt"]
    printed = process(*words, folder=cli.folder).stdout.decode()
    marker = re.compile(r"muniment-data-\w+")
    assert marker.sub("", printed) == marker.sub("", prompt) + "\n"


def test_a_pipe_gets_whole_lines(cli):
    lines = cli("list", *ANA).out.splitlines()
    assert len(lines) == len(TEXTS) + 1
    for line in lines:
        record, said, _, text = line.split("\t")
        assert len(record) == 16
        assert len(said) == 16
        assert "…" not in text
    assert "Ana \\u202e 👩" in lines[0]
    assert TEXTS[0] in cli("retrieve", "boat", *ANA).out


@pytest.mark.parametrize("columns", [40, 80, 120])
@pytest.mark.parametrize("words", COMMANDS[:5], ids=lambda words: words[0])
def test_at_a_terminal_lines_fit_and_ids_are_whole(cli, words, columns):
    shown, code = on_terminal(*words, folder=cli.folder, columns=columns, env=environment(cli.folder, NO_COLOR="1"))
    assert code == 0
    assert "\u202e" not in shown
    assert "\x1b]0;" not in shown
    text = shown.replace("\x1b[0m", "").replace("\x1b[1m", "").replace("\x1b[2m", "")
    wide = [
        line
        for line in text.splitlines()
        if cells(line) > columns and "👩" not in line and "🏴" not in line and "\x1b" not in line
    ]
    assert wide == []
    if words[0] in {"retrieve", "list"}:
        for record in cli.as_json("list", *ANA)["records"]:
            assert record["id"] in text


def test_a_terminal_gets_colour_unless_it_says_no(cli):
    coloured, _ = on_terminal("retrieve", "boat", *ANA, folder=cli.folder, columns=80)
    assert "\x1b[" in coloured
    plain, _ = on_terminal("retrieve", "boat", *ANA, folder=cli.folder, columns=80, env=environment(cli.folder, TERM="dumb"))
    assert "\x1b[" not in plain


def test_json_says_texts_exactly_and_prints_nothing_active(cli):
    done = process("list", *ANA, "--json", folder=cli.folder)
    records = json.loads(done.stdout)["records"]
    assert {record["text"] for record in records} == {*TEXTS, "Named boat."}
    assert SPEAKER in {record["speaker"] for record in records}
    assert not set(done.stdout.decode()) & set("\u202e\x1b\x07")
    assert done.stderr == b""


def test_a_stream_that_knows_only_ascii_gets_escapes(cli):
    env = environment(cli.folder, PYTHONIOENCODING="ascii")
    for words in (
        ("list", *ANA),
        ("retrieve", "boat", *ANA),
        ("assemble", "boat?", "--budget", "500", *ANA),
        ("list", *ANA, "--json"),
    ):
        done = process(*words, folder=cli.folder, env=env)
        assert done.returncode == 0, done.stderr
        done.stdout.decode("ascii")
    assert {record["text"] for record in json.loads(done.stdout)["records"]} == {*TEXTS, "Named boat."}


def test_errors_are_json_when_asked_and_only_after_options_end_a_word(cli):
    assert cli("list", "--json", code=2).error["code"] == "scope_required"
    assert cli("retrieve", "--json", code=2).error["code"] == "usage"
    assert cli("retrieve", "--", "--json", code=2).err.startswith("Error: ")


def test_a_reader_that_leaves_ends_the_command_quietly(cli):
    cli.said(*[f"line {n} " + "x" * 2000 for n in range(300)], name="many.json")
    for words in (("list", *ANA, "--limit", "1000"), ("export", *ANA), ("list", *ANA, "--limit", "1000", "--json")):
        started = subprocess.Popen(
            [*PROGRAM, *words], cwd=cli.folder, env=environment(cli.folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        started.stdout.read(10)
        started.stdout.close()
        err = started.stderr.read()
        started.stderr.close()
        assert (started.wait(timeout=60), err) == (141, b"")


def test_output_that_cannot_be_written_is_an_error(cli):
    with open("/dev/full", "w") as full:  # noqa: PTH123  (a device)
        for words in (("list", *ANA), ("export", *ANA), ("list", *ANA, "--json")):
            done = process(*words, folder=cli.folder, stdout=full)
            assert done.returncode == 1
            assert b"output could not be written" in done.stderr
            assert b"Traceback" not in done.stderr
            assert b"Exception ignored" not in done.stderr


def test_a_forget_at_a_terminal_asks_first(cli):
    shown, code = on_terminal("forget", "--everything", *ANA, folder=cli.folder, columns=80, keys=b"n\n")
    assert "cannot be undone" in shown
    assert "Nothing was forgotten." in shown
    assert code == 1
    assert cli.as_json("stats", *ANA)["records"] == len(TEXTS) + 1
    shown, code = on_terminal("forget", "--everything", *ANA, folder=cli.folder, columns=80, keys=b"y\n")
    assert code == 0
    assert cli.as_json("stats", *ANA)["records"] == 0
