"""What a text weighs against each other: the options of a choice, in its own words.

Rule of this file: pure and linear; nothing is named that does not stand in the text. It is read where it stands and not copied
elsewhere, so that erasing the text takes the options along.
"""

# ruff: noqa: RUF001, E501, SIM905  typographic signs; a pattern and a list of words read best unbroken

from __future__ import annotations

import re
from functools import lru_cache

LONGEST = 2000
"""Characters of a text that are looked at."""
_MOST_WORDS = 9
_WEIGHED = re.compile(
    r"\b(?:consider(?:ed|ing)?|look(?:ed|ing) (?:at|into)|evaluat(?:ed|ing)|weigh(?:ed|ing)(?: up)?|compar(?:ed|ing)|debat(?:ed|ing)|toy(?:ed|ing) with|"
    r"thought about|discuss(?:ed|ing)|shortlist(?:ed|ing)|trial(?:l?ed|l?ing)|(?:tried|trying|test(?:ed|ing)|visit(?:ed|ing)|pilot(?:ed|ing))(?: out)? (?:both )?(?=[^.,;]{1,40} and )|(?:reject(?:ed|ing)|ruled out|ruling out|discard(?:ed|ing)|dismiss(?:ed|ing)|turned down|passed on|decided against|"
    r"scrapped|ditched)(?::| both)?|(?:torn|choosing|choice|deciding|decide|choose|pick|toss-?up|it was|down to) between|"
    r"(?:were|was) (?:looked at|considered|compared|evaluated|weighed|discussed|shortlisted|reviewed)(?:,|:)|(?:alternatives?|options?|candidates?|contenders?|choices?|runners?-up|finalists)(?: on the table)?"
    r"(?:(?: we had| i had)? (?:were|was|are|is|included?|being)|:)) (?P<list>[^.;:?!\n()]+?)(?=,? but\b|[.;:?!\n()]|$)",
    re.IGNORECASE,
)
_WAS_OPTION = re.compile(
    r"(?:^|[.;,\n] ?|\b(?:and|but|while|with|though|because|since) )(?:with |and |but )?(?P<list>(?:(?!\b(?:because|since) )[^.;:?!,\n()]){2,80}?)(?: (?:was|were|is|are|got|had been|being|looked|as|just|simply|really)(?: (?!in\b)\w+){0,2}?)? "
    r"(?:an option|(?:the|our|a) (?:other (?:option|choice|candidate)|alternative|runner-up|(?:close |distant )?second|fallback|back-?up|plan b)\b|options\b|considered\b|rejected|ruled out|discarded|dismissed|"
    r"turned down|on the table|in the running|off the table|out of the (?:running|question|race)|off the list|alternatives?\b|(?:was|were|is|are|looked|felt|seemed) too \w+|"
    r"(?:didn['’]t|did not|doesn['’]t|couldn['’]t) (?:make|cut|convince|win|come|fit|work for|hold|measure)\b[^.;\n]{0,30}|(?:lost|missed|fell) (?:out|short)|came (?:in )?(?:a close )?second)",
    re.IGNORECASE,
)
_OR = re.compile(
    r"\b(?:use|using|take|pick|choose|buy|get|go with|go for|book|hire|try|adopt|keep|have|be|prefer|want|between|on|to|with|in|for|"
    r"either|whether|about|do|visit|hold|host|run|build|ship|store|deploy|rent|sell|make|play|watch|fly|drive|eat|order|see|start with) (?P<list>[^.;:?!,\n()]{2,60}?(?:, [^.;:?!,\n()]{2,40}?){0,4},? or [^.;:?!,\n()]{2,60})",
    re.IGNORECASE,
)
_EITHER = re.compile(
    r"(?:^|[.?!:,;–—] )(?:so |and |is it |was it |should it be |ok |okay |hm+,? |well,? |then )?(?P<list>(?:(?:the|an?|our) )?[\w'’#+.&/-]+(?: [\w'’#+.&/-]+)?(?:, [^.;:?!,\n()]{2,30}){0,3},? or (?:[\w'’#+.&/-]+ ){0,3}[\w'’#+.&/-]+)(?: (?:for|in|on|at|to|as) [^?.!\n]{1,60})?\s*\?",
    re.IGNORECASE,
)
"""A bare question between options: "SQS or Rabbit?"."""
_SPLIT = re.compile(
    r"\s*,\s*(?:and |or |but also )?|\s+(?:and|or|nor|versus|vs\.?|against|as well as|y|e|o|ou|oder|und|et)\s+", re.IGNORECASE
)
_LEAD = re.compile(
    r"\A(?:(?:both|either|neither|also|even|just|only|maybe|perhaps|possibly|briefly|to|the idea of|using|use|going with|go with|"
    r"going for|go for|picking|pick|choosing|choose|taking|take|buying|buy|getting|get|trying|adopting|sticking with|staying with|"
    r"stick with|stay with|moving to|switching to) )+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"\s+(?:too|as well|instead|though|but|because|since|so|for (?:this|that|it|the|our|my)|at first|initially|yet|either|before|which|"
    r"that|while|when|if|and then|after)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_EMPTY = frozenset(
    "it that this these those them both neither all none one other others another others options option either not what nothing us me "
    "anything everything something i we he she you someone people everybody few many several more two three four".split()
)

_COUNTS = frozenset("two three four five six seven several some various".split())
_DECIDERS = frozenset("board committee team group council panel jury management members trustees".split())
_WHO = frozenset("i we you he she they".split())


@lru_cache(maxsize=1024)
def weighed(text: str) -> tuple[str, ...]:
    """The options `text` names, in order, each once: what was considered, rejected, or asked about with "or"."""
    text = text[:LONGEST]
    found: list[str] = []
    for pattern in (_WEIGHED, _WAS_OPTION):
        for match in pattern.finditer(text):
            found += listed(match["list"])
    if " or " in text:
        for match in _OR.finditer(text):
            found += listed(match["list"])
        for match in () if found else _EITHER.finditer(text):
            found += listed(match["list"])
    return tuple({option.casefold(): option for option in reversed(found)}.values())[::-1]


def listed(text: str) -> list[str]:
    """The members of a list in words ("X, Y and Z"), without what leads up to or trails behind them."""
    pieces = (_TAIL.sub("", _LEAD.sub("", piece.strip(" \t\"'“”‘’-–—"), count=1)) for piece in _SPLIT.split(text))
    plain = (piece.strip(" ,.;:!?\"'“”‘’。，") for piece in pieces)
    return [piece for piece in plain if piece and not _is_no_option(piece.casefold().split())]


def _is_no_option(words: list[str]) -> bool:
    """True for what names nothing, is too long for a name, or tells what somebody did."""
    if words and words[0] in ("and", "or", "but", "so", "then"):
        return True
    if len(words) <= 2 and words and (words[0] in _COUNTS or words[-1] in _DECIDERS):  # noqa: PLR2004  "three insurers", "the board"
        return True
    return " ".join(words) in _EMPTY or len(words) > _MOST_WORDS or (bool(words) and words[0] in _WHO)
