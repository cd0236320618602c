"""Words that change what a sentence states: limits and negations, units, numbers, short forms, verbs with forms of their own."""

from __future__ import annotations

from typing import Final

_VERBS = """be is are was were been being am|have has had having|do does did done doing|go goes went gone going|get gets got
gotten getting|make makes made making|take takes took taken taking|give gives gave given giving|send sends sent|pay
pays paid|buy buys bought|bring brings brought|think thinks thought|tell tells told|say says said|see sees saw
seen|find finds found|leave leaves left leaving|keep keeps kept|hold holds held|lead leads led|meet meets met|lose
loses lost losing|sell sells sold|teach taught|catch caught|build builds built|spend spends spent|write writes wrote
written writing|drive drove driven driving|choose chose chosen choosing|break broke broken|speak spoke spoken|begin
began begun beginning|run ran running|come came coming|become became becoming|grow grew grown|know knew known|fly flew
flown flies|draw drew drawn|throw threw thrown|show shown|wear wore worn|eat ate eaten|fall fell fallen|forget forgot
forgotten forgetting|win won winning|sit sat sitting|stand stood|understand understood|feel felt|sleep slept|rise rose
risen rising|ride rode ridden riding|sing sang sung|swim swam swum|drink drank drunk|mean meant|hear heard|deal
dealt|feed fed|fight fought|hang hung|hide hid hidden|seek sought|shake shook shaken|shoot shot|steal stole
stolen|stick stuck|strike struck|swear swore sworn|tear tore torn|wake woke woken|withdraw withdrew withdrawn|bind
bound|bite bit bitten|blow blew blown|freeze froze frozen|bend bent|lend lent|undergo underwent undergone|agree agrees
agreed|refund refunds refunded"""
IRREGULAR: Final = {form: line.split()[0] for line in _VERBS.replace("\n", " ").split("|") for form in line.split()}
"""Forms of a verb that its stem does not tell, by form."""

_SHORT = """dr doctor|mr mister|prof professor|st street|ave avenue|rd road|dept department|mgr manager|govt government|approx
approximately|appt appointment|apt apartment|jan january|feb february|mar march|apr april|jun june|jul july|aug
august|sept september|sep september|oct october|nov november|dec december|mon monday|tue tuesday|tues tuesday|wed
wednesday|thu thursday|thur thursday|thurs thursday|fri friday|sat saturday|sun sunday|qty quantity|ref reference|info
information|max maximum|vs versus|temp temperature|conf conference|assoc association|intl international|corp
corporation|inc incorporated|ltd limited|co company|univ university|tel telephone|acct account|amt amount|est
estimated|incl including|admin administrator|config configuration|repo repository|app application|ext extension|msg
message|mtg meeting|doc document|docs documents|pic picture|photo photograph|fave favorite|favourite favorite|mum
mother|mom mother|dad father|kid child|kids child|children child"""
SHORT_FORMS: Final = {line.split()[0]: line.split()[1] for line in _SHORT.replace("\n", " ").split("|")}
"""Short forms and what they stand for."""

_UNITS = """day days d|week weeks wk wks|month months mo mos|year years yr yrs|hour hours hr hrs h|minute minutes min mins|second
seconds sec secs s|night nights|percent % pct|kg kgs kilogram kilograms kilo kilos|g gram grams|mg milligram
milligrams|lb lbs pound pounds|oz ounce ounces|km kilometer kilometers kilometre kilometres|m meter meters metre
metres|cm centimeter centimeters centimetre centimetres|mm millimeter millimeters millimetre millimetres|mile miles
mi|foot feet ft|inch inches|l liter liters litre litres|ml milliliter milliliters millilitre millilitres|gallon
gallons|kb kilobyte kilobytes|mb megabyte megabytes|gb gigabyte gigabytes|tb terabyte terabytes|ms millisecond
milliseconds|usd $ dollar dollars bucks|eur € euro euros|gbp £ sterling|jpy ¥ yen|inr ₹ rupee rupees|chf franc
francs|cent cents|celsius °c|fahrenheit °f|mph|kph km/h|hz hertz|mhz|ghz|kw|kwh|watt watts w|token tokens|point points
pts|page pages|person people persons"""
UNITS: Final = {form: line.split()[0] for line in _UNITS.replace("\n", " ").split("|") for form in line.split()}
"""Units by every way they are written."""
MONEY: Final = frozenset({"usd", "eur", "gbp", "jpy", "inr", "chf", "cent"})
_GLUED_WORDS = """kg g mg km cm mm m ml l h hr hrs min mins s ms kb mb gb tb lb lbs oz ft mi d w"""
GLUED: Final = frozenset(_GLUED_WORDS.split())
"""Units that are written right behind their number."""

_ONES = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen"""
SMALL: Final = {word: number for number, word in enumerate(_ONES.split())}
_TENS = """twenty thirty forty fifty sixty seventy eighty ninety"""
TENS: Final = {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
SCALES: Final = {"hundred": 100, "dozen": 12, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_NO_COUNT_WORDS = """of more another who that is for on day thing by"""
NO_COUNT: Final = frozenset(_NO_COUNT_WORDS.split())
"""After these, "one" counts nothing."""

NEGATIONS: Final = (
    r"not|no|never|none|nobody|nothing|neither|nor|nowhere|without|cannot|unable|fail(?:s|ed|ing)?(?= to)|refus(?:e|es|ed|ing)"
    r"|declin(?:e|es|ed|ing)|forbidden|forbids?|prohibit(?:s|ed)?|banned|hardly|barely|lacks?|lacking|denied|unavailable"
    r"|ineligible|impossible|non-refundable|non-transferable"
)
"""What turns a statement around; `n't` does too."""
NOT_NEGATIONS: Final = (
    r"no more than|not more than|no less than|no fewer than|not less than|not exceed(?:ing)?|cannot exceed|no later than"
    r"|no earlier than|not only|not before|but not|nothing but|whether or not|no problem|no worries|why not|no doubt"
    r"|no longer than"
)
"""Words with a negation in them that bound a thing, or mean nothing by it."""

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d"
LIMITS: Final = {
    "most": r"at most|no more than|not more than|up to|a maximum of|maximum|max|not exceed(?:ing)?|cannot exceed|(?:or|and)"
    r" (?:less|fewer|under)|capped at|limit(?:ed)? (?:of|to)|no longer than",
    "least": r"at least|no less than|no fewer than|not less than|minimum|min|or more|and (?:up|above|over)|not before",
    "under": r"less than|fewer than|under|below|within",
    "over": r"more than|over|above|greater than|exceed(?:s|ed|ing)?",
    "about": r"about|around|approximately|approx|roughly|nearly|almost|circa|some(?= \d)",
    "exactly": r"exactly|precisely",
    "must": r"must|have to|has to|had to|need(?:s|ed)? to|(?:is|are|be) required|requires?|mandatory|obliged|shall|obligatory",
    "should": r"should|ought to|recommended|advised|encouraged|preferably|ideally",
    "may": r"may(?! \d)|might|could|possibly|perhaps|maybe|probably|likely|optional(?:ly)?|if possible",
    "can": r"can|able to|allowed|permitted",
    "always": r"always|every time|each time|at all times|invariably",
    "often": r"usually|often|sometimes|occasionally|generally|normally|typically|mostly|rarely|seldom|from time to time"
    r"|most of the time|in most cases|(?:where|when) (?:possible|convenient)|as a rule",
    "only": r"only|solely|exclusively|nothing but|just(?= \d)",
    "except": r"except|unless|other than|apart from|excluding|but not|save for",
    "all": r"all|every|each|any|entire|whole",
    "some": r"some|several|most(?= of)|a few|many|part of",
    "before": rf"before|by (?=(?:the )?(?:\d|noon\b|end\b|{_DAY}|{_MONTH}|tomorrow|next|midnight))|until|till|prior to"
    r"|no later than",
    "after": r"after|from(?= \d)|since|starting|following|no earlier than",
}
"""Words that bound a statement, by what they do to it; what means the same stands together."""
BINDING: Final = frozenset(
    ("most", "least", "under", "over", "exactly", "must", "always", "only", "except", "all", "before", "after")
)
"""Limits that a digest may not lose."""
LOOSE: Final = frozenset(("should", "may", "often", "some", "about", "can"))
"""Limits that a digest may not add either."""
