"""The commands `decisions`: what was decided, why, what others decided in the same matter, and sharing one as a precedent.

Rule of this file: options and what is printed where.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from muniment.cli import documents_derived as documents
from muniment.cli.call import Call, agent_option, embedder_option, read_where_option, scope_options, shared_options, where_option
from muniment.cli.documents import scope_document
from muniment.cli.exits import Exit
from muniment.cli.memories import SHARED_WITH, Group, taken_away
from muniment.cli.output import GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.read import LISTED, limit_option
from muniment.cli.views import DOT, INDENT, moment, stamp
from muniment.cli.visible import one_line
from muniment.curate.decisions import Answer, Decision
from muniment.curate.rules_filters import check_decision_filter
from muniment.knowledge.values import MemoryId, Status

ANSWERED = 5


@click.group("decisions", cls=Group)
def decisions() -> None:
    """What was decided, by whom, why, instead of what, and what came of it."""


@decisions.command("list")
@limit_option(LISTED)
@click.option("--commitments", is_flag=True, help="What was promised, in place of what was decided.")
@click.option("--inherited", is_flag=True, help="What the scopes above share as well.")
@click.option("--all", "every", is_flag=True, help="Every status: what was superseded or retracted as well.")
@where_option
@scope_options
@shared_options
def list_decisions(call: Call, *, limit: int, commitments: bool, inherited: bool, every: bool, asked: str | None) -> int:
    """List the decisions of exactly this scope, latest first.

    In a pipe fields are separated by tabs: id, when, who, text.
    """
    scope = call.scope
    kind = "commitment" if commitments else "decision"
    statuses = tuple(Status) if every else (Status.CURRENT,)
    where = check_decision_filter(read_where_option(asked, {}))
    found = call.run(
        lambda engine: engine.decisions.list(
            scope, where=where, kind=kind, limit=min(limit, 200), inherited=inherited, statuses=statuses
        ),
        embeds=False,
    )
    call.screen.document(
        {"scope": scope_document(scope), "decisions": [documents.decision_document(one, call.now) for one in found]}
    )
    _show_list(call.screen, found)
    if not found:
        call.screen.note(f"No {kind}s are known for {one_line(str(scope))}.", style=SOFT)
    return Exit.DONE


@decisions.command("why")
@click.argument("question")
@limit_option(ANSWERED)
@scope_options
@shared_options
def why(call: Call, question: str, *, limit: int) -> int:
    """Answer a QUESTION about decisions, such as "why did we choose Postgres?", with reasons, alternatives and evidence.

    Reads the scope given and the ones above it. When nothing is known, it says so.
    """
    scope = call.scope
    return _answer(call, call.run(lambda engine: engine.decisions.why(scope, question, limit=min(limit, 200)), embeds=False))


@decisions.command("precedents")
@click.argument("question")
@limit_option(ANSWERED)
@scope_options
@shared_options
def precedents(call: Call, question: str, *, limit: int) -> int:
    """Find decisions in the matter of QUESTION that others shared with this customer or client."""
    scope = call.scope
    return _answer(
        call, call.run(lambda engine: engine.decisions.precedents(scope, question, limit=min(limit, 200)), embeds=False)
    )


@decisions.command("share")
@click.argument("memory_id", metavar="ID")
@click.option("--to", "rung", type=click.Choice(SHARED_WITH), default=SHARED_WITH[0], show_default=True, help="How widely.")
@scope_options
@agent_option
@embedder_option
@shared_options
def share(call: Call, memory_id: str, *, rung: str) -> int:
    """Put a copy of a decision, without names of people, where all users of the customer or client find it.

    Only as far as the agent's architecture shares decisions. `unshare` takes it away again.
    """
    scope, agent = call.scope, call.settings.agent
    shared = call.run(lambda engine: engine.decisions.share(scope, MemoryId(memory_id), to=rung, agent=agent))
    call.screen.document(documents.decision_document(shared, call.now))
    call.screen.line((f"Shared with the {rung}", GOOD), f" as {shared.memory.id}; this is what others read:")
    _show(call.screen, shared)
    return Exit.DONE


@decisions.command("unshare")
@click.argument("memory_id", metavar="ID")
@scope_options
@shared_options
def unshare(call: Call, memory_id: str) -> int:
    """Take shared copies away for good, with the records that prove them. ID is the original's, or the copy's own."""
    scope = call.scope
    return taken_away(call, call.run(lambda engine: engine.decisions.unshare(scope, MemoryId(memory_id)), embeds=False))


def _answer(call: Call, answer: Answer) -> int:
    call.screen.document(documents.answer_document(answer, call.scope, call.now))
    call.screen.words(answer.message, style=STRONG if answer else WARN)
    for decision in answer.decisions:
        call.screen.gap()
        _show(call.screen, decision)
    return Exit.DONE


def _show_list(screen: Screen, found: Sequence[Decision]) -> None:
    for decision in found:
        memory = decision.memory
        at = stamp(memory.said_at or memory.recorded_at)
        if not screen.wraps:
            screen.line("\t".join([memory.id, at, one_line(decision.by), one_line(memory.text)]))
            continue
        state = memory.status.value if memory.status is not Status.CURRENT else "overdue" if decision.overdue else ""
        gone = [(f"{state}: ", WARN)] if state else []
        screen.clipped((memory.id, MARK), f"  {at}  ", *gone, one_line(memory.text))


def _show(screen: Screen, decision: Decision) -> None:
    """One decision, what is known of it, and the words that prove it."""
    memory = decision.memory
    screen.line((one_line(memory.text), STRONG))
    facts = {
        "because": decision.rationale,
        "instead of": decision.alternatives,
        "depends on": decision.depends_on,
        "outcome": decision.outcome,
        "after": [memory.text for memory in decision.because_of],
        "led to": [memory.text for memory in decision.led_to],
    }
    for name, words in facts.items():
        if words:
            screen.line((f"{name:<12}", SOFT), one_line("; ".join(words)), indent=INDENT, hang=12)
    for record in decision.records:
        screen.line((f"{'said':<12}", SOFT), f"“{one_line(record.text)}”", indent=INDENT, hang=12)
        told = DOT.join([one_line(record.speaker), moment(record.said_at or record.recorded_at), record.id])
        screen.line((told, SOFT), indent=INDENT + 12)
