"""The real command line, run in a folder of its own with no settings from outside."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner

from muniment.cli.main import main

PROGRAM = [sys.executable, "-W", "error", "-m", "muniment"]

# A shell that runs the suite in the background leaves SIGINT ignored; programs started from it would not notice an interrupt.
_HEEDING = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("muniment", run_name="__main__")
"""
INTERRUPTIBLE = [sys.executable, "-W", "error", "-c", _HEEDING]


@dataclass(frozen=True)
class Ran:
    """What one command printed."""

    out: str
    err: str
    code: int

    @property
    def json(self):
        return json.loads(self.out)

    @property
    def error(self):
        return json.loads(self.err)["error"]


class Cli:
    """Runs commands in this process; `code` is the exit code that is expected, None for any."""

    def __init__(self, folder, monkeypatch, **env):
        self.folder = folder
        for name in [name for name in os.environ if name.startswith("MUNIMENT_")]:
            monkeypatch.delenv(name)
        self.env = {"MUNIMENT_EMBEDDER": "none", "MUNIMENT_TOKENS": "estimate", **env}
        for name, value in self.env.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(folder)

    def __call__(self, *words, code=0, stdin=None):
        result = CliRunner().invoke(main, [str(word) for word in words], input=stdin)
        ran = Ran(out=result.stdout, err=result.stderr, code=result.exit_code)
        assert result.exception is None or isinstance(result.exception, SystemExit), repr(result.exception)
        assert "Traceback" not in ran.out + ran.err
        assert code is None or ran.code == code, f"{words}\n{ran.out}\n{ran.err}"
        return ran

    def as_json(self, *words, code=0, stdin=None):
        return self(*words, "--json", code=code, stdin=stdin).json

    def refused(self, *words, code=2, stdin=None):
        """The error a command ends with; nothing but it is printed, in text as in JSON."""
        ran = self(*words, "--json", code=code, stdin=stdin)
        assert ran.out == ""
        error = ran.error
        assert error["message"]
        assert error["hint"]
        told = self(*words, code=code, stdin=stdin)
        assert told.err.startswith("Error: ")
        assert len(told.err.splitlines()) <= 2
        return error

    def file(self, name, content):
        """A file with these bytes, this text, or this value as JSON."""
        text = content if isinstance(content, bytes | str) else json.dumps(content)
        path = Path(self.folder) / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def said(self, *texts, scope=("--user", "ana"), name="chat.json", **fields):
        """Ingest a file of messages; gives the ids."""
        path = self.file(name, [{"role": "user", "content": text, **fields} for text in texts])
        done = self.as_json("ingest", path, *scope)
        return [item["id"] for item in done["files"][0]["items"]]


def environment(folder, **env):
    """A process's environment with nothing of ours in it, and a home without anything."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "VIRTUAL_ENV", "PYTHONPATH") if name in os.environ}
    ours = {"MUNIMENT_EMBEDDER": "none", "MUNIMENT_TOKENS": "estimate"}
    return {**kept, "HOME": str(folder), "TERM": "xterm-256color", **ours, **env}


def process(*words, folder, env=None, **options):
    """A command as a process of its own."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 60, **options}
    return subprocess.run([*PROGRAM, *map(str, words)], cwd=folder, env=env or environment(folder), check=False, **options)


def on_terminal(*words, folder, columns, env=None, keys=b""):
    """What a command prints on a terminal of this width, where `keys` are typed, and its exit code."""
    terminal, inside = pty.openpty()
    fcntl.ioctl(inside, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    streams = {"stdin": inside, "stdout": inside, "stderr": inside}
    started = subprocess.Popen([*PROGRAM, *map(str, words)], cwd=folder, env=env or environment(folder), **streams)
    os.close(inside)
    os.write(terminal, keys)
    pieces = []
    while True:
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        if not piece:
            break
        pieces.append(piece)
    os.close(terminal)
    return b"".join(pieces).decode().replace("\r\n", "\n"), started.wait(timeout=60)
