"""Secrets that are several words, or stand in a column: seed phrases, passphrases, and tables with a column of passwords.

Rule of this file: pure and linear in a folded text. Words are a phrase only in a row without any word that joins a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from muniment.ingest.pii.rules_values import SECRET, Find, spelled
from muniment.ingest.pii.rules_words import IS, JOINING, NAMED_KEYS, PASSPHRASES, PASSWORDS, SEEDS

_LEAST_SEED, _LEAST_NAMED_SEED, _LEAST_PHRASE, _MOST = 12, 8, 4, 27
_LINK = rf"(?:\s?(?P<sign>[:=-]|\?(?=\s*\n))\s{{0,3}}|\s(?P<is>{spelled(IS)})\s?[:=]?\s{{0,2}}|\s{{1,3}})"
_SEED = re.compile(rf"(?i)(?:{spelled(SEEDS)})(?:\s(?:words?|backup))?[\"'`*]{{0,3}}{_LINK}[\"'`(]{{0,2}}")
_PHRASE = re.compile(rf"(?i)(?:{spelled(PASSPHRASES)})[\"'`*]{{0,3}}{_LINK}(?P<quote>[\"'`]?)")
_WORD = re.compile(r"(?:\d{1,2}[.)]? ?)?([a-z]{3,8})(?![\w'])")
_BETWEEN = re.compile(r"[ ,;\n\t-]{1,3}")
_ENDS = re.compile(r"[\"'`]?[.!)]?\s*(?:$|\n)|[\"'`]?[.!] ")
_QUOTED = re.compile(r"[^\"'`\n]{3,128}")
_RULE = re.compile(r"[ \t]*\|?(?:[ \t]*:?-{1,60}:?[ \t]*\|)+(?:[ \t]*:?-{1,60}:?[ \t]*)?")
_PASSWORD_COLUMNS = frozenset({*PASSWORDS, "pw", "pass"})
_KEY_COLUMNS = frozenset(NAMED_KEYS)

Judge = Callable[[str, bool], bool]
"""Whether a value is a secret: the value, and whether it stands below a word for passwords."""


def phrases(text: str, low: str) -> Iterator[Find]:
    """Seed phrases and passphrases in `text`."""
    if any(word in low for word in SEEDS):
        yield from _seeds(text)
    if any(word in low for word in PASSPHRASES):
        yield from _passphrases(text)


def _seeds(text: str) -> Iterator[Find]:
    for match in _SEED.finditer(text):
        end, words = _row(text, match.end())
        least = _LEAST_NAMED_SEED if match["sign"] else _LEAST_SEED
        if len(words) >= least:
            yield Find(kind=SECRET, start=match.end(), end=end, rule="seed")


def _passphrases(text: str) -> Iterator[Find]:
    for match in _PHRASE.finditer(text):
        start = match.end()
        if match["quote"]:
            quoted = _QUOTED.match(text, start)
            words = quoted[0].casefold().split() if quoted else []
            if quoted and len(words) > 1 and text[quoted.end() : quoted.end() + 1] == match["quote"] and _joins_none(words):
                yield Find(kind=SECRET, start=start, end=quoted.end(), rule="passphrase")
        elif match["sign"] or match["is"]:
            end, words = _row(text, start)
            told = len(words) >= _LEAST_PHRASE and not any(word.endswith(("ed", "ing", "ly")) for word in words)
            if told and _ENDS.match(text, end):
                yield Find(kind=SECRET, start=start, end=end, rule="passphrase")


def _joins_none(words: list[str]) -> bool:
    return JOINING.isdisjoint(words)


def _row(text: str, at: int) -> tuple[int, list[str]]:
    """Where a row of plain small words from `at` on ends, and the words."""
    words: list[str] = []
    end = at
    while len(words) < _MOST and (word := _WORD.match(text, at)) and word[1] not in JOINING:
        words.append(word[1])
        end = word.end()
        between = _BETWEEN.match(text, end)
        if between is None:
            break
        at = between.end()
    return end, words


def columns(text: str, is_secret: Judge) -> Iterator[Find]:
    """What stands in a column of a Markdown table that is headed by a word for a secret."""
    named: dict[int, bool] = {}
    above, at = "", 0
    for line in text.splitlines(keepends=True):
        row = line.rstrip()
        if "|" not in row:
            named = {}
        elif _RULE.fullmatch(row):
            named = _named(above)
        elif named:
            for number, (start, value) in enumerate(_cells(row)):
                if number in named and value and is_secret(value, named[number]):
                    yield Find(kind=SECRET, start=at + start, end=at + start + len(value), rule="column")
        above = row
        at += len(line)


def _named(header: str) -> dict[int, bool]:
    """The numbers of columns of secrets, and whether they are passwords."""
    names = [value.strip("*_` ").casefold() for _, value in _cells(header)]
    secret = {number: name in _PASSWORD_COLUMNS for number, name in enumerate(names)}
    return {number: strong for number, strong in secret.items() if strong or names[number] in _KEY_COLUMNS}


def _cells(row: str) -> Iterator[tuple[int, str]]:
    """The cells of a row, each with where its words begin."""
    at = len(row) - len(row.lstrip())
    at += row[at : at + 1] == "|"
    for cell in row[at:].split("|"):
        value = cell.strip().strip("`*")
        yield at + (cell.find(value) if value else 0), value
        at += len(cell) + 1
