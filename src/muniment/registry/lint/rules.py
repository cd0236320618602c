"""The rules of lint by name, and the run over all of them.

Rules of this file: each rule lives in the file of its kind. A rule changes nothing, and every finding says where, what, and
what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from muniment.errors import InputError, shown
from muniment.registry.lint.conflicts import find_contradictions
from muniment.registry.lint.files import find_dead_paths, find_odd_seeds, find_oversized
from muniment.registry.lint.keys import find_secrets
from muniment.registry.lint.sets import find_duplicates, find_missing_requirements, find_name_clashes
from muniment.registry.lint.text import find_hidden_text, find_self_ranking, find_volatile_text
from muniment.registry.lint.values import Checked, LintFinding

RULES: Final[Mapping[str, str]] = {
    "contradiction": "two statements that cannot both be followed",
    "duplicate": "the same text twice, or nearly",
    "oversized": "more text than its reader takes or heeds",
    "volatile-text": "text that changes by itself where prompts are cached",
    "dead-path": "a reference to a file that is not there",
    "name-clash": "blocks or tools that answer to one name",
    "missing-requirement": "a block that requires another that is not there",
    "skill-spec": "a skill that is not as the Agent Skills format asks",
    "odd-seed": "something in a file that means nothing where it stands",
    "hidden-text": "characters or comments that a person does not see",
    "self-ranking": "text that claims a place or a rank for itself",
    "secret": "what looks like a key or a password",
    "unreadable": "a file that cannot be read as blocks",
}
"""Every rule and what it finds."""

_FINDERS: Final[tuple[Callable[[Checked], Iterable[LintFinding]], ...]] = (
    find_contradictions,
    find_duplicates,
    find_oversized,
    find_volatile_text,
    find_dead_paths,
    find_name_clashes,
    find_missing_requirements,
    find_odd_seeds,
    find_hidden_text,
    find_self_ranking,
    find_secrets,
)


def check_rules(names: Iterable[str]) -> None:
    """Raise InputError (rule_unknown) for a name that is no rule."""
    for name in names:
        if name not in RULES:
            raise InputError(f"there is no rule {shown(name)}.", code="rule_unknown", hint=f"There are: {', '.join(RULES)}.")


def lint(checked: Checked, *, only: Collection[str] = (), ignore: Collection[str] = ()) -> tuple[LintFinding, ...]:
    """Everything the rules find, by file and line; of the rules in `only`, or all, but for those in `ignore`.

    Raises InputError (rule_unknown) for a name that is no rule. The same input gives the same findings in the same order.
    """
    check_rules((*only, *ignore))
    wanted = {name for name in only or RULES if name not in ignore}
    order = {subject.path: number for number, subject in reversed(list(enumerate(checked.subjects)))}
    found = [finding for find in _FINDERS for finding in find(checked) if finding.rule in wanted]
    return tuple(sorted(found, key=lambda finding: (order.get(finding.place.path, -1), finding.place.line, -finding.severity)))
