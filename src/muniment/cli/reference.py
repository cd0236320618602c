"""docs/reference/cli.md, made from the commands themselves: `python -m muniment.cli.reference > docs/reference/cli.md`.

Rule of this file: what click knows is taken from click. Only the keys of the JSON documents stand here, and a test holds them to
what the commands print.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import click

from muniment.cli.exits import MEANINGS
from muniment.cli.main import Named, main

PIPE = "\\|"
SHARED = ("client", "customer", "user", "agent", "store", "key", "embedder", "reranker", "tokens", "config", "as_json", "help")

ITEM = (
    "id kind text scope speaker agent conversation trust status said_at recorded_at age score relevance channels terms evidence"
)
"""Keys that whatever is found, or looked up among memories, has first: docs/reference/formats.md says what each means."""
MEMORY = (
    f"{ITEM} subject subject_id attribute value object_id entities negated modality event valid_from valid_to retired_at "
    "replaces replaced_by links parts confidence private architecture extractor metadata expires_at held recalled recalled_at"
)

SHAPES = {
    "scope": "client customer user",
    "record": "id scope seq role kind speaker agent conversation said_at recorded_at text origin ref trust tool_calls "
    "tool_call_id metadata occurrences",
    "item": "place outcome id reason message",
    "counts": "stored merged superseded unchanged refused failed",
    "hit": f"{ITEM} passage attached tokens queries window path record superseded memories against",
    "told": f"{ITEM} valid_from valid_to replaced_by",
    "health": "searched embedder degraded notes",
    "bundle": "query scope now hits tokens confidence queries explanation health",
    "query": "query hits confidence listing",
    "listing": "items count complete selected uncertain past unread notes",
    "listed": "name memories records",
    "block": "name band fate reason tokens required score short",
    "file": "file format counts items derived notes error",
    "derived": "records stored merged superseded retracted refused parked",
    "memory": MEMORY,
    "evidence": "record start end said_at speaker words",
    "when": "since until precision words recurrence approximate",
    "entity": "id scope name kind aliases first_seen last_seen merged_into trust conversation",
    "alias": "text kind count records",
    "merge": "id kept other score why at decided undone by",
    "pair": "merge kept other",
    "decision": f"{MEMORY} by rationale alternatives depends_on outcome because_of led_to overdue records",
    "work": "record state reason attempts retry_at outcomes architecture",
    "value": "token kind value",
    "key": "id ceiling permissions created_at created_by expires_at revoked_at revoked_by note",
    "kind's sharing": "kind share default ceiling change",
    "sharing change": "scope agent kind share at by note",
    "feedback of one record": "scope record used ignored corrected at by",
    "backlog": "queued processing parked oldest last_error",
    "finding": "check ok message repaired hint",
    "lint finding": "rule severity path line block message hint other",
    "lint place": "path line text",
    "gate": "by embedder top threshold",
    "price": "first again",
    "difference": "old new unchanged unchanged_chat first_changed_byte price blocks diff",
    "side": "tokens blocks left_out prompt_hash",
    "change": "name ways old new",
    "session": "conversation scope counts sent_again",
    "learned": "derived memories entities answer",
    "experiment": "name models trials errors curves comparisons numbers findings",
    "curve": "where points total cliff",
    "point": "position passed trials rate low high",
    "share": "passed trials rate low high",
    "comparison": "where first second pairs difference low high p",
    "archetype": "name score chosen words against",
    "checked file": "file ok agent faults",
    "fault": "severity line key code message hint",
    "rule change": "path severity what old new",
    "version": "agent version client at by note yaml",
    "report": "architecture records kinds refused",
    "kind count": "kind stored merged superseded retracted examples",
    "refused": "kind reason count",
    "refused in a report": "kind reason count examples",
    "shift": "kind text before after",
    "error": "code message hint place",
}
"""Keys of the objects inside documents. Every key is always there; what is unknown is null."""

BACKLOG = "queued backlog"
AMENDED = "memory replaced again unchanged emptied"

DOCUMENTS = {
    "demo": "remembered stats learned questions walls prompt forgotten kept seconds",
    "ingest": "scope files",
    "retrieve": SHAPES["bundle"],
    "explain": "query scope now record code rank hit last explanation",
    "assemble": "scope format prompt tokens budget reserve counter exact prompt_hash blocks bundle",
    "lint": "ok files blocks counts findings",
    "compile": "format prompt tokens budget reserve counter exact prompt_hash blocks gate progressive placement steady price "
    "remarks",
    "list": "scope records cursor lost",
    "show": SHAPES["record"],
    "forget": "scopes records removed at clean notes",
    "memories list": "scope memories cursor",
    "memories show": "memory history against",
    "memories history": "id history",
    **dict.fromkeys([f"memories {name}" for name in ("add", "correct", "update", "retract", "restore")], AMENDED),
    "memories hold": SHAPES["memory"],
    "memories share": SHAPES["memory"],
    "memories unshare": "removed",
    "memories audit": "scope complete statuses kinds duplicates stale never_recalled refused",
    "entities list": "scope entities cursor",
    "entities show": "asked entity parts memories merges",
    **dict.fromkeys([f"entities {name}" for name in ("merge", "split", "undo")], "kept other merge"),
    "entities review": "scope pairs",
    "decisions list": "scope decisions",
    "decisions why": "scope question wants message searched decisions",
    "decisions precedents": "scope question wants message searched decisions",
    "decisions share": SHAPES["decision"],
    "decisions unshare": "removed",
    "work status": "backlog records refused",
    "work wait": BACKLOG,
    "work follow": "read",
    "work retry": BACKLOG,
    "work rederive": BACKLOG,
    "sweep": "scope looked_at purged faded held at clean",
    "reveal": "values",
    "keys create": "key text",
    "keys list": "scope keys",
    "keys revoke": SHAPES["key"],
    "feedback give": "scope items",
    "feedback list": "scope feedback",
    "sharing set": f"{SHAPES['sharing change']} withdrawn",
    "sharing list": "scope kinds",
    "sharing history": "scope changes",
    "stats": "scope records entries conversations scopes vectors embedder bytes oldest newest",
    "doctor": "ok findings",
    "export": "file scope records memories entities merges architectures sharing feedback blobs sealed sealed_left_out",
    "import": "file counts items notes",
    "migrate": "from to held counts items differs",
    "architect propose": "out agent by archetypes notes faults yaml",
    "architect validate": "ok files",
    "architect schema": "$schema title description type properties additionalProperties",
    "architect diff": "old new counts changes",
    "architect apply": "agent version client at by note yaml fresh rederived changes",
    "architect history": "agent versions",
    "architect rollback": "agent version client at by note yaml fresh rederived changes",
    "architect dry-run": "file proposed current changes notes",
    "probe": "out experiments files notes",
}
"""Keys of the document each command prints with --json."""

HEAD = """# The command line

<!-- Made by `python -m muniment.cli.reference > docs/reference/cli.md`; a test compares. -->

`muniment COMMAND --help` says the same in a terminal.

## Whose memory

A command that reads or writes memory wants a scope: at least one of client, customer and user. Each is looked for in this order:

1. a flag: `--user ana`
2. the environment: `MUNIMENT_USER=ana`
3. the settings file `muniment.toml` in the working folder, or the one that `--config` or `MUNIMENT_CONFIG` names: `user = "ana"`

A rung given more directly drops the narrower ones given less directly: with `user = "ana"` in the file, `--customer acme` means
the customer itself. Without a scope nothing is read or written; only `stats` and `export` can be told `--all-scopes`. See
[settings](settings.md).

With a key (`--key`, or better `MUNIMENT_KEY`) a command does what the key allows and no more, and rungs that are not given are
those of the key. See [keys](../how-to/keys.md).

A store is made by `ingest`, `import`, `memories add`, `architect apply`, `keys create` and `demo` alone. The
others end with code 3 where there is none, and say which file was looked for.

## Output

Results go to standard output; progress, the receipt beside a prompt, and errors go to standard error. At a terminal lines are
fitted to its width, and there is colour unless `NO_COLOR` is set or `TERM` is `dumb`. In a pipe there is no colour and nothing is
cut: every list prints one thing a line and `compile --explain` one block a line, fields separated by tabs, `lint` prints one
finding a line ([what it looks for](lint.md)), and `assemble` and `compile` print the prompt byte for byte. Everywhere else,
characters that would move the cursor, change colours or reorder a line are shown as escapes such as `\\u202e`.

With `--json` there is one JSON document on standard output and nothing beside it (`export` writes JSON Lines). Times are UTC. An
error is one line of JSON on standard error: `{"error": {"code": …, "message": …, "hint": …, "place": …}}`. Codes do not change;
sentences may.

## Exit codes

| code | meaning |
| --- | --- |
"""


def page() -> str:
    """The whole page."""
    return "\n".join(
        [HEAD + "\n".join(f"| {code.value} | {meaning} |" for code, meaning in MEANINGS.items()), *_commands(), *_shapes(), ""]
    )


def _commands() -> Iterator[str]:
    with click.Context(main, info_name="muniment") as top:
        yield "\n## Options that many commands share\n\n| option | meaning |\n| --- | --- |"
        yield from _rows(top, _loaded(main.commands["retrieve"]), lambda name: name in SHARED)
        yield (
            "\n`demo` knows only `--json`; `lint` and `compile` read files and no store; `doctor`, `import`, `work wait` and "
            "`work follow` take no scope. An option stands only where it does something."
        )
        for name, command in _leaves(main):
            yield f"\n## muniment {name}\n"
            with click.Context(command, info_name=name, parent=top) as context:
                yield f"`{command.get_usage(context).removeprefix('Usage: ')}`\n"
                yield re.sub(
                    r"[ \n]*\n[ \n]*(?=\S)", lambda gap: "\n\n" if gap[0].count("\n") > 1 else " ", command.help or ""
                ).strip()
            rows = list(_rows(top, command, lambda option: option not in SHARED))
            if rows:
                yield "\n| option | meaning |\n| --- | --- |"
                yield from rows
            yield f"\nJSON: {_keys(DOCUMENTS[name])}"


def _leaves(group: click.Group, before: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command that does something, with the names that lead to it."""
    for name, listed in group.commands.items():
        command = _loaded(listed)
        if isinstance(command, click.Group):
            yield from _leaves(command, f"{before}{name} ")
        else:
            yield f"{before}{name}", command


def _loaded(command: click.Command) -> click.Command:
    return command.loaded() if isinstance(command, Named) else command


def _rows(top: click.Context, command: click.Command, wanted: Callable[[str], bool]) -> Iterator[str]:
    with click.Context(command, info_name=command.name, parent=top) as context:
        for option in command.params:
            record = option.get_help_record(context)
            if isinstance(option, click.Option) and record and wanted(option.name or ""):
                yield f"| `{record[0].replace('|', PIPE)}` | {record[1]} |"


def _shapes() -> Iterator[str]:
    yield "\n## Objects in the documents\n\nEvery key is always there; what is unknown is null.\n"
    yield "| object | keys |\n| --- | --- |"
    for name, keys in SHAPES.items():
        yield f"| {name} | {_keys(keys)} |"


def _keys(keys: str) -> str:
    return ", ".join(f"`{key}`" for key in keys.split())


if __name__ == "__main__":
    click.echo(page(), nl=False)
