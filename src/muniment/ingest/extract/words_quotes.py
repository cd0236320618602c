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
DICTATED = (
    r"\W*(?:(?:please|now|can you|could you|would you|just|then) )*(?:(?:repeat|say|write|type|recite|copy|complete|continue"
    r"|finish|quote|pronounce|spell|print|output|begin|start|translate|transcribe|generate|invent|make up)\b"
    r"(?![^:\n]{0,80}\b(?:down|remember|note|about me|my (?:profile|details|bio)))[^:.!?\n]{0,80}|(?:for )?examples?|e\.g\."
    r"|sample|fiction|quote|template|placeholder): *\S"
)
"""What asks for words that follow, or shows them, in small letters: they are an example of words, not a statement."""
FICTION = (
    r"\W*(?:(?:and|but|so) )?in (?:the|a|that|this|my|his|her|one) (?:\w+ ){0,2}?(?:movie|film|novel|book|story|play|show|series"
    r"|song|game|fairy ?tale|comic|script|sketch|episode|musical|opera|poem)s?,? (?:i|i'm|my|we|we're)\b"
)
"""What is so in a tale is not so of its teller."""
