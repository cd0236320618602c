"""Reads decisions, commitments and outcomes out of a sentence, with what the sentences around it add.

Rule of this file: pure; a candidate's words are the record's own. What earlier records weighed is not copied: their ids are kept
as the part `considered_in`, so that the words stay where they can be erased.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from muniment.ingest.extract import words_decisions as words
from muniment.ingest.extract.rules_decisions_clauses import CUE as SHAPED
from muniment.ingest.extract.rules_decisions_clauses import (
    argued,
    contrasted,
    named_after,
    options_beside,
    reason_beside,
    verdict,
)
from muniment.ingest.extract.rules_decisions_english import REVERSED, Told, decision, of_shape
from muniment.ingest.extract.rules_decisions_frames import CUE
from muniment.ingest.extract.rules_decisions_other import ToldOther, told_other
from muniment.ingest.extract.rules_decisions_parts import REASON, TIPPED, Pieces, around, from_around, pieces
from muniment.ingest.extract.rules_decisions_promised import CameOut, Promised, came_out, promised, settled
from muniment.ingest.extract.rules_decisions_sections import Part, named, parts_of, texts
from muniment.ingest.extract.rules_sentence import Context, Function, Sentence
from muniment.knowledge.decisions import HINTED, KEPT, WITHDRAWN, telling
from muniment.knowledge.values import SELF, Act, Candidate, Evidence, Mention, Modality
from muniment.knowledge.weighed import listed, weighed
from muniment.text.sentences import sentences
from muniment.types import Record, Role, Trust, When

LONGEST = 1200
"""Characters of a sentence that are read."""
EXTRACTOR = "rules:decisions"
_FEW, _WHOLE = 3, 320
"""Words of a sentence that may tell an outcome, at least; characters of a turn that tells one as a whole, at most."""
_SHORT = 160
"""Characters of a verdict that rests on what was asked before."""
_LOOKED_BACK = 4
"""Earlier records in which the options of a decision are looked for."""
_EDGES = ' \t\n,.;:!"“”*_`'
_OPEN = re.compile(
    r"(?:none|tbd|pending|open|deferred|not yet|n/a|unclear|to be (?:decided|discussed|confirmed)|no decision|still|postponed until further)\b",
    re.IGNORECASE,
)
"""How a part opens that was left undecided."""
_SKIPPED = frozenset({Function.QUESTION, Function.ACKNOWLEDGEMENT, Function.GREETING, Function.BOILERPLATE})
_GATE = re.compile(words.GATE)
_AFTER_ALL = re.compile(
    r",? (?:after all|any ?more|this time|for now|at the moment|sorry|i['’]m afraid|unfortunately)\b.*$", re.IGNORECASE
)
_MAYBE = re.compile(words.MAYBE_OUTCOME)
_HOPED = re.compile(
    r"\b(?:will|['’]ll|would|could|might|may|should|hope\w*|expect\w*|if|whether|maybe|perhaps|plan(?:s|ning)? to|going to|want to|let['’]s|please)\b"
)
_FOREIGN = re.compile("[^\x00-\x7f]")
_LIKELY = re.compile(
    r"\b(?:decid\w+|agreed|chose|went with|opted|settled on|decision|going with|let['’]s|verdict)\b", re.IGNORECASE
)
_LATIN = re.compile(
    r"\b(?:ich|wir|haben|hat|nous|avons|j['’]ai|hemos|decidimos|optamos|decidi|escolhi\w*|eleg\w+|nos|em vez|on a)\b"
)
_LEAD = re.compile(
    r"^(?:to |that |on |upon |with |for |we(?:['’]ll| will| should| would)? |i(?:['’]ll| will)? )+(?=\S)", re.IGNORECASE
)
_DOING = re.compile(
    r"^(?:use|using|go(?:ing)? with|adopt(?:ing)?|pick(?:ing)?|choose|choosing|take|taking|run(?:ning)? with|stick(?:ing)? (?:with|to)) (?:the |a |an )?(?=\S)",
    re.IGNORECASE,
)
_TRAILS = re.compile(
    r",?(?: (?:after all|in the end|at last|for now|for good|then|instead|today|yesterday|tonight|this morning|(?:last|next|this) (?:week|month|year|night|quarter)))+$",
    re.IGNORECASE,
)
_WHY = re.compile(r"\b(?:why|how come|what made you|what was the reason)\b[^.?!]{0,120}\?\s*$", re.IGNORECASE)
_FIRST_PERSONS = frozenset({"", "i", "we", "let's", "our", "everyone", "everybody"})
_MAY_TELL_WHY = re.compile(
    r"(?:and |also,? |well,? )?(?:the|our|my|one|mainly|mostly|partly|simply|just|basically|because|since|due|owing|this|that|it|what|so|her|his|their|a|another|deciding|main|reason|clincher)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?:[^\w\s]{1,3} ?)?(?:rejected|ruled out|alternatives?|considered|options?|discarded)(?: \w+)?:", re.IGNORECASE
)
_FLIPS = (
    (re.compile(r"\b(?:I['’]m|we['’]re)(?= )", re.IGNORECASE), "they are"),
    (re.compile(r"\b(?:I|we)['’]ll(?= )", re.IGNORECASE), "they will"),
    (re.compile(r"\b(?:I|we)['’]ve(?= )", re.IGNORECASE), "they have"),
    (re.compile(r"\b(?:I|we)['’]d(?= )", re.IGNORECASE), "they would"),
    (re.compile(r"\bI am\b"), "they are"),
    (re.compile(r"\bI was\b"), "they were"),
    (re.compile(r"\b(?:I|[Ww]e)\b(?![.:/'’-]\w)"), "they"),
    (re.compile(r"\b(?:me|us)\b"), "them"),
    (re.compile(r"\b(?:myself|ourselves)\b", re.IGNORECASE), "themselves"),
    (re.compile(r"\b(?:[Mm]y|[Oo]ur)\b"), "their"),
    (re.compile(r"\b(?:mine|ours)\b"), "theirs"),
)
_WAITS = re.compile(
    r"^(?:by|before|until|till|on|at|in|within|no later than|this|next|tomorrow|tonight|today|end of|eod|asap)\b", re.IGNORECASE
)
_BY = re.compile(
    r"\b(?:by|before|no later than|until|within|on|at|in) (?:the )?(?:end of (?:the )?|close of )?[\w:]+(?: (?:morning|afternoon|evening|night|week|month|noon|am|pm|days?|hours?|weeks?|minutes?|\d{1,2}(?:st|nd|rd|th)?))?"
    r"|\b(?:tomorrow|tonight|today|this (?:afternoon|evening|week|month)|next (?:week|month|\w+day)|eod|asap)\b(?: (?:morning|afternoon|evening|night))?",
    re.IGNORECASE,
)


def read(sentence: Sentence, context: Context) -> Sequence[Candidate]:  # noqa: C901, PLR0911, PLR0912  one kind after the other
    """The decisions, commitments and outcomes one sentence tells; mostly none."""
    if sentence.refusal or sentence.function in _SKIPPED:
        return ()
    text = sentence.text[:LONGEST]
    if text[-1:] in ("?", "？"):
        return ()
    if parts := parts_of(context.record.text):
        if (part := _part_of(sentence, parts)) is not None and (
            candidate := _labelled(part, parts, sentence, context)
        ) is not None:
            return (candidate,)
        return ()
    if _LABELLED.match(text):
        return ()
    if sentence.start == 0 and (reason := _reason_given(text, sentence, context)) is not None:
        return (reason,)
    low = text.lower()
    english = _GATE.search(low) is not None or CUE.search(low) is not None or SHAPED.search(low) is not None
    told = _verdict(text, sentence, context)
    if english or told:
        before, _ = around(context.record.text, sentence.start, sentence.end)
        if (told := told or decision(text, before)) and (candidate := _decided(told, sentence, context)) is not None:
            return (candidate,)
        timed = [one for one in context.timed if one.start < sentence.end and one.end > sentence.start] or _BY.search(text)
        if given := promised(text, timed=bool(timed)):
            if (candidate := _promised(given, sentence, context)) is not None:
                return (candidate,)
        elif (out := came_out(text)) and not _is_person(out.named, context) and (candidate := _came_out(sentence, context, out)):
            return (candidate,)
    if _FOREIGN.search(text) or _LATIN.search(low):
        _, after = around(context.record.text, sentence.start, sentence.end)
        if other := told_other(text, after[0] if after else ""):
            return (_in_other(other, sentence, context),)
    if (told := _contrasted(text, context)) and (candidate := _decided(told, sentence, context)) is not None:
        return (candidate,)
    return tuple(one for one in (_ended(text, sentence, context), _perhaps(low, sentence, context)) if one is not None)


def _ended(text: str, sentence: Sentence, context: Context) -> Candidate | None:
    """What may be the end of something promised: settling finds out of what, or of nothing."""
    found = settled(text)
    if found is None:
        return None
    subject = "" if found.who == "*" else _person(found.who, found.place, sentence, context)[0]
    if not subject and found.who != "*":
        return None
    return _hinted(
        text,
        sentence,
        context,
        subject=subject,
        attribute=KEPT if found.done else WITHDRAWN,
        targets=_words(_AFTER_ALL.sub("", found.deed)),
    )


def _perhaps(low: str, sentence: Sentence, context: Context) -> Candidate | None:
    """What may tell what came of a decision: settling finds out of which, or of none."""
    record = context.record
    if record.role not in (Role.USER, Role.ASSISTANT) or not _MAYBE.search(low) or sentence.modality is not Modality.ASSERTED:
        return None
    if len(sentence.words) < _FEW or _HOPED.search(low):
        return None
    short = len(record.text) <= _WHOLE
    said = " ".join((record.text if short else sentence.text[:LONGEST]).split())
    if short and not _first_told(sentence, record.text):
        return None
    return _hinted(said, sentence, context, subject=sentence.speaker or SELF, attribute="outcome", targets=_words(said))


def _first_told(sentence: Sentence, text: str) -> bool:
    """Whether nothing before the sentence tells anything: what came of something is told once a turn."""
    return all(text[a:b].endswith(("?", ":", ",", "!")) or b - a < _WHOLE // 10 for a, b in sentences(text[: sentence.start]))


def _hinted(said: str, sentence: Sentence, context: Context, *, subject: str, attribute: str, targets: list[str]) -> Candidate:
    return _candidate(
        "decision" if attribute == "outcome" else "commitment",
        f"{sentence.speaker or SELF}: {said}",
        sentence,
        context,
        subject=subject or sentence.speaker or SELF,
        value="*" if not subject else "",
        act=Act.OUTCOME,
        targets=tuple(targets),
        parts={"outcome": (said.strip(" \t\n.!。"),)},
        attribute=attribute,
        confidence=HINTED,
    )


def _is_person(name: str, context: Context) -> bool:
    """Whether a name is somebody's: people do not come out."""
    return bool(name) and any(m.text.startswith(name) and m.kind == "person" for m in context.mentions)


def _decided(told: Told, sentence: Sentence, context: Context) -> Candidate | None:
    text = sentence.text[:LONGEST]
    before, after = around(context.record.text, sentence.start, sentence.end)
    if told.against and before and (chosen := decision(before[0])) and not chosen.against:
        return None
    from_around(text, before, after, told.pieces, stops=_LIKELY)
    if not _person(told.who, told.place, sentence, context)[0] or not (_holds(told, context) or argued(text, before)):
        return None
    options_beside(text, before, after, told.pieces)
    named_after(text, after, told.verb, told.pieces)
    reason_beside(before, after, told.pieces, stops=_LIKELY, sure=told.sure)
    return _made(told, sentence, context, reverses=told.reverses or bool(before and REVERSED.search(before[0])))


def _made(told: Told, sentence: Sentence, context: Context, *, reverses: bool) -> Candidate | None:
    subject, label = _person(told.who, told.place, sentence, context)
    what = _LEAD.sub("", told.pieces.what) if told.verb.endswith(":") else told.pieces.what
    value = _value(what)
    alternatives = _others(told.pieces.alternatives, value)
    if told.against:
        alternatives = tuple(dict.fromkeys((value.removeprefix("against "), *alternatives)))
        value = value if value.startswith("against ") else f"against {value}"
    parts = _parts(told.pieces, alternatives, context, value)
    core = f"{label} {_plain(told.verb, label)} {_flipped(what)}"
    return _candidate(
        "decision",
        core + _because(told.pieces, alternatives if not told.against else ()),
        sentence,
        context,
        subject=subject,
        value=value,
        act=Act.CORRECT if reverses else Act.STATE,
        targets=tuple(_words(" ".join(alternatives) or what)) if reverses else (),
        parts=parts,
        confidence=1.0 if told.sure else 0.75,
        negated=told.against or " not to" in told.verb,
    )


def _holds(told: Told, context: Context) -> bool:
    """Whether what was told counts: by itself, by a reason or an alternative, or because it was a choice before."""
    if told.sure or told.pieces.alternatives or (told.pieces.explained and not told.faint):
        return True
    chosen = telling(told.pieces.what)
    options = [telling(one) for record in context.before[-_LOOKED_BACK:] for one in weighed(record.text)]
    return bool(chosen) and any(one and (one <= chosen or chosen <= one) for one in options)


def _verdict(text: str, sentence: Sentence, context: Context) -> Told | None:
    """A short verdict on what an earlier turn asked for."""
    if not context.before or sentence.start > _SHORT or len(text) > _SHORT or context.record.role is not Role.USER:
        return None
    last = context.before[-1].text[-LONGEST:]
    options = [one for record in context.before[-_LOOKED_BACK:] for one in weighed(record.text)]
    if not options and "?" not in last and "please" not in text:
        return None
    _, after = around(context.record.text, sentence.start, sentence.end)
    told = verdict(text, after[0] if after else "", last, options)
    return of_shape(told) if told else None


def _contrasted(text: str, context: Context) -> Told | None:
    """A choice between what earlier turns weighed, told by whatever words."""
    if not context.before or context.record.role is not Role.USER or len(text) > _WHOLE:
        return None
    options = [one for record in context.before for one in weighed(record.text)]
    told = contrasted(text, options) if len(options) > 1 else None
    return of_shape(told) if told else None


def _part_of(sentence: Sentence, parts: Sequence[Part]) -> Part | None:
    """The part a sentence tells what was decided in, if it opens one."""
    return next((p for p in parts if p.kind == "decided" and sentence.start <= p.start < sentence.end), None)


def _labelled(part: Part, parts: tuple[Part, ...], sentence: Sentence, context: Context) -> Candidate | None:
    """A decision of minutes or of a decision record, with what its other parts tell of it."""
    told = decision(part.text) or Told(who="", place=0, verb="decided:", pieces=pieces(part.text.strip(_EDGES)))
    if told.against or not told.pieces.what or _OPEN.match(part.text):
        return None
    read = told.pieces
    several = [one for one in parts if one.kind == "decided"]
    mine = parts[parts.index(part) :] if len(several) > 1 else parts
    mine = (
        tuple(mine[: next((n for n, one in enumerate(mine[1:], 1) if one.kind == "decided"), len(mine))])
        if len(several) > 1
        else mine
    )
    read.rationale += [
        one for one in texts(mine, "why") or (() if read.rationale else texts(mine, "good")) if one not in read.rationale
    ]
    for one in named(mine):
        read.alternatives += [option for option in listed(one) if option not in read.alternatives]
    for other in mine:
        if other.kind == "none":
            read.alternatives += [option for option in weighed(other.text) if option not in read.alternatives]
    read.depends_on += texts(mine, "depends")
    by = texts(mine, "by")
    return _made(
        replace(told, who=by[0] if by and not told.who else told.who, sure=True), sentence, context, reverses=told.reverses
    )


def _promised(given: Promised, sentence: Sentence, context: Context) -> Candidate | None:
    subject, label = _person(given.who, given.place, sentence, context)
    if not subject:
        return None
    deadline, when = _deadline(given, sentence, context)
    what = given.what
    parts: dict[str, tuple[str, ...]] = {"owner": (subject,)}
    if deadline:
        parts["deadline"] = (deadline,)
    joins = re.sub(r"^(promise|commit|swear|pledge|undertake|owe)(?= )", r"\1s", given.joins.casefold())
    return _candidate(
        "commitment",
        f"{label} {joins} {_flipped(what)}",
        sentence,
        context,
        subject=subject,
        value=what,
        parts=parts,
        event=when,
        modality=Modality.PLANNED,
    )


def _came_out(sentence: Sentence, context: Context, out: CameOut) -> Candidate | None:
    """An outcome; what names nothing itself is about the decision told last before it, and is nothing without one."""
    text = sentence.text[:LONGEST]
    targets, subject = _words(text), sentence.speaker or SELF
    if out.refers:
        last = _last_decision(sentence, context)
        if last is None and out.loose:
            return None
        if last is None and not any(word in telling(text) for word in ("rollback", "migrat")) and len(telling(text)) < 3:  # noqa: PLR2004  too little to find anything by
            return None
        targets, subject = (_words(last[0]), last[1]) if last else (targets, subject)
    return _candidate(
        "decision",
        f"{sentence.speaker or SELF}: {text.strip()}",
        sentence,
        context,
        subject=subject,
        value="",
        act=Act.OUTCOME,
        targets=tuple(targets),
        parts={"outcome": (text.strip(" \t\n.!。"),)},
        attribute="outcome",
        confidence=0.75 if out.refers else 1.0,
    )


def _reason_given(text: str, sentence: Sentence, context: Context) -> Candidate | None:
    """The reason of the decision told last, where the turn before asked why and this one answers."""
    if not context.before:
        return None
    asked = (REASON if _WHY.search(context.before[-1].text[-200:]) else TIPPED) if _MAY_TELL_WHY.match(text) else None
    opened = asked.match(text) if asked is not None else None
    if opened is None:
        return None
    said = text[opened.end() :].strip(" \t\n.!")
    last = _last_decision(sentence, context) if said else None
    if last is None:
        return None
    return _candidate(
        "decision",
        f"{sentence.speaker or SELF}: {text.strip()}",
        sentence,
        context,
        subject=last[1],
        value="",
        act=Act.OUTCOME,
        targets=tuple(_words(last[0])),
        parts={"rationale": (said,)},
        attribute="outcome",
    )


def _last_decision(sentence: Sentence, context: Context) -> tuple[str, str] | None:
    """What was decided last before the sentence, in the record or in those before it, and by whom: it need not be who speaks."""
    own, _ = around(context.record.text, sentence.start, sentence.end)
    for text in own:
        if _LIKELY.search(text) and (told := decision(text)):
            return told.pieces.what, _decider(told, sentence.speaker or context.record.speaker)
    for record in reversed(context.before):
        if not _LIKELY.search(record.text[:LONGEST]):
            continue
        told = decision(record.text[:LONGEST])
        for piece in re.split(r"(?<=[.!?])\s", record.text[:LONGEST]) if told is None else ():
            told = told or decision(piece)
        if told is not None:
            return told.pieces.what, _decider(told, record.speaker)
    return None


def _decider(told: Told, speaker: str) -> str:
    """The subject a decision is kept under that was told by `speaker`."""
    low = told.who.casefold()
    if low.partition(" ")[0] in {*_FIRST_PERSONS, "he", "she", "they", "you"}:
        return speaker or SELF
    return low if low.startswith(("the ", "management", "everyone")) else told.who


def _in_other(told: ToldOther, sentence: Sentence, context: Context) -> Candidate:
    speaker = sentence.speaker or context.record.speaker or SELF
    subject = told.who if told.who not in ("", "+") else speaker
    if told.promised:
        return _candidate(
            "commitment",
            f"{subject}: {sentence.text[:LONGEST].strip()}",
            sentence,
            context,
            subject=subject,
            value=told.pieces.what,
            parts={"owner": (subject,)},
            event=_when(sentence, context),
            modality=Modality.PLANNED,
        )
    parts = _parts(told.pieces, tuple(told.pieces.alternatives), context, told.pieces.what)
    return _candidate(
        "decision",
        f"{subject}: {sentence.text[:LONGEST].strip()}",
        sentence,
        context,
        subject=subject,
        value=told.pieces.what,
        parts=parts,
    )


def _person(who: str, place: int, sentence: Sentence, context: Context) -> tuple[str, str]:
    """The subject for whoever decides, and how the text names them; two empty texts when a pronoun stands for nobody known."""
    speaker = sentence.speaker or context.record.speaker or SELF
    low = who.casefold()
    if low in ("", "i"):
        return speaker, speaker
    if low in ("we", "let's", "everyone", "everybody", "they", "you", "he", "she"):
        return _pronoun(low, place, speaker, sentence, context)
    first, _, rest = who.partition(" ")
    if first.casefold() in ("our", "my"):
        owned = f"{speaker}'s {rest}"
        return (speaker, owned) if first.casefold() == "our" else (owned, owned)
    if first.casefold() in ("the", "his", "her", "their", "your", "its"):
        return who[0].casefold() + who[1:], who[0].casefold() + who[1:]
    return who, who


def _pronoun(low: str, place: int, speaker: str, sentence: Sentence, context: Context) -> tuple[str, str]:
    if low == "you":
        spoke = {one.speaker for one in context.before} - {context.record.speaker, "", "assistant", SELF}
        if spoke:
            return (spoken := spoke.pop(), spoken) if len(spoke) == 1 else ("", "")
        return (SELF, SELF) if context.record.role is Role.ASSISTANT else ("assistant", "assistant")
    if low in ("he", "she", "they"):
        name = context.subject(low, sentence.start + place)
        return (name, name) if name else ((low, low) if low == "they" else ("", ""))
    return speaker, f"{speaker} and others"


def _value(what: str) -> str:
    """What was decided without the words that only say it was taken up, so that two wordings of it compare as one."""
    bare = _LEAD.sub("", what)
    bare = _TRAILS.sub("", bare) or bare
    return (_DOING.sub("", bare) or bare).strip()[:200]


def _others(alternatives: Sequence[str], value: str) -> tuple[str, ...]:
    """The alternatives without the one that was taken."""
    chosen = set(value.casefold().split())
    kept = [one for one in dict.fromkeys(alternatives) if not set(one.casefold().split()) - {"the"} <= chosen]
    return tuple(kept[:8])


def _parts(read: Pieces, alternatives: Sequence[str], context: Context, value: str) -> dict[str, tuple[str, ...]]:
    parts = {
        "rationale": tuple(dict.fromkeys(read.rationale)),
        "alternatives": tuple(alternatives),
        "depends_on": tuple(dict.fromkeys(read.depends_on)),
        "considered_in": tuple(str(record.id) for record in context.before[-_LOOKED_BACK:] if _weighs(record, value)),
    }
    return {name: texts for name, texts in parts.items() if texts}


def _weighs(record: Record, value: str) -> bool:
    """True when an earlier record names options besides what was chosen, and comes from somebody who may be believed."""
    if record.trust is Trust.UNTRUSTED or record.role not in (Role.USER, Role.ASSISTANT):
        return False
    options = weighed(record.text)
    chosen = telling(value)
    if not any(telling(option) & chosen for option in options):  # a bare "or" weighs only where the choice is one side of it
        options = weighed(record.text.replace(" or ", " and ")) if telling(record.text) & chosen else ()
    return bool(_others(options, value))


def _because(read: Pieces, alternatives: Sequence[str]) -> str:
    """The reason and the alternatives as the end of a sentence."""
    rather = f" rather than {' or '.join(alternatives)}" if alternatives else ""
    if not read.rationale:
        return rather
    return f"{rather} {_flipped(read.because)}" if read.because else f"{rather} (reason: {_flipped(read.rationale[0])})"


def _plain(verb: str, label: str) -> str:
    """The verb as it follows a name."""
    verb = re.sub(r" (?:we|i)$", " that they", " ".join(verb.split()), flags=re.IGNORECASE)
    verb = verb.replace("chosen", "chose") if verb.startswith("chosen") else verb
    return (
        verb.casefold()
        if not label.endswith("others")
        else verb.casefold().replace("is ", "are ", 1)
        if verb.startswith("is ")
        else verb.casefold()
    )


def _flipped(text: str) -> str:
    """Text in which whoever speaks is told of, not speaking."""
    for pattern, told in _FLIPS:
        text = pattern.sub(told, text)
    return text


def _deadline(given: Promised, sentence: Sentence, context: Context) -> tuple[str, When | None]:
    """The words for when a promised thing is due, and that time; what the resolver found goes before what only looks like it."""
    low, high = sentence.start + given.start, sentence.start + given.end
    for timed in context.timed:
        if low <= timed.start and timed.end <= high:
            front = context.record.text[max(low, timed.start - 24) : timed.start]
            lead = re.search(r"\b(?:no later than|before|by|until|till|on|at|within|in)(?: the)? $", front, re.IGNORECASE)
            return (lead[0] if lead else "") + context.record.text[timed.start : timed.end], timed.when
    found = _BY.search(sentence.text[given.start : given.end])
    return (
        (found[0], None)
        if found and re.match(r"(?:by|before|no later|until|tomorrow|tonight|today|this|next|eod|asap)", found[0], re.IGNORECASE)
        else ("", None)
    )


def _when(sentence: Sentence, context: Context) -> When | None:
    return next((one.when for one in context.timed if sentence.start <= one.start and one.end <= sentence.end), None)


def _words(text: str) -> list[str]:
    return re.findall(r"\w[\w'’.+#-]{0,60}", text)[:60]


def _candidate(
    kind: str,
    text: str,
    sentence: Sentence,
    context: Context,
    *,
    subject: str,
    value: str,
    parts: dict[str, tuple[str, ...]],
    act: Act = Act.STATE,
    attribute: str = "",
    targets: tuple[str, ...] = (),
    event: When | None = None,
    modality: Modality = Modality.ASSERTED,
    confidence: float = 1.0,
    negated: bool = False,
) -> Candidate:
    record = context.record
    untrusted = record.trust is Trust.UNTRUSTED or record.role in (Role.TOOL, Role.DOCUMENT)
    named: tuple[Mention, ...] = tuple(m for m in context.mentions if sentence.start <= m.start and m.end <= sentence.end)
    return Candidate(
        kind=kind,
        text=" ".join(text.split())[:600],
        subject=subject,
        evidence=Evidence(
            record=record.id, start=sentence.start, end=sentence.end, said_at=record.said_at, speaker=sentence.speaker
        ),
        role=record.role,
        act=act,
        attribute=attribute or kind,
        value=value,
        functional=False,
        negated=negated,
        modality=modality,
        speaker=sentence.speaker,
        mentions=named,
        event=event or (_when(sentence, context) if kind == "decision" else None),
        targets=targets,
        parts=parts,
        confidence=confidence,
        trust=Trust.UNTRUSTED if untrusted else Trust.TRUSTED,
        extractor=EXTRACTOR,
    )
