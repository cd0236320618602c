"""Names in a text, without a model: by their letters, by the words around them, and by small open tables.

Rule of this file: pure, one pass over the words, linear in the text. A word that starts a sentence is a name only if something
besides its capital letter says so.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from muniment.ingest.extract import words_names as tables
from muniment.ingest.extract.words_emphasis import EMPHASISED
from muniment.knowledge.entities.given import FEMALE, MALE, is_given
from muniment.knowledge.entities.spelling import forms
from muniment.knowledge.entities.words import AMBIGUOUS_TITLES, GENERATIONS, LEGAL_FORMS, ORGANISATION_WORDS, TITLES
from muniment.knowledge.values import Mention
from muniment.text.languages import FUNCTION_WORDS

ELSEWHERE = frozenset(w for words in FUNCTION_WORDS.values() for w in words if not is_given(w)) | tables.OPENERS_ELSEWHERE
"""Words of other languages than English that are no names where they start a sentence."""

LONGEST_NAME = 8
"""Words of the longest name."""
MOST = 500
"""Names found in one text; a longer list is no talk."""

_EXACT = re.compile(
    r"""
    (?P<url>\b(?:https?://|www\.)[^\s<>"'()\[\]{}]{1,500}[^\s<>"'()\[\]{}.,;:!?])
  | (?P<email>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}(?!\w))
  | (?P<package>(?<![\w@])@[a-z0-9][a-z0-9._-]{0,60}/[a-z0-9](?:[a-z0-9._-]{0,60}[a-z0-9])?(?!\w))
  | (?P<handle>(?<![\w@./])@[A-Za-z_][\w.]{0,38}\w(?![\w@]))
  | (?P<phone>(?<![\w.+-])(?:\+|00)?\(?\d{1,4}\)?(?:[ \-./]?\(?\d{2,5}\)?){2,5}(?![\w-]))
  | (?P<number>(?<![\w\#])\#\d{3,12}(?![\w-]))
  | (?P<code>(?<![\w@#.-])\#?(?=[A-Za-z0-9_-]{0,30}\d)[A-Za-z][A-Za-z0-9]{0,20}(?:[-_][A-Za-z0-9]{1,14}){0,5}(?![\w/-]))
    """,
    re.VERBOSE,
)
_SUSPECT = re.compile(r"[@\d]|://|www\.")
_TOKEN = re.compile(
    r"(?:[^\W\d_]\.){2,10}|[^\W_][\w\u0300-\u036f]*(?:[-'\u2019][^\W_][\w\u0300-\u036f]*)*"  # a letter may bear marks of its own
    r"|[.!?\n:;\u3002\uff01\uff1f\u2026]+|[^\w\s]"
)
_ENDS = frozenset(".!?\n:;\u3002\uff01\uff1f\u2026")
_BULLETS = frozenset("-*\u2022\"'\u201c\u201e\u2018(\u00bf\u00a1>#")
_QUOTED = re.compile(r"[\"\u201c]([^\"\u201c\u201d\n]{2,60})[\"\u201d]")
_BRACKETED = re.compile(r"\(((?:[A-Z]\.?){2,7})\)")
_ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s|am|pm|k|m|g|gb|mb|kg|km|h|hr|hrs|min|mins|x|d|e)", re.IGNORECASE)
_UNIT_WORD = re.compile(r"(?:q[1-4]|h[12]|w\d{1,2}|v\d{1,2}|t\d|p\d)", re.IGNORECASE)
_LEAST_MIXED = 3
_MOST_JOINERS = 3
_LONGEST_VERSION = 2
_NEAR = 30
_VOCATIVE = 2
_PERSON_SIZES = (2, 3)
_ROLE_REACH = 5
_LEAST_SMALL = 4
_LEAST_HEADLINE = 5
_LONGEST_ACRONYM = 5
_LEAST_PHONE = 7
_MOST_PHONE = 15
_DATE = re.compile(r"(?:\d{4}[-./]\d{1,2}[-./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|[\d ,.]+)")
_JAPANESE = re.compile(
    r"([\u4e00-\u9fff\u30a0-\u30ff\u3041-\u3096]{1,8}?)(?:\u3055\u3093|\u69d8|\u3055\u307e|\u304f\u3093|\u3061\u3083\u3093|\u6c0f)"
)
_KANJI_TAIL = re.compile(r"(?:[\u4e00-\u9fff]{1,4}|[\u30a0-\u30ff]{2,8})$")
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]{2,10}(?:\u30fb[\u30a1-\u30fa\u30fc]{2,10}){1,3}")
_CHINESE = re.compile(
    f"(?:(?<=\u6211\u53eb)|(?<=\u540d\u53eb)|(?<=\u53eb\u505a)|(?<=\u548c)|(?<=\u8ddf)|^|(?<=[\u3002\uff0c\uff01\uff1f\\s]))"
    f"([{tables.FAMILY_NAMES_CHINESE}][\u4e00-\u9fff]{{1,2}}?)"
    "(?=\u8bf4|\u544a\u8bc9|\u5728|\u662f|\u559c\u6b22|\u4f4f|\u60f3|\u7684|\uff0c|\u3002|\u5148\u751f|\u5973\u58eb|\u8001\u5e08|$)"
)
_KOREAN = re.compile("([\uac00-\ud7a3]{2,4}?)(?: ?(?:\uc528|\ub2d8|\uc120\uc0dd\ub2d8))(?![\uac00-\ud7a3]{3})")
_ARABIC = re.compile(
    f"(?:{'|'.join(tables.ARABIC_CUES)})\\s+([\u0621-\u064a\u064b-\u0652]{{2,15}}(?:\\s+[\u0621-\u064a]{{3,15}})?)"
)
_OTHER_SCRIPT = re.compile("[\u0600-\u06ff\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7a3]")


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    low: str
    capital: bool
    first: bool


@dataclass(frozen=True, slots=True)
class _Style:
    """How a text is written: shouted or as a headline (capitals say nothing), all small, or in German (nouns have capitals)."""

    shouted: bool
    small: bool
    german: bool
    seen_small: frozenset[str]
    seen_inside: frozenset[str]
    """Words with a capital inside a sentence, which are names where they open one as well."""


def mentions(text: str) -> tuple[Mention, ...]:
    """The names in `text`, in order, not overlapping: persons, organisations, places, products, works, and all that is exact.

    `kind` is person, organisation, place, product, group, work, code, email, handle, phone, url, or "" where nothing tells.
    """
    taken = list(_exact(text)) if _SUSPECT.search(text) else []
    found = [*taken]
    if not text.isascii() and _OTHER_SCRIPT.search(text):
        found += _free(_other_scripts(text), found)
    words = list(_words(text, taken))
    if words:
        found += _free(_works(text, words), found)
        found += _free(_runs(text, words), found)
    return tuple(sorted(found, key=lambda m: m.start)[:MOST])


def _free(new: Iterator[Mention], found: Sequence[Mention]) -> list[Mention]:
    """Those of `new` that do not overlap what was found before."""
    if not found:
        return list(new)
    spans = sorted((m.start, m.end) for m in found)
    starts = [start for start, _ in spans]

    def is_free(one: Mention) -> bool:
        place = bisect_left(starts, one.end)
        return place == 0 or spans[place - 1][1] <= one.start

    return [one for one in new if is_free(one)]


def _exact(text: str) -> Iterator[Mention]:
    for match in _EXACT.finditer(text):
        kind, value = str(match.lastgroup), match[0]
        if kind in ("package", "number"):
            kind = "code"
        elif kind == "phone":
            count = sum(c.isdigit() for c in value)
            if not _LEAST_PHONE <= count <= _MOST_PHONE or _DATE.fullmatch(value):
                continue
        elif kind == "code" and not _is_code(value):
            continue
        yield Mention(text=value, start=match.start(), end=match.end(), kind=kind)


def _is_code(value: str) -> bool:
    """True for what mixes letters and digits and is no measure, ordinal, quarter or word with a year."""
    digits = sum(c.isdigit() for c in value)
    letters = sum(c.isalpha() for c in value)
    if not digits or not letters or _UNIT_WORD.fullmatch(value) or value.casefold().rstrip("0123456789") in {"covid-", "covid"}:
        return False
    head = value.rstrip("0123456789").rstrip("-_")
    if digits == 1 and "-" not in value and not value.isupper():
        return False
    return value.startswith("#") or not head.isalpha() or head.isupper() or (not head.istitle() and digits > 1 and "-" in value)


def _words(text: str, taken: Sequence[Mention]) -> Iterator[_Word]:
    """The words and signs of `text` outside of what is taken; `first` marks those that start a sentence."""
    first, before, skip = True, "", iter(taken)
    hidden = next(skip, None)
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        while hidden is not None and hidden.end <= start:
            hidden = next(skip, None)
        if hidden is not None and start >= hidden.start:
            first = False
            continue
        token = match[0]
        if token[0].isalnum():
            capital = token[0].isupper() or (len(token) > _LEAST_MIXED and token[1].isupper() and token[2].islower())
            before = token.lower().replace("\u2019", "'")
            yield _Word(token, start, end, before, capital, first)
            first = False
        else:
            yield _Word(token, start, end, token, capital=False, first=first)
            dotted = match[0] == "." and (before in TITLES or (len(before) == 1 and before != "i"))
            first = (first and token in _BULLETS) or (token[-1] in _ENDS and not dotted)


def _style(words: Sequence[_Word]) -> _Style:
    letters = [w for w in words if w.text[0].isalpha()]
    capitals = sum(w.capital for w in letters)
    shouted = letters[2:] != [] and sum(len(w.text) > 1 and w.text.isupper() for w in letters) * 2 > len(letters)
    plain = sum(w.capital and not w.first and w.low in tables.COMMON for w in letters)
    headline = len(letters) > _LEAST_HEADLINE and capitals * 10 > len(letters) * 7 and plain > 1
    german = len({w.low for w in letters} & tables.GERMAN) > 1
    seen = frozenset(w.low for w in letters if not w.capital)
    inside = {w.low.removesuffix("'s") for w in letters if w.capital and not w.first and w.low not in tables.COMMON} - seen
    return _Style(shouted or headline, capitals == 0, german, seen, frozenset(inside))


def _runs(text: str, words: Sequence[_Word]) -> Iterator[Mention]:
    """Stretches of words that name something."""
    style = _style(words)
    place = 0
    while place < len(words):
        word = words[place]
        if not word.capital:
            if (kind := _kind_of_small(word.low.removesuffix("'s"))) and not _marked(words, place):
                yield _mention(text, words, place, place + 1, kind)
            place += 1
            continue
        end = _run_end(text, words, place)
        yield from _of_run(text, words, place, end, style)
        place = end


def _kind_of_small(low: str) -> str:
    """The kind of a name that is one in small letters too, or ""."""
    if low in tables.ALSO_WORDS or len(low) < _LEAST_SMALL:
        return ""
    if low in tables.PLACES:
        return "place"
    return "person" if low in MALE or low in FEMALE else ""


def _marked(words: Sequence[_Word], place: int) -> bool:
    """True behind the sign of a tag."""
    return place > 0 and words[place - 1].text == "#"


def _run_end(text: str, words: Sequence[_Word], start: int) -> int:
    """The place behind the last word of the run of capital words that starts here."""
    end = start + 1
    while end < len(words) and end - start < LONGEST_NAME:
        word, before = words[end], words[end - 1]
        gap = text[before.end : word.start]
        if before.text.endswith(("'s", "\u2019s", "s'", "s\u2019")) and word.capital:
            break
        if gap not in ("", " ") or (gap == "" and word.text != "."):
            break
        dotted = word.text == "." and (before.low in TITLES or len(before.text) == 1) and _next_capital(words, end)
        if word.capital or dotted:
            end += 1
        elif word.low in tables.JOINERS:
            after = end + 1
            while after < len(words) and words[after].low in tables.JOINERS and after - end < _MOST_JOINERS:
                after += 1
            if after < len(words) and words[after].capital and _joins(words, start, end):
                end = after + 1
            else:
                break
        elif before.capital and word.text.isdigit() and len(word.text) <= _LONGEST_VERSION and not before.low.endswith("."):
            return end + 1 if before.low not in tables.COMMON else end
        else:
            break
    return end


def _next_capital(words: Sequence[_Word], place: int) -> bool:
    return place + 1 < len(words) and words[place + 1].capital


def _joins(words: Sequence[_Word], start: int, joiner: int) -> bool:
    """True when a small word may stand inside this name: "University of Oxford" but not "Ben of Oxford"."""
    low, before = words[joiner].low, words[joiner - 1].low
    if before in tables.COMMON and start == joiner - 1:
        return False
    if low in ("and", "&") and joiner == start + 1 and is_given(before):
        after = words[joiner + 1]
        return not is_given(after.low) or after.low.endswith("'s")
    if low == "of":
        return before in ORGANISATION_WORDS or before in tables.PLACE_TAILS or not is_given(before)
    return low != "the"


def _of_run(text: str, words: Sequence[_Word], start: int, end: int, style: _Style) -> Iterator[Mention]:
    """The names in a run of capital words: common words taken off its ends, parted where it holds two."""
    whole = end - start > 1 and words[end - 1].low in ORGANISATION_WORDS | tables.PLACE_TAILS
    if _marked(words, start):
        start += 1
    while start < end and _is_common(words[start], style, alone=end - start == 1):
        if _initial(words, start, end):
            break
        if (whole and words[start].low not in tables.OPENERS) or _titles(words, start, end):
            break
        if words[start].low in tables.DIRECTIONS and end - start > 1 and words[start + 1].low in tables.PLACES:
            break
        start += 1
    while end > start and (_is_common(words[end - 1], style, alone=False) or not words[end - 1].text[0].isalnum()):
        end -= 1
    vocative = end - start == _VOCATIVE and words[start].first and _is_given(words[end - 1].low)
    if vocative and not _named_already(words[start]) and not _person_after(words, end):
        start += 1
    if start >= end or end - start > LONGEST_NAME:
        return
    kind = _kind(words, start, end)
    if _enough(words, start, end, kind=kind, style=style):
        yield _mention(text, words, start, end, kind)


def _initial(words: Sequence[_Word], start: int, end: int) -> bool:
    """True for the "S." of "S. Chen"."""
    return end - start > _VOCATIVE and len(words[start].text) == 1 and words[start + 1].text == "."


def _titles(words: Sequence[_Word], start: int, end: int) -> bool:
    """True when a title stands here in front of a name."""
    return (
        end - start > 1
        and words[start].low in TITLES
        and (words[start + 1].text == "." or words[start].low not in AMBIGUOUS_TITLES)
    )


def _is_common(word: _Word, style: _Style, *, alone: bool) -> bool:
    low = word.low.removesuffix("'s")
    if low in tables.COMMON and not (alone and low in tables.ORGANISATIONS and word.text.isupper() and not style.shouted):
        return True
    if not word.first:
        return False
    return low in style.seen_small or low in ELSEWHERE or (low.endswith(("ing", "ly")) and not _is_given(low))


def _is_given(low: str) -> bool:
    """True for a given name of the table, in any script that is carried over letter by letter."""
    return is_given(low) or (not low.isascii() and any(is_given(form) for form in forms(low)))


def _named_already(word: _Word) -> bool:
    """True when the word in front of a given name may be one itself, or a title: not the "Wow" of "Wow Ana"."""
    low = word.low.removesuffix("'s")
    return _is_given(low) or low in TITLES or low in tables.PLACE_HEADS or len(low) == 1 or word.text.isupper()


def _enough(words: Sequence[_Word], start: int, end: int, *, kind: str, style: _Style) -> bool:
    """True when a run is a name, by more than a capital where a capital says little."""
    lows = [w.low.removesuffix("'s") for w in words[start:end]]
    if len(lows) > _VOCATIVE and all(len(low) == 1 for low in lows) and "." not in lows:
        return False  # letters spaced for weight
    if kind in ("organisation", "place", "product", "work") or _titles(words, start, end):
        return True
    known = any(_is_given(low) or low in tables.PLACES or low in tables.ORGANISATIONS for low in lows)
    if style.shouted:
        return known
    if style.german and end - start == 1:
        return known or (kind == "person" and words[start].first is False and words[start - 1].low in TITLES)
    return end - start > 1 or known or _alone_enough(words, end, kind, style)


def _alone_enough(words: Sequence[_Word], end: int, kind: str, style: _Style) -> bool:
    """True when one unknown word with a capital is a name: no plain word of weight; where it opens, a verb of persons follows."""
    word = words[end - 1]
    low = word.low.removesuffix("'s")
    if len(word.text) == 1 or word.low in TITLES or (word.text.isupper() and len(word.text) > _LONGEST_ACRONYM):
        return False
    if not word.first:
        told = kind or _before(words, end - 1) in tables.NAMING | tables.ANIMALS
        return bool(told) or (low not in EMPHASISED and not low.endswith(tables.ABSTRACT))
    if low in style.seen_inside and low not in EMPHASISED:
        return True
    return (kind == "person" or _person_after(words, end)) and low not in tables.NOUNS and not low.endswith(tables.NOUN_ENDINGS)


def _kind(words: Sequence[_Word], start: int, end: int) -> str:  # noqa: PLR0911  # one line per reason, in their order
    """What a run of words is likely to name."""
    lows = [w.low.removesuffix("'s").rstrip(".") for w in words[start:end] if w.text != "."]
    before = _before(words, start)
    head, tail = lows[0], lows[-1]
    if head in TITLES and len(lows) > 1 and (head not in AMBIGUOUS_TITLES or words[start + 1].text == "."):
        return "person"
    if (tail in LEGAL_FORMS and len(lows) > 1) or any(low in ORGANISATION_WORDS for low in lows[-1:] + lows[:1] if len(lows) > 1):
        return "organisation"
    whole = " ".join(lows)
    if whole in tables.ORGANISATIONS and words[start].text[0].isupper():
        return "organisation"
    if head in tables.PRODUCTS or (
        len(lows) == 1 and any(c.isupper() for c in words[start].text[1:]) and _mixed(words[start].text)
    ):
        return "product"
    if len(lows) > 1 and (tail in tables.PLACE_TAILS or lows[0] in tables.PLACE_HEADS or "cliffs" in lows[:1]):
        return "person" if tail in tables.PLACE_SURNAMES and _is_person_here(words, start, end) else "place"
    if _is_given(head) and not (len(lows) == 1 and head in tables.PLACES):
        return "person"
    whole_place = whole in tables.PLACES or tail in tables.PLACES
    if whole_place and not (_is_given(head) and before not in tables.PLACE_CUES):
        return "place"
    if whole_place:
        return _kind_of_either(words, start, end)
    return _kind_by_place(words, start, end)


def _kind_of_either(words: Sequence[_Word], start: int, end: int) -> str:
    """The kind of a word that is a given name and a place: "Virginia". Nothing where neither reading has a reason."""
    return "person" if _person_cued(words, start) or _acts(words, end) or _in_role(words, end) else ""


def _is_person_here(words: Sequence[_Word], start: int, end: int) -> bool:
    """True for "Ana Park" or "met Joscelin Hall": a surname that ends places as well, and nothing that speaks of a place."""
    if end - start > _PERSON_SIZES[1] or _before(words, start) in tables.PLACE_CUES | {"at", "the"}:
        return False
    given = _is_given(words[start].low.rstrip("."))
    return given or _person_cued(words, start) or _acts(words, end) or _in_role(words, end)


def _person_cued(words: Sequence[_Word], start: int) -> bool:
    """True when the words in front speak of a person: "my boss", "I met", "Hi", "lunch with", "Ana and"."""
    before, second = _before(words, start), words[start - 2] if start > 1 else None
    if before in tables.NAMING and second is not None and second.low in tables.PRODUCT_NOUNS | tables.ANIMALS:
        return False
    if before in tables.COMPANY:
        return second is not None and (second.low in tables.COMPANY_WORDS or (before in {"and", "&"} and _is_given(second.low)))
    return before in tables.PERSON_CUES or before in TITLES


def _acts(words: Sequence[_Word], end: int) -> bool:
    """True when what follows is done by persons: "said", "joined", "works at"."""
    if _person_after(words, end, tables.SPEECH_VERBS):
        return True
    return _person_after(words, end, tables.WORKS) and end + 1 < len(words) and words[end + 1].low in tables.WORKS_BEFORE


def _in_role(words: Sequence[_Word], end: int) -> bool:
    """True when what follows gives the role of a person: "is our designer", ", the nurse"."""
    after = [w.low for w in words[end : end + _ROLE_REACH]]
    if not after or after[0] not in {"is", "was", "'s", ","}:
        return False
    return (
        any(w in tables.ROLES for w in after[1:])
        and after[1:2] != []
        and (after[1] in tables.OPENERS or after[1] in tables.ROLES)
    )


def _of_product(words: Sequence[_Word], start: int, end: int) -> bool:
    """True when the words around speak of a product: "the Solo plan", "installed Atlas"."""
    named = words[end - 1]
    after = words[end] if end < len(words) else None
    close = after is not None and after.start - named.end == 1 and not named.low.endswith("'s")
    if close and after is not None and after.low in tables.PRODUCT_NOUNS:
        return True
    return _before(words, start) in tables.PRODUCT_VERBS


def _kind_by_place(words: Sequence[_Word], start: int, end: int) -> str:
    before = _before(words, start)
    if _of_product(words, start, end):
        return "product"
    if before in tables.PLACE_CUES:
        return "place"
    if before in tables.ORGANISATION_CUES and start > 1 and words[start - 2].low in tables.WORK_VERBS | {"i"}:
        return "organisation"
    if _person_cued(words, start) or _acts(words, end) or _in_role(words, end):
        return "person"
    run = words[start:end]
    initials = any(w.text == "." and len(before.text) == 1 for before, w in pairwise(run))
    return "person" if words[end - 1].low in GENERATIONS or initials else ""


def _mixed(word: str) -> bool:
    """True for an inner capital that is no "Mc" or "O'"."""
    return (
        not word.isupper()
        and not word.startswith(("Mc", "Mac", "O'", "O\u2019", "De", "La", "Le", "Di", "D'"))
        and "-" not in word
    )


def _before(words: Sequence[_Word], start: int) -> str:
    return words[start - 1].low if start else ""


def _person_after(words: Sequence[_Word], end: int, verbs: frozenset[str] = tables.PERSON_VERBS) -> bool:
    return end < len(words) and words[end].low in verbs and words[end].start - words[end - 1].end == 1


def _mention(text: str, words: Sequence[_Word], start: int, end: int, kind: str) -> Mention:
    first, last = words[start].start, words[end - 1].end
    named = text[first:last]
    for ending in ("'s", "\u2019s", "'S"):
        named = named.removesuffix(ending)
    if words[end - 1].low in {*LEGAL_FORMS, "jr", "sr"} and text[last : last + 1] == "." and len(words[start:end]) > 1:
        named += "."
    return Mention(text=named, start=first, end=first + len(named), kind=kind)


def _works(text: str, words: Sequence[_Word]) -> Iterator[Mention]:
    """Quoted titles of works near a word for one, and short forms in brackets."""
    found = [Mention(text=m[1], start=m.start(1), end=m.end(1), kind="organisation") for m in _BRACKETED.finditer(text)]
    if '"' in text or "\u201c" in text:
        cues = [w.end for w in words if w.low in tables.WORK_CUES]
        for match in _QUOTED.finditer(text):
            place = bisect_right(cues, match.start())
            if match[1][0].isupper() and place and match.start() - cues[place - 1] < _NEAR:
                found.append(Mention(text=match[1], start=match.start(1), end=match.end(1), kind="work"))
    return _apart(found)


def _apart(found: Sequence[Mention]) -> Iterator[Mention]:
    """In order, the longest of those that begin together, none that begins inside another."""
    end = 0
    for one in sorted(found, key=lambda m: (m.start, -m.end)):
        if one.start >= end:
            yield one
            end = one.end


def _other_scripts(text: str) -> Iterator[Mention]:
    """Persons in Chinese, Japanese, Korean and Arabic, in simple frames."""
    found: list[Mention] = []
    for match in _JAPANESE.finditer(text):
        if tail := _KANJI_TAIL.search(match[1]):
            start = match.start(1) + tail.start()
            found.append(Mention(text=tail[0], start=start, end=match.end(1), kind="person"))
    found += [Mention(text=m[0], start=m.start(), end=m.end(), kind="person") for m in _KATAKANA.finditer(text)]
    for pattern in (_CHINESE, _KOREAN, _ARABIC):
        found += [Mention(text=m[1], start=m.start(1), end=m.end(1), kind="person") for m in pattern.finditer(text)]
    return _apart(found)
