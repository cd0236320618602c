"""What is derived from records, on the command line: memories, entities, decisions, the work behind a write, sweeps."""

from __future__ import annotations

import pytest
from running_cli import Cli, environment, on_terminal

from muniment.cli.reference import DOCUMENTS, SHAPES

ANA = ("--user", "ana")
SECRET = "tern-kite-4471"


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


def turn(day, text, name="Ana Costa"):
    return {"role": "user", "name": name, "content": text, "timestamp": f"2026-03-{day:02}T09:00:00Z"}


@pytest.fixture
def told(cli):
    """A store with a plan that changed, a decision, a secret and noise."""
    chat = [
        turn(2, "We are on the Solo plan."),
        turn(3, "Thanks!"),
        turn(9, f"We upgraded to the Harbor plan. My password is {SECRET}."),
        turn(10, "We decided to use Postgres instead of MySQL because the JSON support is better."),
    ]
    cli.derived = cli.as_json("ingest", cli.file("chat.json", chat), *ANA)["files"][0]["derived"]
    return cli


def plan(cli, *words):
    return cli.as_json("memories", "list", *ANA, "--attribute", "plan", *words)["memories"]


def test_ingest_ends_when_it_has_read_and_says_what_came_of_it(told):
    assert list(told.derived) == SHAPES["derived"].split()
    assert told.derived["superseded"] == 1
    assert {"kind": None, "reason": "acknowledgement", "count": 1} in told.derived["refused"]
    assert told.as_json("work", "status")["backlog"]["queued"] == 0
    again = told("ingest", "chat.json", *ANA)
    assert "4 unchanged" in again.out
    assert "memories" not in again.out


def test_a_secret_reaches_no_output_and_no_file(told):
    assert SECRET not in told("memories", "list", *ANA, "--all", "--json").out
    assert SECRET.encode() not in (told.folder / "muniment.db").read_bytes()


def test_the_list_shows_what_holds_and_with_all_what_did(told):
    (now,) = plan(told)
    assert list(now) == SHAPES["memory"].split()
    assert (now["value"], now["status"]) == ("Harbor", "current")
    assert [one["value"] for one in plan(told, "--all")] == ["Harbor", "Solo"]
    assert [one["value"] for one in plan(told, "--status", "superseded")] == ["Solo"]
    assert [one["value"] for one in plan(told, "--as-of", "2026-03-05")] == ["Solo"]
    assert plan(told, "--known-at", "2026-03-05") == []
    piped = told("memories", "list", *ANA, "--attribute", "plan", "--all").out.splitlines()
    assert [line.split("\t")[1] for line in piped] == ["current", "superseded"]
    assert told.refused("memories", "list", *ANA, "--all", "--status", "current")["code"] == "usage"


def test_show_quotes_the_words_and_tells_what_stood_before(told):
    (now,) = plan(told)
    shown = told.as_json("memories", "show", now["id"], *ANA)
    assert "Harbor" in shown["memory"]["evidence"][0]["words"]
    assert [one["value"] for one in shown["history"]] == ["Solo", "Harbor"]
    page = told("memories", "show", now["id"], *ANA).out
    assert "superseded: " in page
    assert "2026-03-02" in page


def test_changes_by_hand_keep_history_and_can_be_taken_back(told):
    (now,) = plan(told)
    done = told.as_json("memories", "update", now["id"], "Ana is on the Quay plan", *ANA, "--value", "Quay")
    assert list(done) == DOCUMENTS["memories update"].split()
    assert done["replaced"] == [now["id"]]
    assert [one["value"] for one in plan(told)] == ["Quay"]
    told("memories", "restore", now["id"], *ANA)
    assert [one["value"] for one in plan(told)] == ["Harbor"]
    assert "holds again" in told("memories", "retract", now["id"], *ANA).out
    assert [one["value"] for one in plan(told)] == ["Solo"]
    assert told.as_json("memories", "retract", now["id"], *ANA)["unchanged"] is True


def test_add_makes_a_store_and_correct_finds_its_memory_by_words(cli):
    cli("memories", "add", "Ana is allergic to nuts", *ANA, "--attribute", "allergic_to", "--value", "nuts")
    cli("memories", "correct", "Ana allergic nuts", "Ana is allergic to walnuts", *ANA)
    listed = cli.as_json("memories", "list", *ANA)["memories"]
    assert [one["text"] for one in listed] == ["Ana is allergic to walnuts"]
    cli("memories", "correct", listed[0]["id"], "Ana is allergic to hazelnuts", *ANA)
    assert [one["text"] for one in cli.as_json("memories", "list", *ANA)["memories"]] == ["Ana is allergic to hazelnuts"]
    assert cli.refused("memories", "correct", "violin lessons", "x", *ANA)["code"] == "no_match"


def test_a_hold_is_put_and_lifted(told):
    (now,) = plan(told)
    assert told.as_json("memories", "hold", now["id"], *ANA)["held"] is True
    assert told.as_json("memories", "hold", now["id"], "--lift", *ANA)["held"] is False


def test_an_audit_counts_what_is_there_and_what_was_refused(told):
    audit = told.as_json("memories", "audit", *ANA)
    assert list(audit) == DOCUMENTS["memories audit"].split()
    assert audit["statuses"]["superseded"] == 1
    assert "acknowledgement" in {one["reason"] for one in audit["refused"]}
    assert "superseded" in told("memories", "audit", *ANA).out


def test_a_memory_of_another_user_is_as_absent_as_none(told):
    (now,) = plan(told)
    foreign = told("memories", "show", now["id"], "--user", "ben", code=1).err
    absent = told("memories", "show", "x" * 16, "--user", "ben", code=1).err
    assert foreign.replace(now["id"], "") == absent.replace("x" * 16, "")
    assert told.as_json("memories", "list", "--user", "ben")["memories"] == []


def test_retrieve_says_what_a_record_proves_and_what_no_longer_holds(told):
    hits = told.as_json("retrieve", "Which plan are we on?", *ANA)["hits"]
    assert "Harbor" in hits[0]["record"]["text"]
    old = next(hit for hit in hits if "Solo" in hit["record"]["text"])
    assert [one["status"] for one in old["memories"]] == ["superseded"]
    assert list(old["memories"][0]) == SHAPES["told"].split()
    assert "superseded: " in told("retrieve", "Which plan are we on?", *ANA).out


def test_entities_are_merged_undone_and_found_by_name(cli):
    chat = [turn(2, "Sherlock Holmes lives in London. Mycroft Moran lives in Leeds.", name="Ben")]
    cli.as_json("ingest", cli.file("chat.json", chat), *ANA)
    names = {one["name"]: one for one in cli.as_json("entities", "list", *ANA)["entities"]}
    assert list(names["Sherlock Holmes"]) == SHAPES["entity"].split()
    done = cli.as_json("entities", "merge", "Sherlock Holmes", names["Mycroft Moran"]["id"], *ANA, "--by", "ana")
    assert done["other"]["merged_into"] == names["Sherlock Holmes"]["id"]
    shown = cli.as_json("entities", "show", names["Mycroft Moran"]["id"], *ANA)
    assert shown["entity"]["name"] == "Sherlock Holmes"
    cli("entities", "undo", done["merge"]["id"], *ANA)
    assert {"Sherlock Holmes", "Mycroft Moran"} <= {one["name"] for one in cli.as_json("entities", "list", *ANA)["entities"]}
    assert cli("entities", "show", "Nobody", *ANA, code=1).err.startswith("Error: there is no entity 'Nobody'")
    assert list(cli.as_json("entities", "review", *ANA)) == DOCUMENTS["entities review"].split()


def test_decisions_are_listed_and_explained_and_what_is_unknown_is_said(told):
    (one,) = told.as_json("decisions", "list", *ANA)["decisions"]
    assert list(one) == SHAPES["decision"].split()
    answer = told.as_json("decisions", "why", "Why did we choose Postgres?", *ANA)
    assert answer["decisions"][0]["alternatives"] == ["MySQL"]
    assert "JSON support" in told("decisions", "why", "Why did we choose Postgres?", *ANA).out
    nothing = told.as_json("decisions", "why", "Why did we move to Oslo?", *ANA)
    assert nothing["decisions"] == []
    assert nothing["message"]
    assert told.as_json("decisions", "precedents", "Postgres", *ANA)["decisions"] == []
    assert told.refused("decisions", "share", one["id"], *ANA)["code"] == "rung_missing"


def test_records_are_read_again_to_the_same_memories(told):
    before = [one["id"] for one in told.as_json("memories", "list", *ANA, "--all")["memories"]]
    assert told.as_json("work", "rederive", *ANA)["queued"] == 4
    assert [one["id"] for one in told.as_json("memories", "list", *ANA, "--all")["memories"]] == before
    assert told.as_json("work", "retry", *ANA)["queued"] == 0
    assert "Nothing waits" in told("work", "wait").out
    assert told.as_json("work", "follow", "--seconds", "0") == {"read": 0}
    assert "0 records read" in told("work", "follow", "--seconds", "0").out


def test_an_import_derives_memories_again(told):
    told("export", "all.jsonl", "--all-scopes")
    told("import", "all.jsonl", "--store", "sqlite:///copy.db")
    copied = told.as_json("memories", "list", *ANA, "--store", "sqlite:///copy.db", "--attribute", "plan")["memories"]
    assert [one["value"] for one in copied] == ["Harbor"]


def test_forgetting_a_record_takes_its_memories(told):
    (now,) = plan(told)
    told("forget", now["evidence"][0]["record"], *ANA)
    assert "Harbor" not in told("memories", "list", *ANA, "--all").out


def test_a_sweep_of_what_has_not_expired_takes_nothing(told):
    swept = told.as_json("sweep", *ANA)
    assert list(swept) == DOCUMENTS["sweep"].split()
    assert swept["purged"] == {}
    assert told.refused("sweep")["code"] == "scope_required"


@pytest.mark.parametrize("words", [("memories", "list", "--all"), ("memories", "audit"), ("entities", "list")], ids=" ".join)
def test_at_a_terminal_lines_fit(told, words):
    shown, code = on_terminal(*words, *ANA, folder=told.folder, columns=60, env=environment(told.folder, NO_COLOR="1"))
    assert code == 0
    assert all(len(line) <= 60 for line in shown.splitlines())
    assert shown.strip()


def test_a_terminal_is_told_how_long_ago_and_a_pipe_the_same_tomorrow(told):
    (now,) = plan(told)
    entity = told.as_json("entities", "list", *ANA)["entities"][0]["id"]
    for words in (("memories", "list"), ("memories", "show", now["id"]), ("entities", "show", entity)):
        shown, code = on_terminal(*words, *ANA, folder=told.folder, columns=120, env=environment(told.folder, NO_COLOR="1"))
        assert code == 0
        assert now["age"] in shown
        assert now["age"] not in told(*words, *ANA).out


def test_history_is_the_last_part_of_show(told):
    (now,) = plan(told)
    history = told.as_json("memories", "history", now["id"], *ANA)
    assert list(history) == DOCUMENTS["memories history"].split()
    assert history["history"] == told.as_json("memories", "show", now["id"], *ANA)["history"]
    assert "→ " in told("memories", "history", now["id"], *ANA).out


def test_a_correction_that_empties_the_slot_says_so(told):
    (now,) = plan(told)
    done = told("memories", "update", now["id"], "Ana gave it all up", *ANA)
    assert "the slot plan no more" in done.out
