"""The commands that read one scope: retrieve, explain, assemble, list, show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import click

from muniment import plugins
from muniment.bundle import Why
from muniment.cli import beginnings, documents, views
from muniment.cli.call import (
    Call,
    Command,
    agent_option,
    embedder_option,
    filter_options,
    reranker_option,
    scope_options,
    shared_options,
    tokens_option,
)
from muniment.cli.exits import Exit
from muniment.cli.output import SOFT
from muniment.cli.prompt_view import show_budget
from muniment.cli.visible import one_line, to_json
from muniment.compilation import Compilation
from muniment.compile import to_anthropic, to_openai, to_text
from muniment.engine import Engine
from muniment.errors import shown
from muniment.types import Filter, Record, RecordId

MOST = 1000
LISTED = 50
FOUND = 10
FORMS = ("text", "openai", "anthropic")


class WholeNumber(click.IntRange):
    """A whole number in a range, asked for in words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number. Raises BadParameter, naming the range, for anything else."""
        try:
            number: int = super().convert(value, param, ctx)
        except click.BadParameter:
            self.fail(f"{shown(value)} is not a whole number from {self.min} to {self.max}.", param, ctx)
        return number


def limit_option(default: int) -> Callable[[Command], Command]:
    """How many results at most."""
    most = WholeNumber(1, MOST)
    return click.option("--limit", type=most, default=default, show_default=True, metavar="N", help="How many at most.")


@click.command()
@click.argument("query", nargs=-1, required=True)
@limit_option(FOUND)
@click.option("--budget", type=int, metavar="TOKENS", help="Tokens of all hits together, at most.")
@click.option("--threshold", type=float, default=0.0, metavar="R", help="Least relevance of a hit, 0 to 1. [default: 0]")
@click.option("--context", type=int, default=0, metavar="TOKENS", help="Tokens of what stands around hits. [default: 0]")
@filter_options
@scope_options
@agent_option
@embedder_option
@reranker_option
@tokens_option
@shared_options
def retrieve(
    call: Call, query: tuple[str, ...], *, limit: int, budget: int | None, threshold: float, context: int, where: Filter
) -> int:
    """Find evidence for QUERY, best first, with reasons.

    Reads the scope given and the ones above it, never a sibling. Several queries give one answer. Put -- before a query that
    begins with a dash.
    """
    scope, agent = call.scope, call.settings.agent
    bundle = call.run(
        lambda engine: engine.retrieve(
            scope,
            query if len(query) > 1 else query[0],
            agent=agent,
            limit=limit,
            budget=budget,
            threshold=threshold,
            where=where,
            context=context,
        ),
        counts=True,
    )
    bundle = replace(bundle, explanation=documents.explained(bundle, where=where, threshold=threshold, budget=budget))
    call.screen.document(documents.bundle_document(bundle, scope))
    views.show_bundle(call.screen, bundle, scope)
    if not bundle.health.searched:
        then = where.known_at
        told = (
            f"Nothing had come in here by {views.stamp(then)}."
            if then
            else f"{_nothing_in(call)} Start with: muniment ingest FILE"
        )
        call.screen.note(told, style=SOFT)
    return Exit.DONE


@click.command()
@click.argument("query", nargs=-1, required=True)
@click.argument("record_id", metavar="ID")
@limit_option(FOUND)
@click.option("--budget", type=int, metavar="TOKENS", help="Tokens of all hits together, at most.")
@click.option("--threshold", type=float, default=0.0, metavar="R", help="Least relevance of a hit, 0 to 1. [default: 0]")
@filter_options
@scope_options
@agent_option
@embedder_option
@reranker_option
@tokens_option
@shared_options
def explain(
    call: Call, query: tuple[str, ...], record_id: str, *, limit: int, budget: int | None, threshold: float, where: Filter
) -> int:
    """Say why `retrieve`, asked the same, finds the record or memory ID for QUERY, or does not.

    The beginning of an ID will do, six letters at least, where only one begins so. Put -- before a query that begins with a dash.
    """
    scope, agent = call.scope, call.settings.agent

    async def read(engine: Engine) -> Why:
        meant = RecordId(await beginnings.either_id(engine, scope, record_id))
        return await engine.explain(
            scope,
            query if len(query) > 1 else query[0],
            meant,
            agent=agent,
            limit=limit,
            budget=budget,
            threshold=threshold,
            where=where,
        )

    why = call.run(read, counts=True)
    call.screen.document(documents.why_document(why, "\n".join(query), scope))
    views.show_why(call.screen, why)
    return Exit.DONE


@click.command()
@click.argument("message")
@click.option("--budget", type=int, required=True, metavar="TOKENS", help="Tokens of the whole prompt, at most.")
@click.option("--reserve", type=int, default=0, metavar="TOKENS", help="Tokens of the budget to leave free for the reply.")
@click.option("--context", type=int, default=0, metavar="TOKENS", help="Tokens of what stands around hits. [default: 0]")
@click.option("--conversation", metavar="ID", help="The running conversation, whose last turns belong in the prompt.")
@click.option("--instructions", default="", metavar="TEXT", help="What stands on top of the prompt.")
@click.option("--format", "form", type=click.Choice(FORMS), default=FORMS[0], show_default=True, help="The prompt's form.")
@scope_options
@agent_option
@embedder_option
@reranker_option
@tokens_option
@shared_options
def assemble(
    call: Call,
    message: str,
    *,
    budget: int,
    reserve: int,
    context: int,
    conversation: str | None,
    instructions: str,
    form: str,
) -> int:
    """Put together the next prompt for MESSAGE.

    The prompt goes to standard output; what was left out, and why, to standard error. Nothing is sent to a model.
    """
    scope, agent = call.scope, call.settings.agent
    assembly = call.run(
        lambda engine: engine.assemble(
            scope,
            message,
            budget=budget,
            reserve=reserve,
            agent=agent,
            conversation=conversation,
            instructions=instructions,
            context=context,
        ),
        counts=True,
    )
    prompt = _prompt(assembly.compilation, form)
    call.screen.document(documents.assembly_document(assembly, scope, form=form, prompt=prompt))
    call.screen.verbatim(prompt if isinstance(prompt, str) else to_json(prompt, indent=2, ascii_only=call.screen.out.ascii_only))
    receipt = call.screen.beside()
    receipt.gap()
    show_budget(receipt, assembly.compilation)
    views.show_health(receipt, assembly.bundle)
    return Exit.DONE


def _prompt(compilation: Compilation, form: str) -> object:
    if form == "openai":
        return to_openai(compilation)
    return to_anthropic(compilation) if form == "anthropic" else to_text(compilation)


@click.command("list")
@limit_option(LISTED)
@click.option("--cursor", metavar="CURSOR", help="Go on where an earlier list stopped.")
@filter_options
@scope_options
@shared_options
def list_records(call: Call, *, limit: int, cursor: str | None, where: Filter) -> int:
    """List the records of exactly this scope, newest first.

    Newest means arrived last. A listing that goes on names the cursor for its next page.
    """
    scope = call.scope
    page = call.run(lambda engine: engine.list(scope, where=where, limit=limit, cursor=cursor), embeds=False)
    call.screen.document(documents.page_document(page, scope))
    views.show_page(call.screen, page)
    if not page.records:
        call.screen.note(_nothing_in(call), style=SOFT)
    if page.lost:
        lost = f"{views.count(len(page.lost), 'record')} here cannot be read. See muniment doctor."
        call.screen.note(lost)
    if page.cursor:
        call.screen.note(f"There are more: repeat with --cursor {page.cursor}", style=SOFT)
    return Exit.DONE


def _nothing_in(call: Call) -> str:
    """Which scope of which store is empty, since either may not be the one that was meant."""
    return f"No records for {one_line(str(call.scope))} in {one_line(plugins.shown_url(call.settings.store))}."


@click.command()
@click.argument("record_id", metavar="ID")
@scope_options
@shared_options
def show(call: Call, record_id: str) -> int:
    """Show one record in full.

    The beginning of its ID will do, six letters at least, where only one begins so.
    """
    scope = call.scope

    async def read(engine: Engine) -> Record:
        return await engine.get(scope, RecordId(await beginnings.record_id(engine, scope, record_id)))

    record = call.run(read, embeds=False)
    call.screen.document(documents.record_document(record))
    views.show_record(call.screen, record)
    return Exit.DONE
