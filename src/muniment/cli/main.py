"""The entry point: the group of commands, and how every error becomes a line, a next step and an exit code.

Rule of this file: whatever happens, the user reads a sentence and never a traceback.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from traceback import extract_tb
from typing import Any, NoReturn

import click

from muniment.cli import care, read, write
from muniment.cli.architect import architect
from muniment.cli.compiling import compile_command
from muniment.cli.decisions import decisions
from muniment.cli.demo.command import demo
from muniment.cli.entities import entities
from muniment.cli.exits import MEANINGS, OWN_FAULT, Exit, exit_of
from muniment.cli.lint import lint_command
from muniment.cli.memories import memories
from muniment.cli.output import Screen
from muniment.cli.probe import probe
from muniment.cli.reveal import reveal
from muniment.cli.work import sweep, work
from muniment.errors import InputError, MunimentError

PROGRAM = "muniment"


class ReaderGone(Exception):
    """The program that reads our output went away."""


class Commands(click.Group):
    """A group whose errors are told in our own form, those of the command line itself included."""

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
    demo,
    write.ingest,
    read.retrieve,
    read.assemble,
    lint_command,
    compile_command,
    read.list_records,
    read.show,
    write.forget,
    memories,
    entities,
    decisions,
    work,
    sweep,
    reveal,
    care.stats,
    care.doctor,
    care.export_records,
    care.import_records,
    architect,
    probe,
):
    main.add_command(command)
