"""Words by which questions count and list: what they ask with, which slots they mean, and which words stand for which.

Rule of this file: words only. A word stands for all of its forms; verbs are given as a question has them.
"""

from __future__ import annotations

ASKING = (
    "many much often frequently times time number total count counted list listed name all every each everything anything tell"
    " give show enumerate different distinct kind type sort far ever already overall altogether current currently now thing item"
    " user please remind know mention mentioned say said talk about"
)
"""What only asks."""
LIGHT = "go make get take have do be use try come"
"""Verbs that tell little by themselves: they need not stand in what is counted."""
PAST = (
    r"did|was|were|had|ever|used to|(?:have|has) (?:\w+ ){1,3}(?:\w+ed|\w+en|been|gone|done|seen|met|read|bought|made|had|\w+t)"
)
"""Asks for what was, whether or not it still is."""
NOT = r"not|never|\w+n['\u2019]t"
"""Asks for what is not so."""
AHEAD = r"will|going to|plan\w*|intend\w*|upcoming|next|want\w*|hop(?:e|ing)"
"""Asks for what is to come."""

SLOTS = {
    "visited": "visit travel go trip fly see city town country place region island",
    "owns": "own possess",
    "has_pet": "pet animal own",
    "has_child": "child kid son daughter",
    "plays": "play instrument sport game",
    "speaks": "speak language",
    "allergic_to": "allergy allergic",
    "member_of": "member join belong club group team",
    "works_on": "work project",
    "attended": "attend event",
    "knows": "know person friend",
    "uses": "tool app software",
    "skill": "skill can",
    "likes": "like love enjoy prefer favourite favorite",
    "favourite": "favourite favorite like prefer",
    "lives_in": "live reside city town country place",
    "works_at": "work employer company job",
    "studies_at": "study school university",
    "plan": "plan subscription",
}
"""By slot, the words of a question that it answers whatever words its statement has."""
KINDS = {
    "decision": "decide decision choose choice agree",
    "commitment": "promise commit commitment",
    "preference": "prefer preference like",
    "instruction": "instruction rule",
}
"""By kind of memory, the same."""

IRREGULAR = {
    "be": "was were been",
    "begin": "began begun",
    "break": "broke broken",
    "bring": "brought",
    "build": "built",
    "buy": "bought purchase purchased",
    "catch": "caught",
    "choose": "chose chosen",
    "do": "did done",
    "draw": "drew drawn",
    "drink": "drank drunk",
    "drive": "drove driven",
    "eat": "ate eaten",
    "fall": "fell fallen",
    "feel": "felt",
    "find": "found",
    "fly": "flew flown flight",
    "forget": "forgot",
    "get": "got gotten received",
    "give": "gave given",
    "go": "went gone",
    "grow": "grew grown",
    "hold": "held",
    "keep": "kept",
    "know": "knew known",
    "lead": "led",
    "leave": "left",
    "lend": "lent",
    "lose": "lost",
    "make": "made",
    "meet": "met",
    "pay": "paid",
    "read": "reading finished",
    "ride": "rode ridden",
    "run": "ran running",
    "sell": "sold",
    "send": "sent",
    "sing": "sang sung",
    "sleep": "slept",
    "speak": "spoke spoken",
    "spend": "spent",
    "swim": "swam swum",
    "take": "took taken",
    "teach": "taught",
    "tell": "told",
    "think": "thought",
    "wear": "wore worn",
    "win": "won",
    "write": "wrote written",
    "see": "saw seen",
    "visit": "visited went trip",
    "purchase": "bought buy",
    "marry": "married",
}
"""Other forms of a verb, and what says the same."""
NARROWER = {
    "sibling": "brother sister",
    "parent": "mother father mom dad",
    "child": "son daughter kid",
    "kid": "son daughter child",
    "pet": "dog cat parrot hamster rabbit goldfish turtle",
    "doctor": "dr physician dentist dermatologist cardiologist specialist surgeon gp",
    "vehicle": "car bike motorcycle van truck",
    "film": "movie",
    "movie": "film",
    "bike": "bicycle",
    "instrument": "guitar piano violin drum flute cello",
    "plant": "fern orchid cactus succulent",
    "furniture": "desk table chair sofa couch bed bookshelf mattress dresser",
    "trip": "travel vacation holiday",
    "book": "novel memoir",
}
"""Words that each say what a wider one does."""
OBJECTS = {
    "read": ("book novel", "article paper email mail letter report post news story review message"),
    "watch": ("film movie", "video episode series show game match news"),
}
"""By verb, what it is most often done to, and what else: "read Dune" tells of a book, "read the report on Dune" does not."""
