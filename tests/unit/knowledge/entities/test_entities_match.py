"""Records of fields are matched without labels, by what they agree in and how rare that is."""

# ruff: noqa: SIM905  # tables read best as plain words

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from muniment.knowledge.entities.match import match, match_pairs, plain

GIVEN = """
ana ben carla david elena farid greta hugo ines jonas kira luis mona nils olga pavel rosa samir tilda umar
""".split()
FAMILY = """
abel brandt castro dorn eriksen fuchs garcia haas ivanov jansen keller lopez moreau novak ortega petrov
""".split()
STREETS = """
acorn birch cedar dogwood elm fir ginkgo hazel juniper larch maple oak pine rowan spruce willow
""".split()


def people(count, seed=1):
    """Persons and, for every third, a copy with slips; the pairs of places that are one person."""
    chance = random.Random(seed)
    rows, gold = [], set()
    for _ in range(count):
        row = {
            "given": chance.choice(GIVEN),
            "family": chance.choice(FAMILY),
            "street": f"{chance.randrange(1, 200)} {chance.choice(STREETS)} street",
            "born": f"{chance.randrange(1930, 2005)}{chance.randrange(1, 13):02}{chance.randrange(1, 29):02}",
            "number": str(chance.randrange(10**6, 10**7)),
        }
        rows.append(row)
        if chance.random() < 0.33:
            copy = dict(row)
            field = chance.choice(["given", "family", "street"])
            at = chance.randrange(len(copy[field]))
            copy[field] = copy[field][:at] + copy[field][at + 1 :]
            copy[chance.choice(["born", "number"])] = ""
            gold.add((len(rows) - 1, len(rows)))
            rows.append(copy)
    return rows, gold


def test_copies_with_slips_are_found_and_strangers_left_apart():
    rows, gold = people(300)
    found = match(rows)
    assert len(set(found.pairs) & gold) >= 0.95 * len(gold)
    assert len(set(found.pairs) - gold) <= 0.05 * len(gold)
    assert all(0.5 <= p <= 1 for p in found.probabilities)
    assert set(found.why[0]) == set(rows[0])


def test_the_same_records_give_the_same_pairs():
    rows, _ = people(120, seed=3)
    assert match(rows) == match(rows)


def test_pairs_of_two_lists_are_judged_in_their_own_order():
    rows, _ = people(200, seed=5)
    other = [dict(row) for row in rows]
    other[1::2] = other[1::2][1:] + other[1:2]
    pairs = [(n, n) for n in range(len(rows))]
    found = match_pairs(rows, other, pairs)
    assert {a for a, _ in found.pairs} >= set(range(0, len(rows), 2))


def test_dates_in_words_and_figures_are_compared_as_one():
    assert plain("18-Sep-07") == plain("September 18 , 2007") == "20070918"
    assert plain("May 2007") == "may 2007"


def test_nothing_to_compare_gives_nothing():
    for rows in ([], [{}], [{"a": ""}, {"a": ""}], [{"a": "x"}]):
        assert match(rows).pairs == ()


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.text(max_size=12), max_size=3), max_size=8))
def test_no_records_are_an_error(rows):
    found = match([{**dict.fromkeys("abc", ""), **row} for row in rows])
    assert all(a < b for a, b in found.pairs)
