"""Words that tell a full stop which ends a sentence from one that does not, in several European languages.

Rule of this file: constants only, casefolded and without their last full stop.
"""

# ruff: noqa: RUF001, SIM905  words of other scripts; lists of words read best as text

from __future__ import annotations

TITLES = frozenset(
    """mr mrs ms mx dr prof rev hon capt cmdr lt sgt col maj st messrs mme mlle mm hr fr frl herr sr sra srta dña ing lic sig dott
    dra vs cf e.g eg i.e ie viz z.b d.h u.a bzgl ca p.ej p.ex т.е т.к напр г ул им ст fig figs eq""".split()
)
"""Never at the end of a sentence."""

ABBREVIATIONS = frozenset(
    """etc inc ltd co corp llc jr dept est gov univ approx a.m p.m am pm u.s u.k u.s.a e.u ph.d m.d b.a m.a usw bzw al ave blvd rd
    mt ft tel ext min max misc orig resp incl excl ed eds trans bros gmbh s.a s.l s.r.l т.д т.п др руб""".split()
)
"""At the end of a sentence when a common first word follows."""

BEFORE_DIGITS = frozenset("no nr nos núm num pp p vol ch art sec jan feb mar apr jun jul aug sep sept oct nov dec".split())
"""Not at the end when a digit follows."""

MONTHS = frozenset(
    """januar jänner februar märz april mai juni juli august september oktober november dezember klasse stock etage platz quartal
    januar februar mars avril juin juillet août""".split()
)
"""What follows an ordinal number in languages that write it with a full stop."""

OPENERS = frozenset(
    """the it its it's we we're we've i i'm i've i'll then he he's she she's they they're you you're this that that's these those
    but and so my our his her their there there's here what when where why how who if in on at for after before now yes no please
    der die das wir ich er sie es und aber dann mein le la les il elle nous je mais el ella nosotros yo pero os as eu nós mas io
    noi ma""".split()
)
"""Words that often open a sentence."""
