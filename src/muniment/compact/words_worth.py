"""Words that every talk is full of, as stems: they tell nothing of what it is about."""

from __future__ import annotations

from typing import Final

from muniment.compact.rules_stated import stem_of

_WORDS = """awesome amazing great cool nice fun wonderful incredible beautiful special happy glad excited proud good best better
love loved enjoy feel felt look thing something anything everything stuff lot way time times day days life people
world one ones really important inspiring impressive rewarding perfect journey experience support keep help make made
positive energy strong worth moment memory memories share sharing hear see let always never ever even still much many
more most try want need find take give come bring back up out off first last next everyone nothing someone anyone mean
kind bit talk think thought idea photo picture pic check show definitely totally super pretty such own another same
too again welcome luck congrats congratulations appreciate kudos care catch soon later bye hi hey hello wow yeah yes
no oh okay ok thanks thank please sure sorry absolutely sounds know guess gosh haha course"""
COMMON: Final = frozenset(stem_of(word) for word in _WORDS.split())
