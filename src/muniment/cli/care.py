"""The commands that care for a store: stats, doctor, export, import."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO

import click

from muniment.cli import documents, views
from muniment.cli.call import Call, all_scopes_option, embedder_option, scope_options, shared_options
from muniment.cli.exits import Exit
from muniment.cli.files import STDIN, opened, written
from muniment.cli.reading import read_all
from muniment.cli.views import count
from muniment.cli.visible import one_line
from muniment.engine import Engine
from muniment.errors import StoreUnusable
from muniment.ingest.formats import Moved, export_lines, read_export
from muniment.types import Finding, ItemReceipt, Receipt

BESIDE = ("blobs", "sealed", "sealed_left_out")
"""What an export counts of what goes inside its records."""


@click.command()
@all_scopes_option
@scope_options
@shared_options
def stats(call: Call, *, all_scopes: bool) -> int:
    """Count what a scope and all below it holds."""
    scope = call.scope_or_all(all_scopes=all_scopes)
    counted = call.run(lambda engine: engine.stats(scope), embeds=False)
    call.screen.document(documents.stats_document(counted, scope))
    views.show_stats(call.screen, counted, scope)
    return Exit.DONE


@click.command()
@click.option("--repair", is_flag=True, help="Rebuild from the records whatever is derived and damaged.")
@embedder_option
@shared_options
def doctor(call: Call, *, repair: bool) -> int:
    """Check the store, and mend what can be mended.

    Looks at the file, the hash of every row, and every index entry against its record. Changes nothing
    without --repair. With it, vectors of another embedder are made anew as well.
    """

    async def examine() -> tuple[Finding, ...]:
        async with call.open(embeds=repair, reembed=repair) as engine:
            return await engine.doctor(repair=repair)

    findings = asyncio.run(examine())
    call.screen.document(documents.findings_document(findings))
    views.show_findings(call.screen, findings)
    return Exit.DONE if all(finding.ok for finding in findings) else Exit.PARTLY


@click.command("export")
@click.argument("file", default=STDIN)
@click.option("--replace", is_flag=True, help="Replace FILE if it is there already.")
@click.option("--sealed", is_flag=True, help="Write the values behind tokens such as [email:k3f9] too, in the open.")
@all_scopes_option
@scope_options
@shared_options
def export_records(call: Call, file: str, *, replace: bool, sealed: bool, all_scopes: bool) -> int:
    """Write what a scope and all below it holds to FILE.

    Records, memories, entities and merges, with all that was corrected by hand; the architectures of a whole client or store with
    it. Without FILE they go to standard output. The form is JSON Lines, and `muniment import` reads it. FILE appears when it is
    complete, and only you may read it.
    """
    scope = call.scope_or_all(all_scopes=all_scopes)
    counts = Counter[str]()

    async def write(engine: Engine) -> None:
        with _target(file, replace=replace) as target:
            async for line in export_lines(engine.transfer.export(scope, sealed=sealed, told=counts), counts):
                target.write(line)

    try:
        call.run(write, embeds=False)
    except StoreUnusable as error:
        if error.reason in ("record_damaged", "memory_damaged") and file != STDIN:
            error.hint = (
                f"Nothing was written to {one_line(file)}. Without FILE the others go to standard output. Run the doctor."
            )
        raise
    if left_out := counts["sealed_left_out"]:
        call.screen.note(f"{count(left_out, 'sealed value')} stayed behind; --sealed writes them too, in the open.")
    if file == STDIN:
        call.screen.note(f"{_exported(counts)} exported.", style="dim")
    else:
        told = {
            name: counts[name]
            for name in ("records", "memories", "entities", "merges", "architectures", "sharing", "feedback", *BESIDE)
        }
        call.screen.document({"file": file, "scope": documents.scope_document(scope) if scope else None, **told})
        call.screen.line(f"{_exported(counts)} exported to {one_line(file)}")
    return Exit.DONE


def _exported(counts: Counter[str]) -> str:
    ones = (("records", "record"), ("memories", "memory"), ("entities", "entity"), ("merges", "merge"))
    return ", ".join(count(counts[many], one) for many, one in ones if counts[many] or many == "records")


@contextmanager
def _target(file: str, *, replace: bool) -> Iterator[BinaryIO]:
    if file != STDIN:
        with written(Path(file), replace=replace) as target:
            yield target
        return
    yield sys.stdout.buffer
    sys.stdout.buffer.flush()


@click.command("import")
@click.argument("file")
@embedder_option
@shared_options
def import_records(call: Call, file: str) -> int:
    """Take in an export.

    All of it keeps its own scope, id and times. FILE is what `muniment export` wrote, or - for standard input.
    What is here already is unchanged, so an import that was stopped is done again whole. Where an export holds records alone, as
    older ones do, memories are derived from them again.
    """
    with opened(file) as source:
        lines = read_export(source, name="stdin" if file == STDIN else Path(file).name)
        first = list(islice(lines, 1))  # the header is checked before a store is opened, and perhaps made
        with call.screen.followed(chain(first, lines), file) as records:
            receipt = call.run(partial(_restore, call, records), create=True)
    counts, items = documents.counts_document(receipt.items), [documents.item_document(item) for item in receipt.items]
    call.screen.document({"file": file, "counts": counts, "items": items, "notes": list(receipt.degraded)})
    call.screen.line((one_line(file), "bold"))
    views.show_items(call.screen, receipt.items)
    for note in receipt.degraded:
        call.screen.line((one_line(note), "dim"), indent=views.INDENT)
    return Exit.DONE if receipt.ok else Exit.PARTLY


async def _restore(call: Call, items: Iterable[Moved | ItemReceipt], engine: Engine) -> Receipt:
    """Take all in, and read the records whose reading waits, as ingest does."""
    receipt = await engine.transfer.restore(items)
    await read_all(engine, call.screen)
    return receipt
