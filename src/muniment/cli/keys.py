"""The commands `keys`: make a key for a scope, list what keys there are, and let one hold no longer.

Rule of this file: the text of a key is printed once, when it is made.
"""

from __future__ import annotations

from collections.abc import Sequence

import click

from muniment.cli.call import Call, all_scopes_option, read_time_option, scope_options, shared_options
from muniment.cli.documents import Document, instant, scope_document
from muniment.cli.exits import Exit
from muniment.cli.memories import Group
from muniment.cli.output import GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.views import stamp
from muniment.cli.visible import one_line
from muniment.knowledge.credentials import Credential, Permission
from muniment.types import Scope

by_option = click.option("--by", default="", metavar="NAME", help="Who does it; kept with it. With a key it is that one.")


@click.group("keys", cls=Group)
def keys() -> None:
    """Keys: each lets its holder do some things in one scope and below, and nothing elsewhere.

    A key is used with --key or MUNIMENT_KEY. Whoever can read the store's file needs none.
    """


@keys.command("create")
@click.option(
    "--may",
    "permissions",
    multiple=True,
    required=True,
    type=click.Choice([one.value for one in Permission]),
    help="What it allows; may be repeated. None includes another.",
)
@click.option("--expires", metavar="TIME", help="When it ends: 2027-01-01 or 2027-01-01T12:00+01:00; UTC without offset.")
@click.option("--note", default="", metavar="TEXT", help="What it is for; kept with the key.")
@by_option
@all_scopes_option
@scope_options
@shared_options
def create(call: Call, *, permissions: Sequence[str], expires: str | None, note: str, by: str, all_scopes: bool) -> int:
    """Make a key for a scope and all below it, and print it: it cannot be looked up again.

    In a pipe the key alone is printed.
    """
    scope = call.scope_or_all(all_scopes=all_scopes)
    until = read_time_option(expires, "--expires")
    made = call.run(
        lambda engine: engine.keys.create(scope, permissions, expires=until, by=by, note=note), create=True, embeds=False
    )
    call.screen.document({"key": key_document(made.credential), "text": made.text})
    call.screen.line((made.text, STRONG))
    call.screen.note(f"Key {made.credential.id} for {_reach(made.credential)}. Keep it now: it is shown this once.")
    return Exit.DONE


@keys.command("list")
@all_scopes_option
@scope_options
@shared_options
def list_keys(call: Call, *, all_scopes: bool) -> int:
    """List the keys for a scope and all below it, oldest first: what each allows, and whether it still holds.

    In a pipe fields are separated by tabs: id, made, how long it holds, scope, permissions, note.
    """
    scope = call.scope_or_all(all_scopes=all_scopes)
    found = call.run(lambda engine: engine.keys.list(scope), embeds=False)
    call.screen.document({"scope": _scope_document(scope), "keys": [key_document(one) for one in found]})
    for one in found:
        _show(call.screen, one)
    if not found:
        call.screen.note("No keys.", style=SOFT)
    return Exit.DONE


@keys.command("revoke")
@click.argument("key_id", metavar="ID")
@by_option
@scope_options
@shared_options
def revoke(call: Call, key_id: str, *, by: str) -> int:
    """Let a key hold no longer, in every process, from the next call on."""
    scope = call.reach
    revoked = call.run(lambda engine: engine.keys.revoke(key_id, scope=scope, by=by), embeds=False)
    call.screen.document(key_document(revoked))
    call.screen.line((one_line(revoked.id), MARK), f" holds no longer, since {stamp(revoked.revoked_at)} UTC")
    return Exit.DONE


def key_document(credential: Credential) -> Document:
    """Everything that is kept of a key, but for what proves it."""
    return {
        "id": credential.id,
        "ceiling": _scope_document(credential.ceiling),
        "permissions": list(credential.permissions),
        "created_at": instant(credential.created_at),
        "created_by": credential.created_by,
        "expires_at": instant(credential.expires_at),
        "revoked_at": instant(credential.revoked_at),
        "revoked_by": credential.revoked_by,
        "note": credential.note,
    }


def _scope_document(scope: Scope | None) -> Document | None:
    return None if scope is None else scope_document(scope)


def _show(screen: Screen, one: Credential) -> None:
    gone = one.revoked_at is not None
    until = f"revoked {stamp(one.revoked_at)}" if gone else f"until {stamp(one.expires_at)}" if one.expires_at else "holds"
    told = [one.id, stamp(one.created_at), until, _reach(one), " ".join(one.permissions), one_line(one.note)]
    if not screen.wraps:
        screen.line("\t".join(told))
        return
    screen.clipped(
        (told[0], MARK), f"  {told[1]}  ", (f"{until:<24}", WARN if gone else GOOD), "  ", *[f"{part}  " for part in told[3:]]
    )


def _reach(credential: Credential) -> str:
    return "the whole store" if credential.ceiling is None else one_line(str(credential.ceiling))
