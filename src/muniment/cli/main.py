"""The entry point: the group of commands, and how every error becomes a line, a next step and an exit code.

Rule of this file: whatever happens, the user reads a sentence and never a traceback; and a command is loaded when it is run, so
that the others cost it nothing.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

import click

from muniment.cli.exits import MEANINGS, OWN_FAULT, Exit, exit_of
from muniment.cli.output import Screen
from muniment.errors import InputError, MunimentError

PROGRAM = "muniment"


class ReaderGone(Exception):
    """The program that reads our output went away."""


class Named(click.Command):
    """A command that is known by its name and its line of help until it is run; `home` says where it stands."""

    def __init__(self, name: str, home: str, line: str) -> None:
        super().__init__(name, help=line)
        self.home = home

    def loaded(self) -> click.Command:
        """The command itself."""
        module, _, name = self.home.rpartition(".")
        command: click.Command = getattr(import_module(f"muniment.cli.{module}"), name)
        return command


class Commands(click.Group):
    """A group whose errors are told in our own form, those of the command line itself included."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first, loaded, and what stands behind its name."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.loaded() if isinstance(command, Named) else command, rest

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> NoReturn:
        """Run one command and end the process with a code of `Exit`. Whoever starts it, the program has one name."""
        words = list(sys.argv[1:] if args is None else args)
        screen = _prepared_screen(words)
        extra |= {"prog_name": PROGRAM, "standalone_mode": False}
        try:
            code = super().main(words, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            code = Exit.USAGE
        except click.ClickException as error:
            code = _told(screen, _as_input_error(error))
        except MunimentError as error:
            code = _told(screen, error)
        except click.exceptions.Abort:
            screen.note("Interrupted. What was acknowledged is kept.")
            code = Exit.INTERRUPTED
        except ReaderGone:
            code = Exit.READER_GONE
        sys.exit(int(code or Exit.DONE))

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (the name is click's)
        """The commands in the order one meets them."""
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command named; what the system or a fault of our own throws leaves as a sentence."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError as error:
            _abandon_stdout()
            raise ReaderGone from error
        except OSError as error:
            _abandon_stdout()
            what = f"the output could not be written ({error.strerror or type(error).__name__})."
            raise MunimentError(what, code="output_failed", hint="Make room, or send it elsewhere.") from error
        except (click.ClickException, click.exceptions.Exit, click.Abort, MunimentError):
            raise
        except Exception as error:
            raise _own_fault(error) from error
        return result


def _prepared_screen(words: Sequence[str]) -> Screen:
    """A screen for errors, in JSON when the command line asks for it; streams made able to carry any text."""
    closed = sys.stdout is None
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115  (open to the end of the process)
    screen = Screen(as_json="--json" in words[: words.index("--")] if "--" in words else "--json" in words)
    if closed:
        error = InputError(
            "standard output is closed.", code="output_failed", hint="Send it somewhere, for example to /dev/null."
        )
        sys.exit(_told(screen, error))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    return screen


def _told(screen: Screen, error: MunimentError) -> Exit:
    screen.error(error)
    return exit_of(error)


def _as_input_error(error: click.ClickException) -> InputError:
    """A mistake in the command line, with the next step."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = f"See {context.command_path} --help." if context else "See muniment --help."
    if isinstance(error, click.NoSuchOption):
        hint += " Text that begins with a dash goes after --."
    return InputError(error.format_message(), code="usage", hint=hint)


def _own_fault(error: Exception) -> MunimentError:
    frames = extract_tb(error.__traceback__)
    frame = next((frame for frame in reversed(frames) if "muniment" in frame.filename), frames[-1])
    where = f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}"
    return MunimentError(
        f"this is a fault in muniment itself ({where}).", code=OWN_FAULT, hint="Please report it with this line."
    )


def _abandon_stdout() -> None:
    """Send the rest of the output nowhere, so that closing it at the end of the process cannot fail again."""
    try:
        number = sys.stdout.fileno()
    except (io.UnsupportedOperation, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)


EPILOG = "\b\nExit codes:\n" + "\n".join(f"{code.value:>4}  {meaning}" for code, meaning in MEANINGS.items())


@click.group(cls=Commands, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="muniment", message="%(prog)s %(version)s")
def main() -> None:
    """Memory for LLM agents: keep evidence, find it again, and put together the next prompt.

    Every command has --json. Whose memory is meant comes from --client, --customer and --user, from MUNIMENT_CLIENT,
    MUNIMENT_CUSTOMER and MUNIMENT_USER, or from muniment.toml, in this order. Without any of them nothing is read or written.
    """


for command in (
    Named("demo", "demo.command.demo", "See it at work: a short story in six acts."),
    Named("ingest", "write.ingest", "Remember the conversations and documents in each FILE."),
    Named("retrieve", "read.retrieve", "Find evidence for QUERY, best first, with reasons."),
    Named("explain", "read.explain", "Say why `retrieve`, asked the same, finds the record or memory ID for QUERY, or does not."),
    Named("assemble", "read.assemble", "Put together the next prompt for MESSAGE."),
    Named("lint", "lint.lint_command", "Look for faults in seed files, skills, AGENTS.md and tool definitions."),
    Named("compile", "compiling.compile_command", "Make a prompt of seed files, within a budget."),
    Named("list", "read.list_records", "List the records of exactly this scope, newest first."),
    Named("show", "read.show", "Show one record in full."),
    Named("forget", "write.forget", "Erase records, a conversation, or a whole scope."),
    Named("memories", "memories.memories", "What was remembered: list it, show its proof and history, correct it."),
    Named("entities", "entities.entities", "Who and what is spoken of, and under which names."),
    Named("decisions", "decisions.decisions", "What was decided, by whom, why, instead of what, and what came of it."),
    Named("work", "work.work", "The reading of records behind their writing: how far it is, and doing it again."),
    Named(
        "sweep",
        "work.sweep",
        "Purge memories whose time is over, by the retention rules of the architecture, in a scope and all below it.",
    ),
    Named("reveal", "reveal.reveal", 'Show what tokens such as "[email:k3f9]" stand for, as far as this scope may see it.'),
    Named("keys", "keys.keys", "Keys: each lets its holder do some things in one scope and below, and nothing elsewhere."),
    Named("feedback", "feedback.feedback", "Feedback: which of what an answer gave was used, passed over or wrong."),
    Named("sharing", "sharing.sharing", "Sharing: how far each kind of a customer's memories may go up."),
    Named("stats", "care.stats", "Count what a scope and all below it holds."),
    Named("doctor", "care.doctor", "Check the store, and mend what can be mended."),
    Named("export", "care.export_records", "Write what a scope and all below it holds to FILE."),
    Named("import", "care.import_records", "Take in an export."),
    Named("migrate", "migrate.migrate", "Move all that one store holds into another."),
    Named("architect", "architect.architect", "Make, check, compare, try and apply the memory rules of an agent."),
    Named("probe", "probe.probe", "Experiment on a model: what it finds in a prompt, and where."),
):
    main.add_command(command)
