"""What shows only when blocks are held against each other: the same text twice, and names that clash or lead nowhere.

Rules of this file: told at the later one, once. Comparing costs what the texts have in common, not every pair of them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Final

from muniment.registry.lint.reading import passages_of, shortened
from muniment.registry.lint.values import Checked, LintFinding, Place, Severity, Subject

SHORTEST: Final = 20
"""Words from which on a passage that stands twice is worth telling."""
ALIKE: Final = 0.6
"""Share of their runs of words that two passages have in common before they are called nearly the same."""

_RUN: Final = 3
_MOST_HOLDERS: Final = 50
_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Passage:
    """A stretch of a block's text."""

    subject: Subject
    line: int
    text: str
    words: tuple[str, ...]

    @property
    def runs(self) -> frozenset[tuple[str, ...]]:
        return frozenset(self.words[at : at + _RUN] for at in range(len(self.words) - _RUN + 1))

    @property
    def place(self) -> Place:
        return self.subject.at(self.line, shortened(" ".join(self.text.split())))


def find_duplicates(checked: Checked) -> Iterator[LintFinding]:
    """Blocks and passages that are there already, word for word or nearly."""
    whole: dict[tuple[str, ...], Subject] = {}
    passages: list[_Passage] = []
    for subject in checked.subjects:
        words = _words(subject.text)
        if subject.tool is not None or not words:
            continue
        if (first := whole.setdefault(words, subject)) is not subject:
            yield _twice(
                _Passage(subject, 0, subject.text, words), _Passage(first, 0, first.text, words), "this block stands twice"
            )
            continue
        passages += (
            _Passage(subject, line, text, taken)
            for line, text in passages_of(subject.text)
            if len(taken := _words(text)) >= SHORTEST
        )
    yield from _repeated(passages)


def _repeated(passages: list[_Passage]) -> Iterator[LintFinding]:
    same: dict[tuple[str, ...], _Passage] = {}
    holders: defaultdict[Hashable, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        if (first := same.setdefault(passage.words, passage)) is not passage:
            yield _twice(passage, first, f"these {len(passage.words)} words stand twice")
            continue
        runs = passage.runs
        shared = Counter(holder for run in runs if len(holders[run]) < _MOST_HOLDERS for holder in holders[run])
        near = ((common / (len(runs | passages[holder].runs)), -holder) for holder, common in shared.most_common(_RUN))
        likeness, other = max(near, default=(0.0, 0))
        if likeness >= ALIKE:
            told = f"{likeness:.0%} of this passage stands elsewhere"
            yield _twice(passage, passages[-other], told, severity=Severity.NOTE)
        for run in runs:
            holders[run].append(number)


def _twice(here: _Passage, there: _Passage, told: str, *, severity: Severity = Severity.WARNING) -> LintFinding:
    return LintFinding(
        rule="duplicate",
        severity=severity,
        place=here.place,
        message=f'{told}: "{here.place.text}"',
        hint="Keep one: the same words cost tokens twice, and one of them will be forgotten when the other changes.",
        block=here.subject.name,
        other=there.place,
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.casefold()))


def find_name_clashes(checked: Checked) -> Iterator[LintFinding]:
    """Blocks that answer to one name: tools, seeds of one key, and names that differ in their case or their folder only."""
    tools: dict[str, Subject] = {}
    keys: dict[str, Subject] = {}
    names: dict[str, Subject] = {}
    for subject in checked.subjects:
        if subject.tool is not None:
            first = tools.setdefault(subject.tool.name.casefold(), subject)
            if first is not subject and first.tool is not None:
                same = first.tool.name == subject.tool.name
                told = f"two tools are called {subject.tool.name}" if same else f"{subject.tool.name} differs in its case only"
                yield _clash(subject, first, told, Severity.ERROR if same else Severity.WARNING)
            continue
        if subject.is_context:  # several of them are read as one text, and their blocks are never asked for by name
            continue
        key = f"{subject.namespace}.{subject.name}".casefold()
        if (first := keys.setdefault(key, subject)) is not subject:
            yield _clash(subject, first, f"two blocks are called {subject.name}", Severity.ERROR)
        elif (first := names.setdefault(subject.name.casefold(), subject)) is not subject:
            skills = subject.is_skill and first.is_skill
            told = f"{'a skill' if skills else 'a block'} of another file is called {first.name} too"
            yield _clash(subject, first, told, Severity.ERROR if skills else Severity.NOTE)


def find_missing_requirements(checked: Checked) -> Iterator[LintFinding]:
    """Names that a block requires and that nothing here is called, so that it never enters a prompt."""
    names = {subject.name for subject in checked.subjects}
    for skill in checked.subjects:  # what a skill is taken apart into has names too
        if skill.is_skill:
            names |= {f"{skill.name}.card", *(f"{skill.name}/{path}" for path in skill.resources)}
    for subject in checked.subjects:
        for name in subject.requires:
            if name not in names:
                yield LintFinding(
                    rule="missing-requirement",
                    severity=Severity.ERROR,
                    place=subject.at(),
                    message=f'{subject.name} requires "{shortened(name)}", which nothing here is called',
                    hint="Name a block that is there, or lint it together with this one: without it, this one is left out.",
                    block=subject.name,
                )


def _clash(here: Subject, there: Subject, told: str, severity: Severity) -> LintFinding:
    return LintFinding(
        rule="name-clash",
        severity=severity,
        place=here.at(),
        message=told,
        hint="Rename one of them: who asks for the name gets an error, or the other one.",
        block=here.name,
        other=there.at(0, there.name),
    )
