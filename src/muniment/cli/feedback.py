"""The commands `feedback`: what became of what an answer gave, told and looked up.

Rule of this file: it changes nothing that is remembered; what was wrong is put right by `memories correct`.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from muniment.cli.call import Call, scope_options, shared_options
from muniment.cli.documents import Document, instant, scope_document
from muniment.cli.exits import Exit
from muniment.cli.keys import by_option
from muniment.cli.memories import Group
from muniment.cli.output import SOFT
from muniment.cli.views import count, stamp
from muniment.cli.visible import one_line
from muniment.knowledge.values import Feedback
from muniment.types import Outcome

_COUNTS = ("used", "ignored", "corrected")


@click.group("feedback", cls=Group)
def feedback() -> None:
    """Feedback: which of what an answer gave was used, passed over or wrong.

    It moves later answers in the same scope a little, fades, and changes nothing that is remembered.
    """


@feedback.command("give")
@click.option("--used", multiple=True, metavar="ID", help="A record or memory that was of use; may be repeated.")
@click.option("--ignored", multiple=True, metavar="ID", help="One that was of no use; may be repeated.")
@click.option("--corrected", multiple=True, metavar="ID", help="One that was wrong and was put right; may be repeated.")
@by_option
@scope_options
@shared_options
def give(call: Call, *, used: Sequence[str], ignored: Sequence[str], corrected: Sequence[str], by: str) -> int:
    """Tell what became of records or memories that an answer gave, by their ids."""
    scope = call.scope
    told = call.run(
        lambda engine: engine.feedback.give(scope, used=used, ignored=ignored, corrected=corrected, by=by), embeds=False
    )
    refused = [item for item in told.items if item.outcome is Outcome.REFUSED]
    items = [{"place": one.place, "outcome": one.outcome.value, "id": one.id, "reason": one.reason} for one in told.items]
    call.screen.document({"scope": scope_document(scope), "items": items})
    call.screen.line(f"{count(len(told.items) - len(refused), 'item')} noted.")
    for item in refused:
        call.screen.note(f"{item.place}: {item.message}")
    return Exit.PARTLY if refused else Exit.DONE


@feedback.command("list")
@scope_options
@shared_options
def list_feedback(call: Call) -> int:
    """List what was told in a scope and below it, added up by record.

    In a pipe fields are separated by tabs: scope, record, used, ignored, corrected, when last, by whom.
    """
    scope = call.scope
    found = call.run(lambda engine: engine.feedback.list(scope), embeds=False)
    call.screen.document({"scope": scope_document(scope), "feedback": [feedback_document(one) for one in found]})
    for one in found:
        counts = [f"{getattr(one, name)} {name}" if call.screen.wraps else str(getattr(one, name)) for name in _COUNTS]
        told = [one_line(str(one.scope)), one.record, *counts, stamp(one.at), one_line(one.by)]
        call.screen.line("\t".join(told)) if not call.screen.wraps else call.screen.clipped("  ".join(filter(None, told)))
    if not found:
        call.screen.note("Nothing was told here yet.", style=SOFT)
    return Exit.DONE


def feedback_document(one: Feedback) -> Document:
    """All that is kept of what was told of one record."""
    return {
        "scope": scope_document(one.scope),
        "record": one.record,
        **{name: getattr(one, name) for name in _COUNTS},
        "at": instant(one.at),
        "by": one.by,
    }
