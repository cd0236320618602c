"""A cascade of rules over classes of tokens: each rule finds its pattern and puts one token in the place of those it read.

Rule of this file: one pass per rule from left to right, in the order the rules are given, so that the work grows with the text
and no further. A pattern is a regular expression whose letters are classes in braces: `{month} {number}`; a space means
nothing. It is compiled when a text first has what it needs: there are hundreds, and most programs meet few.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import count, pairwise

from muniment.text.times.readings import Token

_FIRST_LETTER = 0xE000
_letters: dict[str, str] = {}
_places = count(_FIRST_LETTER)
_CLASS = re.compile(r"\{(\^?)([a-z][a-z0-9_| ]*)\}")


def letter(name: str) -> str:
    """The one letter that stands for a class of tokens in patterns."""
    return _letters.get(name) or _letters.setdefault(name, chr(next(_places)))


def pattern(text: str) -> re.Pattern[str]:
    """A pattern over classes as a regular expression over their letters."""
    return re.compile(
        _CLASS.sub(lambda m: f"[{m[1]}{''.join(letter(n.strip()) for n in m[2].split('|'))}]", text.replace(" ", ""))
    )


@dataclass(frozen=True, slots=True)
class Found:
    """What a pattern matched: its tokens, the groups by name, the text, and the local time it is read at."""

    match: re.Match[str]
    tokens: Sequence[Token]
    text: str
    now: datetime

    def _span(self, group: str | int) -> tuple[int, int]:
        """Where a group stands; nowhere when the pattern has no such group."""
        return self.match.span(group) if group == 0 or group in self.match.re.groupindex else (-1, -1)

    def token(self, group: str) -> Token | None:
        """The first token of a group, or None when it matched nothing."""
        at, end = self._span(group)
        return self.tokens[at] if 0 <= at < end else None

    def all(self, group: str | int) -> Sequence[Token]:
        """Every token of a group."""
        at, end = self._span(group)
        return self.tokens[at:end] if at >= 0 else ()

    def has(self, group: str) -> bool:
        """Whether a group matched anything."""
        at, end = self._span(group)
        return 0 <= at < end

    def name(self, group: str) -> str:
        """The class of a group's first token, or nothing."""
        token = self.token(group)
        return token.name if token else ""

    def glued(self, group: str | int = 0) -> bool:
        """Whether a group's tokens follow one another without a space."""
        tokens = self.all(group)
        return all(a.end == b.start for a, b in pairwise(tokens))

    def before(self) -> Token | None:
        """The token in front of the match."""
        at = self.match.start()
        return self.tokens[at - 1] if at else None

    def after(self) -> Token | None:
        """The token behind the match."""
        at = self.match.end()
        return self.tokens[at] if at < len(self.tokens) else None


Build = Callable[[Found], "tuple[str, object] | None"]
"""Gives the class and the reading of what was found, or None to leave it as it was."""


@dataclass(frozen=True)
class Rule:
    """A pattern and what it becomes."""

    text: str
    build: Build

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern over the letters of classes."""
        return pattern(self.text)

    @cached_property
    def needs(self) -> int:
        """Classes, as bits, one of which must be there for it to match; 0 says nothing."""
        return _bits(map(letter, needed(self.text)))


class Cascade:
    """Rules in their order."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []

    def rule(self, *texts: str) -> Callable[[Build], Build]:
        """Add a rule for each pattern, in order, all built by the decorated function."""

        def add(build: Build) -> Build:
            self.rules.extend(Rule(text, build) for text in texts)
            return build

        return add


def run(rules: Iterable[Rule], tokens: list[Token], text: str, now: datetime) -> list[Token]:
    """The tokens after every rule, each tried where a class it cannot do without is there."""
    letters = "".join(letter(token.name) for token in tokens)
    there = _bits(letters)
    for rule in rules:
        if (there & rule.needs or not rule.needs) and rule.pattern.search(letters):
            tokens, letters = _apply(rule, tokens, letters, text=text, now=now)
            there = _bits(letters)
    return tokens


def _bits(letters: Iterable[str]) -> int:
    bits = 0
    for one in set(letters):
        bits |= 1 << (ord(one) - _FIRST_LETTER)
    return bits


_PIECE = re.compile(r"\{\^?[a-z][a-z0-9_|]*\}|\((?:\?(?:P<\w+>|:|<?[=!]))?|.")
_MAY_LACK = re.compile(r"[?*]|\{0?,")
_EVERYWHERE = frozenset({"other", "comma", "dot", "of", "in", "to", "and", "article", "quote", "mark", "dash", "at", "for", "on"})


def needed(text: str) -> frozenset[str]:
    """Classes of which every match of a pattern holds at least one; none when nothing can be said."""
    text = text.replace(" ", "")
    opened = ["("]
    parts: list[list[frozenset[str]]] = [[frozenset()]]
    for found in _PIECE.finditer(text):
        piece = found[0]
        if piece == "|":
            parts[-1].append(frozenset())
        elif piece[0] == "(":
            opened.append(piece)
            parts.append([frozenset()])
        elif piece == ")" or (piece[0] == "{" and piece[1:2].islower()):
            held = _either(parts.pop()) if piece == ")" else frozenset(piece[1:-1].split("|"))
            around = piece == ")" and opened.pop()[-1] in "=!"
            if not around and not _MAY_LACK.match(text, found.end()):
                parts[-1][-1] = _rarer(parts[-1][-1], held)
    return _either(parts[0])


def _either(parts: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*parts) if all(parts) else frozenset()


def _rarer(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Of two sets of classes the one that is told more seldom."""
    return min((held for held in (one, other) if held), key=lambda held: (len(held & _EVERYWHERE), len(held)), default=one)


def _apply(rule: Rule, tokens: list[Token], letters: str, *, text: str, now: datetime) -> tuple[list[Token], str]:
    out: list[Token] = []
    names: list[str] = []
    done = 0
    for match in rule.pattern.finditer(letters):
        start, end = match.span()
        if start == end:
            continue
        built = _built(rule.build, Found(match, tokens, text, now))
        if built is None:
            continue
        name, reading = built
        out += tokens[done:start]
        names.append(letters[done:start])
        first, last = tokens[start].start, tokens[end - 1].end
        out.append(Token(name, first, last, text[first:last], reading))
        names.append(letter(name))
        done = end
    out += tokens[done:]
    names.append(letters[done:])
    return out, "".join(names)


def _built(build: Build, found: Found) -> tuple[str, object] | None:
    try:
        built = build(found)
        return None if built is None or getattr(built[1], "options", None) == () else built
    except (OverflowError, ValueError):
        return None  # no such day, or outside the years a calendar tells
