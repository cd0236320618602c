"""Words that say which person, or pet, of a name is meant: relations, callings and departments.

Rule of this file: tables only. Words of one group may be said of one being; words of two groups that exclude each other may not.
"""

# ruff: noqa: SIM905  # a table reads best as plain words

from __future__ import annotations

_KIN = (
    "mother mom mum mama",
    "father dad papa",
    "sister",
    "brother",
    "daughter",
    "son",
    "grandmother grandma granny nana",
    "grandfather grandpa granddad",
    "aunt auntie",
    "uncle",
    "niece",
    "nephew",
    "cousin",
)
KIN: dict[str, str] = {word: words.split()[0] for words in _KIN for word in words.split()}
"""A relative's word and the one it is the same as."""

LOVE = frozenset("wife husband spouse girlfriend boyfriend fiance fiancee".split())
ABOVE = frozenset("boss manager supervisor landlord landlady".split())
BESIDE = frozenset("friend neighbour neighbor roommate flatmate housemate classmate".split())
_PETS = (
    "dog puppy pup",
    "cat kitten",
    "horse pony mare",
    "bird parrot",
    "tortoise turtle",
    "rabbit",
    "hamster",
    "goldfish",
    "goat",
    "cow",
)
PETS: dict[str, str] = {word: words.split()[0] for words in _PETS for word in words.split()}

CALLINGS = frozenset(
    """
accountant actor actress architect baker barber bartender builder butcher carpenter cashier chef cleaner cook decorator dentist
doctor driver electrician farmer firefighter fisherman florist gardener hairdresser janitor jeweller joiner journalist judge
lawyer librarian locksmith mason mechanic midwife musician nurse optician painter paramedic pharmacist photographer pilot plumber
policeman policewoman postman priest professor roofer sailor sculptor singer soldier solicitor surgeon tailor teacher therapist
translator tutor undertaker vet waiter waitress welder
""".split()
)
DEPARTMENTS = frozenset(
    "accounting sales marketing hr finance legal engineering support operations procurement payroll design compliance it".split()
)
OUTSIDE = CALLINGS - frozenset("accountant architect lawyer solicitor translator cleaner cook chef janitor driver nurse".split())
"""Callings that no department of an office has."""
