"""Words by which a clause is known as a decision, a preference, a commitment or a constraint."""

from __future__ import annotations

from typing import Final

DECIDES: Final = (
    r"decid(?:e|ed|es|ing)|decision|agreed (?:to|on|that)|chose|chosen|settled (?:on|for)|went with|go(?:ing)? with|opted|picked"
    r"|concluded|resolved to|approved|signed off|ruled out|rejected|entschieden|beschlossen|d\u00e9cid\u00e9"
    r"|decidi(?:mos|eron|\u00f3)"
)
"""A decision was taken."""
PREFERS: Final = (
    r"prefer(?:s|red|ence)?|favou?rites?|lov(?:e|es|ed)|hat(?:e|es|ed)|dislik(?:e|es|ed)|(?:can['\u2019]?t|cannot) stand"
    r"|enjoy(?:s|ed)?|fond of|fan of|allergic|intoleran(?:t|ce)|vegan|vegetarian|would (?:like|rather)|['\u2019]d (?:like|rather)"
    r"|(?<!would )likes?|wants? to|lieber|pr\u00e9f\u00e8re|prefiero"
)
"""Somebody prefers or cannot bear something."""
COMMITS: Final = (
    r"will|['\u2019]ll|won['\u2019]?t|shall|promis(?:e|es|ed)|commit(?:s|ted)? to|going to|gonna|is due|are due|deadline|owes?"
    r"|assigned to|responsible for|werde|wird|va(?:is)?|voy a"
)
"""Somebody is to do something."""
COMMANDS: Final = (
    r"(?:please,? |and |but |also )*(?:always|never|only|do not|don['\u2019]t|make sure|be sure|ensure|avoid"
    r"|under no circumstances|use only"
    r"|keep (?:it|them|the \w+) (?:under|below|short|brief|within|to|in)"
    r"|no (?!problem|worries|doubt|one\b|wonder|way\b)\w+(?: \w+)?[.!]?$)"
    r"|you (?:must|should|may only|can only|cannot|can['\u2019]t|are not|have to|need to|may not|should not)"
    r"|i (?:must|need|can only|cannot|can['\u2019]t|only want|don['\u2019]t want|do not want|insist|won['\u2019]t)"
    r"(?! (?:wait|believe|imagine|help but|say|lie|thank))"
    r"|(?:my|the) (?:budget|limit|maximum)"
)
"""How a clause begins that lays down a rule."""
DEFERS: Final = (
    r"i(?:['\u2019]ll| will) (?:check|ask|look|find out|get back|let you know|see)|not sure|don['\u2019]t know|no idea"
    r"|let me (?:check|ask|see|think)|to be (?:decided|confirmed)|tbd|tbc|unclear"
)
"""What is said instead of an answer."""
FAILED: Final = r"error|failed|failure|exception|not found|denied|refused|timed? ?out|unavailable|invalid"
"""How the result of a tool tells that it came to nothing."""
QUOTED: Final = (
    r"\"([^\"\n]{2,120})\"|\u201c([^\u201d\n]{2,120})\u201d|\u201e([^\u201c\u201d\n]{2,120})[\u201c\u201d]"
    r"|\u00ab ?([^\u00bb\n]{2,120}?) ?\u00bb|\u300c([^\u300d\n]{1,120})\u300d|\u300e([^\u300f\n]{1,120})\u300f"
    r"|(?<!\w)['\u2018]([A-Z][^'\u2019\n]{2,80})['\u2019](?!\w)"
)
"""Words between quotation marks."""
_LABELS_WORDS = """note notes deadline subject re date time place budget total price address status summary decision decisions
todo question answer q a warning important update ps hint tip example result results error title topic agenda
action actions owner due next step steps goal reason risk risks context background conclusion key point points
fact facts preference preferences open state current commitments name email phone order ticket id url link
source digest"""
LABELS: Final = frozenset(_LABELS_WORDS.split())
"""Words before a colon that are nobody who speaks."""
