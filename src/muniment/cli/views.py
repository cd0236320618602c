"""How values look in a terminal and in a pipe. One function per value; each prints to a Screen and returns nothing.

Rule of this file: ids are never cut and never share a word with other text; whatever came from outside passes through `visible`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import accumulate

from muniment.bundle import Bundle, Hit, Why
from muniment.cli.output import BAD, GOOD, MARK, SOFT, STRONG, WARN, Screen
from muniment.cli.paint import Piece, Text, cells
from muniment.cli.visible import one_line, visible
from muniment.knowledge.contradicted import told_by
from muniment.knowledge.values import Status
from muniment.text.ages import age
from muniment.types import Erasure, Finding, ItemReceipt, Outcome, Page, Record, Scope, Stats

DOT = " · "
INDENT = 4
BAR = 8
TOLD = 3
CHANNEL_STYLES = {"words": "cyan", "context": "magenta", "meaning": "green", "speaker": "yellow", "memory": "bright_magenta"}
SHARE_SHOWN = 0.005
PROBLEMS_SHOWN = 20
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")
_KIB = 1024
_FINGERPRINTS = re.compile(r"(?::(?:[0-9a-f]{8,}|[a-z]+|\d+))+$")


def moment(at: datetime | None) -> str:
    """`Mon 9 Mar 2026, 10:02`, in UTC; `time unknown` when nobody told it."""
    if at is None:
        return "time unknown"
    at = at.astimezone(UTC)
    return f"{at:%a} {at.day} {at:%b %Y, %H:%M}"


def stamp(at: datetime | None) -> str:
    """`2026-03-09 10:02`, in UTC, always as wide; dots when unknown."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}" if at else "....-..-.. ..:.."


def count(number: int, noun: str) -> str:
    """`1 record`, `2,000 records`."""
    plural = noun if number == 1 else f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def size(number: int) -> str:
    """`4.2 MiB`."""
    amount, unit = float(number), 0
    while amount >= _KIB and unit < len(_UNITS) - 1:
        amount, unit = amount / _KIB, unit + 1
    return f"{amount:.1f} {_UNITS[unit]}" if unit else count(number, "byte")


def show_bundle(screen: Screen, bundle: Bundle, scope: Scope) -> None:
    """Hits, best first, each with its reasons; then how far they can be trusted to be all."""
    numbers = accumulate(not hit.attached for hit in bundle)
    for place, hit in zip(numbers, bundle, strict=True):
        show_hit(screen, hit, place, best=bundle.hits[0].score, scope=scope, now=bundle.now)
        screen.gap()
    if not bundle.hits:
        screen.line("Nothing found.")
    for one in bundle.queries:
        for item in one.listing.items if one.listing else ():
            screen.line(DOT.strip(), " ", one_line(item.name), (f"{DOT}{' '.join(item.evidence)}", SOFT))
    for number, one in enumerate(bundle.queries if len(bundle.queries) > 1 else ()):
        found = count(bundle.found_by(number), "hit") if bundle.found_by(number) else "nothing"
        screen.line(f"query[{number}] ", one_line(one.query), (f"{DOT}{found}{DOT}confidence {_short(one.confidence)}", SOFT))
    for sentence in bundle.explanation:
        screen.line((one_line(sentence), SOFT))
    show_health(screen, bundle)


def show_why(screen: Screen, why: Why) -> None:
    """What became of one record, in a word and in sentences."""
    screen.line((why.code.replace("_", " "), GOOD if why.code == "found" else WARN))
    for sentence in why.explanation:
        screen.line(one_line(sentence))


def show_hit(
    screen: Screen, hit: Hit, place: int, *, best: float, scope: Scope, now: datetime | None = None, brief: bool = False
) -> None:
    """One piece of evidence: who, when and where; the words; the score and what it is made of. `brief` is without its id.

    With `now` a terminal is told how long ago that was; in a pipe the same is the same tomorrow.
    """
    record = hit.record
    where = [one_line(record.conversation)] if record.conversation else []
    if record.scope != scope:
        where.append("shared" if brief else _shared(record.scope))
    head = Text.of(
        (f"{'+' if hit.attached else place:>2}  ", STRONG),
        (one_line(record.speaker), STRONG),
        (DOT + moment(record.said_at) + ago(record.said_at, now if screen.wraps else None), SOFT),
    )
    screen.line(head, (DOT + DOT.join(where) if where else "", SOFT), hang=INDENT)
    screen.words(_best_words(hit), indent=INDENT)
    _show_told(screen, hit, brief=brief)
    references = [] if brief and screen.wraps else _matched(hit)
    references += [] if brief else [f"relevance {_short(hit.relevance)}", count(hit.tokens, "token"), hit.record.id]
    screen.line(_reasons(screen, hit, best), ("".join(DOT + reference for reference in references), SOFT), indent=INDENT)


def _show_told(screen: Screen, hit: Hit, *, brief: bool) -> None:
    """What the record proves and, first of all, what of it no longer holds."""
    ranked = sorted(hit.memories, key=lambda memory: memory.status is Status.CURRENT)
    if brief:
        ranked = [memory for memory in ranked if memory.status is not Status.CURRENT]
    for memory in ranked[:TOLD]:
        gone = [] if memory.status is Status.CURRENT else [(f"{memory.status.value.replace('_', ' ')}: ", WARN)]
        by = f"{DOT}by {memory.replaced_by}" if memory.replaced_by and not brief else ""
        screen.line(("= ", SOFT), *gone, (one_line(memory.text) + by, SOFT), indent=INDENT, hang=2)
    if len(ranked) > TOLD:
        screen.line((f"= and {len(ranked) - TOLD} more", SOFT), indent=INDENT)
    for memory in hit.against[:TOLD]:
        who = f"{DOT}{told_by(memory)}"
        screen.line(("≠ ", SOFT), ("contradicted: ", WARN), (one_line(memory.text + who), SOFT), indent=INDENT, hang=2)


def ago(at: datetime | None, now: datetime | None) -> str:
    """`, 6 months ago`; nothing where either moment is not known."""
    return f", {age(at, now)}" if at and now else ""


def _shared(scope: Scope) -> str:
    rung, name = scope.rungs[-1]
    return f"shared by {rung} {one_line(name)}"


def _best_words(hit: Hit) -> Text:
    """The passage that matched, the words of the question marked; an ellipsis where the record has more."""
    start, end = hit.passage if hit.passage[1] else (0, len(hit.record.text))
    text = hit.record.text
    shown = ("… " if start else "") + visible(text[start:end].strip()) + (" …" if end < len(text) else "")
    return Text.of(shown).marked([visible(term) for term in hit.terms if term], STRONG)


def _reasons(screen: Screen, hit: Hit, best: float) -> Text:
    """The score, drawn in proportion to the best one, and what it is made of."""
    if hit.attached:
        return Text.of(("context of its neighbour", SOFT))
    made_of = [(name, share) for name, share in hit.channels.items() if abs(share) >= SHARE_SHOWN]
    bar = [" ", *_channel_bar(made_of, best)] if screen.wraps else []
    shares = [(f" {name} {_short(share)}", _channel_style(name)) for name, share in made_of]
    return Text.of((f"{hit.score:.2f}", STRONG), *bar, *shares)


def _channel_bar(made_of: Sequence[tuple[str, float]], best: float) -> list[Piece]:
    pieces: list[Piece] = []
    share_drawn, drawn = 0.0, 0
    for name, share in made_of:
        share_drawn += max(share, 0.0)
        end = min(round(BAR * share_drawn / best), BAR) if best > 0 else 0
        pieces.append(("━" * (end - drawn), _channel_style(name)))
        drawn = end
    return [*pieces, ("─" * (BAR - drawn), SOFT)]


def _channel_style(name: str) -> str:
    return CHANNEL_STYLES.get(name, "bright_blue")


def _short(share: float) -> str:
    """Two decimals, without the zero before the point."""
    return f"{share:.2f}".replace("0.", ".", 1) if abs(share) < 1 else f"{share:.2f}"


def _matched(hit: Hit) -> list[str]:
    return [f"matched {', '.join(one_line(term) for term in hit.terms)}"] if hit.terms else []


def show_health(screen: Screen, bundle: Bundle) -> None:
    """What was searched, and every way in which the answer may be less than whole."""
    health = bundle.health
    how = f" by words and meaning ({model_name(health.embedder)})" if health.embedder else " by words"
    found = ""
    if bundle.hits:
        hits = count(sum(not hit.attached for hit in bundle), "hit")
        found = f"{hits}, {count(bundle.tokens, 'token')}, confidence {bundle.confidence:.2f}{DOT}"
    screen.line((f"{found}searched {count(health.searched, 'record')}{'' if health.degraded else how}", SOFT))
    for note in health.notes:
        screen.line((f"Degraded: {one_line(note)}", WARN))


def model_name(embedder: str) -> str:
    """The model's name without its fingerprints, which the document has."""
    return one_line(_FINGERPRINTS.sub("", embedder))


def show_page(screen: Screen, page: Page) -> None:
    """One line per record, newest first; in a pipe the fields are separated by tabs."""
    if not screen.wraps:
        for record in page.records:
            who = one_line(record.speaker)
            screen.line("\t".join([record.id, stamp(record.said_at or record.recorded_at), who, one_line(record.text)]))
        return
    ids = max((cells(record.id) for record in page.records), default=2)
    names = min(max((cells(one_line(record.speaker)) for record in page.records), default=3), 18)
    screen.clipped((f"{'ID':<{ids}}  {'SAID (UTC)':<16}  {'WHO':<{names}}  TEXT", SOFT))
    for record in page.records:
        screen.clipped(
            (record.id, MARK),
            f"  {stamp(record.said_at or record.recorded_at)}  ",
            Text.of(one_line(record.speaker)).fitted(names, pad=True),
            f"  {one_line(record.text)}",
        )


def show_record(screen: Screen, record: Record) -> None:
    """Everything about one record, and its words in full."""
    facts = [
        ("id", record.id),
        ("scope", str(record.scope)),
        ("speaker", record.speaker if record.speaker == record.role.value else f"{record.speaker} ({record.role.value})"),
        ("said", moment(record.said_at) + (" UTC" if record.said_at else "")),
        ("recorded", f"{moment(record.recorded_at)} UTC by agent {record.agent}"),
        ("conversation", record.conversation or ""),
        ("kind", record.kind.value),
        ("trust", record.trust.value),
        ("origin", record.origin),
        ("ref", record.ref or ""),
        ("answers call", record.tool_call_id or ""),
        ("seen", f"{record.occurrences} times" if record.occurrences > 1 else ""),
        *((f"calls {call.name}", call.arguments) for call in record.tool_calls),
        *((f"+ {key}", value) for key, value in record.metadata.items()),
    ]
    show_facts(screen, [(name, value) for name, value in facts if value])
    screen.gap()
    screen.words(record.text)


def show_facts(screen: Screen, facts: Sequence[tuple[str, str]]) -> None:
    """Names and values, one pair a line, values aligned."""
    widest = max(len(one_line(name)) for name, _ in facts)
    for name, value in facts:
        screen.line((f"{one_line(name):<{widest}}  ", SOFT), one_line(value))


def show_items(screen: Screen, items: Sequence[ItemReceipt]) -> None:
    """What became of a write: the counts, then every item that did not go as asked and why."""
    counts = [(outcome, sum(item.outcome is outcome for item in items)) for outcome in Outcome]
    told: list[Piece] = [(f"{number:,} {outcome.value}", _outcome_style(outcome)) for outcome, number in counts if number]
    screen.line(*_joined(told or [("nothing in it", WARN)]), indent=INDENT)
    remarks = [item for item in items if item.message]
    for item in remarks[:PROBLEMS_SHOWN]:
        style = _outcome_style(item.outcome)
        screen.line((f"{one_line(item.place)}: ", SOFT), (f"{item.outcome.value} ", style), one_line(item.message), indent=INDENT)
    if len(remarks) > PROBLEMS_SHOWN:
        screen.line((f"and {len(remarks) - PROBLEMS_SHOWN:,} more; all of them with --json", SOFT), indent=INDENT)


def _joined(pieces: Sequence[Piece]) -> list[Piece]:
    first, *others = pieces
    return [first, *(piece for other in others for piece in (", ", other))]


def _outcome_style(outcome: Outcome) -> str:
    if outcome in (Outcome.REFUSED, Outcome.FAILED):
        return BAD
    return GOOD if outcome is Outcome.STORED else ""


def show_erasure(screen: Screen, erasure: Erasure, scope: Scope, *, everything: bool) -> None:
    """What is gone of `scope`, or of it and `everything` below it, and whether the bytes are."""
    asked = one_line(str(scope))
    if not erasure.records:
        why = f"there are no records in {asked} or below it" if everything else "there is no such record at exactly this scope"
        screen.line((f"Nothing was forgotten: {why}.", WARN))
        return
    below = sum(one != scope for one in erasure.scopes)
    others = f" and {count(below, 'scope')} below it" if below else ""
    screen.line((f"Forgot {count(erasure.records, 'record')}", STRONG), f" of {asked}{others}")
    gone = ", ".join(f"{number:,} {one_line(table)}" for table, number in erasure.removed.items() if number)
    if gone:
        screen.line((f"rows gone: {gone}", SOFT), indent=INDENT)
    if erasure.clean:
        screen.line(("their bytes are overwritten in the file, and its log is empty", SOFT), indent=INDENT)
    for note in erasure.notes:
        screen.line((one_line(note), WARN), indent=INDENT)


def show_stats(screen: Screen, stats: Stats, scope: Scope | None) -> None:
    """Counts over a scope and all below it, or the whole store."""
    span = f"{moment(stats.oldest)} to {moment(stats.newest)} UTC" if stats.oldest else "nothing yet"
    show_facts(
        screen,
        [
            ("scope", f"{scope} and all below" if scope else "the whole store"),
            ("records", f"{stats.records:,} in {count(stats.conversations, 'conversation')} and {count(stats.scopes, 'scope')}"),
            ("recorded", span),
            ("index", f"{count(stats.entries, 'passage')}, {stats.vectors:,} with a vector"),
            ("embedder", stats.embedder or "none"),
            ("size", size(stats.bytes)),
        ],
    )


def show_findings(screen: Screen, findings: Sequence[Finding]) -> None:
    """Every check, and for a fault the next step."""
    widest = max((len(finding.check) for finding in findings), default=0)
    for finding in findings:
        word, style = ("mended", WARN) if finding.repaired else ("ok", GOOD) if finding.ok else ("FAULT", BAD)
        screen.line(
            (f"{word:<7}", style),
            f"{one_line(finding.check):<{widest}}  ",
            (one_line(finding.message), SOFT if finding.ok else ""),
        )
        if finding.hint and not finding.ok:
            screen.line((one_line(finding.hint), SOFT), indent=7)
    faults = sum(not finding.ok for finding in findings)
    screen.line((f"{count(faults, 'fault')} found." if faults else "The store is sound.", BAD if faults else GOOD))
