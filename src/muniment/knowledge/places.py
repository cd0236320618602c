"""Places within places, as far as names alone tell: a country, told after a town, does not take the town's place.

Rule of this file: pure. Which town lies in which country is not known and not guessed; who says that they moved has moved.
"""

from __future__ import annotations

import re

from muniment.knowledge.keys import subject_key
from muniment.knowledge.values import Memory

_MOVED = re.compile(
    r"\b(?:mov(?:ed|es|ing)|relocat|emigrat|immigrat|resettl|settl|now|these days|back|instead|no longer|anymore|actually)"
)
"""What tells that a place is another than the one before."""

COUNTRIES = frozenset(
    name.strip()
    for name in """
    afghanistan|albania|algeria|andorra|angola|argentina|armenia|australia|austria|azerbaijan|bahamas|bahrain|bangladesh
    barbados|belarus|belgium|belize|benin|bhutan|bolivia|bosnia|botswana|brazil|brunei|bulgaria|burkina faso|burundi
    cambodia|cameroon|canada|chad|chile|china|colombia|congo|costa rica|croatia|cuba|cyprus|czechia|czech republic|denmark
    dominican republic|ecuador|egypt|el salvador|england|eritrea|estonia|ethiopia|europe|fiji|finland|france|gabon|gambia
    germany|ghana|great britain|greece|grenada|guinea|guyana|haiti|holland|honduras|hungary|iceland|india|indonesia|iran
    iraq|ireland|israel|italy|ivory coast|jamaica|japan|jordan|kazakhstan|kenya|kosovo|kuwait|kyrgyzstan|laos|latvia
    lebanon|liberia|libya|liechtenstein|lithuania|madagascar|malawi|malaysia|mali|malta|mauritania|mauritius|mexico
    moldova|monaco|mongolia|montenegro|morocco|mozambique|myanmar|namibia|nepal|netherlands|new zealand|nicaragua|niger
    nigeria|north korea|north macedonia|northern ireland|norway|oman|pakistan|panama|papua new guinea|paraguay|peru
    philippines|poland|portugal|qatar|romania|russia|rwanda|saudi arabia|scotland|senegal|serbia|sierra leone|slovakia
    slovenia|somalia|south africa|south korea|spain|sri lanka|sudan|suriname|sweden|switzerland|syria|taiwan|tajikistan
    tanzania|thailand|togo|tunisia|turkey|turkmenistan|uganda|uk|ukraine|united arab emirates|united kingdom|united states
    uruguay|us|usa|uzbekistan|venezuela|vietnam|wales|yemen|zambia|zimbabwe|asia|africa|south america|north america
    """.replace("\n", "|").split("|")
    if name.strip()
)
"""Countries and larger places, by their usual English names in small letters."""
_ARTICLE = re.compile(r"the ")


def is_country(place: str) -> bool:
    """True for the name of a country, or of what is larger."""
    return _ARTICLE.sub("", subject_key(place), count=1) in COUNTRIES


def wider(memory: Memory, other: Memory) -> bool:
    """True when `memory` tells only in which country someone lives, and `other`, told before, in which town."""
    return (
        memory.attribute == "lives_in"
        and is_country(memory.value)
        and not is_country(other.value)
        and not _MOVED.search(memory.text.casefold())
    )
