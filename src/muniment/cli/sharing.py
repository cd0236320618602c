"""The commands `sharing`: how far a customer's memories may go up, set, shown, and who changed it when.

Rule of this file: it sets what the architecture leaves open; a single memory is shared by `memories share`.
"""

from __future__ import annotations

import click

from muniment.cli.call import Call, agent_option, scope_options, shared_options
from muniment.cli.documents import Document, instant, scope_document
from muniment.cli.exits import Exit
from muniment.cli.keys import by_option
from muniment.cli.memories import Group
from muniment.cli.output import GOOD, MARK, SOFT
from muniment.cli.views import count, stamp
from muniment.cli.visible import one_line
from muniment.curate.sharing_settings import SHARES, KindShare
from muniment.knowledge.values import SharingChange


@click.group("sharing", cls=Group)
def sharing() -> None:
    """Sharing: how far each kind of a customer's memories may go up.

    The architecture says how far by default, and how far at most.
    """


@sharing.command("set")
@click.argument("kind")
@click.argument("share", type=click.Choice(SHARES))
@click.option("--note", default="", metavar="TEXT", help="Why; kept with the change.")
@by_option
@scope_options
@agent_option
@shared_options
def set_share(call: Call, kind: str, share: str, *, note: str, by: str) -> int:
    """Let memories of KIND of a customer and its users go up to SHARE and no further; `default` is what the architecture says.

    Copies that went further are taken back. Wider than the architecture's `share_up_to` is refused.
    """
    scope, agent = call.scope, call.settings.agent
    done = call.run(lambda engine: engine.sharing.set(scope, kind, share, agent=agent, by=by, note=note), embeds=False)
    call.screen.document({**change_document(done.change), "withdrawn": done.withdrawn})
    call.screen.line((one_line(kind), MARK), f" of {one_line(agent)} goes up to ", (share, GOOD))
    if done.withdrawn:
        call.screen.note(f"{count(done.withdrawn, 'copy')} that went further taken back.")
    return Exit.DONE


@sharing.command("list")
@scope_options
@agent_option
@shared_options
def list_shares(call: Call) -> int:
    """List how far each kind of memory goes up now, and what was set last.

    In a pipe fields are separated by tabs: kind, how far, by default, at most, set when, by whom.
    """
    scope, agent = call.scope, call.settings.agent
    found = call.run(lambda engine: engine.sharing.current(scope, agent=agent), embeds=False)
    call.screen.document({"scope": scope_document(scope), "kinds": [_kind_document(one) for one in found]})
    for one in found:
        set_at = [stamp(one.change.at), one_line(one.change.by)] if one.change else ["", ""]
        told = [one_line(one.kind), *(rung or "none" for rung in (one.share, one.default, one.ceiling)), *set_at]
        if not call.screen.wraps:
            call.screen.line("\t".join(told))
            continue
        most = f"at most {told[3]}" if told[3] != told[1] else ""
        who = f"set {told[4]} {told[5]}".rstrip() if one.change else ""
        call.screen.clipped((f"{told[0]:<14}", MARK), (f"{told[1]:<10}", GOOD), f"{most:<18}", (who, SOFT))
    return Exit.DONE


@sharing.command("history")
@scope_options
@shared_options
def history(call: Call) -> int:
    """List every change of a scope and of all below it, oldest first: what was set, by whom and when.

    In a pipe fields are separated by tabs: when, scope, agent, kind, how far, by whom, note.
    """
    scope = call.scope
    found = call.run(lambda engine: engine.sharing.history(scope), embeds=False)
    call.screen.document({"scope": scope_document(scope), "changes": [change_document(one) for one in found]})
    for one in found:
        told = [stamp(one.at), *(one_line(text) for text in (str(one.scope), one.agent, one.kind, one.share, one.by, one.note))]
        call.screen.line("\t".join(told)) if not call.screen.wraps else call.screen.clipped("  ".join(filter(None, told)))
    if not found:
        call.screen.note("Nothing was ever set here: the architecture says how far each kind goes.", style=SOFT)
    return Exit.DONE


def change_document(change: SharingChange) -> Document:
    """All that is kept of a change."""
    return {
        "scope": scope_document(change.scope),
        "agent": change.agent,
        "kind": change.kind,
        "share": change.share,
        "at": instant(change.at),
        "by": change.by,
        "note": change.note,
    }


def _kind_document(one: KindShare) -> Document:
    rungs = {"share": one.share, "default": one.default, "ceiling": one.ceiling}
    told: Document = {name: rung or "none" for name, rung in rungs.items()}
    return {"kind": one.kind, **told, "change": None if one.change is None else change_document(one.change)}
