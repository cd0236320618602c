"""What of a record may become a memory at all, before anything is read out of it: every refusal has a stable reason code.

Rule of this file: pure; the shape of the words decides, never what is known. The architecture decides which reasons count; the
first that holds is told. Whole records come first, then stretches of lines, then single sentences.
"""

# ruff: noqa: RUF001  dashes and quotation marks as people type them

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from muniment.ingest.extract import rules_classify as classify
from muniment.ingest.extract import rules_quotes as quoting
from muniment.ingest.extract import words_admit as words
from muniment.ingest.extract.rules_corrections import repairs
from muniment.ingest.extract.rules_pasted import cut, labels, pasted
from muniment.ingest.extract.rules_sentence import Function, Sentence
from muniment.ingest.extract.rules_unmeant import acts, takes_back, unmeant
from muniment.ingest.pii.rules_values import PLACEHOLDER
from muniment.knowledge.architecture import Architecture
from muniment.knowledge.values import Modality
from muniment.text.fence import strip_fenced
from muniment.text.sentences import sentences
from muniment.types import Kind, Record, Role, Trust

_I: Final = re.IGNORECASE
_HEARTBEAT: Final = re.compile(words.HEARTBEAT, _I)
_HEARTBEAT_WORDS: Final = re.compile(words.HEARTBEAT_WORDS, _I)
_PROMPT: Final = re.compile(words.PROMPT, _I)
_PROMPT_MORE: Final = re.compile(words.PROMPT_MORE, _I)
_MODEL_REFUSAL: Final = re.compile(words.MODEL_REFUSAL, _I)
_AI_SELF: Final = re.compile(words.AI_SELF, _I)
_ERROR: Final = re.compile(words.ERROR, _I)
_RECALLED: Final = re.compile(words.RECALLED_HEAD, _I)
_TEMPLATED: Final = re.compile(words.TEMPLATED, _I)
_BOILERPLATE: Final = re.compile(words.BOILERPLATE, _I)
_SIGN_OFF: Final = re.compile(words.SIGN_OFF, _I)
_LOG_LINE: Final = re.compile(words.LOG_LINE, _I)
_COMMANDING: Final = re.compile(words.COMMANDING)
_THIRD_PARTY: Final = re.compile(words.THIRD_PARTY_RULE)
_LASTING: Final = re.compile(words.LASTING_PROMISE)
_DANGLING: Final = re.compile(words.DANGLING)
_OUTCOME: Final = re.compile(words.OUTCOME)

_MARKS_BEFORE: Final = re.compile(
    r"(?:[ \t]*(?:[-*+•‣◦–—]|\d{1,3}[.)]|#{1,6}|\[[ xX]\]|\[[A-Za-z ]{3,20} \d{4}-\d\d-\d\d[^\]\n]{0,20}\])[ \t]+"
    r"|[ \t]*>[> \t]*)+"
)
"""What stands before a line and is none of its words: bullets, numbers, boxes, quote marks, and when it was brought in."""
_BULLET: Final = re.compile(r"[ \t]*(?:[-*+•‣◦–—>]|\d{1,3}[.)])[ \t]*\S")
_SECOND: Final = re.compile(r"\b(?:you|your|you'll|you're|yours|u)\b", _I)
_LETTERS: Final = re.compile(r"[a-zA-Z]+")
_LOOSE_END: Final = re.compile(r"(?<![\s,;])[\s,;]+(?:(?:but|whereas|although|though|while|and|so)\s*)?$", _I)
_FULL_STOPS: Final = (".", "!", "?")
_URL_ONLY: Final = re.compile(r"\W*(?:https?://|www\.)\S+\s*$")
_MASKED: Final = re.compile(
    r"\W*(?:(?:(?:and|so|ok|okay|hi|also|well),? )?(?:my|our|the|his|her|their|its|this|that|it|here)\b[\w' -]{0,60}?"
    r"(?:'s| is| was| are|:| =)[\s:]*(?:now |actually )?)?(?:\[[a-z][a-z_-]{1,30}\](?:,| and|\s)*)+\W*$",
    _I,
)
"""Words that only held something which was masked."""
_BLOB: Final = re.compile(r"\S{80,}")
_NAMELESS: Final = frozenset({"", "assistant", "ai", "bot", "agent", "model", "system", "tool"})
_RECALLED_FROM: Final = 4000
"""Characters of an earlier turn that are looked at for what is said again."""
_SIGNATURE: Final = 60
_SHORT: Final = 200
_LONG_LINE: Final = 12
_STILL_READ: Final = ("question", "acknowledgement")
"""Reasons for which a sentence is refused and yet looked at for what it implies or answers."""
_SAME: Final = 4
"""Words from which on a sentence said again by another counts as repeated, not as chance."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The sentences of a record, each with its reason for refusal or ""."""

    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class _Desk:
    """What the sentences of one record are judged with."""

    record: Record
    refuse: frozenset[str]
    quotes: tuple[quoting.Quote, ...]
    said: frozenset[str]
    asked: bool
    subject: Callable[[str, int], str]

    @property
    def untrusted(self) -> bool:
        return self.record.trust is Trust.UNTRUSTED or self.record.role in (Role.TOOL, Role.DOCUMENT)

    @property
    def machine(self) -> bool:
        return self.record.role is Role.ASSISTANT and self.record.speaker.casefold() in _NAMELESS


def judge(
    record: Record,
    *,
    before: Sequence[Record],
    architecture: Architecture,
    subject: Callable[[str, int], str] = lambda _pronoun, _place: "",
) -> Judged:
    """Split, classify and judge what `record` says; `subject` names whom a pronoun at a place stands for."""
    text, refuse = record.text, architecture.admission.refuse
    whole = _of_record(record)
    if whole and whole in refuse:
        return Judged((_whole(record, whole),) if text.strip() else ())
    outside = _outside(text)
    desk = _Desk(
        record=record,
        refuse=frozenset(refuse),
        quotes=quoting.quotes(text),
        said=_said_before(record, before),
        asked=bool(before) and before[-1].speaker != record.speaker and "?" in before[-1].text[-400:],
        subject=subject,
    )
    own = record.role is Role.USER
    blocked = _joined(_stretches(text), pasted(text) if own else [])
    spoken = labels(text, record.speaker) if own else []
    out: list[Sentence] = []
    for start, end in cut(cut(sentences(text), blocked), spoken):
        block = _at(blocked, start)
        if outside is not None and text[start:end] not in outside:
            block = "recalled"
        for one in _pieces(desk, start, end, block, _at(spoken, start)):
            reason = one.refusal if one.refusal in refuse else ""
            if not reason and _length(one) < architecture.admission.least_words and not desk.asked:
                reason = "too_short" if "too_short" in refuse else ""
            out.append(one if reason == one.refusal else _with(one, reason))
    return Judged(tuple(_unmeant(out, text) if own and "hypothetical" in refuse else out))


def _joined(lines: list[tuple[int, int, str]], more: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Both kinds of stretches in order; what lies in one of `more` is not told of again."""
    starts = [start for start, _, _ in more]
    apart = [one for one in lines if not ((place := bisect_right(starts, one[0])) and one[0] < more[place - 1][1])]
    return sorted([*apart, *more])


def _at(stretches: Sequence[tuple[int, int, str]], place: int) -> str:
    """What the stretch that `place` lies in is marked with, or ""."""
    found = bisect_right(stretches, place, key=lambda one: one[0]) - 1
    return stretches[found][2] if found >= 0 and place < stretches[found][1] else ""


def _unmeant(said: list[Sentence], text: str) -> list[Sentence]:
    """What a joke behind it takes back, and what is said in a role, is not meant."""
    out: list[Sentence] = []
    acting = False
    for one in said:
        low = classify.plain(one.text).lower()
        taken = bool(out) and takes_back(low) and not out[-1].refusal
        if taken:
            out[-1] = _with(out[-1], "hypothetical")
        if acting and "\n\n" in text[out[-1].end : one.start]:
            acting = False
        acting = acting or acts(low)
        out.append(_with(one, "hypothetical") if taken or (acting and not one.refusal) else one)
    return out


def _length(one: Sentence) -> int:
    return len(one.words) if one.text.isascii() else classify.length(one.text)


def _with(one: Sentence, refusal: str) -> Sentence:
    return Sentence(
        text=one.text,
        start=one.start,
        end=one.end,
        function=one.function,
        speaker=one.speaker,
        quoted=one.quoted,
        negated=one.negated,
        modality=one.modality,
        refusal=refusal,
        words=one.words,
    )


def _whole(record: Record, reason: str) -> Sentence:
    return Sentence(
        text=record.text,
        start=0,
        end=len(record.text),
        function=Function.BOILERPLATE,
        speaker=record.speaker,
        refusal=reason,
        words=classify.tokens(record.text),
    )


def _of_record(record: Record) -> str:
    """Why nothing of the whole record is kept, or ""."""
    head = record.text[:400].strip()
    if record.role is Role.SYSTEM:
        return "system_prompt"
    if record.kind is Kind.TOOL_CALL:
        return "boilerplate"
    if _beats(head):
        return "heartbeat"
    if (
        head[:1] in ("{", "[")
        and record.text.rstrip()[-1:] in ("}", "]")
        and head[1:2] in ("{", "[", '"', "'", "\n", " ", "}", "]")
    ):
        return "boilerplate"
    if (record.role is not Role.USER and _ERROR.match(head)) or head.lower().startswith("traceback (most recent"):
        return "error"
    return ""


def _beats(text: str) -> bool:
    """True for the pulse of a machine: a word that only machines send, or a short status line of nobody's own."""
    return _HEARTBEAT_WORDS.match(text) is not None or (
        len(text) < _SHORT and _HEARTBEAT.match(text) is not None and not _SELF.search(text)
    )


_SELF: Final = re.compile(r"\b(?:i|i'm|i've|my|we|our)\b", _I)


def _outside(text: str) -> frozenset[str] | None:
    """The sentences that stand outside of our frames, or None when there are no frames."""
    outside, any_found = strip_fenced(text)
    return frozenset(outside[start:end] for start, end in sentences(outside)) if any_found else None


def _said_before(record: Record, before: Sequence[Record]) -> frozenset[str]:
    """Normalised sentences that somebody else than a user, or the other side, said shortly before."""
    others = [one for one in before if one.role is not Role.USER or one.speaker != record.speaker]
    return frozenset().union(*(_keys(one.text[:_RECALLED_FROM]) for one in others))


@lru_cache(maxsize=64)
def _keys(text: str) -> frozenset[str]:
    """The normalised sentences of a text; kept for a few, for each turn is asked about by the turns after it."""
    parts = (text[a:b] for a, b in sentences(text))
    return frozenset(key for part in parts if (key := _key(part, classify.tokens(part))))


def _key(text: str, words_said: Sequence[str]) -> str:
    return " ".join(words_said) if len(words_said) >= _SAME or classify.length(text) >= _SAME else ""


def _stretches(text: str) -> list[tuple[int, int, str]]:
    """Lines of a pasted prompt, a recalled block or a signature, with the reason: a head and what hangs on it."""
    out: list[tuple[int, int, str]] = []
    reason = ""
    at = 0
    for line in text.splitlines(keepends=True):
        bare = line[:400]
        if not line.strip():
            reason = reason if reason == "system_prompt" else ""
        elif _RECALLED.match(bare) and reason != "system_prompt":
            reason = "recalled"
        elif _PROMPT.match(bare):
            reason = "system_prompt"
        elif _SIGN_OFF.match(bare):
            reason = "boilerplate"
        elif not _goes_on(reason, bare):
            reason = ""
        if reason and line.strip():
            out.append((at, at + len(line), reason))
        at += len(line)
    return out


def _goes_on(reason: str, line: str) -> bool:
    """Whether a line hangs on the stretch above it: an item of its list, another rule of a prompt, a line of a signature."""
    if reason == "boilerplate":
        return len(line.strip()) < _SIGNATURE
    if _BULLET.match(line):
        return True
    return reason == "system_prompt" and (_PROMPT_MORE.match(line) is not None or line.lstrip()[:1] == "#")


def _pieces(desk: _Desk, start: int, end: int, block: str, who: str) -> list[Sentence]:
    """One sentence as readers see it: without marks before it, cut where a question or somebody else's words begin."""
    text = desk.record.text
    block_quote = text[start] == ">"
    if found := _MARKS_BEFORE.match(text, start, end):
        start = found.end() if found.end() < end else start
    if block:
        return [_sentence(desk, start, end, refusal=block)]
    if text.startswith(("```", "~~~"), start):
        return [_sentence(desk, start, end, refusal="boilerplate")]
    if block_quote:
        return [_block(desk, start, end)]
    if who:
        return [_quoted(desk, start, end, who)]
    if (quote := quoting.quote_at(desk.quotes, start, end)) is not None:
        low, high = max(start, quote.start), min(end, quote.end)
        return [_quoted(desk, low, max(high, low + 1), quote.who)]
    start += min(classify.opening(text[start:end]), end - start - 1)
    cuts = [start, *(cut for at in classify.clauses(text[start:end]) if start < (cut := start + at) < end), end]
    return [one for a, b in pairwise(cuts) for one in _clause(desk, a, b)]


def _clause(desk: _Desk, start: int, end: int) -> list[Sentence]:
    text = desk.record.text
    part = text[start:end]
    end = start + len(part if part[-1:] in _FULL_STOPS else _LOOSE_END.sub("", part))
    if inner := quoting.inside(desk.quotes, start, end):
        return _around(desk, start, end, inner)
    if desk.record.role is Role.USER and unmeant(classify.plain(part).lower()):
        return [_sentence(desk, start, end, refusal="hypothetical")]
    if said := quoting.attributed(part):
        return [_quoted(desk, start, start + said.start, said.who)]
    if said := quoting.reported(part):
        return [_reported(desk, start, end, said)]
    return [_sentence(desk, start, end)] if end > start else []


def _around(desk: _Desk, start: int, end: int, inner: tuple[quoting.Quote, ...]) -> list[Sentence]:
    """Quotations inside a sentence are sentences of their own; what says who speaks is nothing, the rest the speaker's."""
    text = desk.record.text
    if not any(one.who for one in inner):
        return [_sentence(desk, start, end)]
    out, at = [], start
    for one in inner:
        out.append(_quoted(desk, one.start, one.end, one.who))
        at = one.end + 1
    rest = text[at:end].strip(' ,.;"”»」')
    if classify.length(rest) > 5 and not quoting.reported(rest):  # noqa: PLR2004  fewer words only say who spoke
        low = text.index(rest, at)
        out.append(_sentence(desk, low, low + len(rest)))
    return out


def _quoted(desk: _Desk, start: int, end: int, who: str) -> Sentence:
    speaker = quoting.named(who, desk.record.speaker, desk.subject, start)
    own = speaker == desk.record.speaker and bool(who)
    return _sentence(desk, start, end, speaker=speaker, quoted=not own, refusal="" if who else "recalled")


def _block(desk: _Desk, start: int, end: int) -> Sentence:
    who = quoting.block_speaker(desk.record.text, _block_start(desk.record.text, start))
    return _quoted(desk, start, end, who)


def _block_start(text: str, at: int) -> int:
    """The start of the run of "> " lines that `at` stands in; looked for over a bounded number of lines."""
    line = text.rfind("\n", 0, at) + 1
    for _ in range(40):
        above = text.rfind("\n", 0, max(line - 1, 0)) + 1
        if line == 0 or not text.startswith(">", above):
            break
        line = above
    return line


def _reported(desk: _Desk, start: int, end: int, said: quoting.Said) -> Sentence:
    speaker = quoting.named(said.who, desk.record.speaker, desk.subject, start)
    low = min(start + said.start, end - 1)
    if speaker == desk.record.speaker:
        return _sentence(desk, start if said.who.casefold() in ("i", "we") and not _told_that(desk, low) else low, end)
    words_own = not said.direct and quoting.first_person(desk.record.text[low:end])
    return _sentence(desk, low, end, speaker=desk.record.speaker if words_own else speaker, quoted=True)


def _told_that(desk: _Desk, low: int) -> bool:
    return desk.record.text[max(0, low - 5) : low].strip() == "that"


def _sentence(
    desk: _Desk, start: int, end: int, *, speaker: str | None = None, quoted: bool = False, refusal: str = ""
) -> Sentence:
    text = desk.record.text[start:end]
    function, words_said = classify.function_of(text), classify.tokens(text)
    if not refusal:
        refusal = _reason(desk, text, words_said, function, quoted=quoted)
    read = refusal not in desk.refuse or refusal in _STILL_READ
    return Sentence(
        text=text,
        start=start,
        end=end,
        function=Function.BOILERPLATE if refusal in ("boilerplate", "system_prompt", "error", "heartbeat") else function,
        speaker=desk.record.speaker if speaker is None else speaker,
        quoted=quoted,
        negated=read and classify.negated(text),
        modality=classify.modality_of(text, function) if read else Modality.ASSERTED,
        refusal=refusal,
        words=words_said,
    )


def _reason(desk: _Desk, text: str, words_said: Sequence[str], function: Function, *, quoted: bool) -> str:
    """The first reason for which nothing of this sentence is kept, or ""."""
    part = classify.plain(text)
    checks: tuple[tuple[str, Callable[[], object]], ...] = (
        ("recalled", lambda: _recalled(desk, text, part, words_said)),
        ("acknowledgement", lambda: function is Function.ACKNOWLEDGEMENT and not (desk.asked and classify.answers_briefly(part))),
        ("greeting", lambda: function is Function.GREETING),
        ("heartbeat", lambda: _HEARTBEAT_WORDS.match(part)),
        ("untrusted_instruction", lambda: _commands(desk, part, function, quoted=quoted)),
        ("boilerplate", lambda: _boilerplate(part)),
        ("error", lambda: _ERROR.match(part) and not _SELF.match(part)),
        ("refusal", lambda: (_AI_SELF if desk.record.role is Role.USER or not desk.machine else _MODEL_REFUSAL).match(part)),
        ("question", lambda: function is Function.QUESTION),
        ("hypothetical", lambda: _imagined(desk, part, function)),
        ("assistant_opinion", lambda: _opinion(desk, part, function)),
    )
    return next((reason for reason, holds in checks if holds()), "")


def _imagined(desk: _Desk, part: str, function: Function) -> bool:
    if desk.record.role is Role.USER and unmeant(part.lower()):
        return True
    return function is not Function.INSTRUCTION and classify.irreal(part)


def _recalled(desk: _Desk, text: str, part: str, words_said: Sequence[str]) -> bool:
    if desk.record.role is Role.USER and _TEMPLATED.match(part):
        return True
    return bool(desk.said) and _key(text, words_said) in desk.said


def _commands(desk: _Desk, part: str, function: Function, *, quoted: bool) -> bool:
    """Words that would steer an agent and have no right to: a stranger's, a quotation's, or a rule for what others ask."""
    if desk.untrusted or quoted:
        return function is Function.INSTRUCTION or _COMMANDING.search(part.lower()) is not None
    return function is not Function.QUESTION and _THIRD_PARTY.search(part.lower()) is not None and _ruling(part)


def _ruling(part: str) -> bool:
    return _RULE_VERB.search(part) is not None


_RULE_VERB: Final = re.compile(
    r"(?:^|[,;:] ?|\bthen |\bplease |\balways |\bnever |\bmust |\bshould )(?:say|tell|mention|answer|reply|respond|send"
    r"|recommend|claim|use|give|offer|approve|refer|redirect|include|ignore|treat|call|add|act)\b",
    _I,
)


def _boilerplate(part: str) -> bool:
    if repairs(part):
        return False
    if "[" in part and _MASKED.match(part):
        return True
    part = PLACEHOLDER.sub("", part) if "[" in part else part  # drawn by lot: it says neither words nor figures
    if _BOILERPLATE.match(part) or _LOG_LINE.match(part) or _URL_ONLY.match(part) or _BLOB.search(part):
        return True
    if len(part) < _LONG_LINE or not part.isascii():
        return False
    return sum(map(len, _LETTERS.findall(part))) * 2 < len(part) - part.count(" ")


def _opinion(desk: _Desk, part: str, function: Function) -> bool:
    """What an assistant says of its own accord: nothing but what it promised, decided or did is kept of a machine."""
    if desk.record.role is not Role.ASSISTANT:
        return False
    if not desk.machine:
        return function is Function.OPINION and _SECOND.search(part) is not None
    low = part.lower()
    if _DANGLING.search(low) or classify.conditional(part):
        return True
    if function is Function.COMMITMENT:
        return _LASTING.search(low) is None
    return _OUTCOME.search(low) is None and function is not Function.DECISION
