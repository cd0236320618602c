"""Languages by their tags: which list of function words they have, and the scripts they are written in.

Rule of this file: words only.
"""

from __future__ import annotations

from typing import Final


def _table(text: str) -> dict[str, str]:
    return dict(pair.split(":") for pair in text.split())


LISTS: Final = _table(
    "en:english es:spanish fr:french de:german it:italian pt:portuguese nl:dutch sv:swedish da:danish no:norwegian nb:norwegian "
    "nn:norwegian fi:finnish hu:hungarian ro:romanian tr:turkish id:indonesian ms:indonesian"
)
"""Lists of function words of languages in Latin letters."""

_LATIN: Final = "af az bs ca cs cy et eu ga gl ha hr is jv la lb lt lv mg mi mt oc pl qu rm sk sl so sq sw tl tk uz vi xh yo zu"
_OTHERS: Final = _table(
    "ru:CYRILLIC uk:CYRILLIC be:CYRILLIC bg:CYRILLIC mk:CYRILLIC kk:CYRILLIC ky:CYRILLIC mn:CYRILLIC tg:CYRILLIC "
    "sr:CYRILLIC,LATIN el:GREEK hy:ARMENIAN ka:GEORGIAN he:HEBREW yi:HEBREW ar:ARABIC fa:ARABIC ur:ARABIC ps:ARABIC sd:ARABIC "
    "ug:ARABIC hi:DEVANAGARI mr:DEVANAGARI ne:DEVANAGARI sa:DEVANAGARI bn:BENGALI ta:TAMIL te:TELUGU th:THAI am:ETHIOPIC zh:CJK "
    "ja:CJK,HIRAGANA,KATAKANA ko:HANGUL,CJK"
)
SCRIPTS: Final = {
    **{tag: frozenset({"LATIN"}) for tag in (*LISTS, *_LATIN.split())},
    **{tag: frozenset(scripts.split(",")) for tag, scripts in _OTHERS.items()},
}
"""Scripts a language is written in, as the names of its letters tell them. A language that is not here may be in any."""
