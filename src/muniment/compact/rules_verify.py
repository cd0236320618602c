"""What became of each claim in a digest, and what the digest says that no record does.

Rule of this file: pure; never optional. Nothing is taken on trust: a line that calls itself verbatim must be so letter by letter
at its place, and every other line is read anew, whoever wrote it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache

from muniment.compact.rules_claims import Made, claims
from muniment.compact.rules_compare import Fault, Source, faults, same
from muniment.compact.rules_stated import Atom, AtomKind, Clause, Names, name_key, names_in, read
from muniment.compact.rules_statements import Statement, statements
from muniment.compact.rules_worth import worths
from muniment.compact.words_claims import LABELS
from muniment.knowledge.digests import (
    Alteration,
    CheckedClaim,
    ClaimFate,
    ClaimKind,
    Digest,
    DigestLine,
    Invention,
    Span,
    Verification,
)
from muniment.knowledge.values import Memory, Mention
from muniment.types import Kind, Record, RecordId, Role, Scope, Trust, words_of

_Where = tuple[Clause, AtomKind | None]
_SAYS = 0.5
"""Share of a clause that a line must say to be what became of it."""
_BULLET = re.compile(r"\s{0,8}(?:[-*•]\s+)?")
_DATED = re.compile(r"\[(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?)\]\s*")
_SPOKEN = re.compile(r"([^\W\d_][\w .'\u2019-]{0,38}?):[ \t]+(?=\S)")
_CAPITAL = re.compile(r"\b[A-Z\u00c0-\u00de][\w'\u2019-]*")
_ROLES = {role.value: role for role in Role}
_MOST_WORDS = 3
_BETWEEN = re.compile(r"[\s\u2026.|]*")
_ANYONE = Scope(user="anyone")
_NEVER = datetime(2000, 1, 1, tzinfo=UTC)


def verify(
    source: str | Sequence[Record],
    digest: str | Digest | Sequence[DigestLine],
    *,
    names: Names,
    memories: Sequence[Memory] = (),
    pinned: Collection[RecordId] = (),
) -> Verification:
    """A digest of any making held against its source.

    Both may be plain texts: a line "Ana: …" is said by Ana, "[2026-05-04] Ana: …" on that day; without speakers the text is
    one. `names` finds the names in a text. `memories` were extracted from the source before; what is `pinned` must stand in
    the digest letter by letter.
    """
    records = records_of(source) if isinstance(source, str) else source
    if isinstance(digest, str):
        lines: Sequence[DigestLine] = lines_of(digest, speakers={record.speaker for record in records})
    else:
        lines = digest.lines if isinstance(digest, Digest) else digest
    names = cache(names)
    heard = frozenset(word for line in lines if not line.verbatim for word in names_in(line.text, names))
    said = statements(records, names=_knowing(names, heard), pinned=pinned)
    speakers = frozenset(word for record in records for word in name_key(record.speaker).split())
    made = claims(said, worths(said, speakers), memories=memories, names=names)
    return held(said, made, lines, records=records, names=names, pinned=pinned)


def _knowing(names: Names, known: Collection[str]) -> Names:
    """Names that are found where `names` finds one, and where a word stands that is known for one."""

    def found(text: str) -> Sequence[Mention]:
        words = (word for word in _CAPITAL.finditer(text) if name_key(word[0]) in known)
        return [*names(text), *(Mention(text=word[0], start=word.start(), end=word.end()) for word in words)]

    return found if known else names


def held(
    said: Sequence[Statement],
    made: Sequence[Made],
    lines: Sequence[DigestLine],
    *,
    records: Sequence[Record],
    names: Names,
    pinned: Collection[RecordId] = (),
) -> Verification:
    """The lines of a digest against the statements and claims of its records."""
    reading = _Reading(said, records, names)
    source = [clause for one in said for clause in one.clauses]
    unproved = [line for line in lines if reading.proved(line) is None]
    known = reading.known | frozenset(word for line in unproved for word in names_in(line.text, names))
    told = [reading.clauses(line, known) for line in lines]
    checked = verified(made, source, told)
    wrong = tuple(one for number, line in enumerate(lines) for one in reading.wrong(number, line))
    gone = tuple(
        Alteration(line=None, text=words_of(record), why="it is pinned and does not stand here letter by letter")
        for record in records
        if record.id in pinned and words_of(record).strip() and not any(reading.holds(line, record) for line in lines)
    )
    return replace(checked, alterations=(*checked.alterations, *wrong, *gone))


class _Reading:
    """What the lines of a digest state: what is proved word by word is what its records state, anything else is read anew."""

    def __init__(self, said: Sequence[Statement], records: Sequence[Record], names: Names) -> None:
        self._records = {record.id: record for record in records}
        self._texts = {record.id: words_of(record) for record in records}
        self._whole = {(record.speaker, self._texts[record.id].strip()): record.id for record in records}
        self._names = names
        self._stated: dict[RecordId, list[Clause]] = defaultdict(list)
        self._rows = {one.span: one for one in said if not one.verbatim}
        for one in said:
            self._stated[one.span.record] += one.clauses
        self.known = frozenset(atom for one in said for clause in one.clauses for name in clause.names for atom in name.split())
        self.known |= frozenset(word for record in records for word in name_key(record.speaker).split())

    def proved(self, line: DigestLine) -> tuple[Span, ...] | None:
        """The spans of a line when it is made of exactly their words, one after another."""
        at = len(line.text) - len(line.text.lstrip())
        for span in line.spans:
            words = self._texts.get(span.record, "")[max(0, span.start) : span.end].strip()
            if not words or not line.text.startswith(words, at):
                return None
            after = _BETWEEN.match(line.text, at + len(words))
            at = after.end() if after else at + len(words)
        return line.spans if line.spans and at == len(line.text) else None

    def clauses(self, line: DigestLine, known: Collection[str]) -> Sequence[Clause]:
        rows = [self._rows[span] for span in line.spans if span in self._rows]
        if rows and line.text == "\n".join(row.text for row in rows) and self._speaks(line):
            return [clause for row in rows for clause in row.clauses]
        spans = self.proved(line)
        if spans is not None and self._speaks(line):
            found = [clause for span in spans for clause in self._within(span)]
            if found:
                return found
        whole = self._whole.get((line.speaker, line.text.strip()))
        if whole is not None and self._stated[whole]:
            return self._stated[whole]
        said_at = line.said_at or next((self._records[s.record].said_at for s in line.spans if s.record in self._records), None)
        return read(line.text, names=self._names, known=known, reference=said_at, speaker=line.speaker)

    def _within(self, span: Span) -> list[Clause]:
        """The clauses of a span that begins and ends with one; nothing when it cuts through."""
        touched = [one for one in self._stated[span.record] if one.start < span.end and span.start < one.end]
        return touched if all(span.start <= one.start and one.end <= span.end for one in touched) else []

    def _speaks(self, line: DigestLine) -> bool:
        speakers = {self._records[span.record].speaker for span in line.spans if span.record in self._records}
        return not line.speaker or speakers == {line.speaker}

    def wrong(self, number: int, line: DigestLine) -> Iterator[Alteration]:
        """What a line tells of itself that is not so."""
        if line.verbatim and self.proved(line) is None:
            yield Alteration(line=number, text=line.text, why="it is not, letter by letter, what its records say there")
        if line.spans and not self._speaks(line):
            yield Alteration(line=number, text=line.text, why=f"{line.speaker} did not say it")
        if line.header and any(span not in self._rows or self._rows[span].header != line.header for span in line.spans):
            yield Alteration(line=number, text=line.header, why="its header is not the one its rows stand under")
        origins = [self._records[span.record].trust for span in line.spans if span.record in self._records]
        if line.trust is Trust.TRUSTED and Trust.UNTRUSTED in origins:
            yield Alteration(line=number, text=line.text, why="it comes from an untrusted record and is told as trusted")

    def holds(self, line: DigestLine, record: Record) -> bool:
        """Whether a line holds a record letter by letter."""
        return self._texts[record.id].strip() in line.text


def verified(made: Sequence[Made], source: Sequence[Clause], lines: Sequence[Sequence[Clause]]) -> Verification:
    """Every claim with its fate in these lines, each given as what it states; `source` is what the records state."""
    against = Source(source)
    own = frozenset(source)
    found = [
        (number, fault)
        for number, clauses in enumerate(lines)
        for fault in faults([clause for clause in clauses if clause not in own], against)
    ]
    digest = _Told(lines, found)
    checked = tuple(_checked(one, digest) for one in made)
    whole = sum(one.claim.weight for one in checked)
    kept = sum(one.claim.weight for one in checked if one.fate is ClaimFate.KEPT)
    return Verification(
        claims=checked,
        inventions=tuple(Invention(line=number, text=f.clause.text, why=f.why) for number, f in found if f.kind == "invented"),
        score=1.0 if kept == whole else kept / whole,
        alterations=tuple(
            Alteration(line=number, text=f.clause.text, why=f.why, source=f.source.text if f.source else "")
            for number, f in found
            if f.kind == "altered"
        ),
    )


@dataclass(frozen=True, slots=True)
class _Altered:
    line: int
    why: str


class _Told:
    """What a digest tells, found by what a claim is made of."""

    def __init__(self, lines: Sequence[Sequence[Clause]], found: Sequence[tuple[int, Fault]]) -> None:
        self.line: dict[Clause, int] = {}
        for number, clauses in enumerate(lines):
            for clause in clauses:
                self.line.setdefault(clause, number)
        self.clauses = Source([*self.line])
        self.said: dict[str, dict[str, int]] = defaultdict(dict)
        for clause, number in self.line.items():
            self.said[clause.text].setdefault(clause.speaker, number)
        self.texts = [" ".join(clause.text for clause in clauses).casefold() for clauses in lines]
        wrong = {fault.clause for _, fault in found}
        self.faulty: Collection[Clause] = wrong
        self.altered: Mapping[_Where, _Altered] = {
            (fault.source, fault.atom.kind if fault.atom else None): _Altered(number, fault.why)
            for number, fault in found
            if fault.source is not None and fault.kind == "altered"
        }


def _checked(made: Made, digest: _Told) -> CheckedClaim:
    line = _kept(made, digest)
    if line is not None:
        return CheckedClaim(claim=made.claim, fate=ClaimFate.KEPT, line=line)
    for clause in made.clauses or (made.clause,):
        fault = digest.altered.get((clause, made.atom.kind if made.atom else None))
        if fault is None and made.atom is None:
            fault = next((f for kind in AtomKind if (f := digest.altered.get((clause, kind)))), None)
        if fault is not None:
            return CheckedClaim(claim=made.claim, fate=ClaimFate.ALTERED, line=fault.line, why=fault.why)
    return CheckedClaim(claim=made.claim, fate=ClaimFate.LOST)


def _kept(made: Made, digest: _Told) -> int | None:
    """The line that keeps a claim, or None."""
    line = _kept_word_by_word(made, digest)
    if line is not None:
        return line
    if made.quote:
        return next((number for number, text in enumerate(digest.texts) if made.quote in text), None)
    if made.atom is not None:
        return _kept_atom(made.clause, made.atom, digest)
    near = (one for one in digest.clauses.near(made.clause) if one not in digest.faulty and _says(made.clause, one, digest))
    return next((digest.line[clause] for clause in near), None)


def _kept_word_by_word(made: Made, digest: _Told) -> int | None:
    own = made.clauses or (made.clause,)
    lines = [digest.line[clause] for clause in own if clause in digest.line]
    if lines and (made.claim.kind is not ClaimKind.TOOL or len(lines) == len(own)):
        return lines[0]
    if made.claim.kind in {ClaimKind.TOOL, ClaimKind.MEMORY}:
        return None
    said = digest.said.get(made.clause.text, {})
    return next((said[who] for who in said if not who or not made.clause.speaker or who == made.clause.speaker), None)


def _kept_atom(claimed: Clause, atom: Atom, digest: _Told) -> int | None:
    """The line that holds an atom; what is no name, date or code must stand with a word it stood with."""
    alone = atom.kind in {AtomKind.NAME, AtomKind.CODE, AtomKind.DATE} or not claimed.words
    holding = (one for one in digest.clauses.holding(atom) if any(same(atom, other) for other in one.atoms))
    return next((digest.line[one] for one in holding if alone or one.words & claimed.words), None)


def _says(claimed: Clause, clause: Clause, digest: _Told) -> bool:
    """Whether a clause of the digest says what a clause claims: most of it, as often turned around, as much bounded."""
    if digest.clauses.likeness(claimed, clause) <= _SAYS or clause.negations % 2 != claimed.negations % 2:
        return False
    around = (clause, *digest.clauses.beside(clause))
    if not claimed.limits <= {limit for one in around for limit in one.limits}:
        return False
    meant = {*clause.names, clause.speaker}
    return all(
        any(same(atom, one) for other in around for one in other.atoms) or (atom.kind is AtomKind.NAME and atom.value in meant)
        for atom in claimed.atoms
    )


def records_of(text: str) -> tuple[Record, ...]:
    """A plain text as records, one for each time somebody speaks, one for the whole where nobody is named."""
    turns: list[tuple[str, str, datetime | None]] = []
    loud = _speakers(text)
    for line in text.splitlines() or [""]:
        speaker, words, said_at = _spoken(line, loud)
        if speaker or not turns:
            turns.append((speaker, words, said_at))
        else:
            last, before, when = turns[-1]
            turns[-1] = (last, f"{before}\n{words}", when)
    return tuple(
        Record(
            id=RecordId(f"turn-{number}"),
            scope=_ANYONE,
            text=words,
            role=_ROLES.get(speaker.casefold(), Role.USER),
            kind=Kind.TURN,
            speaker=speaker,
            agent="",
            recorded_at=_NEVER,
            said_at=said_at,
            seq=number,
        )
        for number, (speaker, words, said_at) in enumerate(turns, 1)
    )


def lines_of(text: str, *, speakers: Collection[str]) -> tuple[DigestLine, ...]:
    """The lines of a digest that is plain text. Only who speaks in the source speaks here."""
    found = []
    loud = {*(speaker for speaker in speakers if speaker), *_speakers(text)}
    for line in text.splitlines():
        if line.strip():
            speaker, words, said_at = _spoken(_BULLET.sub("", line, count=1), loud)
            found.append(DigestLine(text=words, spans=(), speaker=speaker, said_at=said_at, verbatim=False))
    return tuple(found)


def _speakers(text: str) -> frozenset[str]:
    """Who speaks in a text: a role, or one to three words before a colon that are written like a name."""
    found = set()
    for line in text.splitlines():
        dated = _DATED.match(line)
        spoken = _SPOKEN.match(line, dated.end() if dated else 0)
        words = spoken[1].split() if spoken else ()
        if spoken and (spoken[1].casefold() in _ROLES or _is_name(words)):
            found.add(spoken[1])
    return frozenset(found)


def _is_name(words: Sequence[str]) -> bool:
    return len(words) <= _MOST_WORDS and all(word[0].isupper() and word.casefold() not in LABELS for word in words)


def _spoken(line: str, speakers: Collection[str]) -> tuple[str, str, datetime | None]:
    dated = _DATED.match(line)
    said_at = None
    if dated:
        try:
            said_at = datetime.fromisoformat(dated[1]).replace(tzinfo=UTC)
        except ValueError:
            dated = None
    start = dated.end() if dated else 0
    found = _SPOKEN.match(line, start)
    if found and found[1] in speakers:
        return found[1], line[found.end() :], said_at
    return "", line[start:], said_at
