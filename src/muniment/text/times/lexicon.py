"""The English words the resolver knows, each with its class and, where it has one, its value.

Rule of this file: words only, no rule. A word that is also a person, a verb or a thing has a class of its own, so that rules can
ask for support before they take it for a time.
"""

from __future__ import annotations

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
RRULE_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")

_NUMBERS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
)

UNITS = {
    "second": "second sec secs seconds",
    "minute": "minute minutes min mins",
    "hour": "hour hours hr hrs",
    "day": "day days",
    "week": "week weeks wk wks",
    "fortnight": "fortnight fortnights",
    "month": "month months mth mths mos",
    "quarter": "quarter quarters qtr qtrs",
    "year": "year years yr yrs",
    "decade": "decade decades",
    "century": "century centuries",
    "weekend": "weekend weekends wkend wkends",
    "night": "night nights",
}
GLUED_UNITS = {"s": "second", "m": "minute", "h": "hour", "d": "day", "w": "week", "y": "year", "mo": "month"}
"""Letters that are units only when they stand at a number's end, as in 3h."""

_WORDS: dict[str, tuple[str, str]] = {
    # class: words that are all the same to every rule
    "article": ("the", ""),
    "a": ("a an", ""),
    "last": ("last previous prev preceding", ""),
    "past": ("past", ""),
    "next": ("next following", ""),
    "coming": ("coming upcoming", ""),
    "this": ("this current", ""),
    "that": ("that", ""),
    "same": ("same", ""),
    "my": ("my our your his her their", ""),
    "of": ("of", ""),
    "in": ("in", ""),
    "on": ("on", ""),
    "at": ("at @", ""),
    "for": ("for", ""),
    "from": ("from", ""),
    "between": ("between", ""),
    "to": ("to", ""),
    "till": ("till until til through thru", ""),
    "and": ("and &", ""),
    "or": ("or", ""),
    "by": ("by", ""),
    "during": ("during over throughout", ""),
    "before": ("before", ""),
    "after": ("after", ""),
    "since": ("since", ""),
    "within": ("within", ""),
    "ago": ("ago", ""),
    "back": ("back", ""),
    "later": ("later", ""),
    "earlier": ("earlier sooner", ""),
    "than": ("than", ""),
    "hence": ("hence", ""),
    "prior": ("prior", ""),
    "more": ("more greater longer", ""),
    "less": ("less fewer shorter", ""),
    "equal": ("equal", ""),
    "early": ("early", ""),
    "late": ("late", ""),
    "mid": ("mid middle midst", ""),
    "begin": ("beginning start", ""),
    "starting": ("starting commencing", ""),
    "end": ("end", ""),
    "ending": ("ending", ""),
    "rest": ("rest remaining remainder", ""),
    "few": ("few several", "3"),
    "couple": ("couple", "2"),
    "other": ("other", ""),
    "another": ("another", ""),
    "half": ("half", ""),
    "all": ("all full whole entire", ""),
    "every": ("every each", ""),
    "any": ("any", ""),
    "once": ("once", "1"),
    "twice": ("twice", "2"),
    "times": ("times", ""),
    "per": ("per", ""),
    "around": ("around about circa approximately roughly approx", ""),
    "as": ("as", ""),
    "long": ("long", ""),
    "now": ("now", ""),
    "recently": ("recently lately previously", ""),
    "soon": ("soon asap", ""),
    "possible": ("possible", ""),
    "right": ("right just", ""),
    "present": ("present", ""),
    "moment": ("moment", ""),
    "timew": ("time", ""),
    "datew": ("date", ""),
    "tenses": ("", ""),
    "today": ("today otd", "0"),
    "tomorrow": ("tomorrow tmr tmrw", "1"),
    "yesterday": ("yesterday", "-1"),
    "tonight": ("tonight", ""),
    "oclock": ("o'clock oclock", ""),
    "noon": ("noon midday noontime", "12"),
    "midnight": ("midnight", "0"),
    "midpart": ("", ""),
    "meal": ("lunch dinner breakfast brunch supper", ""),
    "weekof": ("", ""),
    "word": (
        (
            "with because he she i we they you please so if but then works is was are were will would can could when while"
            " instead ok okay though who unless did does do has have had sounds should that's it's maybe also too there here"
            " sharp est edt pst pdt cst cdt mst gmt utc cet cest bst ist et pt"
        ),
        "",
    ),
    "above": ("above", ""),
    "some": ("some", ""),
    "onward": ("onward onwards", ""),
    "no": ("no not", ""),
    "ish": ("ish", ""),
    "am": ("am", "0"),
    "pm": ("pm", "12"),
    "prefix": ("bi semi tri", ""),
    "business": ("business working work", ""),
    "school": ("school sy", "SY"),
    "fiscal": ("fiscal fy", "FY"),
    "calendaryear": ("cy calendar", ""),
    "future": ("future", ""),
    "it": ("it", ""),
    "bc": ("bc", ""),
    "todate": ("", ""),
    "eod": ("eod", "day"),
}

_PARTS = {
    "MO": ("morning mornings", 8, 12),
    "AF": ("afternoon afternoons", 12, 16),
    "EV": ("evening evenings", 16, 20),
    "DT": ("daytime", 8, 18),
    "NT": ("nighttime", 0, 8),
    "MEB": ("breakfast", 8, 12),
    "MEL": ("lunchtime", 11, 13),
    "MED": ("dinnertime", 16, 20),
}
PARTS: dict[str, tuple[int, int]] = {code: (start, end) for code, (_, start, end) in _PARTS.items()} | {"NI": (20, 24)}

SEASONS = {"spring": "SP", "summer": "SU", "autumn": "FA", "fall": "FA", "winter": "WI"}
SEASON_MONTHS = {"SP": (3, 3), "SU": (6, 3), "FA": (9, 3), "WI": (12, 3)}
"""First month and length in months, in the northern half of the world."""

FREQUENCIES = {
    "daily": ("P1D", "FREQ=DAILY"),
    "everyday": ("P1D", "FREQ=DAILY"),
    "nightly": ("TNI", "FREQ=DAILY"),
    "weekly": ("P1W", "FREQ=WEEKLY"),
    "biweekly": ("P2W", "FREQ=WEEKLY;INTERVAL=2"),
    "fortnightly": ("P2W", "FREQ=WEEKLY;INTERVAL=2"),
    "monthly": ("P1M", "FREQ=MONTHLY"),
    "bimonthly": ("P2M", "FREQ=MONTHLY;INTERVAL=2"),
    "quarterly": ("P3M", "FREQ=MONTHLY;INTERVAL=3"),
    "semiannually": ("P0.5Y", "FREQ=MONTHLY;INTERVAL=6"),
    "halfyearly": ("P0.5Y", "FREQ=MONTHLY;INTERVAL=6"),
    "semiannual": ("P0.5Y", "FREQ=MONTHLY;INTERVAL=6"),
    "biannually": ("P0.5Y", "FREQ=MONTHLY;INTERVAL=6"),
    "yearly": ("P1Y", "FREQ=YEARLY"),
    "annually": ("P1Y", "FREQ=YEARLY"),
    "annual": ("P1Y", "FREQ=YEARLY"),
    "biannual": ("P0.5Y", "FREQ=MONTHLY;INTERVAL=6"),
    "biennial": ("P2Y", "FREQ=YEARLY;INTERVAL=2"),
    "hourly": ("PT1H", "FREQ=HOURLY"),
    "semimonthly": ("P0.5M", "FREQ=MONTHLY;BYMONTHDAY=1,15"),
    "triweekly": ("P3W", "FREQ=WEEKLY;INTERVAL=3"),
    "trimonthly": ("P3M", "FREQ=MONTHLY;INTERVAL=3"),
    "semiweekly": ("P0.5W", "FREQ=WEEKLY"),
    "semiyearly": ("P0.5Y", "FREQ=MONTHLY;INTERVAL=6"),
    "biyearly": ("P2Y", "FREQ=YEARLY;INTERVAL=2"),
    "biennially": ("P2Y", "FREQ=YEARLY;INTERVAL=2"),
}

NAMELIKE_MONTHS = frozenset({"march", "april", "may", "june", "august", "jan", "mar"})
SUPPORTED_DAYS = frozenset({"sun", "sat", "wed", "mon", "fri"})

SMALL = frozenset(
    {"amount", "amounts", "change", "changes", "crack", "cracks", "detail", "details", "difference", "differences", "fraction"}
    | {"fragment", "fragments", "particle", "particles", "portion", "quantities", "quantity", "trace", "traces"}
)
"""What is small when it is called minute."""

NUMBERED = frozenset(
    {"flight", "room", "gate", "bus", "route", "apartment", "apt", "suite", "ticket", "case", "invoice", "order", "bug", "page"}
    | {"extension", "ext", "locker", "box", "building", "platform", "channel", "code", "pin", "unit", "number"}
)
"""What is told apart by a number, so that four figures behind it are no year."""


def _lexicon() -> dict[str, tuple[str, object]]:
    out: dict[str, tuple[str, object]] = {}
    for name, (words, value) in _WORDS.items():
        out.update({word: (name, int(value) if value.lstrip("-").isdigit() else value) for word in words.split()})
    out.update({word: ("small", n) for n, word in enumerate(_NUMBERS.split())})
    out.update({word: ("tens", n) for n, word in zip(range(20, 100, 10), _TENS.split(), strict=True)})
    out.update({word: ("ord", n) for n, word in enumerate(_ORDINALS.split(), 1)})
    out["thirtieth"] = ("ord", 30)
    out.update({word[:-1] + "ies": ("tenses", n) for n, word in zip(range(20, 100, 10), _TENS.split(), strict=True)})
    out["noonish"] = ("midpart", 12)
    out["midmorning"], out["midafternoon"] = ("midpart", 10), ("midpart", 14)
    out["weekdays"] = out["weekday"] = ("workdays", "")
    out["oh"] = ("oh", 0)
    out["eow"], out["eom"], out["eoy"] = ("eod", "week"), ("eod", "month"), ("eod", "year")
    out["ytd"], out["mtd"] = ("todate", "year"), ("todate", "month")
    out["thousands"] = ("thousands", 0)
    out["h"] = ("unit", "hour")
    out["tens"] = ("tenses", 10)
    out["hundred"], out["thousand"] = ("hundred", 100), ("thousand", 1000)
    for unit, words in UNITS.items():
        out.update(dict.fromkeys(words.split(), ("unit", unit)))
    out["second"], out["quarter"], out["qtr"] = ("second", 2), ("quarter", 15), ("quarter", 15)
    for n, month in enumerate(MONTHS, 1):
        for word in (month, month[:3]):
            out[word] = ("namelike" if word in NAMELIKE_MONTHS else "month", n)
    out["sept"] = ("month", 9)
    for n, day in enumerate(WEEKDAYS):
        for word in (day, day + "s"):
            out[word] = ("weekday" if word == day else "weekdays", n)
        for word in (day[:3],):
            out[word] = ("shortday" if word in SUPPORTED_DAYS else "weekday", n)
    out.update({word: ("weekday", n) for word, n in (("tues", 1), ("weds", 2), ("thur", 3), ("thurs", 3))})
    out.update({word: ("season" if word not in ("fall", "spring") else "vagueseason", code) for word, code in SEASONS.items()})
    for code, (words, _, _) in _PARTS.items():
        out.update(dict.fromkeys(words.split(), ("part", code)))
    out.update({word: ("often", both) for word, both in FREQUENCIES.items()})
    return out


LEXICON = _lexicon()
