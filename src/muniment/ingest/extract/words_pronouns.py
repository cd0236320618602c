"""The words and weights by which a pronoun finds who it stands for.

Rule of this file: tables only. The weights say how much each reason speaks for a name; they were fitted on two thirds of a
public set of pronouns and rounded.
"""

# ruff: noqa: SIM905  # a table reads best as plain words

from __future__ import annotations

GENDERS = {
    **dict.fromkeys("he him his himself".split(), "m"),
    **dict.fromkeys("she her hers herself".split(), "f"),
    **dict.fromkeys("they them their theirs themselves".split(), "p"),
    **dict.fromkeys("it its itself".split(), "n"),
}
"""Of whom a pronoun speaks: a man, a woman, several, or a thing."""

SUBJECTS = frozenset({"he", "she", "they", "it"})
POSSESSIVES = frozenset({"his", "hers", "their", "theirs", "its"})
OBJECTS = frozenset({"him", "them"})

RELATIONS = {
    **dict.fromkeys(
        "brother father dad son husband uncle boyfriend grandfather grandpa nephew man guy boy king".split(),
        "m",
    ),
    **dict.fromkeys(
        "sister mother mom mum daughter wife aunt girlfriend grandmother grandma niece woman girl lady queen".split(),
        "f",
    ),
    **dict.fromkeys(
        "boss friend manager neighbour neighbor colleague doctor teacher partner cousin roommate coworker".split(), ""
    ),
}
"""Nouns for persons without a name, and their gender where they tell it."""

DETERMINERS = frozenset("my his her our their your the a an this that".split())
PREPOSITIONS = frozenset(
    "of with to by for from in on at against about between after before under over behind near into through like than as".split()
)
CONJUNCTIONS = frozenset(
    "and or but nor while when because although though if that which who whom where after before until as".split()
)
NOT_VERBS = PREPOSITIONS | CONJUNCTIONS | DETERMINERS | frozenset("jr sr ii iii not also both either".split())

OF_THINGS = frozenset(
    """
is are will runs works ran costs cost offers supports needs crashed crashes broke breaks failed fails stopped stops helps
gives takes does did lets makes keeps can could may might should must down up slow fast broken expensive cheap free released
updated installed running built closed open opened available deprecated full empty cold hot wet dry loud huge tiny easy hard
provides useful handy better faster slower cheaper bug bugs bugfix outage update launch
""".split()
)
"""Verbs and adjectives that show no person: what does or is this may be a thing."""

VERBS_OF_THINGS = frozenset(
    """
like likes liked love loves loved hate hates hated enjoy enjoys enjoyed prefer prefers preferred buy buys bought sell sold get got
read reads watch watches watched use uses used play plays played try tries tried order ordered own owns owned listen see saw run
runs ran start started build built open opened
""".split()
)
"""Verbs whose object is as often a thing: a name behind them is shown to be no person's."""

WEIGHTS = {
    "same_sentence": 1.1,
    "sentence_before": -0.9,
    "far": -1.6,
    "first_in_sentence": 0.2,
    "subject": 1.2,
    "subject_for_possessive": 0.9,
    "same_for_possessive": 0.2,
    "object_for_possessive": 0.7,
    "owner": 0.8,
    "owner_for_possessive": 0.4,
    "nearest": 0.4,
    "rank": -0.3,
    "same_clause_possessive": 0.7,
    "opens_this_for_possessive": -1.1,
    "acts_here_for_possessive": -0.8,
    "acts_before_for_possessive": -0.8,
    "often": 0.7,
    "opens_often": 0.9,
    "behind": 1.0,
    "opens": 0.3,
    "full_name": -0.2,
    "known_gender": 0.9,
    "in_list": 0.7,
    "in_brackets": -0.5,
    "distance": 1.0,
    "subject_for_subject": 0.6,
    "same_for_subject": 0.4,
    "object_for_subject": 0.7,
    "owner_for_subject": -0.5,
    "subject_same_clause_subject": -0.2,
    "opens_this_for_subject": -0.8,
    "acts_here_for_subject": -0.4,
    "acts_before_for_subject": 0.3,
    "subject_for_object": -0.3,
    "same_for_object": 0.5,
    "object_for_object": 0.9,
    "owner_for_object": 0.9,
    "same_clause_object": -0.5,
    "opens_this_for_object": -1.2,
    "opens_last_for_object": 0.3,
    "acts_here_for_object": 0.4,
    "acts_before_for_object": -0.8,
}
"""How much each reason speaks for a name; those of a role ("for_object", "clause_subject") count for such pronouns alone."""

SURE = 0.1
"""By how much the best name must lead the next."""
SURE_OF_TWO = 3.0
"""The same for two that were named side by side."""

TO_PERSONS = frozenset(
    """
told tells tell asked asks ask invited invites invite married marries marry met meets meet thanked thanks thank hired hires fired
fires warned warns convinced convinces persuaded persuades informed informs accused accuses arrested arrests offered offers
befriended befriends dated dates divorced divorces divorcing marrying telling asking meeting inviting joined kissed kisses hugged
hugs nominated promoted appointed elected mentored mentors taught teaches raised rescued rescues confronted confronts reminded
reminds assured assures comforted comforts forgave forgives introduced beats defeated defeats beat signed drafted coached coaches
""".split()
)
"""Verbs whose object is a person as a rule: whom one told, married or hired."""
