"""Clauses as they are meant: "not X but Y" says Y, "neither X nor Y" denies both, "X, no wait, Y" says Y, "nobody" is no one.

Rule of this file: pure; the words of a statement stay as they were said, only what fills slots is put right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from muniment.ingest.extract.rules_facts_clauses import Clause, Person

_I: Final = re.IGNORECASE
_NO_ONE: Final = re.compile(r"(?:none|nobody|no one|no-one|neither|nothing|no|few|hardly any\w*)\b(?! of (?:us|them|you)\b)", _I)
_OF_MINE: Final = re.compile(r"(?:none|neither|few) of (?:my|our)\b", _I)
_PREPOSITION: Final = re.compile(r"(?:at|in|on|for|to|with|as|from|near)\b ?", _I)
_BUT: Final = re.compile(
    r"(?P<old>[^,;.!?]{1,60}?),? but (?:rather |instead |actually )?(?P<new>(?!i\b|we\b|not\b|it\b|only\b)\S.*)", _I
)
_RATHER: Final = re.compile(
    r"(?P<old>[^,;.!?]{1,60}?)(?:,| -+|\.\.\.)? (?:no,? wait|wait,? no|oh no|scratch that|i mean|or rather|sorry|make that)[, ]+"
    r"(?:i mean )?(?P<new>\S.*)",
    _I,
)
_NEITHER: Final = re.compile(
    r"(?P<pre>(?:at |in |on |for |to |with )?)neither (?P<a>[^,;.!?]{1,40}?),? nor (?P<b>[^,;.!?]{1,40})", _I
)


def meant(clause: Clause) -> Iterator[Clause]:
    """What `clause` comes to; nothing for a clause about nobody, two clauses for "neither … nor"."""
    said = clause.predicate
    if clause.person is not Person.SELF and _NO_ONE.match(clause.subject) and not _OF_MINE.match(clause.subject):
        return
    if found := _RATHER.match(said.rest):
        yield replace(clause, predicate=replace(said, rest=_with_preposition(found["old"], found["new"])))
    elif (found := _NEITHER.match(said.rest)) and not said.negated:
        for one, other in (("a", "b"), ("b", "a")):
            rest = found["pre"] + found[one]
            after = f"{clause.after[: said.start]}{found['pre']}neither {found[one]} nor {found[other]}"
            yield replace(clause, after=after, predicate=replace(said, rest=rest, negated=True))
    elif said.negated and (found := _BUT.match(said.rest)) and _names(found["new"]):
        yield replace(clause, predicate=replace(said, rest=_with_preposition(found["old"], found["new"]), negated=False))
    else:
        yield clause


def of_none(clause: Clause) -> bool:
    """True for "none of my kids …": what is said of them holds of none."""
    return _OF_MINE.match(clause.subject) is not None


def _names(new: str) -> bool:
    return _PREPOSITION.match(new) is not None or new[:1].isupper() or new[:1].isdigit()


def _with_preposition(old: str, new: str) -> str:
    found = _PREPOSITION.match(old)
    return found[0] + new if found and not _PREPOSITION.match(new) else new
