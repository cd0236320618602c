"""The words by which what is shared is told from the names of people: whose word stands before a name, and what is written large.

Rule of this file: tables only.
"""

# ruff: noqa: SIM905  # a table reads best as plain words

from __future__ import annotations

from muniment.knowledge.entities.words_marks import ABOVE, BESIDE, KIN, LOVE

KIN_OF = "|".join(sorted({*KIN, *LOVE, *ABOVE, *BESIDE, "colleague", "partner", "assistant", "doctor", "teacher", "client"}))
"""Words that say who somebody is, as a pattern: a name behind one of them is a person's."""

ORDINARY = frozenset(
    "i i'm i've i'd i'll someone "
    "monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december "
    "english german french spanish portuguese italian dutch russian chinese japanese korean arabic hindi turkish polish "
    "european american british "
    "christmas easter ramadan diwali "
    "utc gmt am pm ok internet web".split()
)
"""What is written with a capital and names nobody."""

NOBODYS = frozenset(
    "lives_in works_at studies_at plan subscription_status language speaks timezone diet uses visited job status".split()
)
"""Slots whose value is no person."""

PEOPLE_DO = frozenset(
    "says said tells told thinks thought likes loves hates lives lived works worked left leaves wants wanted knows knew "
    "joined married wrote writes asked asks believes prefers moved called quit resigned retired agreed decided promised".split()
)
"""What people do: a word with a capital in front of one of them is taken for a name at the start of a sentence as well."""
