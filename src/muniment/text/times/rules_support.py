"""Words that are names or verbs besides (May, March, sat), taken for months and days where something beside them says so.

Rule of this file: support is a preposition, a number or another date next to the word; small letters need more of it.
"""

from __future__ import annotations

from muniment.text.times.grammar import Cascade, Found
from muniment.text.times.readings import Token
from muniment.text.times.rules_numbers import value_of

SUPPORT = Cascade()
_DOZEN = 12
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


@SUPPORT.rule("{prior}{to}", "{prior}(?={unit|quarter|n2|w2|few|month|weekday|season|business})")
def _prior(found: Found) -> tuple[str, object] | None:
    return ("before" if len(found.all(0)) > 1 else "last"), None


@SUPPORT.rule(
    "(?P<u>{other}){to}(?!{datew|dash|recently|soon|today|tonight|tomorrow|yesterday|this|last|next})", "{in}(?P<u>{other}){of}"
)
def _up_to(found: Found) -> tuple[str, object] | None:
    return {"up": ("till", None), "advance": ("before", None)}.get(found.all("u")[0].text.lower())


_AFTER_THE_DAY = "{w2}{w2}|{n4|comma|dot|mark|line|close|at|time|in|from|to|till|dash|and|or}"


@SUPPORT.rule("(?P<m>{namelike})(?={article}{ord|second}(?:" + _AFTER_THE_DAY + "|$))")
def _month_the_number(found: Found) -> tuple[str, object] | None:
    """May the fourth, but not "may the fourth one win"."""
    token = found.all("m")[0]
    return ("month", token.reading) if token.text[0].isupper() else None


@SUPPORT.rule("(?P<m>{namelike})(?={dash|slash|dot|comma}?{ord|second|n2|n4|w2}|{quote}{n2})")
def _month_and_number(found: Found) -> tuple[str, object] | None:
    token, after = found.all(0)[0], found.after()
    if after and after.name == "w2" and not token.text[0].isupper():
        at = found.match.end() + 1
        ended = at >= len(found.tokens) or found.tokens[at].name in _AFTER_A_DAY
        if value_of(after) <= _DOZEN or not ended:
            return None  # may two of us come
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
    "(?<={ord|second|last}{unit})(?P<m>{namelike})",
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
_BEFORE_MONTHS = frozenset({"since", "in", "during", "last", "next", "by", "till", "before", "after", "from", "of", "n2", "ord"})
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
        verbal = low in ("sat", "wed") and token.text[0].islower() and before is not None
        if verbal and before is not None and before.name in ("this", "and", "last", "next"):
            after = found.after()
            if before.name in ("this", "and") or (after is not None and after.name in ("other", "word", "my", "article", "a")):
                return None
        return "weekday", token.reading
    return None


@SUPPORT.rule("(?P<d>{shortday})")
def _short_day(found: Found) -> tuple[str, object] | None:
    """Next week Wed, on a Fri: with a large letter inside a sentence, but for the sun and what else goes by the name of Sun."""
    token, before = found.all("d")[0], found.before()
    inside = before is not None and before.name not in ("line", "dot", "mark", "quote", "dash", "open")
    barred = before is not None and before.text == "|"
    named = inside and before is not None and before.text[0].isupper() and before.name == "other"
    the_sun = token.text.lower() == "sun" and (before is None or before.name == "article")
    sure = token.text.istitle() and not the_sun
    return ("weekday", token.reading) if sure and not named and (inside or barred) else None


@SUPPORT.rule(
    "(?P<d>{shortday})(?={article}{ord|n2}|{comma}?{date}|{this|next|last}{unit})",
    "(?<={ord|second|last})(?P<d>{shortday})(?={in|of})",
    "(?P<d>{shortday})(?={ord}(?:{comma|dot|mark|line|at}|$))",
)
def _small_short_day(found: Found) -> tuple[str, object] | None:
    """Wed 5/12, fri this week, the first sun in May: a day whatever the letters, by what stands beside it."""
    token, after = found.all("d")[0], found.after()
    verbal = token.text in ("sat", "sun") and after is not None and after.name in ("this", "next", "last")
    return None if verbal else ("weekday", token.reading)


_AWAY = frozenset({"out", "away", "back", "off", "here", "there", "free", "leave", "leaving", "available", "busy", "gone"})


@SUPPORT.rule("(?P<m>{namelike})(?={comma|dot|mark|line}|$)")
def _month_away(found: Found) -> tuple[str, object] | None:
    """I'll be out May."""
    token, before = found.all("m")[0], found.before()
    return ("month", token.reading) if token.text[0].isupper() and before is not None and before.text.lower() in _AWAY else None


@SUPPORT.rule("(?P<d>{shortday})(?={mark})")
def _day_as_heading(found: Found) -> tuple[str, object] | None:
    """Mon: gym."""
    token, before, after = found.all("d")[0], found.before(), found.after()
    headed = before is None or before.name in ("line", "dash", "mark")
    told = headed and after is not None and after.text == ":" and token.text[0].isupper()
    return ("weekday", token.reading) if told else None
