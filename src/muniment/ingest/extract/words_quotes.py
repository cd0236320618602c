"""Words that tell whose words follow.

Rule of this file: constants only; alternatives of regular expressions, without groups that capture.
"""

# ruff: noqa: RUF001, SIM905  words of other scripts; lists of words read best as text

from __future__ import annotations

SAYING = (
    r"(?:says?|said|tells?|told|mentions?|mentioned|thinks?|thought|believes?|believed|claims?|claimed|reports?"
    r"|reported|announced|writes?|wrote|replied|explained"
    r"|insists?|insisted|argues?|argued|complained|admitted|heard|asked(?: if| whether)?|suggests?|suggested|texted"
    r"|emailed|confirmed)"
)
NO_NAMES = frozenset(
    """on am le el il em at in der den
    mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday jan feb
    mar apr may jun jul aug sep oct nov dec""".split()
)
"""What stands before a name in "On Monday Ben wrote:"."""
SAYING_AFTER = (
    r"says?|said|asked|replied|told me|wrote|shouted|whispered|answered|explained|added|exclaimed|sagte|fragte|dit|dijo"
    r"|disse|ha detto|сказал|сказала"
)
SAYING_OTHER = (
    r"(?:sagt|sagte|meint|meinte|glaubt|hat gesagt|hat mir gesagt|erzählte),?\s(?:dass\s|daß\s)?|(?:a dit|dit|m'a dit"
    r"|pense|disait)\s(?:que\s|qu')|(?:dijo|dice|me dijo|piensa|comentó)\sque\s"
    r"|(?:disse|diz|me disse|acha|falou)\sque\s|(?:ha detto|dice|mi ha detto|pensa)\sche\s|(?:сказал|сказала|говорит"
    r"|считает|думает),?\sчто\s|(?:قال|قالت)\sإن\s"
)
KIN = (
    r"sister|brother|mother|father|mom|mum|dad|wife|husband|partner|boyfriend|girlfriend|son|daughter|friend|boss"
    r"|colleague|coworker|co-worker|manager|doctor|teacher|neighbou?r|cousin|aunt|uncle"
    r"|grandmother|grandfather|grandma|grandpa|landlord|therapist|lawyer|coach|customer|client|team|vendor|supplier"
    r"|email|article|book|report|document|note|sign"
)
