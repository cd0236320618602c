"""The case of a playbook squeezed from 18,282 tokens to 122: what a digest of it says when it is asked for that.

Rule of this file: the playbook is made here, from plain rules with figures of their own, so that every loss can be named.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from benchmarks.compaction_data import records_of
from muniment.compact import Wish, digest
from muniment.ingest.extract.rules_names import mentions
from muniment.types import Record, Role, Turn

TOKENS, TARGET = 18_282, 122
SHOWN = 8
_APPS = ("calendar", "ledger", "mailbox", "contacts", "shop", "music library", "file store", "notebook", "bank", "helpdesk")
_RULES = (
    "Rule {n}: when the {app} returns pages, read at most {a} pages of {b} items before you answer.",
    "Rule {n}: never delete an entry of the {app} without asking its owner, even if it is {a} days old.",
    "Rule {n}: amounts above ${b}00 in the {app} must be confirmed by {name} before {a} pm.",
    "Rule {n}: call `{app_code}_search_{n}` first; it fails after {a} tries within {b} seconds.",
    "Rule {n}: we decided to keep the {app} sorted by date, because {name} lost {a} of {b} entries in March 202{d}.",
    "Rule {n}: {name} will review the {app} by {a} May 2026 and only closes tickets older than {b} days.",
)
_NAMES = ("Rosa", "Imran", "Keiko", "Tobias", "Amara", "Viktor", "Leila")


def playbook(count: Callable[[str], int], tokens: int = TOKENS) -> tuple[Record, ...]:
    """Rules of `tokens` tokens at least, ten to a turn of an assistant."""
    rules: list[str] = []
    size = 0
    while size < tokens:
        n = len(rules) + 1
        app = _APPS[n % len(_APPS)]
        text = _RULES[n % len(_RULES)].format(
            n=n,
            app=app,
            app_code=app.replace(" ", "_"),
            a=2 + n * 7 % 19,
            b=5 + n * 11 % 83,
            d=n % 6,
            name=_NAMES[n % len(_NAMES)],
        )
        rules.append(text)
        size += count(text)
    said = datetime(2026, 3, 2, 9, tzinfo=UTC)
    texts = ["\n".join(rules[at : at + 10]) for at in range(0, len(rules), 10)]
    return records_of(Turn(text=text, role=Role.ASSISTANT, said_at=said, conversation="playbook") for text in texts)


def reenacted(count: Callable[[str], int]) -> str:
    """What happened, in words: what was asked for, what is served, and what the size asked for would have lost."""
    records = playbook(count)
    served = digest(records, Wish(target=TARGET), names=mentions, count=count)
    forced = digest(records, Wish(target=TARGET, threshold=0.0), names=mentions, count=count)
    lost = sorted(forced.verification.lost, key=lambda claim: -claim.weight)
    refused = "refused" if forced.verification.score < served.threshold else "it would pass"
    over = "over the target, and says so" if served.over else "within the target"
    told = [
        f"\nplaybook: {TARGET} of {served.source_tokens:,} tokens asked for",
        f"  at {forced.tokens} tokens {forced.verification.score:.1%} of the claims kept, of {served.threshold:.0%}: {refused}",
        f"  served: {served.tokens:,} tokens ({served.relaxed}), {served.verification.score:.1%} kept, {over}",
        f"  it would have lost {len(lost)} of {len(forced.claims)} claims, such as:",
        *(f"    {claim.kind}: {claim.value} ({claim.text[:90]})" for claim in lost[:SHOWN]),
    ]
    return "\n".join(told)
