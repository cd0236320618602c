"""The commands `entities`: who and what is spoken of, under which names; two made one, one made two, and open pairs.

Rule of this file: options and what is printed where. Where an id is asked for, a name that means one entity does as well.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import click

from muniment.cli import documents_derived as documents
from muniment.cli.beginnings import entity_id
from muniment.cli.call import Call, read_where_option, scope_options, shared_options, where_option
from muniment.cli.documents import scope_document
from muniment.cli.entities_view import show_entities, show_entity, show_joined, show_open
from muniment.cli.exits import Exit
from muniment.cli.memories import Group
from muniment.cli.output import SOFT
from muniment.cli.read import LISTED, limit_option
from muniment.cli.visible import one_line
from muniment.curate.entities import Joined, Open, Shown
from muniment.curate.rules_filters import check_entity_filter, entity_passes
from muniment.engine import Engine
from muniment.errors import NotFound, QueryError, shown
from muniment.knowledge.values import Entity, EntityId
from muniment.types import Scope

by_option = click.option("--by", default="", metavar="NAME", help="Who says so; kept with the merge.")


@click.group("entities", cls=Group)
def entities() -> None:
    """Who and what is spoken of, and under which names.

    Where an ID is asked for, a name that means exactly one entity of the scope does as well.
    """


@entities.command("list")
@limit_option(LISTED)
@click.option("--cursor", metavar="CURSOR", help="Go on where an earlier list stopped.")
@click.option("--name", metavar="NAME", help="Only what goes by this name.")
@where_option
@scope_options
@shared_options
def list_entities(call: Call, *, limit: int, cursor: str | None, name: str | None, asked: str | None) -> int:
    """List the entities of exactly this scope, latest seen first.

    In a pipe fields are separated by tabs: id, last seen, type, name, other names.
    """
    scope = call.scope
    where = check_entity_filter(read_where_option(asked, {}))

    async def read(engine: Engine) -> tuple[tuple[Entity, ...], str | None]:
        if name is None:
            page = await engine.entities.list(scope, where=where, limit=limit, cursor=cursor)
            return page.entities, page.cursor
        named = await engine.entities.find(scope, name)
        return tuple(entity for entity in named if entity_passes(entity, where))[:limit], None

    found, more = call.run(read, embeds=False)
    told = [documents.entity_document(entity) for entity in found]
    call.screen.document({"scope": scope_document(scope), "entities": told, "cursor": more})
    show_entities(call.screen, found)
    if not found:
        call.screen.note(f"No such entities for {one_line(str(scope))}.", style=SOFT)
    if more:
        call.screen.note(f"There are more: repeat with --cursor {more}", style=SOFT)
    return Exit.DONE


@entities.command("show")
@click.argument("entity", metavar="ID")
@scope_options
@shared_options
def show(call: Call, entity: str) -> int:
    """Show an entity: its names and how often they were said, what is told of it, and its merges.

    The beginning of its ID will do, six letters at least, where only one begins so.
    """
    scope = call.scope

    async def read(engine: Engine) -> Shown:
        try:
            return await engine.entities.show(scope, await _meant(engine, scope, entity))
        except NotFound:
            if (meant := await entity_id(engine, scope, entity)) == entity:
                raise
            return await engine.entities.show(scope, EntityId(meant))

    whole = call.run(read, embeds=False)
    call.screen.document(documents.shown_document(whole, call.now))
    show_entity(call.screen, whole, call.now)
    return Exit.DONE


@entities.command("merge")
@click.argument("keep", metavar="KEEP")
@click.argument("other", metavar="OTHER")
@by_option
@scope_options
@shared_options
def merge(call: Call, keep: str, other: str, *, by: str) -> int:
    """Take two entities for one: KEEP has all names from now on, OTHER points to it. `undo` parts them again."""
    scope = call.scope

    async def join(engine: Engine) -> Joined:
        pair = [await _meant(engine, scope, word) for word in (keep, other)]
        return await engine.entities.merge(scope, pair[0], pair[1], by=by)

    return _joined(call, join, done="Merged")


@entities.command("split")
@click.argument("entity", metavar="ID")
@click.argument("names", metavar="NAME...", nargs=-1, required=True)
@by_option
@scope_options
@shared_options
def split(call: Call, entity: str, names: Sequence[str], *, by: str) -> int:
    """Part these names from an entity as a new one. The two are not taken for one again by themselves."""
    scope = call.scope

    async def part(engine: Engine) -> Joined:
        return await engine.entities.split(scope, await _meant(engine, scope, entity), names, by=by)

    return _joined(call, part, done="Split")


@entities.command("undo")
@click.argument("merge_id", metavar="MERGE")
@by_option
@scope_options
@shared_options
def undo(call: Call, merge_id: str, *, by: str) -> int:
    """Undo a merge, or close an open pair as two. `show` and `review` name the merges."""
    scope = call.scope
    return _joined(call, lambda engine: engine.entities.undo(scope, merge_id, by=by), done="Two again")


@entities.command("review")
@scope_options
@shared_options
def review(call: Call) -> int:
    """List the pairs that may be one and were left open, most alike first, and what speaks for and against it."""
    scope = call.scope
    pairs: Sequence[Open] = call.run(lambda engine: engine.entities.review(scope), embeds=False)
    call.screen.document({"scope": scope_document(scope), "pairs": [documents.open_document(pair) for pair in pairs]})
    show_open(call.screen, pairs)
    if not pairs:
        call.screen.note(f"Nothing to look at for {one_line(str(scope))}.", style=SOFT)
    return Exit.DONE


def _joined(call: Call, change: Callable[[Engine], Awaitable[Joined]], *, done: str) -> int:
    joined = call.run(change, embeds=False)
    call.screen.document(documents.joined_document(joined))
    show_joined(call.screen, joined, done=done)
    return Exit.DONE


async def _meant(engine: Engine, scope: Scope, word: str) -> EntityId:
    """The entity with this id, or else the only one of this name. Raises NotFound, and QueryError when several have it."""
    try:
        return (await engine.entities.show(scope, EntityId(word))).asked
    except NotFound:
        found = await engine.entities.find(scope, word)
    if not found:
        raise NotFound(
            f"there is no entity {shown(word)} in this scope.",
            hint="Look at what muniment entities list shows.",
        )
    if len(found) > 1:
        ids = ", ".join(f"{entity.id} ({entity.name})" for entity in found[:5])
        raise QueryError(f"{len(found)} entities go by {shown(word)}.", code="ambiguous", hint=f"Give one by its id: {ids}.")
    return found[0].id
