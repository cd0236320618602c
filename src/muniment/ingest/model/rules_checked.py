"""What a model's item must be to become a candidate: proved by words of its turn, dated by our own reckoning, no more trusted.

Rule of this file: pure. A quote that is not there, a number or name that is not there, and a day that cannot be reckoned from the
turn are inventions, and an item that holds one is refused. What the rules refuse for what it is (an order in untrusted text,
recalled text, an error), a model cannot let in.
"""

# ruff: noqa: RUF001  quotation marks as models write them

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from muniment.ingest.extract.rules_admit import judge
from muniment.ingest.extract.rules_names import mentions
from muniment.ingest.extract.rules_sentence import Sentence
from muniment.ingest.times import zone_of
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import SELF, Candidate, Evidence, Mention, Modality, Refusal
from muniment.text.terms import terms
from muniment.text.times import Timed, resolve
from muniment.types import Record, Role, Trust, When

LEAST_SHARED: Final = 0.5
"""Share of a statement's telling words that must stand in its turn or in the turns just before."""
BEFORE: Final = 6
LONGEST: Final = {"quote": 2000, "kind": 64, "text": 1000, "subject": 120, "attribute": 80, "value": 400}
"""Characters of each part at most."""
REFUSED_BY_RULES: Final = frozenset(
    {"untrusted_instruction", "recalled", "system_prompt", "heartbeat", "refusal", "error", "assistant_opinion", "hypothetical"}
)
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_THE_USER: Final = re.compile(r"^(?:the )?user\b", re.IGNORECASE)
_SPACE: Final = re.compile(r"\s+")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]+")
_PLAIN: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-"})
_SELVES: Final = frozenset({"", "i", "me", "my", "myself", "user", "the user", "speaker", "the speaker"})
_UNNAMED: Final = frozenset({"he", "she", "it", "they", "him", "her", "them", "we", "us", "you", "this", "that", "someone"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A turn that was asked about, with what our own rules see in it. `seen` is all that a statement may draw on, caseless.

    `words` are its index terms, `flat` is the turn with its spaces and letter case made even, `places` where each letter stood.
    """

    record: Record
    seen: str
    words: frozenset[str]
    flat: str
    places: tuple[int, ...]
    sentences: tuple[Sentence, ...]
    timed: tuple[Timed, ...]

    def find(self, quote: str) -> tuple[int, int] | None:
        """The characters of the turn that `quote` copies, whatever its case and spaces; None where it is not in it."""
        wanted = flattened(quote.strip().strip("\"'“”").strip())[0].strip()
        at = self.flat.find(wanted) if wanted else -1
        return (self.places[at], self.places[at + len(wanted) - 1] + 1) if at >= 0 else None


def sources(records: Sequence[Record], architecture: Architecture) -> list[Source]:
    """The turns of one question, each with those of its conversation just before it."""
    out = []
    zone = zone_of(architecture.timezone)
    for number, record in enumerate(records):
        talk = [r for r in records[:number] if r.conversation is not None and r.conversation == record.conversation][-BEFORE:]
        seen = "\n".join(f"{r.text}\n{r.speaker}" for r in (record, *talk))
        flat, places = flattened(record.text)
        out.append(
            Source(
                record=record,
                seen=flattened(seen)[0],
                words=frozenset(terms(seen)),
                flat=flat,
                places=places,
                sentences=judge(record, before=talk, architecture=architecture).sentences,
                timed=resolve(record.text, reference=(record.said_at or record.recorded_at).astimezone(zone), zone=zone),
            )
        )
    return out


def flattened(text: str) -> tuple[str, tuple[int, ...]]:
    """`text` caseless, with plain apostrophes and single spaces, and for each of its characters where it stood."""
    letters: list[str] = []
    places: list[int] = []
    spaced = False
    for place, letter in enumerate(text):
        if letter.isspace():
            if not spaced:
                letters.append(" ")
                places.append(place)
        else:
            plain = letter.translate(_PLAIN).casefold()
            letters.append(plain)
            places.extend([place] * len(plain))
        spaced = letter.isspace()
    return "".join(letters), tuple(places)


def checked(
    item: Mapping[str, object], *, asked: Sequence[Source], architecture: Architecture, extractor: str
) -> Candidate | Refusal | None:
    """The candidate an item makes, or why it is refused; None when its turn was not among those asked about."""
    number = item.get("source")
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= len(asked):
        return None
    source = asked[number - 1]
    record = source.record
    said = {name: _text(item.get(name)) for name in ("quote", "kind", "text", "subject", "attribute", "value", "when")}
    said["subject"] = _subject(said["subject"], record)
    said["text"] = _THE_USER.sub("user", said["text"]).rstrip(".")
    span = source.find(said["quote"])
    start, end = span or (0, len(record.text))
    sentence = next((s for s in source.sentences if s.start < end and s.end > start), None)
    speaker = sentence.speaker if sentence else record.speaker
    evidence = Evidence(record=record.id, start=start, end=end, said_at=record.said_at, speaker=speaker)
    reason = _malformed(said, architecture) or _unproved(said, source, span)
    if reason:
        return Refusal(reason=reason, evidence=evidence, kind=said["kind"][: LONGEST["kind"]])
    untrusted = record.trust is Trust.UNTRUSTED or record.role in (Role.TOOL, Role.DOCUMENT)
    return Candidate(
        kind=said["kind"],
        text=said["text"],
        subject=said["subject"],
        evidence=evidence,
        role=record.role,
        attribute=said["attribute"].lower().replace(" ", "_"),
        value=said["value"],
        negated=item.get("negated") is True,
        modality=sentence.modality if sentence else Modality.ASSERTED,
        speaker=speaker,
        mentions=_mentions(record, start, end),
        event=_event(said["when"], source, start, end),
        confidence=_sure(item.get("sure")),
        trust=Trust.UNTRUSTED if untrusted else Trust.TRUSTED,
        extractor=extractor,
    )


def _malformed(said: Mapping[str, str], architecture: Architecture) -> str:
    """What is wrong with an item whatever its turn says."""
    if architecture.kind(said["kind"]) is None:
        return "kind_not_kept"
    if not said["text"]:
        return "empty"
    if any(len(said[part]) > most for part, most in LONGEST.items()):
        return "too_long"
    return "subject_unclear" if said["subject"].casefold() in _UNNAMED else ""


def _unproved(said: Mapping[str, str], source: Source, span: tuple[int, int] | None) -> str:
    """What an item tells that its turn does not."""
    if span is None:
        return "no_evidence"
    quoted = (s.refusal for s in source.sentences if s.start < span[1] and s.end > span[0])
    barred = next((reason for reason in quoted if reason in REFUSED_BY_RULES), "")
    if barred:
        return barred
    told = f"{said['text']} {said['value']}"
    if not set(_NUMBER.findall(told)) <= set(_NUMBER.findall(source.seen)):
        return "invented_number"
    named = [word for m in mentions(told) for word in m.text.split() if word[:1].isupper() or not word[:1].isascii()]
    if any(flattened(word)[0] not in source.seen for word in (*named, *said["subject"].split()) if not _is_self(word)):
        return "invented_name"
    return "not_in_source" if min(_shared(said[part], source) for part in ("text", "value")) < LEAST_SHARED else ""


def _shared(words: str, source: Source) -> float:
    """The share of telling words that stand in what was seen; 1 where there are none."""
    told = set(terms(words)) - {SELF}
    return len(told & source.words) / len(told) if told else 1.0


def _is_self(word: str) -> bool:
    return word.casefold().removesuffix("'s").removesuffix("’s") in _SELVES


def _subject(said: str, record: Record) -> str:
    """Whom an item is about: by name, or whoever speaks."""
    if said.casefold() not in _SELVES:
        return said
    nameless = record.role is Role.USER and record.speaker == record.role.value
    return SELF if nameless or said.casefold() in ("user", "the user") else record.speaker


def _event(words: str, source: Source, start: int, end: int) -> When | None:
    """When it happens, as our own resolver reads the turn: at the words the model names, else in its quote.

    A day of the model's own counts for nothing.
    """
    at, to = source.find(words) or (start, end)
    when = next((one.when for one in source.timed if one.when is not None and one.start < to and one.end > at), None)
    return replace(when, assumed=True) if when is not None and source.record.said_at is None else when


def _mentions(record: Record, start: int, end: int) -> tuple[Mention, ...]:
    return tuple(m for m in mentions(record.text) if m.start < end and m.end > start)


def _text(value: object) -> str:
    """A part of an item as one line of text; nested values as JSON, since nothing is thrown away for its shape."""
    said = "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return _SPACE.sub(" ", _CONTROL.sub(" ", said)).strip()


def _sure(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return 0.5
    return float(value)
