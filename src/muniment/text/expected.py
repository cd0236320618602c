"""Whether a text is surely in none of some languages: by its script, and in Latin letters by function words.

Rule of this file: pure, and in doubt a text passes. Short text has no reliable detector: a name, a number or a language without a
list of function words tells nothing. Languages are meant by the first part of their tag ("pt" of "pt-BR").
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from muniment.text.languages import FUNCTION_WORDS
from muniment.text.words_expected import LISTS, SCRIPTS

FEWEST_LETTERS: Final = 4
"""Letters of a script from which a text is in it."""
MOST: Final = 0.7
"""Share of a text's letters that decides its script."""
AHEAD: Final = 2
"""Function words of another language by which it must lead all that are expected."""
_LONGEST: Final = 4000

_WORD: Final = re.compile(r"[^\W\d_]+")
_TITLE: Final = re.compile(r"\b[^\W\d_a-z][\w'\u2019]{0,40}(?:[ -](?:[a-zà-ÿ]{1,3}[ -]){0,2}[^\W\d_a-z][\w'\u2019]{0,40})+")
"""Words with capitals and what joins them: names and titles, which are in the language they come from."""
_CALLED: Final = {"KATAKANA-HIRAGANA": "KATAKANA"}


def surely_other(text: str, languages: Iterable[str]) -> bool:
    """True when `text` is surely in none of these languages; False in doubt, and where no language is named."""
    tags = frozenset(tag.partition("-")[0].lower() for tag in languages)
    if not tags or not tags <= SCRIPTS.keys():
        return False
    scripts = Counter(map(_script, filter(str.isalpha, text[:_LONGEST])))
    if not scripts:
        return False
    (script, count), letters = scripts.most_common(1)[0], scripts.total()
    expected = frozenset(one for tag in tags for one in SCRIPTS[tag])
    others = sum(number for one, number in scripts.items() if one not in expected and one != "LATIN")
    if others >= FEWEST_LETTERS and others >= MOST * letters:
        return True
    if "CJK" in expected and "KATAKANA" not in expected and scripts["HIRAGANA"] + scripts["KATAKANA"] >= FEWEST_LETTERS:
        return True  # of those who write with Chinese characters only the Japanese mix them with these
    return script == "LATIN" and count >= MOST * letters and _other_words(text, tags)


def _other_words(text: str, tags: Collection[str]) -> bool:
    """True when the function words are another language's; never where an expected one in Latin letters has no list of them."""
    latin = {tag for tag in tags if "LATIN" in SCRIPTS[tag]}
    if not latin <= LISTS.keys():
        return False
    own = {LISTS[tag] for tag in latin}
    first = _WORD.search(text)
    begun = text[: first.start()] + first[0].lower() + text[first.end() : _LONGEST] if first else ""
    said = set(_WORD.findall(_TITLE.sub(" ", begun).casefold()))
    counts = {name: len(said & words) for name, words in _latin_lists().items()}
    expected = max((counts[name] for name in own), default=0)
    other = max((count for name, count in counts.items() if name not in own), default=0)
    return other >= expected + AHEAD and other > 2 * expected


@lru_cache(maxsize=1)
def _latin_lists() -> dict[str, frozenset[str]]:
    """Lists by language, without words of one letter: they stand for too much else."""
    return {name: frozenset(word for word in FUNCTION_WORDS[name] if len(word) > 1) for name in set(LISTS.values())}


@lru_cache(maxsize=8192)
def _script(letter: str) -> str:
    """The script of a letter, as the first word of its name tells it."""
    if letter.isascii():
        return "LATIN"
    first = unicodedata.name(letter, "").partition(" ")[0]
    return _CALLED.get(first, first)
