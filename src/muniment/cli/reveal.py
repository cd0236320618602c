"""The command `reveal`: what tokens in a record stand for. Shown to whoever may read the scope, and written nowhere."""

from __future__ import annotations

from collections.abc import Sequence

import click

from muniment.cli.call import Call, scope_options, shared_options
from muniment.cli.exits import Exit
from muniment.cli.output import MARK, WARN
from muniment.cli.visible import one_line


@click.command()
@click.argument("asked", metavar="TOKEN...", nargs=-1, required=True)
@scope_options
@shared_options
def reveal(call: Call, asked: Sequence[str]) -> int:
    """Show what tokens such as "[email:k3f9]" stand for, as far as this scope may see it.

    In a pipe fields are separated by tabs: token, kind, value.
    """
    scope = call.scope
    found = call.run(lambda engine: engine.sealed.reveal(scope, asked), embeds=False)
    call.screen.document({"values": [{"token": one.token, "kind": one.kind, "value": one.value} for one in found]})
    for one in found:
        call.screen.line((one_line(one.token), MARK), "\t", one_line(one.kind), "\t", one_line(one.value))
    if missing := len(set(asked)) - len(found):
        call.screen.note(f"{missing} of them stand for nothing that this scope may see.", style=WARN)
    return Exit.PARTLY if missing else Exit.DONE
