"""Words that are names or verbs besides (May, March, sat), taken for months and days where something beside them says so.

Rule of this file: support is a preposition, a number or another date next to the word; small letters need more of it.
"""

from __future__ import annotations

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.readings import Token

SUPPORT = Cascade()
LEADS = (
    "{in|of|since|till|before|after|during|last|this|next|early|late|mid|by|from|to|between|coming|every|end|begin|past|on|for|month"
    "|starting|weekday|comma|n4|same|around}"
)


@SUPPORT.rule("{this}(?P<k>{past|coming})(?={unit|quarter|weekday|shortday|month|namelike|season|vagueseason|n2|w2|few|holiday})")
def _this_past(found: Found) -> tuple[str, object] | None:
    """This past and this coming are one word for what is last and next."""
    return found.name("k"), None


@SUPPORT.rule("(?P<w>{unit}){dash}{end}")
def _week_end(found: Found) -> tuple[str, object] | None:
    return ("unit", "weekend") if found.glued() and found.all("w")[0].text.lower() == "week" else None


@SUPPORT.rule("{prior}{to}")
def _prior_to(_found: Found) -> tuple[str, object] | None:
    return "before", None


@SUPPORT.rule(
    "(?P<u>{other}){to}(?!{datew|dash|recently|soon|today|tonight|tomorrow|yesterday|this|last|next})", "{in}(?P<u>{other}){of}"
)
def _up_to(found: Found) -> tuple[str, object] | None:
    return {"up": ("till", None), "advance": ("before", None)}.get(found.all("u")[0].text.lower())


@SUPPORT.rule("(?P<m>{namelike})(?={dash|slash|dot|comma}?{ord|second|n2|n4|w2|article}|{quote}{n2})")
def _month_and_number(found: Found) -> tuple[str, object] | None:
    token, after = found.all(0)[0], found.after()
    if after and after.name == "article":
        return None
    if after and after.name == "w2" and not token.text[0].isupper():
        return None
    return "month", token.reading


@SUPPORT.rule(
    "(?<=" + LEADS + ")(?P<m>{namelike})",
    "(?<=" + LEADS + "{article|a})(?P<m>{namelike})",
    "(?<={ord|n2|n4|w2}{dash|slash|of|dot})(?P<m>{namelike})",
    "(?<={ord|n2|n4|w2})(?P<m>{namelike})",
    "(?<={month}{and|or|dash|comma})(?P<m>{namelike})",
    "(?<={early|late}{as})(?P<m>{namelike})",
    "(?<={unit}{poss})(?P<m>{namelike})",
    "(?<={later|earlier}{than})(?P<m>{namelike})",
    "(?P<m>{namelike})(?={and|or|to|till|dash|comma}{month})",
    "(?P<m>{namelike})(?={of|in}?{last|next|this|coming}{unit})",
    "(?P<m>{namelike})(?={of|in}{n4})",
    "(?<={mid|early|late}{dash})(?P<m>{namelike})",
)
def _supported_month(found: Found) -> tuple[str, object] | None:
    token, before, after = found.all(0)[0], found.before(), found.after()
    small, low = token.text[0].islower(), token.text.lower()
    if before is not None and small and low in ("may", "march", "mar") and _is_verb(found, before):
        return None
    if (
        after
        and after.name in ("other", "word", "no")
        and (small or before is None or before.name not in _BEFORE_MONTHS)
        and after.text.lower() in _VERBAL
        and low in ("may", "april", "june", "august")
    ):
        return None
    return "month", token.reading


def _is_verb(found: Found, before: Token) -> bool:
    """Whether a small "may" or "march" is the verb, or the mark of a pen or a coin, by what stands beside it."""
    after, at = found.after(), found.match.start() - 2
    behind = after.name if after else ""
    if found.all(0)[0].text.lower() != "mar" and (
        before.name in ("w2", "comma", "weekday", "that")
        or (before.name == "this" and behind in ("other", "word", "no", "or", "end", "begin"))
        or (before.name in ("or", "and") and behind == "no")
    ):
        return True
    ranged = before.name == "to" and at >= 0 and found.tokens[at].name in _BEFORE_TO
    if not ranged and before.name in ("to", "for", "on", "past"):
        return True
    return before.name == "n2" and after is not None and behind not in _AFTER_A_DAY


_AFTER_A_DAY = frozenset(
    {
        "n4",
        "comma",
        "dot",
        "mark",
        "at",
        "time",
        "to",
        "till",
        "dash",
        "n2",
        "in",
        "of",
        "from",
        "between",
        "last",
        "this",
        "next",
    }
    | {"and", "or", "line", "since", "before", "after", "by", "around", "part", "open"}
)
_BEFORE_MONTHS = frozenset({"since", "in", "during", "last", "next", "by", "till", "before", "after", "from", "of"})
_BEFORE_TO = frozenset({"month", "namelike", "n4", "n2", "ord", "w2", "weekday", "now", "today", "quote"})
_VERBAL = frozenset({"be", "not", "have", "said", "says", "has", "was", "is", "told", "i", "we", "you"})


@SUPPORT.rule(
    "(?<={unit|n4}{and|or|to|till|dash})(?P<m>{namelike})",
    "(?P<m>{namelike})(?={and|or|to|till|comma|dash}{last|next|this|coming}{unit})",
)
def _month_beside_a_stretch(found: Found) -> tuple[str, object] | None:
    token = found.all("m")[0]
    return ("month", token.reading) if token.text[0].isupper() else None


@SUPPORT.rule(
    "(?<={on|last|next|this|past|coming|every|from|to|till|by|between|and|or|before|after|since|dash|comma|dot})(?P<d>{shortday})",
    "(?<={weekday|shortday}{slash})(?P<d>{shortday})",
    "(?P<d>{shortday})(?={comma|dot}{0,2}{month|date|ord|n2|article})",
    "(?P<d>{shortday})(?={part|time|am|pm|at|dash|to|till|and|or|comma|slash}{weekday|shortday|n2|time|part|article}?)",
)
def _supported_day(found: Found) -> tuple[str, object] | None:
    token, before = found.all(0)[0], found.before()
    low = token.text.lower()
    sure = low in ("mon", "fri") or (
        before is not None and before.name in ("on", "last", "next", "this", "every", "coming", "weekday")
    )
    if sure or token.text[0].isupper():
        if (
            low in ("sat", "wed")
            and token.text[0].islower()
            and before is not None
            and before.name in ("this", "and", "last", "next")
        ):
            return None
        return "weekday", token.reading
    return None


@SUPPORT.rule("(?P<d>{shortday})(?={mark})")
def _day_as_heading(found: Found) -> tuple[str, object] | None:
    """Mon: gym."""
    token, before, after = found.all("d")[0], found.before(), found.after()
    headed = before is None or before.name in ("line", "dash", "mark")
    told = headed and after is not None and after.text == ":" and token.text[0].isupper()
    return ("weekday", token.reading) if told else None
