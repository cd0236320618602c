"""Words of open questions, and of the short answers that are given to them.

Rule of this file: constants only, as patterns without regard to case.
"""

# ruff: noqa: E501, SIM905  a pattern and a table of words are read as one text

from __future__ import annotations

from typing import Final

OPEN_QUESTION: Final = (
    r"(?:.*[,;] |.*\b(?:and|so|but) |\w+[,!] )?(?P<wh>what|which|where|how long|how often|how many|who|when|how much)"
    r"(?: (?P<np>(?!do\b|did\b|are\b|have\b)[\w' -]{2,40}?))?(?:'s)? (?P<aux>do|did|have|are|were|can|would|will) (?:you|u|ya)(?: guys| all)? "
    r"(?:(?:usually|normally|currently|mostly|generally|also|still|really|tend to|typically|plan on|happen to|ever|most|like to(?= do\b)) )*"
    r"(?P<verb>(?:\w+ to |going to |want to )?(?:be |been )?\w+)(?P<rest>(?: [^?]{1,60})?)\?"
)
"""A question that asks somebody for what they do, have or are."""
ANY_QUESTION: Final = (
    r"(?:do|did|have|are) (?:you|u|ya) (?:ever |still |also |currently |really )*(?P<verb>(?:\w+ to )?\w+) any(?:thing|one)?(?: other| else)?"
    r"(?P<rest>(?: [^?]{1,60})?)\?"
)
"""A question that asks whether there is anything, to which the thing is an answer."""
OF_TALK: Final = r"(?:think|mean|say|recommend|suggest|feel|know|need|call|want me|see|hear|expect|advise|tell|ask|hope|wish|prefer me|imagine|believe)\b"
"""Verbs that ask for an opinion or for help."""
LED: Final = r"(?:in|at|on|to|from|near|by|for|since|every|about|around|over|almost|once|twice|during|after|before|with)\b"
AMOUNT: Final = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|many|a few|a couple)\b"
OPENING: Final = (
    r"(?:(?:oh|well|just|only|mostly|mainly|probably|maybe|definitely|usually|hmm+|um+|yes|yeah|yep|ha+|lol|about|so far|like|currently|"
    r"right now|for me|now|sure|honestly|actually|some|it's|they're|it is|they are|it would be|that would be|i would say|i'd say)\b[,.!:]* *)+"
)
"""What stands before the answer proper."""
FURTHER: Final = (
    r"(?:,|\s)+(?:(?:and|but|so|because|since|when|if|though|plus) )?"
    r"(?=(?:i|i'm|i've|it|it's|my|we|he|she|they|they're|that|that's|you|there)\b)|[.;(]|\s-+\s"
)
"""Where the answer proper ends."""
OBJECT: Final = (
    r"(?:have|had|own|like|love|enjoy|want|play|watch|read|eat|drink|use|grow|keep|visit|watched|seen|tried|read|played|visited|liked|been to|try)"
    r"(?: to (?:watch|eat|drink|play|read|listen to|visit))? (?P<v>(?:an? |any |some |the )?[\w' -]{2,40}?)"
    r"(?= (?:at|in|on|too|as well|with|when|while|for|by|yourself|yet|before|or|either|to|though)\b|$)"
)
"""What is asked about in "do you have a pet", for which "one" and "it" stand in an answer."""
SUBSTITUTED: Final = frozenset(
    "have like love enjoy hate want own play watch read eat drink use grow keep try visit see prefer get need dislike adore".split()
)
"""Verbs behind which such a word stands for what was asked about."""
