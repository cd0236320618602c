"""A digest that says otherwise than its source is caught; one that says the same in other words is not."""

from __future__ import annotations

import pytest

from muniment.compact.rules_compare import Source, faults
from muniment.compact.rules_stated import names_in, read
from muniment.ingest.extract.rules_names import mentions

SOURCE = (
    "Ben will send the report to Ana by 5 May 2026. The deposit is $1,200 and must not exceed 30 days. "
    "Never delete records without asking Rita. The pump weighs twelve kg."
)


def found(digest):
    known = names_in(SOURCE, mentions) | names_in(digest, mentions)
    source = Source(read(SOURCE, names=mentions, known=known))
    return {fault.kind for fault in faults(read(digest, names=mentions, known=known), source)}


@pytest.mark.parametrize(
    ("was", "said"),
    [
        ("$1,200", "$1,300"),
        ("must not exceed", "must exceed"),
        ("Never delete", "Delete"),
        ("Ben will", "Carla will"),
        ("5 May", "6 May"),
        ("must not", "should not"),
        ("twelve kg", "twelve pounds"),
        ("Ben will send the report to Ana", "Ana will send the report to Ben"),
    ],
)
def test_what_was_changed_is_found(was, said):
    assert was in SOURCE
    assert "altered" in found(SOURCE.replace(was, said))


def test_what_nobody_said_is_found():
    assert found(f"{SOURCE} The board agreed to close the harbour office.") == {"invented"}


@pytest.mark.parametrize(
    "digest",
    [
        SOURCE,
        "The report will be sent to Ana by Ben by 2026-05-05.",
        "The deposit is 1200 dollars and must not exceed thirty days.",
        "The pump weighs 12 kilograms; never delete records without asking Rita.",
    ],
)
def test_the_same_in_other_words_is_let_through(digest):
    assert not found(digest)
