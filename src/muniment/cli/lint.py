"""The command `lint`: seed files read one by one, the rules run over all of them, the findings shown by file.

Rule of this file: a file that cannot be read is a finding and keeps none of the others from being looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import click

from muniment import plugins
from muniment.cli.call import Call, local_options
from muniment.cli.exits import Exit
from muniment.cli.forgiving import read_each
from muniment.cli.lint_view import LEVELS, Linted, lint_document, show_lint
from muniment.cli.seeds import check_named, is_there, none_found
from muniment.errors import SeedError
from muniment.registry.lint import Checked, LintFinding, Oddity, Place, Severity, Subject, check_rules, lint
from muniment.registry.seeds import Seed, SeedFile, parse

NEVER: Final = "never"


@click.command("lint")
@click.argument("paths", metavar="PATH...", nargs=-1)
@click.option("--rule", "only", multiple=True, metavar="RULE", help="Only this rule. May be given several times.")
@click.option("--ignore", multiple=True, metavar="RULE", help="All rules but this one. May be given several times.")
@click.option(
    "--fail-on",
    type=click.Choice((*LEVELS, NEVER)),
    default=LEVELS[0],
    show_default=True,
    help="The least finding that ends the command with code 1.",
)
@local_options
def lint_command(call: Call, paths: Sequence[str], *, only: Sequence[str], ignore: Sequence[str], fail_on: str) -> int:
    """Look for faults in seed files, skills, AGENTS.md and tool definitions.

    A PATH is a file, a folder, an archive of them, or - for standard input. Nothing is changed or fetched. In a pipe there is
    one finding a line, as FILE:LINE: SEVERITY: MESSAGE [RULE]. What each rule finds stands in docs/reference/lint.md.
    """
    check_rules((*only, *ignore))
    check_named(paths, command="lint")
    files, broken = read_each(paths)
    if not files and not broken:
        raise none_found(paths)
    counter = plugins.open_tokens(call.settings.tokens)
    subjects, damaged = _parsed(files)
    unreadable = [*map(_unreadable, broken), *damaged]
    checked = Checked(
        subjects=subjects,
        count=counter.count,
        files={file.path: file.text for file in files},
        exists=is_there(files),
    )
    findings = [*lint(checked, only=only, ignore=ignore), *(one for one in unreadable if _wanted(one.rule, only, ignore))]
    failed = any(fail_on != NEVER and finding.severity >= Severity[fail_on.upper()] for finding in findings)
    linted = Linted(findings=tuple(findings), files=len(files) + len(broken), blocks=len(subjects), failed=failed)
    call.screen.document(lint_document(linted))
    show_lint(call.screen, linted)
    return Exit.PARTLY if failed else Exit.DONE


def _wanted(rule: str, only: Sequence[str], ignore: Sequence[str]) -> bool:
    return (not only or rule in only) and rule not in ignore


def _parsed(files: Sequence[SeedFile]) -> tuple[tuple[Subject, ...], list[LintFinding]]:
    subjects: list[Subject] = []
    unreadable: list[LintFinding] = []
    for file in files:
        try:
            subjects += map(_subject, parse(file))
        except SeedError as error:
            unreadable.append(_unreadable(error))
    return tuple(subjects), unreadable


def _subject(seed: Seed) -> Subject:
    return Subject(
        name=seed.name,
        text=seed.text,
        path=seed.path,
        line=seed.line or 1,
        band=seed.band,
        description=seed.description,
        tool=seed.tool,
        namespace=seed.namespace,
        requires=seed.requires,
        resources=tuple(resource.path for resource in seed.resources),
        warnings=tuple(Oddity(code=one.code, message=one.message, line=one.line) for one in seed.warnings),
    )


def _unreadable(error: SeedError) -> LintFinding:
    path, _, line = error.place.rpartition(":")
    if not line.isdigit():
        path, line = error.place, "1"
    return LintFinding(
        rule="unreadable",
        severity=Severity.ERROR,
        place=Place(path=path, line=int(line)),
        message=error.message.rstrip("."),
        hint=error.hint,
    )
