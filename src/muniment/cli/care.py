"""The commands that care for a store: stats, doctor, export, import."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
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
from muniment.ingest.formats import export_lines, read_export
from muniment.types import Finding, ItemReceipt, Receipt, Record


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
@all_scopes_option
@scope_options
@shared_options
def export_records(call: Call, file: str, *, replace: bool, all_scopes: bool) -> int:
    """Write the records of a scope and all below it to FILE.

    Without FILE they go to standard output.
    The form is JSON Lines, and `muniment import` reads it. FILE appears when it is complete, and only you may read it.
    """
    scope = call.scope_or_all(all_scopes=all_scopes)

    async def write(engine: Engine) -> int:
        with _target(file, replace=replace) as target:
            return await _write_lines(engine.export(scope), target)

    try:
        records = call.run(write, embeds=False)
    except StoreUnusable as error:
        if error.reason == "record_damaged" and file != STDIN:
            error.hint = (
                f"Nothing was written to {one_line(file)}. Without FILE the others go to standard output. Run the doctor."
            )
        raise
    told = f"{count(records, 'record')} exported"
    if file == STDIN:
        call.screen.note(f"{told}.", style="dim")
    else:
        call.screen.document({"file": file, "scope": documents.scope_document(scope) if scope else None, "records": records})
        call.screen.line(f"{told} to {one_line(file)}")
    return Exit.DONE


async def _write_lines(records: AsyncIterator[Record], target: BinaryIO) -> int:
    """Write an export; gives how many records are in it, which is two lines less."""
    lines = 0
    async for line in export_lines(records):
        target.write(line)
        lines += 1
    return lines - 2


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
    """Take in the records of an export.

    Each keeps its own scope, id and times. FILE is what `muniment export` wrote, or - for standard input.
    Records that are here already are unchanged. Memories are not in an export: they are derived from the records again.
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


async def _restore(call: Call, records: Iterable[Record | ItemReceipt], engine: Engine) -> Receipt:
    """Take the records in and read them, as ingest does."""
    receipt = await engine.restore(records)
    await read_all(engine, call.screen)
    return receipt
