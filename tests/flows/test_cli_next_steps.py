"""What the command line says when nothing was found, forgotten or readable helps with the next step."""

from __future__ import annotations

import pytest
from running_cli import Cli

ANA = ("--user", "ana")
NORTH = ("--client", "acme", "--customer", "north")
NO_WORD = "no record holds a word"


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


@pytest.mark.parametrize(
    ("options", "named"),
    [
        (("--budget", "1"), "--budget 1"),
        (("--speaker", "Nobody"), "the filter by speaker"),
        (("--since", "2040-01-01", "--by-agent", "other"), "the filter by agent and since"),
    ],
)
def test_the_option_that_left_nothing_is_named(cli, options, named):
    cli.said("The harbour office moved to Porto.")
    told = cli("retrieve", "harbour office", *ANA, *options).out
    assert "Nothing found." in told
    assert named in told
    assert NO_WORD not in told
    explanation = cli.as_json("retrieve", "harbour office", *ANA, *options)["explanation"]
    assert any(named in sentence for sentence in explanation)
    assert not any(NO_WORD in sentence for sentence in explanation)


def test_a_threshold_that_nothing_reaches_is_named(cli):
    cli.said("The harbour office moved to Porto.", "Lunch is at noon.")
    told = cli("retrieve", "harbour bicycle repair", *ANA, "--threshold", "1").out
    assert "--threshold 1" in told
    assert NO_WORD not in told


def test_without_options_it_still_says_that_no_record_holds_a_word(cli):
    cli.said("The harbour office moved to Porto.")
    assert NO_WORD in cli("retrieve", "zeppelin", *ANA).out


def test_forgetting_everything_names_the_scope_that_was_asked_for(cli):
    cli.said("one", scope=(*NORTH, "--user", "ana"))
    cli.said("two", scope=(*NORTH, "--user", "ben"))
    told = cli("forget", "--everything", "--yes", *NORTH).out
    assert told.startswith("Forgot 2 records of client=acme / customer=north and 2 scopes below it\n")
    again = cli("forget", "--everything", "--yes", *NORTH, code=1).out
    assert again == "Nothing was forgotten: there are no records in client=acme / customer=north or below it.\n"


def test_forgetting_everything_of_one_scope_counts_no_other(cli):
    cli.said("one")
    assert cli("forget", "--everything", "--yes", *ANA).out.startswith("Forgot 1 record of user=ana\n")


@pytest.mark.parametrize("command", [("doctor",), ("export", "--all-scopes")])
def test_a_file_cut_short_is_answered_with_what_to_do(cli, command):
    cli.said(*(f"word {n}" for n in range(200)))
    whole = (cli.folder / "muniment.db").read_bytes()
    cli.file("cut.db", whole[: len(whole) // 3])
    error = cli.refused(*command, "--store", "sqlite:///cut.db", code=3)
    assert "Run the doctor" not in error["hint"]
    assert "import an export" in error["hint"]


def test_an_overwritten_file_is_answered_with_what_to_do(cli):
    cli.file("other.db", "words of something else " * 99)
    assert "put back a copy" in cli.refused("doctor", "--store", "sqlite:///other.db", code=3)["hint"]


def test_a_store_that_is_gone_with_the_command_is_warned_of(cli):
    path = cli.file("chat.json", [{"role": "user", "content": "hello there"}])
    assert "gone when the command ends" in cli("ingest", path, *ANA, "--store", "memory://").err
    assert cli("ingest", path, *ANA).err == ""


@pytest.mark.parametrize("given", ["abc", "0", "1001", "1.5"])
def test_a_limit_is_a_whole_number_in_a_range(cli, given):
    assert f"'{given}' is not a whole number from 1 to 1000" in cli.refused("list", *ANA, "--limit", given)["message"]


@pytest.mark.parametrize("begin", [b"\0asm\x01\0\0\0", b"\x7fELF\x02\x01\xd0\0", b"\0\0\xff\xfe\xff"])
def test_a_binary_file_is_called_one(cli, begin):
    path = cli.file("picture", begin)
    done = cli("ingest", path, *ANA, code=2)
    assert "this is a binary file" in done.err
    assert "Save it as UTF-8 and" not in done.err


def test_an_image_that_cannot_be_read_says_what_it_is_and_what_to_do(cli):
    done = cli("ingest", cli.file("picture", b"\x89PNG\r\n\x1a\n\0\0"), *ANA, code=2)
    assert "image" in done.err
    assert "caption" in done.err or "ocr" in done.err
