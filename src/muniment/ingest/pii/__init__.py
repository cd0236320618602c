"""Personal data and secrets, found and taken out before anything is written.

Rule of this room: pure, offline and deterministic. `clean` does one text, `clean_turn` a whole turn, `clean_content` a payload
that may be JSON. The patterns of the detectors are made when the first of them is called.
"""

from __future__ import annotations

from collections.abc import Mapping

from muniment.ingest.pii.rules_values import DEFAULT_POLICY, KINDS, Cleaned, CleanedTurn, Found, Token, placeholders, seal_token
from muniment.knowledge.architecture import Keep
from muniment.types import Turn

__all__ = [
    "DEFAULT_POLICY",
    "KINDS",
    "Cleaned",
    "CleanedTurn",
    "Found",
    "Token",
    "clean",
    "clean_content",
    "clean_turn",
    "personal",
    "placeholders",
    "seal_token",
]


def clean(text: str, *, policy: Mapping[str, Keep], token: Token) -> Cleaned:
    """`text` as it may be written. Kinds that `policy` does not name are treated as in `DEFAULT_POLICY`.

    A masked value becomes "[kind]", a tokenised one "[kind:token]" with its value in `sealed`; a kind to refuse refuses the
    whole text. Raises InputError for a token that is not 1 to 64 letters, digits, - or _.
    """
    from muniment.ingest.pii import rules_clean  # noqa: PLC0415  # whoever writes nothing waits for no pattern

    return rules_clean.clean(text, policy=policy, token=token)


def personal(text: str) -> tuple[tuple[str, str], ...]:
    """The personal data and secrets in `text`, as they stand there, each with its kind."""
    found = clean(text, policy=dict.fromkeys(KINDS, Keep.MASK), token=lambda kind, _: kind).found
    return tuple((text[find.start : find.end], find.kind) for find in found)


def clean_turn(turn: Turn, *, policy: Mapping[str, Keep], token: Token) -> CleanedTurn:
    """`turn` with every part cleaned as `clean` does. Raises InputError for a token that cannot stand for a value."""
    from muniment.ingest.pii import rules_turn  # noqa: PLC0415  # the same

    return rules_turn.clean_turn(turn, policy=policy, token=token)


def clean_content(content: str, *, policy: Mapping[str, Keep], token: Token) -> Cleaned:
    """A payload cleaned as `clean` does; what is JSON stays JSON."""
    from muniment.ingest.pii import rules_turn  # noqa: PLC0415  # the same

    return rules_turn.clean_content(content, policy=policy, token=token)
