"""The commands `architect`: a use case to a file of memory rules; files checked, compared, tried, applied and taken back.

Rule of this file: options and what is printed where. A first word that is no command is the use case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import closing
from difflib import get_close_matches
from functools import partial
from pathlib import Path

import click

from muniment import architect as rules
from muniment import settings
from muniment.architect import Proposed, check, diff, is_zone, propose, propose_with
from muniment.cli import architect_view as view
from muniment.cli.architect_dry import dry_run
from muniment.cli.architect_files import Version, file_or_version, is_file, named, read_text, shown_name
from muniment.cli.call import Call, scope_options, shared_options
from muniment.cli.documents import Document
from muniment.cli.exits import Exit
from muniment.cli.files import written
from muniment.cli.output import Screen
from muniment.engine import Engine
from muniment.errors import InputError, ProviderError
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import AppliedArchitecture
from muniment.providers.models import open_model

PROPOSE = "propose"
MOST_TOKENS = 8000

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and errors as JSON too.")
client_option = click.option("--client", metavar="ID", help="The client whose own architecture of this agent is meant.")


class Architect(click.Group):
    """A group whose first word may be a file: then that is the use case of `propose`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put `propose` before a first word that is no command and no request for help."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            near = [] if is_file(args[0]) else get_close_matches(args[0], self.commands, n=1, cutoff=0.7)
            if near:
                hint = f"Did you mean muniment architect {near[0]}?"
                raise InputError(f"there is no command and no file {args[0]!r}.", code="usage", hint=hint)
            args = [PROPOSE, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (the name is click's)
        """The commands in the order one meets them."""
        return list(self.commands)


@click.group("architect", cls=Architect)
def architect() -> None:
    """Make, check, compare, try and apply the memory rules of an agent.

    muniment architect USE-CASE.md -o agent.yaml proposes rules from a plain description.
    """


@architect.command(PROPOSE)
@click.argument("use_case", metavar="USE-CASE")
@click.option("-o", "--output", "out", metavar="FILE", help="Where the rules go. [default: standard output]")
@click.option("--replace", is_flag=True, help="Replace FILE if it is there already.")
@click.option("--agent", metavar="ID", help="The agent's name. [default: the use case's title]")
@click.option("--model", metavar="NAME", help="A model that may improve the proposal: openai:NAME@URL, gguf:FILE.")
@json_option
def propose_command(use_case: str, *, out: str | None, replace: bool, agent: str | None, model: str | None, as_json: bool) -> int:
    """Propose memory rules from a plain description of an agent.

    The same words give the same rules, each choice explained in a comment. USE-CASE is a text file or - for standard input;
    headings such as Objective, Users, Tasks, Out of scope and Rules are understood, and none is needed. What a --model answers
    is taken only when it passes the same checks and loosens nothing. The word propose may be left out.
    """
    screen = Screen(as_json=as_json)
    text = read_text(use_case)
    proposed = propose(text, agent=agent or "", place=shown_name(use_case))
    if model:
        proposed = _improved(text, proposed, model)
    if out:
        with written(Path(out), replace=replace) as target:
            target.write(proposed.text.encode())
    screen.document(view.proposed_document(proposed, out))
    if out:
        view.show_proposed(screen, proposed, out)
    else:
        screen.verbatim(proposed.text.removesuffix("\n"))
    view.show_refusal(screen.beside(), proposed)
    return Exit.PARTLY if proposed.faults else Exit.DONE


def _improved(use_case: str, draft: Proposed, name: str) -> Proposed:
    """The model's proposal, or the draft with what kept it from being taken."""
    with closing(open_model(name, key=settings.model_key(name))) as model:

        async def ask(orders: str, question: str) -> str:
            messages = [{"role": "system", "content": orders}, {"role": "user", "content": question}]
            reply = await asyncio.to_thread(partial(model.answer, messages, max_tokens=MOST_TOKENS, seed=0))
            return reply.text

        try:
            return asyncio.run(propose_with(ask, use_case, draft, model=model.name))
        except ProviderError as error:
            return rules.without_model(draft, model=name, what=error.message.rstrip("."), hint=error.hint)


@architect.command("validate")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@json_option
def validate(files: Sequence[str], *, as_json: bool) -> int:
    """Check architecture files: every fault by its line, with what to do next.

    A note tells of what a file asks for and no step does yet.
    """
    screen = Screen(as_json=as_json)
    told = [(name, _checked(name)) for name in files]
    documents: list[Document] = []
    for name, checked in told:
        told_of = (("error", checked.faults), ("warning", checked.remarks), ("note", checked.notes))
        faults = [(fault, severity) for severity, faults in told_of for fault in faults]
        agent = checked.architecture.agent if checked.architecture else None
        shown = [view.fault_document(fault, severity) for fault, severity in faults]
        documents.append({"file": name, "ok": checked.architecture is not None, "agent": agent, "faults": list(shown)})
        for fault, severity in faults:
            view.show_fault(screen, shown_name(name), fault, severity)
        if checked.architecture:
            view.show_valid(screen, shown_name(name), checked.architecture)
    ok = all(checked.architecture for _, checked in told)
    screen.document({"ok": ok, "files": list(documents)})
    return Exit.DONE if ok else Exit.PARTLY


def _checked(name: str) -> rules.Checked:
    try:
        return check(read_text(name), place=shown_name(name), is_zone=is_zone)
    except InputError as error:
        fault = rules.Fault(line=1, path="", what=error.message.rstrip("."), hint=error.hint, code=error.reason)
        return rules.Checked(architecture=None, faults=(fault,))


@architect.command("schema")
@json_option
def schema_command(*, as_json: bool) -> int:
    """Print the JSON Schema of an architecture file, for editors that complete and check YAML."""
    Screen(as_json=as_json).verbatim(rules.schema().removesuffix("\n"))
    if as_json:
        click.echo(rules.schema(), nl=False)
    return Exit.DONE


@architect.command("diff")
@click.argument("old", metavar="OLD")
@click.argument("new", metavar="NEW")
@client_option
@shared_options
def diff_command(call: Call, old: str, new: str) -> int:
    """Say what changes for memory from OLD to NEW, the serious first.

    Each is a file, or a version in the store: agent@3, agent@current. Serious is what loses memories or loosens privacy.
    In a pipe, fields are separated by tabs: severity, key, meaning, old, new.
    """
    sides = [file_or_version(old), file_or_version(new)]

    async def both(engine: Engine | None) -> list[Architecture]:
        kept = engine.architecture if engine else None
        return [await named(side, kept, call.settings.client) for side in sides]

    stored = any(isinstance(side, Version) for side in sides)
    before, after = call.run(both, embeds=False) if stored else asyncio.run(both(None))
    changes = diff(before, after)
    call.screen.document(
        {"old": old, "new": new, "counts": view.change_counts(changes), "changes": [view.change_document(one) for one in changes]}
    )
    view.show_changes(call.screen, changes)
    return Exit.DONE


@architect.command("apply")
@click.argument("file", metavar="FILE")
@click.option("--note", default="", metavar="TEXT", help="Why; kept with the version.")
@click.option("--by", default="", metavar="NAME", help="Who applies it; kept with the version.")
@click.option("--rederive", is_flag=True, help="Read the records of the scope again under it. No model is asked by rules.")
@scope_options
@shared_options
def apply_command(call: Call, file: str, *, note: str, by: str, rederive: bool) -> int:
    """Make a file the newest version of its agent's architecture, and say what changes for memory.

    With a --client it holds for that client alone. With --rederive, memories are made again from the records of the scope and
    all below it.
    """
    text = read_text(file)
    architecture = rules.read_architecture(text, place=shown_name(file), is_zone=is_zone)
    scope = call.scope if rederive else None
    client = call.settings.client

    async def apply(engine: Engine) -> Document:
        before = await engine.architecture.current(architecture.agent, client)
        applied = await engine.architecture.apply(text, client=client, note=note, by=by)
        queued = await engine.work.rederive(scope) if scope else None
        if scope:
            await engine.work.wait(scope)
        return _told(call, before=before, applied=applied, rederived=queued)

    call.screen.document(call.run(apply, create=True, embeds=False))
    return Exit.DONE


def _told(call: Call, *, before: Architecture, applied: AppliedArchitecture, rederived: int | None) -> Document:
    after = rules.read_architecture(applied.text)
    changes = diff(before, after)
    fresh = applied.version != before.version
    view.show_changes(call.screen, changes)
    view.show_applied(call.screen, applied, fresh=fresh, rederived=rederived)
    return {
        **view.version_document(applied),
        "fresh": fresh,
        "rederived": rederived,
        "changes": [view.change_document(one) for one in changes],
    }


@architect.command("history")
@click.argument("whose", metavar="AGENT")
@client_option
@shared_options
def history(call: Call, whose: str) -> int:
    """List the versions of an agent's architecture, newest first."""
    client = call.settings.client
    found = call.run(lambda engine: engine.architecture.history(whose, client), embeds=False)
    call.screen.document({"agent": whose, "versions": [view.version_document(applied) for applied in found]})
    view.show_versions(call.screen, found)
    if not found:
        call.screen.note(f"Nothing was applied for agent {whose!r}; it has the default architecture.")
    return Exit.DONE


@architect.command("rollback")
@click.argument("whose", metavar="AGENT")
@click.argument("version", metavar="VERSION", type=click.IntRange(min=1))
@click.option("--note", default="", metavar="TEXT", help="Why; kept with the version.")
@click.option("--by", default="", metavar="NAME", help="Who goes back; kept with the version.")
@client_option
@shared_options
def rollback(call: Call, whose: str, version: int, *, note: str, by: str) -> int:
    """Apply an older version's rules as a new version. Nothing of the history is lost."""
    client = call.settings.client

    async def back(engine: Engine) -> Document:
        before = await engine.architecture.current(whose, client)
        applied = await engine.architecture.rollback(whose, version, client=client, note=note, by=by)
        return _told(call, before=before, applied=applied, rederived=None)

    call.screen.document(call.run(back, embeds=False))
    return Exit.DONE


@architect.command("dry-run")
@click.argument("file", metavar="FILE")
@click.argument("transcripts", metavar="TRANSCRIPT...", nargs=-1, required=True)
@client_option
@shared_options
def dry_run_command(call: Call, file: str, transcripts: Sequence[str]) -> int:
    """Replay transcripts under a file's rules and under the current ones, in a store of their own that is thrown away.

    Kind by kind it says what would be stored, merged, superseded and refused, and why, and what comes out otherwise than now.
    Transcripts have any format that ingest reads.
    """
    dried = asyncio.run(dry_run(call, file, transcripts))
    call.screen.document(
        {
            "file": file,
            "proposed": view.report_document(dried.proposed),
            "current": view.report_document(dried.current),
            "changes": [view.shift_document(shift) for shift in dried.shifts],
            "notes": list(dried.notes),
        }
    )
    view.show_report(call.screen, dried.proposed)
    view.show_shifts(call.screen, dried.shifts, dried.current.architecture)
    for note in dried.notes:
        call.screen.note(note)
    return Exit.DONE
