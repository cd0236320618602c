"""Words by which a question tells what it asks for.

Rule of this file: words only, as patterns without their borders.
"""

from __future__ import annotations

ASKED = {
    "who": r"who|whom|whose|who's|which (?:person|people|friends?|colleagues?)",
    "when": r"when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how long ago|since when",
    "where": r"where|wherever|(?:what|which) (?:place|city|town|country|street|address)",
    "why": r"why|how come|what for|(?:what|which)(?: \w+){0,3} reasons?",
    "how_many": r"how (?:many|often|frequently)|(?:total )?number of|count (?:of|the|all|my|up)",
    "list": r"list (?:all|every|each|the|my|our|of|out|up)|(?:name|tell me|give me|show me|enumerate) (?:all|every|each)"
    r"|(?:what|which) (?:all|are all|were all)|all (?:the|of the|of my|my|our|their|his|her) \w+"
    r"|(?:what|which) (?:\w+ )?\w+s (?:did|do|does|have|has|had|were|are)"
    r"|(?:what|which) (?:\w+ ){0,3}(?:have|has) (?:\w+ ){1,2}(?:ever |already |so far )?\w+(?:ed|en|n|t)",
    "preference": r"prefer\w*|favou?rites?|likes?|enjoys?|loves?|hates?|dislikes?|recommend\w*|suggest\w*",
    "decision": r"why did|why do|why are we|decid\w*|decisions?|cho(?:se|osen?|ice)|agreed?|reason\w*|rationale|alternatives?",
    "first": r"at first|first|original(?:ly)?|initial(?:ly)?|in the beginning|start(?:ed)? (?:out|off|with|on)",
    "past": r"used to|previous(?:ly)?|former(?:ly)?|back then|earlier|(?<!how )old|before",
    "change": r"chang\w*|switch\w*|upgrad\w*|downgrad\w*|mov(?:e|ed)|since when|becom\w*|became|replac\w*",
}
"""By what is asked for: the kinds of question, and which of several values that followed each other is meant."""

ROLES = r"(?:the|this) (?:user|assistant|bot|ai)(?:['\u2019]s)?"
"""Whom an agent speaks of, in words that are not looked for."""
ONESELF = r"i|me|my|mine|myself|we|us|our|ours|the user(?:['\u2019]s)?|this user(?:['\u2019]s)?"
"""Who asks, or the user of whom an agent asks."""

_SAID = (
    r"said|told|recommended|suggested|mentioned|gave|given|provided|advised|promised|listed|proposed|explained|shared|wrote"
    r"|written|described|offered|answered|replied|came up with"
)
_SAY = (
    r"say|tell|recommend|suggest|mention|give|provide|advise|promise|list|propose|explain|share|write|describe|offer|answer"
    r"|reply|come up with"
)
ASSISTANT = (
    rf"(?:did|do|would|could|had|have) (?:you|the (?:assistant|bot|ai)) (?:\w+ )?(?:{_SAY}|{_SAID})"
    rf"|(?:you|the (?:assistant|bot|ai))(?:['\u2019]ve| had| have)? (?:\w+ )?(?:{_SAID})"
    r"|(?:your|the (?:assistant|bot|ai)['\u2019]s) (?:\w+ )?"
    r"(?:recommendations?|suggestions?|advice|answers?|replies|reply|list|words|promises?)"
)
"""What the assistant said, in the words of somebody who asks it."""
