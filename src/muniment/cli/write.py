"""The commands that change one scope: ingest, forget."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from pathlib import PurePath
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import click

from muniment import plugins
from muniment.cli import documents, views
from muniment.cli.call import Call, agent_option, embedder_option, scope_options, shared_options
from muniment.cli.documents_derived import derived_document
from muniment.cli.exits import Exit, exit_of
from muniment.cli.files import STDIN, read_whole
from muniment.cli.memories_view import show_derived
from muniment.cli.reading import read_records
from muniment.cli.visible import one_line
from muniment.engine import Engine
from muniment.errors import InputError, MunimentError, StoreError
from muniment.ingest.formats import Parsed, read_turns
from muniment.knowledge.values import WorkItem
from muniment.providers.readers import readers
from muniment.types import Erasure, ItemReceipt, Outcome, Receipt, RecordId, Scope, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """What became of one file: its receipt, or the error that kept it out."""

    name: str
    format: str = ""
    items: tuple[ItemReceipt, ...] = ()
    notes: tuple[str, ...] = ()
    read: tuple[WorkItem, ...] = ()
    error: MunimentError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """How files are to be taken in."""

    scope: Scope
    agent: str
    conversation: str | None
    zone: tzinfo | None
    users_from_file: bool


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--conversation", metavar="ID", help="The conversation of turns that name none.")
@click.option("--zone", metavar="NAME", help="Where times without an offset were written, for example UTC or Europe/Lisbon.")
@click.option("--users-from-file", is_flag=True, help="Give each history in a file to the user it names, below the scope given.")
@scope_options
@agent_option
@embedder_option
@shared_options
def ingest(call: Call, files: Sequence[str], *, conversation: str | None, zone: str | None, users_from_file: bool) -> int:
    """Remember the conversations and documents in each FILE.

    Formats are recognised by content: chat messages as JSON or JSON Lines, Markdown, plain text, exports, well-known data sets.
    A FILE of - is standard input. What was remembered before is unchanged, so a command may be repeated. Before it ends, what
    was stored has been read: its receipt says how many memories came of it, and what was refused and why.
    """
    wish = Wish(
        scope=call.scope,
        agent=call.settings.agent,
        conversation=conversation,
        zone=_zone(zone),
        users_from_file=users_from_file,
    )
    if users_from_file and wish.scope.user:
        raise InputError("--users-from-file and a user contradict each other.", code="scope_invalid", hint="Leave --user out.")
    if plugins.is_fleeting(call.settings.store):
        call.screen.note(
            "This store is gone when the command ends. To keep what is ingested, name a file: --store sqlite:///FILE"
        )
    taken = asyncio.run(_take_all(call, files, wish))
    call.screen.document(_document(taken, wish.scope))
    return _exit_of(taken)


async def _take_all(call: Call, files: Sequence[str], wish: Wish) -> list[Taken]:
    """Each file after the other; one that cannot be read does not keep out the rest, a store that fails does."""
    taken: list[Taken] = []
    async with AsyncExitStack() as stack:
        engine: Engine | None = None
        for name in files:
            try:
                parsed = await asyncio.to_thread(_read, name, wish)
                if engine is None:
                    engine = await stack.enter_async_context(call.open(create=True))
                taken.append(await _take(engine, call, name, parsed=parsed, wish=wish))
            except (InputError, StoreError) as error:
                taken.append(Taken(name=name, error=error))
            _show_taken(call, taken[-1])
            if isinstance(taken[-1].error, StoreError):
                break
    return taken


def _zone(name: str | None) -> tzinfo | None:
    if name is None or name == "UTC":
        return UTC if name else None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        hint = "Write a name such as Europe/Lisbon, or UTC."
        raise InputError(f"there is no time zone {name!r} here.", place="--zone", code="zone_unknown", hint=hint) from error


def _read(name: str, wish: Wish) -> Parsed:
    shown = "stdin" if name == STDIN else PurePath(name).name
    return read_turns(read_whole(name), name=shown, conversation=wish.conversation, zone=wish.zone, readers=readers())


async def _take(engine: Engine, call: Call, name: str, *, parsed: Parsed, wish: Wish) -> Taken:
    items: list[ItemReceipt] = list(parsed.refused)
    notes = list(parsed.notes)
    read: list[WorkItem] = []
    for scope, turns in _destinations(parsed, wish):
        with call.screen.followed(turns, name, total=len(turns)) as followed:
            receipt = await engine.ingest(scope, followed, agent=wish.agent)
        items += receipt.items
        notes += [note for note in receipt.degraded if note not in notes]
        read += await read_records(engine, call.screen, scope, _new(receipt))
    return Taken(name=name, format=parsed.format, items=tuple(items), notes=tuple(notes), read=tuple(read))


def _new(receipt: Receipt) -> list[RecordId]:
    return [item.id for item in receipt.items if item.id and item.outcome is Outcome.STORED]


def _destinations(parsed: Parsed, wish: Wish) -> list[tuple[Scope, Sequence[Turn]]]:
    """Where each history of a file goes. Raises ScopeError when it names a user that is no usable id."""
    if not wish.users_from_file:
        return [(wish.scope, parsed.turns)]
    return [(_below(wish.scope, history.suggested_user), history.turns) for history in parsed.histories]


def _below(scope: Scope, user: str | None) -> Scope:
    return scope if user is None else replace(scope, user=user)


def _show_taken(call: Call, taken: Taken) -> None:
    screen = call.screen
    if taken.error and not screen.as_json:
        screen.error(taken.error)
    elif not taken.error:
        screen.line((one_line(taken.name), "bold"), (f"  {taken.format}", "dim"))
        views.show_items(screen, taken.items)
        if taken.read:
            show_derived(screen, taken.read)
        for note in taken.notes:
            screen.line((one_line(note), "dim"), indent=views.INDENT)


def _document(taken: Sequence[Taken], scope: Scope) -> documents.Document:
    return {
        "scope": documents.scope_document(scope),
        "files": [
            {
                "file": one.name,
                "format": one.format or None,
                "counts": documents.counts_document(one.items),
                "items": [documents.item_document(item) for item in one.items],
                "derived": derived_document(one.read),
                "notes": list(one.notes),
                **(documents.error_document(one.error) if one.error else {"error": None}),
            }
            for one in taken
        ],
    }


def _exit_of(taken: Sequence[Taken]) -> Exit:
    errors = [exit_of(one.error) for one in taken if one.error]
    if errors and (len(errors) == len(taken) or Exit.STORE in errors):
        return max(errors)
    return Exit.DONE if not errors and not any(_is_bad(item) for one in taken for item in one.items) else Exit.PARTLY


def _is_bad(item: ItemReceipt) -> bool:
    return item.outcome in (Outcome.REFUSED, Outcome.FAILED)


@click.command()
@click.argument("ids", metavar="[ID]...", nargs=-1)
@click.option("--conversation", metavar="ID", help="Forget this conversation.")
@click.option("--everything", is_flag=True, help="Forget the scope and everything below it.")
@click.option("--yes", is_flag=True, help="Do not ask before forgetting everything.")
@scope_options
@shared_options
def forget(call: Call, ids: Sequence[str], *, conversation: str | None, everything: bool, yes: bool) -> int:
    """Erase records, a conversation, or a whole scope.

    Give one or more IDs, or --conversation, or --everything. It cannot be undone: the records go with
    all that was derived from them, and their bytes are overwritten in the store.
    """
    if bool(ids) + (conversation is not None) + everything != 1:
        hint = "Give one or more IDs, or --conversation ID, or --everything."
        raise InputError("it is not clear what is to be forgotten.", code="target_required", hint=hint)
    scope = call.scope
    if everything and not yes and not _confirmed(scope):
        call.screen.note("Nothing was forgotten.")
        return Exit.PARTLY
    erasure = call.run(lambda engine: _forget(engine, scope, ids, conversation), embeds=False)
    call.screen.document(documents.erasure_document(erasure))
    views.show_erasure(call.screen, erasure, scope, everything=everything)
    return Exit.DONE if erasure.records >= max(len(set(ids)), 1) else Exit.PARTLY


async def _forget(engine: Engine, scope: Scope, ids: Sequence[str], conversation: str | None) -> Erasure:
    if ids:
        return await engine.forget(scope, ids=[RecordId(name) for name in ids])
    if conversation is not None:
        return await engine.forget(scope, conversation=conversation)
    return await engine.forget(scope)


def _confirmed(scope: Scope) -> bool:
    """Ask at a terminal; refuse where nobody can answer."""
    what = f"everything in {one_line(str(scope))} and below it"
    if sys.stdin is None or not sys.stdin.isatty():
        raise InputError(
            f"forgetting {what} wants a yes, and nobody can be asked.", code="confirmation_required", hint="Add --yes."
        )
    return click.confirm(f"Forget {what}? This cannot be undone.", err=True)
