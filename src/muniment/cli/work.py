"""The commands `work` and `sweep`: the reading of records behind their writing, and letting go of what has expired.

Rule of this file: a command ends when its work is done, so that nothing waits for a process that is gone.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

import click

from muniment.cli import documents_derived as documents
from muniment.cli import memories_view as view
from muniment.cli.call import Call, all_scopes_option, scope_options, shared_options
from muniment.cli.exits import Exit
from muniment.cli.memories import Group
from muniment.cli.reading import read_all
from muniment.cli.views import count
from muniment.engine import Engine
from muniment.errors import InputError
from muniment.knowledge.values import Backlog, WorkItem
from muniment.types import RecordId


@click.group("work", cls=Group)
def work() -> None:
    """The reading of records behind their writing: how far it is, and doing it again.

    Every record that was ingested is read once: what it says becomes memories or is refused with a reason.
    """


@work.command("status")
@click.argument("records", metavar="[RECORD]...", nargs=-1)
@scope_options
@shared_options
def status(call: Call, records: Sequence[str]) -> int:
    """Say how much waits in the whole store, and how far these records are.

    With a scope it also counts what was refused there and below, by reason. With a key for a part of the store, how much waits
    in the whole of it is not said.
    """
    scope = call.scope if records else call.reach

    async def read(engine: Engine) -> tuple[Backlog | None, Sequence[WorkItem], Mapping[tuple[str, str], int]]:
        bounded = call.credential is not None and call.credential.ceiling is not None
        backlog = None if bounded else await engine.work.backlog()
        if scope is None:
            return backlog, (), {}
        named = [RecordId(record) for record in records]
        items = await engine.work.status(scope, named) if named else ()
        return backlog, items, await engine.work.refused(scope)

    backlog, items, refused = call.run(read, embeds=False)
    call.screen.document(
        {
            "backlog": backlog and documents.backlog_document(backlog),
            "records": [documents.work_document(item) for item in items],
            "refused": documents.refused_documents(refused),
        }
    )
    if backlog:
        view.show_backlog(call.screen, backlog)
    view.show_work(call.screen, items)
    view.show_refused(call.screen, refused)
    if backlog and backlog.parked:
        call.screen.note("What is parked could not be read; see the last error. To try again: muniment work retry")
    return Exit.DONE


@work.command("wait")
@shared_options
def wait(call: Call) -> int:
    """Do what is open in the whole store, and end when nothing waits any more."""
    backlog = call.run(lambda engine: read_all(engine, call.screen), embeds=False)
    return _done(call, backlog, queued=None)


@work.command("follow")
@click.option("--seconds", type=click.FloatRange(min=0), help="Stop after so long; else when it is interrupted.")
@shared_options
def follow(call: Call, *, seconds: float | None) -> int:
    """Be a worker: do what any process queues in this store, and wait for more.

    On a server a word from whoever writes wakes it; any other store is asked twice a second.
    """
    read = call.run(lambda engine: engine.work.follow(seconds=seconds), embeds=False)
    call.screen.document({"read": read})
    call.screen.line(f"{count(read, 'record')} read")
    return Exit.DONE


@work.command("retry")
@scope_options
@shared_options
def retry(call: Call) -> int:
    """Read the parked records of a scope and all below it again."""
    scope = call.scope
    return _again(call, lambda engine: engine.work.retry(scope))


@work.command("rederive")
@scope_options
@shared_options
def rederive(call: Call) -> int:
    """Read every record of a scope and all below it again, under the present architecture.

    What is no longer read out of them is retracted; what people stated or corrected by hand stays.
    """
    scope = call.scope
    return _again(call, lambda engine: engine.work.rederive(scope))


def _again(call: Call, queue: Callable[[Engine], Awaitable[int]]) -> int:
    async def both(engine: Engine) -> tuple[int, Backlog | None]:
        queued = await queue(engine)
        return queued, await read_all(engine, call.screen)

    queued, backlog = call.run(both, embeds=False)
    return _done(call, backlog, queued=queued)


def _done(call: Call, backlog: Backlog | None, *, queued: int | None) -> int:
    call.screen.document({"queued": queued, "backlog": backlog and documents.backlog_document(backlog)})
    if queued is not None:
        call.screen.line(f"{count(queued, 'record')} read again")
    if backlog:
        view.show_backlog(call.screen, backlog)
    return Exit.PARTLY if backlog and backlog.parked else Exit.DONE


@click.command("sweep")
@click.option("--confirm", is_flag=True, help="Also when more than a fifth of all memories would go at once.")
@all_scopes_option
@scope_options
@shared_options
def sweep(call: Call, *, confirm: bool, all_scopes: bool) -> int:
    """Purge memories whose time is over, by the retention rules of the architecture, in a scope and all below it.

    Expired ones are out of every read already; a sweep takes their bytes away. What is under hold stays, and so do records.
    """
    scope = call.scope_or_all(all_scopes=all_scopes)
    try:
        swept = call.run(lambda engine: engine.retention.sweep(scope, confirm=confirm), embeds=False)
    except InputError as error:
        if error.reason == "mass_purge":
            error.hint = "Check the clock and the retention rules; then sweep again with --confirm."
        raise
    call.screen.document(documents.swept_document(swept, scope))
    view.show_swept(call.screen, swept)
    return Exit.DONE
