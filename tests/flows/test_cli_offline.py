"""A fresh machine: an empty home, no key, no network; and large things within bounds."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from running_cli import PROGRAM, environment

CUT_OFF = """
import socket, sys
def no(*_, **__): raise OSError("no network here")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = socket.create_connection = no
from muniment.cli.main import main
main(sys.argv[1:])
"""
MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:], check=False).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""
ANA = ("--user", "ana")


@pytest.mark.parametrize("embedder", ["auto", "none", "hashed"])
def test_N02_remembering_finding_and_assembling_work_offline(tmp_path, embedder):
    env = environment(tmp_path, MUNIMENT_EMBEDDER=embedder, MUNIMENT_TOKENS="auto")

    def run(*words, stdin=""):
        command = [sys.executable, "-W", "error", "-c", CUT_OFF, *words, *ANA]
        done = subprocess.run(
            command, cwd=tmp_path, env=env, input=stdin, capture_output=True, text=True, timeout=120, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "1 stored" in run("ingest", "-", stdin="My boat is called Perseverance.")
    found = json.loads(run("retrieve", "What is the boat called?", "--json"))
    assert "Perseverance" in found["hits"][0]["record"]["text"]
    assert not found["health"]["degraded"]
    assert "Perseverance" in run("assemble", "What is the boat called?", "--budget", "200")


def test_N03_words_alone_are_said_clearly(tmp_path):
    env = environment(tmp_path)
    subprocess.run([*PROGRAM, "ingest", "-", *ANA], cwd=tmp_path, env=env, input=b"A boat.", capture_output=True, check=True)
    done = subprocess.run([*PROGRAM, "retrieve", "boat", *ANA], cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    assert "searched 1 record by words\n" in done.stdout


@pytest.mark.slow
def test_K06_fifty_thousand_records_are_exported_and_imported_within_512_megabytes(tmp_path):
    lines = (
        json.dumps({"role": "user", "content": f"Turn {n}. " + "Some words about boats and harbours. " * 10})
        for n in range(50_000)
    )
    (tmp_path / "many.jsonl").write_text("\n".join(lines))
    env = environment(tmp_path)

    def megabytes(*words):
        command = [sys.executable, "-c", MEASURED, *PROGRAM, *words]
        done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=500, check=False)
        assert done.returncode == 0, done.stderr
        return int(done.stderr.split()[-1])

    megabytes("ingest", "many.jsonl", *ANA)
    assert megabytes("export", "all.jsonl", *ANA) < 512
    assert megabytes("import", "all.jsonl", "--store", "sqlite:///other.db") < 512
    assert (tmp_path / "all.jsonl").read_bytes().count(b"\n") == 50_002
