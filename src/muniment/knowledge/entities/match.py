"""Matches records of fields (names, addresses, dates, numbers) that may be one thing's, learning from the records themselves.

Rule of this file: no labels and nothing about any data set. Each field is compared in a few levels of agreement, and how much a
level speaks for a match is estimated by expectation-maximisation, after Fellegi and Sunter. Values that are rare speak louder.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from muniment.errors import MissingExtra, install
from muniment.knowledge.entities.spelling import KEPT, LONGEST, words

try:
    from rapidfuzz.distance import DamerauLevenshtein, JaroWinkler
except ImportError as error:
    raise MissingExtra(
        "matching whole records needs rapidfuzz, which is not installed.", hint=f"Run: {install('records')}."
    ) from error

Row = Mapping[str, str]
Pair = tuple[int, int]
Levels = NDArray[np.int8]
Floats = NDArray[np.float64]

MISSING, APART, FAR, NEAR, SAME = range(5)
"""Levels of agreement of one field: not known in one of them, different, a little alike, nearly equal, equal."""

MOST_IN_BLOCK = 60
"""Records that share a key before the key is too common to tell anything."""

ROUNDS = 60
_LEVELS = 5
_FLOOR = 1e-4
_NEAR_NAME = 0.92
_FAR_NAME = 0.8
_RARE = 5.0
_SURE = 0.5
_LIMIT = 200.0
_MOST_STRANGE = 0.7
_NUMBER = re.compile(r"\d+")
_SHORT = 4
_KEY = 3
_LEAST_DATE = 3
_MOST_DATE = 3
_PIVOT = 50
_MONTHS = {
    name: f"{n:02}"
    for n, name in enumerate(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """What was learnt of the fields: how often each level is seen in matches and in others, and how common a match is.

    `weights[field, level]` is the logarithm (base 2) of the one over the other: bits for or against a match.
    """

    fields: tuple[str, ...]
    weights: Floats
    prior: float
    common: tuple[Mapping[str, float], ...]
    usual: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matched:
    """Pairs of places of records that are one thing's, each with its probability and the bits of each field."""

    pairs: tuple[Pair, ...]
    probabilities: tuple[float, ...]
    why: tuple[Mapping[str, float], ...]


def match(records: Sequence[Row], *, at_least: float = _SURE) -> Matched:
    """The pairs among `records` that are one thing's with a probability of `at_least`, found without labels."""
    rows = plain_rows(records)
    fields = tuple(dict.fromkeys(field for row in rows for field in row))
    return _match(rows, rows, blocks(rows, fields), fields, at_least)


def match_pairs(left: Sequence[Row], right: Sequence[Row], pairs: Sequence[Pair], *, at_least: float = _SURE) -> Matched:
    """Those of `pairs` (a place in `left`, a place in `right`) that are one thing's, found without labels."""
    fields = tuple(field for field in dict.fromkeys(f for row in left for f in row) if any(field in row for row in right))
    return _match(plain_rows(left), plain_rows(right), pairs, fields, at_least)


def _match(left: Sequence[Row], right: Sequence[Row], pairs: Sequence[Pair], fields: tuple[str, ...], at_least: float) -> Matched:
    if not pairs:
        return Matched(pairs=(), probabilities=(), why=())
    levels = compare_rows(left, right, pairs, fields)
    model = learn(left, pairs, fields, right=None if left is right else right, levels=levels)
    bits, chances = judge(model, left, right, pairs, levels=levels)
    return _chosen(pairs, bits, chances, fields, at_least)


def plain_rows(records: Sequence[Row]) -> list[Row]:
    """Rows in the form that is compared: words without case, marks and signs, dates as digits from the year down."""
    return [{field: plain(value) for field, value in row.items()} for row in records]


def plain(value: str) -> str:
    """One value in the form that is compared."""
    return _plain(value[:LONGEST])


@lru_cache(maxsize=KEPT)
def _plain(value: str) -> str:
    parts = words(value)
    if _LEAST_DATE <= len(parts) <= _MOST_DATE and (date := _date(parts)):
        return date
    return " ".join(parts)


def _date(parts: tuple[str, ...]) -> str:
    """Year, month and day as eight digits, when the parts are a date with a month's name; else ""."""
    month = next((_MONTHS[part[:3]] for part in parts if part[:3] in _MONTHS and part.isalpha()), "")
    numbers = [part for part in parts if part.isdigit()]
    if not month or len(numbers) != _LEAST_DATE - 1 or len(parts) != _LEAST_DATE:
        return ""
    day, year = sorted(numbers, key=len) if len(numbers[0]) != len(numbers[1]) else numbers
    year = year if len(year) > len("99") else ("20" if int(year) < _PIVOT else "19") + year.zfill(2)
    return f"{year}{month}{day.zfill(2)}"


def _chosen(pairs: Sequence[Pair], bits: Floats, chances: Floats, fields: Sequence[str], at_least: float) -> Matched:
    kept = np.flatnonzero(chances >= at_least)
    return Matched(
        pairs=tuple(pairs[i] for i in kept.tolist()),
        probabilities=tuple(float(chances[i]) for i in kept.tolist()),
        why=tuple({field: round(float(bits[i, n]), 2) for n, field in enumerate(fields)} for i in kept.tolist()),
    )


def blocks(tables: Sequence[Row], fields: Sequence[str]) -> list[Pair]:
    """Pairs worth comparing: those that share a telling key, made of the values of one field or the heads of two."""
    found: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(tables):
        for key in dict.fromkeys(_keys(row, fields)):
            found[key].append(place)
    pairs = {pair for places in found.values() if 1 < len(places) <= MOST_IN_BLOCK for pair in combinations(places, 2)}
    return sorted(pairs)


def _keys(row: Row, fields: Sequence[str]) -> Iterable[str]:
    heads = []
    for field in fields:
        value = row.get(field, "").replace(" ", "")
        if not value:
            continue
        if len(value) > _SHORT:
            yield f"{field}={value}"
            yield f"{field}~{sound(value)}"
        if len(value) >= _KEY:
            heads.append(f"{field}:{value[:_KEY]}{'' if value.isdigit() else len(value) // 3}")
        elif value:
            heads.append(f"{field}:{value}")
    yield from (f"{one}|{other}" for one, other in combinations(heads, 2))


def sound(value: str) -> str:
    """A name by its consonants, so that spellings that sound alike share it; digits stay."""
    return _sound(value[:LONGEST])


@lru_cache(maxsize=KEPT)
def _sound(value: str) -> str:
    head, rest = value[:1], value[1:]
    return head + "".join(dict.fromkeys(c for c in rest.translate(_SOUNDS) if c != "0"))


_SOUNDS = str.maketrans("aeiouyhwbfpvcgjkqsxzdtlmnr", "00000000bbbbccccccccttlmmr")


def compare_rows(left: Sequence[Row], right: Sequence[Row], pairs: Sequence[Pair], fields: Sequence[str]) -> Levels:
    """The level of agreement of every pair in every field; two fields whose values changed places count as nearly equal."""
    out = np.zeros((len(pairs), len(fields)), np.int8)
    if not pairs:
        return out
    first, second = np.array(pairs, np.int64).T
    values: dict[str, int] = {}
    ours, theirs = (
        [np.array([values.setdefault(row.get(field, ""), len(values)) for row in rows], np.int64)[places] for field in fields]
        for rows, places in ((left, first), (right, second))
    )
    texts = list(values)
    for place in range(len(fields)):
        met, which = np.unique(ours[place] * len(texts) + theirs[place], return_inverse=True)
        levels = [level(texts[pair // len(texts)], texts[pair % len(texts)]) for pair in met.tolist()]
        out[:, place] = np.array(levels, np.int8)[which]
    for one, other in combinations(range(len(fields)), 2):
        swapped = (ours[one] == theirs[other]) & (ours[other] == theirs[one])
        swapped &= (out[:, one] == APART) & (out[:, other] == APART)
        out[swapped, one] = out[swapped, other] = NEAR
    return out


def level(one: str, other: str) -> int:
    """How far two values of one field agree, numbers by their digits, words by their letters."""
    if not one or not other:
        return MISSING
    if one == other:
        return SAME
    if _NUMBER.fullmatch(one) and _NUMBER.fullmatch(other):
        apart = DamerauLevenshtein.distance(one, other, score_cutoff=2)
        return NEAR if apart == 1 and min(len(one), len(other)) > 1 else FAR if apart == 2 and len(one) >= _SHORT else APART  # noqa: PLR2004  two slips
    alike = JaroWinkler.similarity(one, other)
    if alike < _NEAR_NAME and (" " in one or " " in other):
        alike = max(alike, _by_words(one, other))
    return NEAR if alike >= _NEAR_NAME else FAR if alike >= _FAR_NAME else APART


def _by_words(one: str, other: str) -> float:
    """The share of the shorter text's words that the longer one has, letter for letter or nearly."""
    short, long = sorted((one.split(), other.split()), key=len)
    found = sum(max(JaroWinkler.similarity(word, w) for w in long) >= _NEAR_NAME for word in short)
    joined = JaroWinkler.similarity(one.replace(" ", ""), other.replace(" ", ""))
    return max(joined, found / max(len(short), 1) * (0.8 + 0.2 * len(short) / len(long)))


def learn(
    left: Sequence[Row],
    pairs: Sequence[Pair],
    fields: tuple[str, ...],
    *,
    right: Sequence[Row] | None = None,
    known: Sequence[bool] | None = None,
    levels: Levels | None = None,
) -> Model:
    """How much each level of each field speaks for a match, from the pairs alone, or from `known` answers where there are any.

    `left` and `right` are plain rows (`plain_rows`); `right` is `left` when records of one list are compared with each other.
    `levels` are those of `compare_rows`, reckoned anew when they are not given.
    """
    second = left if right is None else right
    levels = compare_rows(left, second, pairs, fields) if levels is None else levels
    if known is not None:
        matched, others, prior = _taught(levels, np.asarray(known, float))
    else:
        matched, others, prior = _untaught(levels, compare_rows(left, second, _strangers(len(left), len(second)), fields))
    weights = np.log2(matched / others)
    weights[:, MISSING] = 0.0
    common = tuple(_frequencies((*left, *(right or ())), field) for field in fields)
    usual = tuple(float(sum(share * share for share in c.values())) or 1.0 for c in common)
    return Model(fields=fields, weights=weights, prior=prior, common=common, usual=usual)


def _taught(levels: Levels, known: Floats) -> tuple[Floats, Floats, float]:
    return _shares(levels, known), _shares(levels, 1 - known), float(np.clip(known.mean(), _FLOOR, 1 - _FLOOR))


def _untaught(levels: Levels, strangers: Levels) -> tuple[Floats, Floats, float]:
    """Expectation-maximisation, started from the pairs that agree more than strangers ever do."""
    agreement, strange = _agreement(levels), _agreement(strangers)
    start = float(np.clip(np.quantile(strange, 0.99) if len(strange) else 0.0, 0.5, _MOST_STRANGE))
    chances = np.clip((agreement - start) / max(1 - start, _FLOOR), 0.01, 0.99)
    matched = others = _shares(levels, np.ones(len(levels)))
    prior = 0.1
    for _ in range(ROUNDS):
        matched, others, prior = _taught(levels, chances)
        score = _bits(levels, np.log2(matched / others)).sum(1) + np.log2(prior / (1 - prior))
        fresh = 1 / (1 + np.exp2(-np.clip(score, -_LIMIT, _LIMIT)))
        if np.abs(fresh - chances).max(initial=0.0) < _FLOOR:
            break
        chances = fresh
    return matched, others, prior


def _agreement(levels: Levels) -> Floats:
    """How much of a pair agrees, from 0 to 1, whatever the fields."""
    return np.asarray(np.where(levels == MISSING, 0.5, (levels - APART) / (SAME - APART)).mean(1))


def _shares(levels: Levels, weight: Floats) -> Floats:
    """By field, how often each level is seen, by weight."""
    out = np.stack([np.bincount(column, weight, _LEVELS) for column in levels.T]) + 0.1
    out[:, MISSING] = 0.0
    shares = out / out.sum(1, keepdims=True)
    shares[:, MISSING] = 1.0
    floored: Floats = np.maximum(shares, _FLOOR)
    return floored


def _strangers(left: int, right: int, count: int = 4000) -> list[Pair]:
    """Pairs spread evenly over the records, by fixed steps: what records that have nothing to do with each other look like."""
    step = max(1, right // 3)
    return [
        (n % left, (n * 7 + step + n // left) % right) for n in range(count) if (n % left) != (n * 7 + step + n // left) % right
    ]


def _frequencies(tables: Sequence[Row], field: str) -> Mapping[str, float]:
    values = Counter(value for row in tables if (value := row.get(field, "")))
    total = sum(values.values()) or 1
    return {value: count / total for value, count in values.items()}


def _bits(levels: Levels, weights: Floats) -> Floats:
    bits: Floats = weights[np.arange(weights.shape[0])[None, :], levels]
    return bits


def judge(
    model: Model, left: Sequence[Row], right: Sequence[Row], pairs: Sequence[Pair], *, levels: Levels | None = None
) -> tuple[Floats, Floats]:
    """Bits of each field of each pair, and the probability that the pair is one thing's."""
    levels = compare_rows(left, right, pairs, model.fields) if levels is None else levels
    bits = _bits(levels, model.weights).copy()
    for place, field in enumerate(model.fields):
        common, usual = model.common[place], model.usual[place]
        for number in np.flatnonzero(levels[:, place] == SAME).tolist():
            share = common.get(left[pairs[number][0]][field], usual)
            bits[number, place] += float(np.clip(np.log2(usual / max(share, 1e-9)), -_RARE, _RARE)) / 2
    score = bits.sum(1) + np.log2(model.prior / (1 - model.prior))
    return bits, 1 / (1 + np.exp2(-np.clip(score, -_LIMIT, _LIMIT)))
