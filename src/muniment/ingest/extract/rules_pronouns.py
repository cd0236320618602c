"""Who a pronoun stands for: a name said before it, by gender, by place in the sentence, and by how near it is.

Rule of this file: pure. Reasons are added up with the weights of `words_pronouns`; where two names come out alike, neither is
taken. Only what something shows to be a person is ever "he" or "she".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log1p

from muniment.ingest.extract import words_pronouns as tables
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.words_names import ANIMALS
from muniment.knowledge.entities.names import person_name
from muniment.knowledge.entities.spelling import LONGEST
from muniment.knowledge.values import Mention
from muniment.types import Record

REACH = 1500
"""Characters before a pronoun in which names are looked for."""

AHEAD = 200
"""Characters behind it: "In her last book, Ana …"."""

_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[^\w\s]")
_SENTENCE_END = re.compile(r"[.!?\u3002\uff01\uff1f]['\"\u201d)]*\s+(?=[^a-z\s])|\n+")
_RELATION = re.compile(rf"\b[Mm]y (?:[a-z]+ )?({'|'.join(tables.RELATIONS)})\b(?! [A-Z])")
_MOST_RANK = 5
_CLAUSE = re.compile(r"[,;:]| (?:and|but|when|while|that|who|because|after|before|as|where|which) ")
_DOES_REACH = 30
_PET = re.compile(rf"\b(?:{'|'.join(sorted(ANIMALS))}),?(?: is)?(?: named| called)? $")
_FULL_NAME = re.compile(r"[^\W\d_][\w'\u2019.-]*(?: [^\W\d_][\w'\u2019.-]*){1,3}")
_PERSONS = frozenset({"person", ""})
_THINGS = frozenset({"organisation", "product", "place", "work", "group", "code"})


@dataclass(frozen=True, slots=True)
class _Said:
    """One place where a candidate is named."""

    start: int
    end: int
    sentence: int
    before: str
    after: str
    first: bool


@dataclass(slots=True)
class Candidate:
    """Somebody who may be meant: the fullest name, gender where it tells, and where it is said."""

    name: str
    gender: str
    said: list[_Said]
    person: bool = True


def resolver(record: Record, before: Sequence[Record], named: Sequence[Mention]) -> Callable[[str, int], str]:
    """A function that tells who a pronoun at a character of the record's text stands for, "" where that is unclear.

    Names in the text and, where it has none that fits, in the records before it are candidates; who speaks is not, for they
    would say "I". That somebody of a name spoke shows it to be a person's.
    """
    speakers = [one.speaker for one in before if one.speaker != one.role.value]
    earlier = "\n".join(f"{one.text}" for one in before)[-REACH:]
    text = f"{earlier}\n{record.text}" if earlier else record.text
    shift = len(text) - len(record.text)
    found: list[tuple[Mention, ...]] = []

    def asked(pronoun: str, place: int) -> str:
        if not found:
            moved = (Mention(text=m.text, start=m.start + shift, end=m.end + shift, kind=m.kind) for m in named)
            found.append((*(mentions(earlier) if earlier else ()), *moved))
        return subject(pronoun, place + shift, text=text, named=found[0], speaker=record.speaker, own=shift, speakers=speakers)

    return asked


def subject(
    pronoun: str,
    place: int,
    *,
    text: str,
    named: Sequence[Mention] | None = None,
    speaker: str = "",
    own: int = 0,
    speakers: Sequence[str] = (),
) -> str:
    """The name that the pronoun at character `place` of `text` stands for, "" where none, or more than one, may be meant.

    `named` are the names in `text`, found anew when they are not given. `speaker` is left out. Whoever is named from the
    character `own` on goes before all who are named earlier only. `speakers` are names that are known to be persons'.
    """
    gender = tables.GENDERS.get(pronoun.lower(), "")
    if not gender:
        return ""
    if named is None:
        named = mentions(text[: place + AHEAD])
    if gender in "np":
        return _thing(place, text, named)
    ranked = sorted(scores(pronoun, place, text, named=named, speakers=speakers), key=lambda pair: -pair[1])
    ranked = [pair for pair in ranked if not speaker or pair[0].name != speaker]
    here = [pair for pair in ranked if any(said.start >= own for said in pair[0].said)]
    ranked = here or ranked
    if len(ranked) > 1:
        lead = tables.SURE_OF_TWO if _together(ranked[0][0], ranked[1][0]) else tables.SURE
        if ranked[0][1] - ranked[1][1] < lead:
            return ""
    return ranked[0][0].name if ranked else ""


def _together(one: Candidate, other: Candidate) -> bool:
    """True when the two were last named side by side: "Ana and Eva"."""
    a, b = sorted((one.said[-1], other.said[-1]), key=lambda s: s.start)
    return a.sentence == b.sentence and a.after in {"and", "&"} and b.before in {"and", "&"}


def scores(
    pronoun: str, place: int, text: str, *, named: Sequence[Mention], speakers: Sequence[str] = ()
) -> list[tuple[Candidate, float]]:
    """Each candidate of a fitting gender with how much speaks for it."""
    weights = tables.WEIGHTS
    return [
        (candidate, sum(weights.get(reason, 0.0) * value for reason, value in reasons.items()))
        for candidate, reasons in weighed(pronoun, place, text, named=named, speakers=speakers)
    ]


def weighed(
    pronoun: str, place: int, text: str, *, named: Sequence[Mention], speakers: Sequence[str] = ()
) -> list[tuple[Candidate, dict[str, float]]]:
    """Each candidate of a fitting gender that something shows to be a person, with its reasons."""
    gender = tables.GENDERS[pronoun.lower()]
    low = max(0, place - REACH)
    near = [
        m for m in named if low <= m.start and m.start < place + AHEAD and not m.start <= place < m.end and m.kind in _PERSONS
    ]
    ends = [m.end() for m in _SENTENCE_END.finditer(text, low, min(len(text), place + AHEAD))]
    here = sum(end <= place for end in ends)
    spoke = {word for name in speakers for word in _name_words(name)}
    candidates = [c for c in _candidates(text, near, ends, low) if c.gender in ("", gender)]
    candidates = [c for c in candidates if c.person or not spoke.isdisjoint(_name_words(c.name))]
    candidates = [c for c in candidates if any(s.start < place or _ahead(s, place, here, text) for s in c.said)]
    role = _role(pronoun, place, text)
    if role == "object":
        candidates = [c for c in candidates if not _acts_here(c, place, here, text)]
    order = sorted(candidates, key=lambda c: -max((s.end for s in c.said if s.start < place), default=-1))
    return [(c, _reasons(c, number, place, here, text=text, role=role)) for number, c in enumerate(order)]


def _candidates(text: str, named: Sequence[Mention], ends: Sequence[int], low: int) -> list[Candidate]:
    """Names that are one person's taken together, the fullest first."""
    out: list[Candidate] = []
    parts: list[set[str]] = []
    firsts: set[int] = set()
    for mention in sorted(named, key=lambda m: m.start):
        words = set(_name_words(mention.text))
        sentence = sum(end <= mention.start for end in ends)
        said = _said(text, mention, sentence, first=sentence not in firsts)
        firsts.add(sentence)
        for number, candidate in enumerate(out):
            if words and (words <= parts[number] or parts[number] <= words):
                candidate.said.append(said)
                candidate.person = candidate.person or _is_person(mention, said, text)
                parts[number] |= words
                if len(mention.text) > len(candidate.name):
                    candidate.name = mention.text
                    candidate.gender = candidate.gender or person_name(mention.text).gender
                break
        else:
            one = Candidate(mention.text, person_name(mention.text).gender, [said], _is_person(mention, said, text))
            out.append(one)
            parts.append(words)
    for match in _RELATION.finditer(text, low):
        sentence = sum(end <= match.start() for end in ends)
        mention = Mention(text=match[0], start=match.start(), end=match.end())
        said = _said(text, mention, sentence, first=sentence not in firsts)
        out.append(Candidate("", tables.RELATIONS[match[1]], [said]))
    return out


def _is_person(mention: Mention, said: _Said, text: str) -> bool:
    """True when a kind, a gender, the shape of a full name, or what it owns and does shows it to be a person's, or a pet's."""
    if (
        mention.kind == "person"
        or person_name(mention.text).gender
        or _PET.search(text, max(0, mention.start - 20), mention.start)
    ):
        return True
    if said.before in tables.DETERMINERS | tables.VERBS_OF_THINGS or not mention.text[0].isupper():
        return False
    if _FULL_NAME.fullmatch(mention.text) or said.after == "'s" or said.before in tables.TO_PERSONS:
        return True
    does = _WORD.findall(text[mention.end : mention.end + _DOES_REACH])[:3]
    return _is_subject(said) and tables.OF_THINGS.isdisjoint(does)


def _name_words(name: str) -> tuple[str, ...]:
    return _parts_of(name[:LONGEST])


@lru_cache(maxsize=4096)
def _parts_of(name: str) -> tuple[str, ...]:
    whole = person_name(name)
    return tuple(word for word in (*whole.given, *whole.surname.split(), whole.single) if word)


def _said(text: str, mention: Mention, sentence: int, *, first: bool) -> _Said:
    before = _WORD.findall(text[max(0, mention.start - 20) : mention.start])
    after = _WORD.findall(text[mention.end : mention.end + 20])
    if text[mention.end : mention.end + 2] in ("'s", "\u2019s"):
        after = ["'s"]
    return _Said(mention.start, mention.end, sentence, before[-1].lower() if before else "", after[0] if after else "", first)


def _role(pronoun: str, place: int, text: str) -> str:
    """Whether the pronoun is subject, object or possessive; "her" is told by the word behind it."""
    low = pronoun.lower()
    if low in tables.SUBJECTS:
        return "subject"
    if low in tables.POSSESSIVES:
        return "possessive"
    if low == "her":
        after = _WORD.findall(text[place + 3 : place + 30])
        owns = (
            after
            and after[0][0].isalpha()
            and after[0].lower() not in tables.PREPOSITIONS | tables.CONJUNCTIONS | tables.DETERMINERS
        )
        return "possessive" if owns else "object"
    return "object"


def _reasons(candidate: Candidate, number: int, place: int, here: int, *, text: str, role: str) -> dict[str, float]:
    """What speaks for and against a candidate, by name."""
    earlier = [s for s in candidate.said if s.start < place]
    last = earlier[-1] if earlier else candidate.said[0]
    back = here - last.sentence
    subject_like = _is_subject(last)
    between = text[last.end : place] if last.end <= place else ""
    same = back == 0 and bool(earlier)
    clause = same and not _CLAUSE.search(between)
    object_like = last.before.isalpha() and not subject_like and last.before not in tables.NOT_VERBS
    return {
        "same_sentence": float(same),
        "sentence_before": float(back == 1),
        "far": float(back > 1) * log1p(back),
        "first_in_sentence": float(last.first),
        "subject": float(subject_like),
        f"subject_for_{role}": float(subject_like),
        f"same_for_{role}": float(same),
        f"object_for_{role}": float(object_like),
        "owner": float(last.after == "'s"),
        f"owner_for_{role}": float(last.after == "'s"),
        "nearest": float(number == 0),
        "rank": float(min(number, _MOST_RANK)),
        f"same_clause_{role}": float(clause),
        f"subject_same_clause_{role}": float(clause and subject_like),
        "often": log1p(len(earlier)),
        f"opens_this_for_{role}": float(any(s.first for s in earlier if s.sentence == here)),
        f"opens_last_for_{role}": float(any(s.first for s in earlier if s.sentence == here - 1)),
        f"acts_here_for_{role}": float(any(_is_subject(s) for s in earlier if s.sentence == here)),
        f"acts_before_for_{role}": float(any(_is_subject(s) for s in earlier if s.sentence == here - 1)),
        "opens_often": log1p(sum(s.first for s in earlier)),
        "behind": float(not earlier),
        "opens": float(candidate.said[0].first and candidate.said[0].sentence == 0),
        "full_name": float(" " in candidate.name),
        "known_gender": float(bool(candidate.gender)),
        "in_list": float(last.before in {",", "and", "&"} or last.after in {"and", "&"}),
        "in_brackets": float(last.before == "("),
        "distance": log1p(max(0, place - last.end)) / 5,
    }


def _ahead(said: _Said, place: int, here: int, text: str) -> bool:
    """True for a name behind the pronoun that may be meant: "In her book, Ana …", but not "Her brother Ben"."""
    return said.sentence == here and said.start > place and "," in text[place : said.start]


def _acts_here(candidate: Candidate, place: int, here: int, text: str) -> bool:
    """True for the subject of the pronoun's own clause: in "Bob told him", he is not Bob."""
    return any(
        s.end <= place and s.sentence == here and _is_subject(s) and not _CLAUSE.search(text[s.end : place])
        for s in candidate.said
    )


def _is_subject(said: _Said) -> bool:
    """True when a verb seems to follow and no preposition or verb stands before."""
    follows = said.after.isalpha() and said.after.islower() and said.after not in tables.NOT_VERBS
    return follows and said.before not in tables.PREPOSITIONS


def _thing(place: int, text: str, named: Sequence[Mention]) -> str:
    """What "it" or "they" stands for: the one thing named in this sentence or the one before, and only when it is the one."""
    ends = [0, *(m.end() for m in _SENTENCE_END.finditer(text, max(0, place - REACH), place))]
    since = ends[-2] if len(ends) > 1 else ends[-1]
    things = {m.text for m in named if since <= m.start and m.end <= place and m.kind in _THINGS}
    return things.pop() if len(things) == 1 else ""
