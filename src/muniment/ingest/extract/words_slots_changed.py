"""Words of change: verbs that put a new value in a slot's place, and how that value is joined to them.

Rule of this file: constants only; a frame is (pattern, attribute) over what follows the verb, its group `v` the new value.
"""

# ruff: noqa: E501, SIM905  a pattern and a table of words are read as one text

from __future__ import annotations

from typing import Final

from muniment.ingest.extract.words_slots import DIETS, FOODS, PLANS, TIER

CHANGING: Final = frozenset(
    "change switch swap move replace update trade convert exchange transfer upgrade downgrade set go bring take".split()
)
"""Verbs after which "my X to Y" or "my X for Y" fills X with Y."""

MINE: Final = (
    r"(?:(?:over|out|up) )?(?:my|our) (?P<what>[a-z][a-z -]{1,30}?)(?: over| up| in)? "
    r"(?:(?:from (?P<old>[^,;!?()]{1,40}?) )?(?:to|into)|for|with|by) (?P<v>[^,;!?()]{1,60})"
)
"""What stands behind such a verb: "my plan from A to B", "our doctor for another"."""

FOR: Final = (
    rf"(?:(?:out|up) )?(?:the |my |our )?(?P<old>(?:{PLANS})(?: {TIER})?|[^,;.!?()]{{2,30}}? {TIER}) (?:for|with|to|by) "
    rf"(?:the |a )?(?P<v>(?:{PLANS})\b(?: {TIER})?|[^,;.!?()]{{2,30}}? {TIER})\b"
)
"""One plan for another."""

TO_PLAN: Final = (
    r"(?:(?:us|me|everyone|everybody|the team|(?:my|our|the) (?:account|team|plan|subscription)) )?(?:over |back |up |down |across |all )*"
    rf"(?:to|onto|for|with|on|in) (?:the |a |an |our |my )?(?P<v>(?:{PLANS}) {TIER}|[^,;.!?()]{{2,30}}? {TIER})\b"
)
"""Whoever is taken to a plan that is called one."""

FRAMES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "go": ((rf"back (?:down |over )?to (?:the )?(?P<v>(?=[A-Z])(?i:{PLANS})\b(?: {TIER})?)", "plan"), (rf"(?:fully |completely |all |mostly |strictly |totally )*(?P<v>{DIETS})\b", "diet"), (r"back (?:over )?to (?:using )?(?P<v>[^,;.!?()]{1,40})", "tool")),
    "return": ((r"to (?:using )?(?P<v>[^,;.!?()]{1,40})", "tool"),),
    "turn": ((rf"(?:fully |completely |into )*(?:a |an )?(?P<v>{DIETS})\b", "diet"),),
    "become": (
        (rf"(?:a |an )?(?:strict |full |committed )*(?P<v>{DIETS})\b", "diet"),
        (r"(?:the |an? )(?P<v>(?:[\w'-]+ ){0,3}?[\w'-]+)(?= (?:at|for|with|in|and|but|after|last|this|when|of)\b|\s*$|\s*[,;.!?])", "job"),
    ),
    "start": (
        (rf"(?:on |being |eating |doing |following )?(?:a |an |the )?(?P<v>{DIETS})\b", "diet"),
        (rf"(?:eating|having) (?P<v>{FOODS}) again\b", "diet!"),
    ),
    "eat": ((rf"(?P<v>{FOODS}) again\b", "diet!"), (rf"(?:a |an )?(?:strictly |only |mostly )*(?P<v>{DIETS})\b", "diet")),
    "follow": ((rf"(?:a |an |the )(?:strict )?(?P<v>{DIETS})(?: diet)?\b", "diet"),),
    "give": (
        (rf"up (?:on )?(?:being )?(?:a |an |the )?(?P<v>{DIETS})\b", "diet!"),
        (rf"up (?:on )?(?:drinking |eating )?(?P<v>{FOODS})\b", "gave_up"),
        (r"up (?:on )?playing (?:the )?(?P<v>[^,;.!?()]{2,40})", "plays!"),
    ),
    "stop": (
        (rf"being (?:a |an )?(?P<v>{DIETS})\b", "diet!"),
        (rf"(?:drinking |eating )(?P<v>{FOODS})\b", "gave_up"),
        (r"playing (?:the )?(?P<v>[^,;.!?()]{2,40})", "plays!"),
        (r"using (?P<v>[^,;.!?()]{2,40})", "uses!"),
        (r"(?:working|work) (?:at|for|with) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at!"),
        (r"(?:liking|loving|enjoying) (?P<v>[^,;.!?()]{2,40})", "no_liking"),
    ),
    "quit": (
        (rf"(?:drinking |eating )?(?P<v>{FOODS})\b", "gave_up"),
        (r"playing (?:the )?(?P<v>[^,;.!?()]{2,40})", "plays!"),
    ),
    "settle": ((r"(?:down |back |over )*in (?P<v>[A-Z][^,;.!?()]{1,40})", "lives_in"),),
    "resettle": ((r"in (?P<v>[A-Z][^,;.!?()]{1,40})", "lives_in"),),
    "transfer": ((r"(?:over )?to the (?P<v>[^,;.!?()]{2,40}?) (?:team|department|division|group|squad|unit)\b", "team"),),
    "move": ((r"(?:over |across )?(?:to|into) the (?P<v>[^,;.!?()]{2,40}?) (?:team|department|division|squad|unit)\b", "team"),),
    "accept": ((r"(?:an? |the )?(?:new )?(?:offer|job|position|role) (?:from|at|with) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at"),),
    "take": (
        (r"(?:an? |the |up a )?(?:new )?(?:job|position|role|post) (?:at|with) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at"),
        (r"(?:an? |the |up a )?(?:new )?(?:job|position|role|post) as (?:an? )?(?P<v>[^,;.!?()]{2,40})", "job"),
    ),
    "land": (
        (r"(?:an? |the )?(?:new )?(?:job|position|role|gig) (?:at|with) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at"),
        (r"(?:an? |the )?(?:new )?(?:job|position|role|gig) as (?:an? )?(?P<v>[^,;.!?()]{2,40})", "job"),
    ),
    "employ": ((r"(?:at|by|with) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at"),),
    "hire": ((r"(?:at|by) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at"), (r"as (?:an? )?(?P<v>[^,;.!?()]{2,40})", "job")),
    "promote": ((r"to (?:an? |the |be (?:an? |the )?)?(?P<v>[^,;.!?()]{2,40})", "job"),),
    "retrain": ((r"(?:as|to be) (?:an? )?(?P<v>[^,;.!?()]{2,40})", "job"),),
    "get": (
        (rf"(?:upgraded|downgraded|moved|switched|bumped|put)(?: up| down| over)? (?:to|on|onto) (?:the |a )?(?P<v>(?:{PLANS})\b(?: {TIER})?|[^,;.!?()]{{2,30}}? {TIER}\b)", "plan"),
        (r"promoted to (?:an? |the )?(?P<v>[^,;.!?()]{2,40})", "job"),
        (rf"(?:the |a |an |our )(?P<v>(?:{PLANS})\b {TIER}|[^,;.!?()]{{2,30}}? {TIER}\b)", "plan"),
    ),
    "let": ((rf"(?:my|our|the) (?:(?P<v>[\w ]{{2,30}}?) )?{TIER} (?:lapse|expire|run out|go)\b", "plan!"),),
    "drop": ((rf"(?:my|our|the) (?:(?P<v>[\w ]{{2,30}}?) )?{TIER}\b\s*$", "plan!"),),
    "study": ((r"(?!(?:for|at|with|in|on|abroad|hard|a lot|all|every|to|really|very|too|together|it|that|this|about|as|my|the)\b)(?P<v>[A-Za-z][^,;.!?()]{2,40})", "studies"),),
    "major": ((r"in (?P<v>[^,;.!?()]{2,40})", "studies"),),
    "be": (
        (r"(?:now |currently )?employed (?:at|by|with) (?P<v>[A-Z][^,;.!?()]{1,40})", "works_at"),
        (r"(?:with|at) (?P<v>[A-Z][^,;.!?()]{1,40})", "left_off"),
        (r"back (?:on|to|with) (?:using )?(?P<v>[^,;.!?()]{1,40})", "tool"),
        (rf"back (?:to|on) (?:eating )?(?P<v>{FOODS})\b", "diet!"),
        (r"(?:really |so |very |terribly |still |also |a bit |quite |absolutely |deathly )*(?:afraid|scared|terrified|frightened|petrified) of (?!you\b|it\b|that\b|this\b|them\b|him\b|her\b)(?P<v>[^,;.!?()]{2,50})", "fears"),
    ),
    "have": ((r"(?:an? |this )?(?:real |terrible |bad |big |huge |irrational |great )*(?:fear|phobia) of (?P<v>[^,;.!?()]{2,50})", "fears"),),
    "fear": ((r"(?!that\b|it\b|you\b|for\b|the worst\b)(?P<v>[^,;.!?()]{2,50})", "fears"),),
}  # fmt: skip
"""Frames of change and of state by verb; tried before the others."""

BY_OTHERS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "hire": ((r"(?:me|us)\b(?: as (?:an? )?(?P<job>[^,;.!?()]{2,40}))?", "works_at"),),
    "employ": ((r"me\b", "works_at"),),
    **dict.fromkeys(
        ("switch", "move", "upgrade", "downgrade", "put", "bump"),
        (
            (
                rf"(?:me|us|(?:my|our) account)(?: over| up| down)? (?:to|on|onto) (?:the |a )?(?P<v>(?:{PLANS})\b(?: {TIER})?|[^,;.!?()]{{2,30}}? {TIER}\b)",
                "plan",
            ),
        ),
    ),
    "scare": ((r"me\b", "fears"),),
    "terrify": ((r"me\b", "fears"),),
    "frighten": ((r"me\b", "fears"),),
    "replace": ((r"(?P<old>[A-Z][^,;.!?()]{1,40}?) as (?:my|our) (?P<noun>[a-z]{3,20})", "kin"),),
}
"""What somebody or something else does that tells of the speaker; the subject is the value."""
