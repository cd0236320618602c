"""A store that cannot be used ends with code 3 and a sentence, and is left as it was."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from running_cli import Cli, environment

ANA = ("--user", "ana")
WORKING = [("list", *ANA), ("retrieve", "boat", *ANA), ("stats", *ANA), ("doctor",), ("export", *ANA)]


@pytest.fixture
def cli(tmp_path, monkeypatch):
    return Cli(tmp_path, monkeypatch)


@pytest.fixture
def store(cli):
    cli.said("My boat is called Perseverance.")
    return cli.folder / "muniment.db"


@pytest.mark.parametrize("words", WORKING, ids=lambda words: words[0])
def test_a_file_that_is_no_database_is_left_alone(cli, words):
    path = cli.file("muniment.db", b"this is a shopping list, not a database\n" * 50)
    before = path.read_bytes()
    assert cli.refused(*words, code=3)["code"] == "store_unusable"
    assert path.read_bytes() == before


@pytest.mark.parametrize("words", WORKING, ids=lambda words: words[0])
def test_a_truncated_database_is_told(cli, store, words):
    whole = store.read_bytes()
    store.write_bytes(whole[: len(whole) // 3])
    error = cli.refused(*words, code=3)
    assert error["code"] == "store_unusable"


def test_a_database_of_another_program_is_left_alone(cli):
    path = cli.folder / "muniment.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE songs (title)")
    other.commit()
    other.close()
    before = path.read_bytes()
    assert cli.refused("list", *ANA, code=3)["code"] == "store_unusable"
    assert path.read_bytes() == before


def test_a_newer_database_is_not_touched(cli, store):
    newer = sqlite3.connect(store)
    version = newer.execute("PRAGMA user_version").fetchone()[0]
    newer.execute(f"PRAGMA user_version = {version + 1000}")
    newer.commit()
    newer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    newer.close()
    before = store.read_bytes()
    assert cli.as_json("ingest", "chat.json", *ANA, code=3)["files"][0]["error"]["code"] == "schema_newer"
    for words in WORKING:
        error = cli.refused(*words, code=3)
        assert "newer" in error["message"]
        assert "pgrade" in error["hint"] + error["message"]
    assert store.read_bytes() == before


READING = [
    *WORKING,
    ("show", "aaaaaaaaaaaaaaaa", *ANA),
    ("assemble", "boat", "--budget", "100", *ANA),
    ("forget", "aaaaaaaaaaaaaaaa", *ANA),
    ("forget", "--everything", "--yes", *ANA),
    ("doctor", "--repair"),
    ("export", "out.jsonl", "--all-scopes"),
]


@pytest.mark.parametrize("words", READING, ids=lambda words: " ".join(words[:2]))
def test_reading_makes_no_store_and_says_which_file_was_looked_for_and_how_to_name_another(cli, words):
    error = cli.refused(*words, code=3)
    assert (error["code"], error["place"]) == ("store_missing", str(cli.folder / "muniment.db"))
    for way in ("--store", "MUNIMENT_STORE", "muniment.toml", "muniment ingest FILE"):
        assert way in error["hint"]
    assert list(cli.folder.iterdir()) == []


def test_a_store_that_cannot_be_looked_for_is_told_as_such(cli):
    assert cli.refused("list", *ANA, "--store", f"sqlite:///{'x' * 5000}.db", code=3)["code"] == "store_unusable"


def test_a_folder_or_a_missing_folder_is_no_store(cli):
    (cli.folder / "muniment.db").mkdir()
    assert cli.refused("list", *ANA, code=3)["code"] == "store_unusable"
    cli.file("chat.txt", "Something.")
    absent = ("--store", "sqlite:///absent/folder/a.db")
    assert cli.as_json("ingest", "chat.txt", *ANA, *absent, code=3)["files"][0]["error"]["code"] == "store_unusable"
    assert cli.refused("list", *ANA, *absent, code=3)["code"] == "store_missing"
    assert not (cli.folder / "absent").exists()


UNPRIVILEGED = """
import os, sys
import muniment.engine, muniment.stores.sqlite, muniment.providers.tokens, muniment.cli.read, muniment.cli.write, encodings.idna
from muniment.cli.main import main
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
main(sys.argv[1:])
"""


@pytest.fixture
def common():
    """A folder that everybody may use, since root may write anywhere and must step down for these tests."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    folder.chmod(0o700)
    shutil.rmtree(folder)


def unprivileged(folder, *words):
    command = [sys.executable, "-c", UNPRIVILEGED, *words, *ANA]
    return subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, timeout=60, check=False)


def test_a_read_only_file_is_read_and_not_written(common):
    (common / "boat.txt").write_text("My boat is called Perseverance.")
    assert unprivileged(common, "ingest", "boat.txt").returncode == 0
    (common / "muniment.db").chmod(0o444)
    for words in (["list"], ["retrieve", "boat"], ["export"]):
        done = unprivileged(common, *words)
        assert (done.returncode, "Perseverance" in done.stdout) == (0, True), done.stderr
    for words in (["ingest", "boat.txt"], ["forget", "--everything", "--yes"]):
        done = unprivileged(common, *words, "--json")
        assert done.returncode == 3
        assert "store_read_only" in done.stdout + done.stderr


def test_a_folder_that_may_not_be_written_takes_no_store_and_no_export(common):
    (common / "boat.txt").write_text("My boat is called Perseverance.")
    (common / "secret.txt").write_text("x")
    (common / "secret.txt").chmod(0)
    common.chmod(0o555)
    assert "Error: secret.txt: you may not read this file." in unprivileged(common, "ingest", "secret.txt").stderr
    done = unprivileged(common, "ingest", "boat.txt")
    assert (done.returncode, done.stderr[:6]) == (3, "Error:")
    assert unprivileged(common, "export", "out.jsonl").returncode in {2, 3}
    assert sorted(path.name for path in common.iterdir()) == ["boat.txt", "secret.txt"]


def test_damage_is_found_by_doctor_and_mended_from_the_records(cli, store):
    damaged = sqlite3.connect(store)
    damaged.execute("PRAGMA trusted_schema = ON")
    damaged.execute("DELETE FROM entry")
    damaged.commit()
    damaged.close()
    found = cli.as_json("doctor", code=1)
    assert not found["ok"]
    assert "FAULT" in cli("doctor", code=1).out
    assert cli.as_json("doctor", "--repair")["ok"]
    assert cli.as_json("retrieve", "boat", *ANA)["hits"]


def test_an_export_of_a_damaged_store_gives_the_others_to_standard_output_and_is_not_closed(cli):
    cli.said("The first.", "The second.", "The third.")
    damaged = sqlite3.connect(cli.folder / "muniment.db")
    damaged.execute("PRAGMA trusted_schema = ON")
    damaged.execute("UPDATE record SET text = 'changed' WHERE text = 'The second.'")
    damaged.commit()
    damaged.close()
    error = cli("export", "out.jsonl", *ANA, "--json", code=3).error
    assert error["code"] == "record_damaged"
    assert "Nothing was written" in error["hint"]
    assert not (cli.folder / "out.jsonl").exists()
    told = cli("export", *ANA, code=3)
    assert ("The first." in told.out, "changed" in told.out, '"end"' in told.out) == (True, False, False)
    cli.file("rest.jsonl", told.out)
    done = cli.as_json("import", "rest.jsonl", "--store", "sqlite:///other.db", code=1)
    assert (done["counts"]["stored"], done["items"][-1]["reason"]) == (2, "cut_short")


def test_a_store_with_another_embedders_vectors_is_not_mixed(cli):
    cli.file("chat.txt", "My boat is called Perseverance.")
    cli("ingest", "chat.txt", *ANA, "--embedder", "hashed")
    other = ("--embedder", "local")
    if cli("retrieve", "boat", *ANA, *other, code=None).code == 2:
        pytest.skip("the extra `local` is not installed")
    error = cli.refused("retrieve", "boat", *ANA, *other, code=3)
    assert error["code"] == "embedder_mismatch"
    assert "doctor --repair" in error["hint"]
    assert cli.as_json("list", *ANA)["records"], "what needs no vectors goes on"
    assert cli.as_json("export", "out.jsonl", *ANA)["records"] == 1
    assert cli.as_json("doctor", "--repair", *other)["ok"]
    assert cli.as_json("retrieve", "boat", *ANA, *other)["hits"]


FULL = """
import resource, sys
from muniment.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
main(sys.argv[1:])
"""


def test_a_full_disk_is_told_and_what_was_kept_stays(cli, store):
    cli.file("large.txt", "\n\n".join(f"Paragraph {n} about boats. " + "word " * 300 for n in range(2000)))
    done = subprocess.run(
        [sys.executable, "-c", FULL, "ingest", "large.txt", *ANA],
        cwd=cli.folder,
        env=environment(cli.folder),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {1, 3}
    assert "Traceback" not in done.stderr
    assert done.stderr or "failed" in done.out
    assert cli.as_json("doctor")["ok"]
    assert "Perseverance" in cli("retrieve", "boat called", *ANA).out


def test_a_store_is_one_file_that_can_be_copied(cli, store):
    shutil.copy(store, cli.folder / "copy.db")
    assert cli("list", *ANA, "--store", "sqlite:///copy.db").out == cli("list", *ANA).out
