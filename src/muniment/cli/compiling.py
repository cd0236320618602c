"""The command `compile`: seeds to a prompt, to an explanation of it, or to a comparison of two.

Rule of this file: options and what is printed where. The same files and options print the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Unpack

import click

from muniment import plugins
from muniment.cli.call import Call, local_options
from muniment.cli.compile_diff import Difference, difference_document, show_difference
from muniment.cli.compile_errors import as_options
from muniment.cli.compile_made import AUTO, GATES, Options, chosen_gate, make
from muniment.cli.compile_view import made_document, prompt_of, show_explained, show_receipt
from muniment.cli.exits import Exit
from muniment.cli.files import STDIN
from muniment.cli.seeds import check_named, files_named
from muniment.cli.visible import to_json
from muniment.errors import InputError
from muniment.registry.seeds import SeedFile
from muniment.types import Packing, Trust

FORMS: Final = ("text", "openai", "anthropic")
DEFINED: Final = (".json", ".yaml", ".yml")
TOOLS: Final = "Give MCP, OpenAI, Anthropic, JSON Schema or OpenAPI definitions."


@click.command("compile")
@click.argument("seeds", metavar="[SEEDS]...", nargs=-1)
@click.option("--task", metavar="TEXT", help="What the prompt is for: its last message, and what the gate goes by.")
@click.option("--budget", type=int, required=True, metavar="TOKENS", help="Tokens of the whole prompt, at most.")
@click.option("--reserve", type=int, default=0, metavar="TOKENS", help="Tokens of the budget to leave free for the reply.")
@click.option("--format", "form", type=click.Choice(FORMS), default=FORMS[0], show_default=True, help="The prompt's form.")
@click.option("--explain", is_flag=True, help="Instead of the prompt, show what became of every block, and why.")
@click.option("--diff", nargs=2, metavar="OLD NEW", help="Instead of the prompt, compare those of two files or folders.")
@click.option("--gate", type=click.Choice(GATES), default=AUTO, show_default=True, help="What scores blocks for the task.")
@click.option("--top", type=int, metavar="N", help="At most how many blocks pass the gate, the best. [default: 8]")
@click.option("--threshold", type=float, metavar="R", help="Least score with which a block passes the gate.")
@click.option(
    "--packing",
    type=click.Choice([packing.value for packing in Packing]),
    default=Packing.SKIP.value,
    show_default=True,
    help="Stop at the first block that does not fit, skip it, keep to a priority, or take short forms.",
)
@click.option(
    "--tools",
    multiple=True,
    metavar="FILE",
    help="Tool definitions to offer, - for standard input. May be given several times.",
)
@click.option(
    "--trust",
    type=click.Choice([trust.value for trust in Trust]),
    help="Whether SEEDS are your own words. [default: trusted, archives untrusted]",
)
@click.option(
    "--progressive/--full",
    default=None,
    help="Skills as cards, their text through the gate; or whole. [default: progressive with a task]",
)
@click.option("--place", metavar="POLICY", help="Arrange by front-load, edges, tail, echo-twice, or a measured PROFILE.json.")
@click.option("--prices", metavar="A,B,C", help="Price of a million tokens: read fresh, read from the cache, written to it.")
@click.option("--salt", default="", metavar="TEXT", help="What the markers around untrusted text are made with.")
@click.option("--embedder", metavar="NAME", help="What turns text into vectors; none for words alone. [default: auto]")
@local_options
def compile_command(
    call: Call,
    seeds: Sequence[str],
    *,
    form: str,
    explain: bool,
    diff: tuple[str, str] | None,
    tools: Sequence[str],
    trust: str | None,
    **options: Unpack[Options],
) -> int:
    """Make a prompt of seed files, within a budget.

    SEEDS are files, folders or archives: skills, AGENTS.md, block files, tool definitions. The prompt goes to standard output;
    what was left out, and why, to standard error. With a task, the texts of skills and the tools pass a gate: by words and
    meaning where an embedder is there, else by words. Nothing is sent to a model, and the same input gives the same bytes.
    With --explain and in a pipe, fields are separated by tabs: place, band, fate, tokens, score, name, reason.
    """
    if diff and (seeds or explain):
        raise InputError("--diff compares two sides and nothing else.", code="usage", hint="Leave SEEDS and --explain out.")
    counter = plugins.open_tokens(call.settings.tokens)
    read = _sides([[side] for side in diff] if diff else [seeds], tools, Trust(trust) if trust else None)
    with as_options(), chosen_gate(call.settings, options) as gate:
        made = [make(files, options, tokens=counter, gate=gate) for files in read]
    if diff:
        difference = Difference.between(*made)
        call.screen.document(difference_document(difference))
        show_difference(call.screen, difference)
        return Exit.DONE
    [prompted] = made
    prompt = prompt_of(prompted.compilation, form)
    call.screen.document(made_document(prompted, form=form, prompt=prompt))
    if explain:
        show_explained(call.screen, prompted)
        return Exit.DONE
    ascii_only = call.screen.out.ascii_only
    call.screen.verbatim(prompt if isinstance(prompt, str) else to_json(prompt, indent=2, ascii_only=ascii_only))
    show_receipt(call.screen.beside(), prompted)
    return Exit.DONE


def _sides(sides: Sequence[Sequence[str]], tools: Sequence[str], trust: Trust | None) -> list[tuple[SeedFile, ...]]:
    """The files of every side, each with the tools behind them."""
    check_named([*(path for side in sides for path in side), *tools], command="compile")
    offered = _tools(tools, trust)
    return [(*(files_named(side, command="compile", trust=trust) if side or not offered else ()), *offered) for side in sides]


def _tools(names: Sequence[str], trust: Trust | None) -> tuple[SeedFile, ...]:
    for name in names:
        if name != STDIN and not name.lower().endswith(DEFINED):
            raise InputError("tools are defined in JSON or YAML.", place=name, code="usage", hint=TOOLS)
    files = files_named(names, command="compile", trust=trust) if names else ()
    if STDIN in names and not all(file.path.lower().endswith(DEFINED) for file in files):
        raise InputError("tools on standard input are defined in JSON.", place="--tools -", code="usage", hint=TOOLS)
    return files
