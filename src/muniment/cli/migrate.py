"""The command that moves a whole store into another.

Rule of this file: what is moved and compared is decided in ingest/moving; here two stores are opened and the outcome is told.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import click

import muniment
from muniment import plugins
from muniment.cli import documents, views
from muniment.cli.call import Call, embedder_option, plain_options
from muniment.cli.exits import Exit
from muniment.cli.views import count
from muniment.cli.visible import one_line
from muniment.engine import Engine
from muniment.errors import InputError
from muniment.ingest.moving import Move, move
from muniment.types import Outcome

KINDS = {
    "records": "record",
    "memories": "memory",
    "entities": "entity",
    "merges": "merge",
    "architectures": "architecture",
    "sharing": "sharing setting",
    "feedback": "told of recall",
    "keys": "key",
}


@click.command()
@click.option("--from", "source", metavar="URL", required=True, help="The store to move.")
@click.option("--to", "target", metavar="URL", required=True, help="The store to move it into; it is made if there is none.")
@embedder_option
@plain_options
def migrate(call: Call, *, source: str, target: str) -> int:
    """Move all that one store holds into another.

    Records, memories, entities and merges with all that was done by hand, how far each record is read, sealed values, blobs,
    architectures and keys keep their ids, scopes and times. Nothing is read again; the index is made anew. The old store is left
    as it is. Stop whatever writes to it first: afterwards every scope is counted and compared. A move that was stopped is done
    again whole: what is there already is unchanged.
    """
    if call.settings.key is not None:
        raise InputError(
            "a key bounds this command, and a move is about two whole stores.",
            place="key",
            code="key_too_narrow",
            hint="Unset MUNIMENT_KEY for this command; whoever can name both stores may move them.",
        )
    if source == target:
        raise InputError("both stores are the same.", place="to", code="same_store", hint="Name another store with --to.")
    moved = asyncio.run(_moved(call, source, target))
    _tell(call, source, target, moved)
    return Exit.DONE if moved.receipt.ok and not moved.differs else Exit.PARTLY


async def _moved(call: Call, source: str, target: str) -> Move:
    chosen = call.settings
    embedder = await asyncio.to_thread(plugins.open_embedder, chosen.embedder, key=chosen.embedder_key)
    async with AsyncExitStack() as stack:
        if embedder is not None:
            stack.push_async_callback(embedder.close)
        old: Engine = await stack.enter_async_context(muniment.open(source, embedder=None, tokens="estimate", create=False))
        new: Engine = await stack.enter_async_context(muniment.open(target, embedder=embedder, tokens="estimate"))
        return await move((old.store, old.transfer), (new.store, new.transfer), derive=new.index.entries)


def _tell(call: Call, source: str, target: str, moved: Move) -> None:
    places = {"from": plugins.shown_url(source), "to": plugins.shown_url(target)}
    kept = [item for item in moved.receipt.items if item.outcome in (Outcome.REFUSED, Outcome.FAILED)]
    held = {kind: moved.held[kind] for kind in KINDS}
    counts = documents.counts_document(moved.receipt.items)
    items = [documents.item_document(item) for item in kept]
    call.screen.document({**places, "held": held, "counts": counts, "items": items, "differs": list(moved.differs)})
    told = ", ".join(count(number, KINDS[kind]) for kind, number in held.items() if number or kind == "records")
    call.screen.line((f"{one_line(places['from'])} to {one_line(places['to'])}", "bold"))
    call.screen.line(f"It holds {told}.", indent=views.INDENT)
    views.show_items(call.screen, moved.receipt.items)
    for difference in moved.differs:
        call.screen.note(one_line(difference))
    if moved.differs:
        call.screen.note(
            "The stores differ there: something was refused, or other things were there before, or were written since."
        )
    else:
        call.screen.line("Both were read through and hold the same.", indent=views.INDENT)
