"""Personal data and secrets, found and taken out before anything is written.

Rule of this room: pure, offline and deterministic. `clean` does one text, `clean_turn` a whole turn, `clean_content` a payload
that may be JSON.
"""

from muniment.ingest.pii.rules_clean import Token, clean
from muniment.ingest.pii.rules_turn import CleanedTurn, clean_content, clean_turn, seal_token
from muniment.ingest.pii.rules_values import DEFAULT_POLICY, KINDS, Cleaned, Found

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
    "seal_token",
]
