"""The commands `memories`: look at what was remembered, its evidence and history, and correct it by hand.

Rule of this file: options and what is printed where. What a change means is decided in `curate`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import click

from muniment.cli import beginnings
from muniment.cli import documents_derived as documents
from muniment.cli import memories_view as view
from muniment.cli.call import (
    Call,
    agent_option,
    embedder_option,
    read_time_option,
    read_where_option,
    scope_options,
    shared_options,
    where_option,
)
from muniment.cli.documents import scope_document
from muniment.cli.exits import Exit
from muniment.cli.output import GOOD, SOFT, STRONG, WARN
from muniment.cli.read import LISTED, limit_option
from muniment.cli.visible import one_line
from muniment.curate.memories import Amended
from muniment.curate.rules_filters import check_memory_filter
from muniment.engine import Engine
from muniment.errors import InputError, NotFound
from muniment.knowledge.contradicted import other_sides
from muniment.knowledge.values import KEPT, SELF, Memory, MemoryId, MemoryPage, Status
from muniment.types import Record, RecordId, Scope

WORDS_READ = 50
"""Records of a memory's evidence whose words are shown."""


class Group(click.Group):
    """Commands in the order one meets them."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  (the name is click's)
        """The names as they were added."""
        return list(self.commands)


SHARED_WITH = ("customer", "client")


@click.group("memories", cls=Group)
def memories() -> None:
    """What was remembered: list it, show its proof and history, correct it.

    Memories are derived from records, and each names the words that prove it. What no longer holds stays in history.
    """


@memories.command("list")
@limit_option(LISTED)
@click.option("--cursor", metavar="CURSOR", help="Go on where an earlier list stopped.")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Only this kind, such as fact or decision; may be repeated.")
@click.option("--status", "statuses", multiple=True, type=click.Choice([s.value for s in KEPT]), help="Only this status.")
@click.option("--all", "every", is_flag=True, help="Every status: what was superseded, retracted or expired as well.")
@click.option("--subject", metavar="NAME", help="Only what is told of this one.")
@click.option("--attribute", metavar="NAME", help="Only this attribute, such as lives_in or plan.")
@click.option("--conversation", metavar="ID", help="Only what was said in this conversation.")
@click.option("--as-of", metavar="TIME", help="What held in the world at this time.")
@click.option("--known-at", metavar="TIME", help="What was held to be so at this time.")
@click.option("--inherited", is_flag=True, help="What the scopes above share as well.")
@where_option
@scope_options
@shared_options
def list_memories(
    call: Call,
    *,
    limit: int,
    cursor: str | None,
    kinds: Sequence[str],
    statuses: Sequence[str],
    every: bool,
    subject: str | None,
    attribute: str | None,
    conversation: str | None,
    as_of: str | None,
    known_at: str | None,
    inherited: bool,
    asked: str | None,
) -> int:
    """List the memories of exactly this scope that hold now, latest first.

    In a pipe fields are separated by tabs: id, status, since when, kind, text.
    """
    scope = call.scope
    options = {
        "kind": tuple(kinds),
        "status": _statuses(statuses, every=every, past=bool(as_of or known_at)),
        "subject": subject,
        "attribute": attribute,
        "conversation": conversation,
        "valid_at": read_time_option(as_of, "--as-of"),
        "known_at": read_time_option(known_at, "--known-at"),
    }
    where = check_memory_filter(read_where_option(asked, options))

    async def read(engine: Engine) -> tuple[MemoryPage, set[MemoryId]]:
        page = await engine.memories.list(scope, where, limit=limit, cursor=cursor, inherited=inherited)
        tied = [memory.id for memory in page.memories if other_sides([memory])]
        return page, {id_ for id_ in tied if await engine.memories.against(scope, id_)}

    page, disputed = call.run(read, embeds=False)
    told = [documents.memory_document(memory, call.now) for memory in page.memories]
    call.screen.document({"scope": scope_document(scope), "memories": told, "cursor": page.cursor})
    view.show_memories(call.screen, page.memories, call.now, disputed)
    if not page.memories:
        call.screen.note(f"No such memories for {one_line(str(scope))}. With --all also what no longer holds.", style=SOFT)
    if page.cursor:
        call.screen.note(f"There are more: repeat with --cursor {page.cursor}", style=SOFT)
    return Exit.DONE


def _statuses(named: Sequence[str], *, every: bool, past: bool) -> tuple[Status, ...]:
    """The statuses meant: the named ones, or all; none for what holds. A look at the past sees what was superseded since."""
    if named and every:
        raise InputError("--status and --all contradict each other.", code="usage", hint="Give one of them.")
    if named:
        return tuple(map(Status, named))
    return KEPT if every or past else ()


@memories.command("show")
@click.argument("memory_id", metavar="ID")
@scope_options
@shared_options
def show_memory(call: Call, memory_id: str) -> int:
    """Show one memory in full: the words that prove it, what stood in its place, and what other agents claim instead.

    The beginning of its ID will do, six letters at least, where only one begins so.
    """
    scope = call.scope

    async def read(engine: Engine) -> tuple[Memory, tuple[Memory, ...], dict[RecordId, Record], tuple[Memory, ...]]:
        memory = await engine.memories.get(scope, MemoryId(await beginnings.memory_id(engine, scope, memory_id)))
        sides = await engine.memories.against(scope, memory.id)
        return memory, await engine.memories.history(scope, memory.id), await _proof(engine, scope, memory), sides

    memory, history, records, sides = call.run(read, embeds=False)
    call.screen.document(
        {
            "memory": documents.memory_document(memory, call.now, records),
            "history": [documents.memory_document(one, call.now) for one in history],
            "against": [documents.memory_document(one, call.now) for one in sides],
        }
    )
    view.show_memory(call.screen, memory, history, records, against=sides, now=call.now)
    return Exit.DONE


@memories.command("history")
@click.argument("memory_id", metavar="ID")
@scope_options
@shared_options
def show_history(call: Call, memory_id: str) -> int:
    """Show what stood in a memory's place before and after it, oldest first: the last part of `show`."""
    scope = call.scope

    async def read(engine: Engine) -> tuple[MemoryId, tuple[Memory, ...]]:
        meant = MemoryId(await beginnings.memory_id(engine, scope, memory_id))
        return meant, await engine.memories.history(scope, meant)

    meant, history = call.run(read, embeds=False)
    call.screen.document({"id": meant, "history": [documents.memory_document(one, call.now) for one in history]})
    view.show_history(call.screen, meant, history)
    return Exit.DONE


async def _proof(engine: Engine, scope: Scope, memory: Memory) -> dict[RecordId, Record]:
    found: dict[RecordId, Record] = {}
    for id_ in dict.fromkeys(evidence.record for evidence in memory.evidence[:WORDS_READ]):
        try:
            found[id_] = await engine.get(scope, id_)
        except NotFound:
            continue
    return found


@memories.command("add")
@click.argument("text")
@click.option("--kind", default="fact", show_default=True, metavar="KIND", help="Its kind, such as fact or preference.")
@click.option("--subject", default=SELF, show_default=True, metavar="NAME", help="Whom or what it is about.")
@click.option("--attribute", default="", metavar="NAME", help="The slot it fills, such as lives_in or plan.")
@click.option("--value", default="", metavar="TEXT", help="What it fills it with.")
@click.option("--functional", is_flag=True, help="The slot holds one value: what stood there is superseded.")
@scope_options
@agent_option
@embedder_option
@shared_options
def add_memory(call: Call, text: str, *, kind: str, subject: str, attribute: str, value: str, functional: bool) -> int:
    """State TEXT as it stands. It is kept as a record of yours, which then proves the memory."""
    scope, agent = call.scope, call.settings.agent

    def add(engine: Engine) -> Awaitable[Amended]:
        slot = partial(engine.memories.add, scope, text, subject=subject, attribute=attribute, value=value, functional=functional)
        return slot(kind=kind, agent=agent)

    return _amended(call, add, create=True, done="Remembered")


@memories.command("correct")
@click.argument("query")
@click.argument("text")
@scope_options
@agent_option
@embedder_option
@shared_options
def correct_memory(call: Call, query: str, text: str) -> int:
    """Put TEXT in the place of the one current memory that QUERY speaks of, or of the one with this id.

    When several match, nothing is changed and their ids are told.
    """
    scope, agent = call.scope, call.settings.agent
    return _amended(call, lambda engine: engine.memories.correct(scope, query, text, agent=agent), done="Corrected")


@memories.command("update")
@click.argument("memory_id", metavar="ID")
@click.argument("text")
@click.option("--value", metavar="TEXT", help="What fills its slot now, where it has one.")
@scope_options
@agent_option
@embedder_option
@shared_options
def update_memory(call: Call, memory_id: str, text: str, *, value: str | None) -> int:
    """Put TEXT in the place of a memory. Its kind, subject, metadata and first day stay."""
    scope, agent = call.scope, call.settings.agent
    id_ = MemoryId(memory_id)
    return _amended(call, lambda engine: engine.memories.update(scope, id_, text, value=value, agent=agent), done="Updated")


@memories.command("retract")
@click.argument("memory_id", metavar="ID")
@scope_options
@shared_options
def retract_memory(call: Call, memory_id: str) -> int:
    """Take a memory back. What it had taken the place of holds again.

    It stays in history; to erase it, forget the records that prove it.
    """
    scope, id_ = call.scope, MemoryId(memory_id)
    return _amended(call, lambda engine: engine.memories.retract(scope, id_), embeds=False, done="Taken back")


@memories.command("restore")
@click.argument("memory_id", metavar="ID")
@scope_options
@shared_options
def restore_memory(call: Call, memory_id: str) -> int:
    """Hold a memory again. What had taken its place is retracted; what it had taken the place of is superseded once more."""
    scope, id_ = call.scope, MemoryId(memory_id)
    return _amended(call, lambda engine: engine.memories.restore(scope, id_), embeds=False, done="Held to be so again")


@memories.command("hold")
@click.argument("memory_id", metavar="ID")
@click.option("--lift", is_flag=True, help="Lift the hold.")
@scope_options
@shared_options
def hold_memory(call: Call, memory_id: str, *, lift: bool) -> int:
    """Put a memory under legal hold: it neither expires nor is swept. Forgetting still reaches it."""
    scope = call.scope
    memory = call.run(lambda engine: engine.memories.hold(scope, MemoryId(memory_id), held=not lift), embeds=False)
    call.screen.document(documents.memory_document(memory, call.now))
    view.show_held(call.screen, memory)
    return Exit.DONE


@memories.command("share")
@click.argument("memory_id", metavar="ID")
@click.option("--to", "rung", type=click.Choice(SHARED_WITH), default=SHARED_WITH[0], show_default=True, help="How widely.")
@scope_options
@agent_option
@embedder_option
@shared_options
def share_memory(call: Call, memory_id: str, *, rung: str) -> int:
    """Put a copy of a memory, without names of people, where all users of the customer or client find it.

    Only as far as the architecture and `muniment sharing` let its kind go up. It goes when the original no longer holds.
    """
    scope, id_, agent = call.scope, MemoryId(memory_id), call.settings.agent
    copy = call.run(lambda engine: engine.memories.share(scope, id_, to=rung, agent=agent))
    call.screen.document(documents.memory_document(copy, call.now))
    call.screen.line((f"Shared with the {rung}", GOOD), f" as {copy.id}; this is what others read:")
    call.screen.line((one_line(copy.text), STRONG))
    return Exit.DONE


@memories.command("unshare")
@click.argument("memory_id", metavar="ID")
@scope_options
@shared_options
def unshare_memory(call: Call, memory_id: str) -> int:
    """Take shared copies away for good, with the records that prove them. ID is the original's, or one copy's own."""
    scope, id_ = call.scope, MemoryId(memory_id)
    return taken_away(call, call.run(lambda engine: engine.memories.unshare(scope, id_), embeds=False))


def taken_away(call: Call, gone: int) -> int:
    """Say how many copies were taken away."""
    call.screen.document({"removed": gone})
    call.screen.line(("Taken away." if gone else "Nothing was shared under this id.", GOOD if gone else WARN))
    return Exit.DONE if gone else Exit.PARTLY


@memories.command("audit")
@scope_options
@shared_options
def audit_memories(call: Call) -> int:
    """Say how clean the memories of exactly this scope are: duplicates, stale, never recalled, and what was refused."""
    scope = call.scope
    audit = call.run(lambda engine: engine.memories.audit(scope), embeds=False)
    call.screen.document(documents.audit_document(audit, scope))
    view.show_audit(call.screen, audit, scope)
    return Exit.DONE


def _amended(
    call: Call, change: Callable[[Engine], Awaitable[Amended]], *, done: str, create: bool = False, embeds: bool = True
) -> int:
    """Change a memory by hand, and say what it is now."""
    amended = call.run(change, create=create, embeds=embeds)
    call.screen.document(documents.amended_document(amended, call.now))
    view.show_amended(call.screen, amended, done=done)
    return Exit.DONE
