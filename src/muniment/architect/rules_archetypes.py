"""Archetypes: known sorts of agents, and which of them a use case is about, by the words it shares with them.

Rule of this file: deterministic, and every choice can be explained by words. A word that all archetypes share tells nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

from muniment.architect.rules_default import STANDARD_KINDS
from muniment.architect.rules_read import as_error, check_node
from muniment.architect.rules_shapes import Fault, Fields, Flag, Key, Listed, Spot, Text
from muniment.architect.rules_usecase import Part, UseCase
from muniment.architect.words_usecase import EMPTY
from muniment.knowledge.architecture import Architecture, KindRule
from muniment.text.strict_yaml import compose
from muniment.text.terms import question_terms, terms

COUNTS: Final[Mapping[Part, float]] = {
    Part.OBJECTIVE: 1.5,
    Part.TASKS: 1.5,
    Part.USERS: 1.0,
    Part.RULES: 0.5,
    Part.OUTSIDE: -1.0,
}
"""What a word counts in each part of a use case. What is out of scope speaks against."""

LEAST: Final = 0.08
"""The least score of an archetype that is chosen: the share of the use case's telling words that it accounts for."""
BESIDE: Final = 0.4
"""The least share of the best score with which another archetype is chosen beside it."""
MOST_CHOSEN: Final = 3
LEAST_WORDS: Final = 3
"""The fewest words that must speak for an archetype beside the best."""
ONE_WORD: Final = 0.3
"""The least score of an archetype that one word alone speaks for."""
_SATURATION: Final = 0.8

_TITLE: Final = Key(name="title", shape=Text(most=80), about="What such an agent is called.")
_ABOUT: Final = Key(name="description", shape=Text(most=600), about="What it does.")
_EXAMPLES: Final = Key(name="examples", shape=Listed(of=Text(most=400)), about="Things it is asked to do.")
_RECORDS: Final = Key(name="records", shape=Flag(), about="Whether it must keep records: its retention is never shortened.")
_RULES: Final = Key(name="architecture", shape=Text(), about="Its memory rules, in the form of an architecture file.")
_KEYS: Final = (_TITLE, _ABOUT, _EXAMPLES, _RECORDS, _RULES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Archetype:
    """A known sort of agent. `records` says that it must keep records, so that nothing may shorten its retention."""

    name: str
    title: str
    description: str
    examples: tuple[str, ...]
    records: bool
    architecture: Architecture

    @property
    def text(self) -> str:
        """All that describes it."""
        return "\n".join((self.title, self.description, *self.examples))


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """How well an archetype fits a use case: its score, 0 to 1, and the words for and against it, the strongest first."""

    archetype: Archetype
    score: float
    words: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    chosen: bool = False


def read_archetype(name: str, text: str) -> Archetype:
    """An archetype's file. Raises FormatError with its name and line."""
    faults: list[Fault] = []
    node = compose(text, place=name)
    fields = Fields(Spot(node=node, path="", line=node.line), _KEYS, faults)
    checked = check_node(fields.spot(_RULES.name).node)
    faults += checked.faults
    if faults or checked.architecture is None:
        raise as_error(faults, name)
    return Archetype(
        name=name,
        title=fields.get(_TITLE, name),
        description=fields.get(_ABOUT, ""),
        examples=fields.get(_EXAMPLES, ()),
        records=fields.get(_RECORDS, False),
        architecture=replace(checked.architecture, kinds=tuple(map(_on_top, checked.architecture.kinds))),
    )


def _on_top(rule: KindRule) -> KindRule:
    """A standard kind with the standard cues and attributes behind its own."""
    standard = next((one for one in STANDARD_KINDS if one.name == rule.name), rule)
    return replace(
        rule,
        cues=tuple(dict.fromkeys((*rule.cues, *standard.cues))),
        functional=tuple(dict.fromkeys((*rule.functional, *standard.functional))),
    )


def fits(use_case: UseCase, archetypes: Sequence[Archetype]) -> tuple[Fit, ...]:
    """How well each archetype fits, the best first, and which are chosen."""
    known = {one.name: Counter(terms(one.text)) for one in archetypes}
    spread = Counter(term for found in known.values() for term in found)
    weights = _weights(use_case, spread, len(archetypes))
    whole = sum(weight for _, weight in weights.values() if weight > 0)
    scored = [_fit(one, known[one.name], weights, whole) for one in archetypes]
    scored.sort(key=lambda fit: (-fit.score, fit.archetype.name))
    return tuple(_chosen(scored))


def _weights(use_case: UseCase, spread: Mapping[str, int], number: int) -> dict[str, tuple[str, float]]:
    """What each known term of the use case weighs, with the word it stood for."""
    counted: dict[str, float] = {}
    words: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for line in use_case.lines:
        for word in question_terms(line.text, fall_back=False):
            form = next((form for form in word.forms if form in spread), None)
            if form is None or word.word in EMPTY:
                continue
            seen[form] += 1
            counted[form] = counted.get(form, 0.0) + COUNTS[line.part] / seen[form]
            words.setdefault(form, word.word)
    return {form: (words[form], weight * log(number / spread[form])) for form, weight in counted.items()}


def _fit(archetype: Archetype, found: Mapping[str, int], weights: Mapping[str, tuple[str, float]], whole: float) -> Fit:
    parts = {
        term: weight * found[term] / (found[term] + _SATURATION)
        for term, (_, weight) in weights.items()
        if term in found and weight
    }
    ranked = sorted(parts, key=lambda term: (-abs(parts[term]), term))
    return Fit(
        archetype=archetype,
        score=round(max(sum(parts.values()), 0.0) / whole, 4) if whole else 0.0,
        words=tuple(weights[term][0] for term in ranked if parts[term] > 0),
        against=tuple(weights[term][0] for term in ranked if parts[term] < 0),
    )


def _chosen(scored: Sequence[Fit]) -> list[Fit]:
    best = scored[0].score if scored else 0.0
    out: list[Fit] = []
    for place, fit in enumerate(scored):
        enough = fit.score >= LEAST and (len(fit.words) > 1 or fit.score >= ONE_WORD)
        beside = fit.score >= BESIDE * best and len(fit.words) >= LEAST_WORDS and place < MOST_CHOSEN
        out.append(
            Fit(
                archetype=fit.archetype,
                score=fit.score,
                words=fit.words,
                against=fit.against,
                chosen=enough and (place == 0 or beside),
            )
        )
    return out
