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
agreed|refund refunds refunded|deny denies denied denying|reject
rejects rejected|try tries tried trying|carry carries carried|reply replies replied|apply applies applied
|cancel cancels canceled cancelled
cancelling|travel travels traveled travelled|stop stops stopped
stopping|plan plans planned planning|ship ships shipped shipping|admit admits
admitted|refer refers referred|prefer prefers preferred"""
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
pts|page pages|degree degrees deg °|person people persons"""
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

_ORDINAL_WORDS = """first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"""
ORDINALS: Final = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)}
_ORDERS_WORDS = """the in my his her their our its"""
ORDERS: Final = frozenset(_ORDERS_WORDS.split())
"""Before an ordinal in words these tell that it counts."""

_ANTONYMS = """pass fail|accept reject|approve reject|approve deny|open closed|open close|enable disable|increase decrease
rise fall|buy sell|win lose|start stop|begin end|allow forbid|gain lose|import export|upgrade downgrade|before after
first last|male female|hot cold|high low|large small|big small|early late|safe unsafe|left right|up down|in out
upstairs downstairs|married divorced|hire fire|lend borrow|borrow lend|push pull|arrive leave|arrival departure
credit debit|profit loss|love hate|like dislike|agree disagree|true false|yes no|public private|internal external
paid unpaid|valid invalid|complete incomplete|available unavailable|possible impossible|happy unhappy|legal illegal
positive negative|benign malignant|guilty innocent|permanent temporary|vegan carnivore|day night|morning evening
mother father|sister brother|son daughter|husband wife|aunt uncle|boy girl|man woman|north south|east west
black white|plus minus|online offline|indoor outdoor|inside outside|above below|maximum minimum|most least|major minor
raise lower|add remove|connect disconnect|install uninstall|include exclude|together apart|cheap expensive|old new
old young|full empty|strong weak|fast slow|succeed fail|improve worsen|better worse|best worst|single married
renew cancel|confirm cancel|confirm deny|employ dismiss|tenant landlord|buyer seller|lender borrower|plaintiff defendant
employer employee|teacher student|patient doctor|senior junior|always never|often rarely|won lost"""
ANTONYMS: Final = tuple(tuple(pair.split()) for pair in _ANTONYMS.replace("\n", "|").split("|"))
"""Words that say the contrary of each other."""

_NEGATED = """unavailable available|ineligible eligible|impossible possible|non-refundable refundable|nonrefundable
refundable|non-transferable transferable|unhappy happy|unpaid paid|invalid valid|incomplete complete|illegal
legal|unsafe safe|unsigned signed|unread read|unsolved solved|unresolved resolved|disapprove approve|disapproved
approve|disagree agree|disagreed agree|dislike like|dislikes like|disliked like|unknown known|unlikely likely|unwilling willing
unverified verified|unused used|uninsured insured|unlicensed licensed"""
_TURNING_WORDS = """refuse decline deny reject lack fail forbid prohibit"""
TURNING: Final = frozenset(_TURNING_WORDS.split())
"""Verbs that turn around what follows and are said themselves."""
NEGATED: Final = {line.split()[0]: line.split()[1] for line in _NEGATED.replace("\n", " ").replace("  ", " ").split("|") if line}
"""Words that say the contrary of another by how they begin."""

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b"
_NOT = r"(?:not|n['\u2019]?t)"
_SIZE = (
    r"(?= \S{0,3}\d| [a-z-]+ (?:hundred|thousand|percent|dollars|euros|pounds|minutes|hours|days|weeks|months|years|people|km|kg"
    r"|words|pages)\b)"
)
_ROWS = (
    ("most must", 0, rf"(?:must|may|can|shall) ?{_NOT} exceed|cannot exceed"),
    ("most should", 0, rf"should ?{_NOT} exceed"),
    ("before", 0, r"(?:no|not) later than|by the latest|(?:at )?the latest by"),
    ("after", 0, r"(?:no|not) earlier than|not (?:before|until|till)"),
    (
        "most",
        0,
        rf"""at (?:the )?most|(?:no|not) (?:more|longer) than|not (?:over|above)|up to{_SIZE}|a maximum of|maximum(?: of)?|max
        {_NOT} exceed(?:ing)?|(?:or|and) (?:less|fewer|under)|capped at|limit(?:ed)? (?:of|to)(?= \S{{0,3}}\d)""",
    ),
    (
        "least",
        0,
        r"""at (?:the )?least|no (?:less|fewer) than|not (?:less|fewer) than|a minimum of|minimum(?: of)?|min|or more
        and (?:up|above|over)""",
    ),
    (
        "",
        0,
        r"""(?:(?<=^)|(?<=[.!?] )|(?<=lol )|(?<=oh ))(?:nah|nope|no(?=,))|not only|whether or not|no problem|no worries|why not
        no doubt|no wonder|no matter|not to mention""",
    ),
    (
        "free",
        1,
        rf"""(?:do|does|did) ?{_NOT} (?:have|need) to|need(?: not|n['\u2019]?t)|not (?:required|obliged|mandatory)""",
    ),
    (
        "barred",
        1,
        r"""must ?not|mustn['\u2019]?t|may not|shall not|(?:is|are|was|were)(?:n['\u2019]?t| not) (?:be )?(?:allowed|permitted)
        not (?:be )?(?:allowed|permitted)|(?:strictly )?(?:forbidden|prohibited|banned)|forbids?|prohibits?|off[- ]limits
        under no circumstances""",
    ),
    ("can", 1, r"cannot|can not|can['\u2019]?t|unable to|not able to|not capable of|could not|couldn['\u2019]?t"),
    (
        "only",
        0,
        r"""only if|nothing but|nobody but|no one but|none but|restricted to|reserved for|only|solely|exclusively
        just(?= \d)""",
    ),
    ("except", 0, r"except|unless|other than|apart from|aside from|excluding|but not|save for|excepted|barring"),
    ("always", 0, r"always|every time|each time|at all times|invariably|without exception"),
    ("without", 1, r"without"),
    (
        "often",
        0,
        r"""hardly ever|almost never|almost always|nearly always|usually|often|sometimes|occasionally|generally|normally
        typically|mostly|rarely|seldom|from time to time|most of the time|in most cases|mainly|primarily
        (?:where|when|whenever) (?:possible|convenient)|as a rule|tries to|try to|tends? to""",
    ),
    ("never", 1, r"(?:do(?:es)? )?not ever|never|at no time|not once"),
    ("should", 1, r"should(?: not|n['\u2019]?t)"),
    (
        "",
        1,
        r"""(?:do|does|did|is|are|was|were|wo|would|ha[sd]|have|might|ai)n['\u2019]t|not
        dont|doesnt|didnt|isnt|arent|wasnt|werent|wont|aint|havent|hasnt|hadnt|wouldnt|shouldnt|no
        none|nobody|no one|nothing|nowhere|hardly|barely|neither""",
    ),
    ("nor", 1, r"nor"),
    (
        "",
        1,
        r"""nicht|kein(?:e[mnrs]?)?|nie|niemals|niemand|nichts|ohne|pas|jamais|rien|aucune?|sans|nunca|jam\u00e1s
        ning\u00fan|ninguna|ninguno|nadie|sin|n\u00e3o|mai|senza|niet|geen|nooit""",
    ),
    (
        "must",
        0,
        r"""must|have to|has to|had to|having to|ha(?:ve|s) got to|needs? to|needed to
        (?:is|are|be|was|were) (?:required|obliged|obligated)(?: to)?|required|requires?|mandatory|compulsory|shall|obligatory
        gotta|muss|m\u00fcssen|doit|doivent|debe|deben""",
    ),
    ("should", 0, r"should|ought to|recommended|advised|encouraged|preferably|ideally|asked to|invited to|sollte|devrait"),
    ("may", 0, r"may(?! \d| of\b)|might|could|possibly|perhaps|maybe|probably|likely|optional(?:ly)?|if possible"),
    ("can", 0, r"can|able to|allowed(?: to)?|permitted(?: to)?|free to"),
    ("under", 0, rf"less than|fewer than|under{_SIZE}|below|within"),
    ("over", 0, rf"more than|over{_SIZE}|above|greater than|exceed(?:s|ed|ing)?"),
    ("about", 0, rf"(?:about|around){_SIZE}|approximately|approx\.?|roughly|nearly|almost|circa|some(?= \d)|or so"),
    ("exactly", 0, r"exactly|precisely"),
    ("some", 0, r"some|several|most(?! \w+(?:ed|ive|ful|able|ant)\b)|a few|many|part of|someone|somebody"),
    ("all", 0, r"all|every|each|everyone|everybody|entire"),
    ("if", 0, r"if|provided(?: that)?|as long as|on condition that|in case|assuming"),
    (
        "before",
        0,
        rf"""before|by(?= (?:the |early |late |next |this )?(?:\d|noon\b|end\b|midnight|tomorrow|tonight|{_DAY}|{_MONTH}))
        until|till|prior to|bis|avant""",
    ),
    (
        "after",
        0,
        rf"""after|from(?= \d)|since(?= (?:\d|{_DAY}|{_MONTH}|last|then|yesterday|the (?:start|beginning|end)))|starting
        following""",
    ),
)
MARKS: Final = tuple(
    (limits, negations, "|".join(line.strip() for line in words.splitlines())) for limits, negations, words in _ROWS
)
"""What bounds a statement or turns it around, the longer words before the shorter: limits, how often it turns, the words."""
SIGNS: Final = r"\u307e\u305b\u3093|\u306a\u3044|\u306a\u304b\u3063\u305f|\u4e0d|\u6ca1|\u6c92|\u7121"
"""What turns a statement around in scripts without blanks."""
BINDING: Final = frozenset(
    ("most", "least", "under", "over", "exactly", "must", "barred", "always", "only", "except", "all", "before", "after", "if",
     "without")
)  # fmt: skip
"""Limits that a digest may not lose."""
WHOLLY: Final = frozenset(("except", "only", "if", "without"))
"""Limits that bound the whole clause, wherever they stand."""
LOOSE: Final = frozenset(("should", "may", "often", "some", "about", "can", "free"))
"""Limits that a digest may not add either."""
COMMANDS: Final = (
    r"(?:please,? )?(?:do not|don['\u2019]?t)"
    r"(?! (?:know|think|want|care|worry|have|like|feel|need|remember|you|we|they|forget|mind))"
    r"|(?:please,? )?never (?!been|had|seen|\w+ed\b|again|mind|knew|thought|heard|too)|no (?=\w+ing\b)"
)
"""How a clause begins that forbids."""
