"""Words that fill slots, and the frames that find them, as patterns over what follows a verb.

Rule of this file: constants only. A frame is (pattern, attribute); its group `v` is the value, `old` what it takes the place of.
"""

# ruff: noqa: E501, SIM905  a pattern and a table of words are read as one text

from __future__ import annotations

from typing import Final

PLANS: Final = (
    r"free|basic|starter|standard|plus|pro|professional|premium|gold|silver|platinum|bronze|"
    r"diamond|team|teams|business|enterprise|family|"
    r"individual|personal|student|annual|monthly|yearly|trial|unlimited|ultimate|growth|scale|essentials?|lite|hobby|developer"
)
"""Usual names of plans; others count with the word plan, tier or subscription behind them."""
TIER: Final = r"(?:plan|tier|subscription|package|membership|edition|licen[cs]e)"

DIETS: Final = (
    r"vegetarian|vegan|pescatarian|pescetarian|flexitarian|omnivore|carnivore|gluten[- ]free|dairy[- ]free|lactose[- ]intolerant|"
    r"lactose[- ]free|keto|paleo|halal|kosher|celiac|coeliac|low[- ]carb|plant[- ]based"
)
FOODS: Final = (
    r"(?:red )?meat|fish|seafood|pork|beef|chicken|poultry|gluten|dairy|eggs?|sugar|carbs|"
    r"nuts|peanuts|shellfish|wheat|bread|animal products|milk|"
    r"alcohol|caffeine|coffee|junk food|fast food|sweets|candy"
)
RELATIONSHIPS: Final = (
    r"(?:happily |newly |recently )?(?:married|divorced|engaged|widowed|separated)|(?:still "
    r"|currently |happily )?single|in a relationship|"
    r"a widow(?:er)?|a single (?:mom|mum|dad|parent|mother|father)|dating"
)
LANGUAGES: Final = (
    r"english|spanish|french|german|italian|portuguese|chinese|mandarin|cantonese|japanese|"
    r"korean|russian|arabic|hindi|urdu|bengali|turkish|"
    r"dutch|swedish|norwegian|danish|finnish|polish|czech|greek|hebrew|thai|vietnamese|"
    r"indonesian|malay|swahili|ukrainian|romanian|hungarian|"
    r"persian|farsi|tamil|telugu|punjabi|catalan|welsh|irish|gaelic|latin|sign language|asl|tagalog|serbian|croatian|bulgarian"
)
JOBS: Final = frozenset(
    """
    nurse doctor lawyer attorney chef cook clerk pilot actor actress artist model student intern mechanic architect
    plumber electrician physician surgeon dentist therapist accountant analyst consultant cashier bartender waitress
    waiter barista secretary paralegal librarian musician politician technician electrician veterinarian vet scientist
    biologist chemist physicist pharmacist psychologist journalist novelist pianist guitarist dj ceo cto cfo vp
    founder freelancer entrepreneur homemaker housewife nanny maid janitor guard cop detective firefighter fireman
    policeman soldier marine sergeant agent assistant associate supervisor director executive administrator specialist
    coordinator principal judge priest pastor minister nun monk athlete boxer model mom mum mother dad father parent
    stuntman salesman saleswoman salesperson businessman businesswoman fisherman carpenter welder tailor butcher
    """.split()
)
JOB_ENDINGS: Final = ("er", "or", "ist", "ian", "smith", "wright", "herd", "man", "woman")
NOT_JOBS: Final = frozenset(
    """
    lover fighter believer member loner owner beginner player listener eater drinker smoker walker reader thinker
    dreamer foodie brother sister mother father daughter lover hater number year summer winter dinner computer buyer
    sinner winner loser newcomer runner hiker gamer survivor cancer minor person human woman man christian vegetarian
    vegetarian outdoor minister's morning bummer realist optimist pessimist perfectionist feminist kisser collector
    traveler traveller planner sleeper customer subscriber user premier better older younger sucker over under other
    rather after
    """.split()
)
ZONES: Final = r"(?:utc|gmt)(?: ?[+\-\u2212]\d{1,2}(?::\d\d)?)?|[ecmp][sd]t|cet|cest|bst|ist|jst|kst|aest|msk|[a-z]+/[a-z_]+"
INSTRUMENT_OR_GAME: Final = (
    r"(?:the )?(?:[a-z]+ )?(?:guitar|piano|violin|drums?|bass|cello|flute|trumpet|saxophone|"
    r"sax|clarinet|keyboards?|ukulele|banjo|harp|"
    r"harmonica|soccer|football|basketball|baseball|softball|tennis|golf|hockey|volleyball|"
    r"rugby|cricket|badminton|poker|chess|pool|"
    r"video games?|board games?|computer games?|games?|sports?|cards|lacrosse|squash|ping pong|music|an instrument)"
)
ABILITIES: Final = (
    "play cook speak code swim sing dance draw paint ski surf drive bake knit sew juggle "
    "skate ride program type fly dive write climb fish"
).split()
NOT_HAD: Final = (
    r"(?:an? )?(?:(?:really |very |so |such )*(?:good|great|nice|bad|hard|tough|rough|"
    r"long|wonderful|lovely|fun|amazing|awesome|terrible|"
    r"fantastic|blast|lot of fun)(?: (?:time|day|one|night|evening|weekend|morning|week))?\s*(?:$|"
    r"[.!,])|(?:question|questions|problem with|point|feeling|chance|doubt|idea|clue|look|"
    r"talk|chat|hunch|lot(?! of))\b)|"
    r"to\b|no (?:idea|clue|doubt|problem|choice|complaints)|fun\b|it\b|that\b|them\b|this\b|"
    r"one\b(?! (?:of|in|who|that|at|on|for)\b)|some\b(?! \w+)|never\b|not\b|"
    r"any (?:idea|clue)|the same\b|you\b|time\b"
)
"""What follows "have" without being had."""

_PLACE = (
    r"(?P<v>(?!(?:a|an|my|his|her|their|our|your|this|that|it|there|here|fear|peace|love|"
    r"general|fact|person|line|the (?:same|house|past|future|moment|world|first|end|middle))\b)[^,;.!?()]{2,60}"
    r")"
)
_ORG = (
    r"(?P<v>(?!(?:it|that|this|home|night|least|once|all|first|the moment|the same|a time|"
    r"me|you|him|her|them|my|myself|an?\b)\b)[^,;.!?()]{1,60})"
)
_FREE = r"(?P<v>[^,;.!?()]{2,80})"
_ONCE_MORE = r"(?:(?:again|once more|once again|further|recently|finally|today|yesterday|straight|up|down|back),? )*"
_OLD = r"(?:from (?:the |my |a )?(?P<old>[^,;.!?()]{1,40}?) )?"

FRAMES: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "live": ((rf"(?:alone |together |now |right |up |down |out |over |here )*(?:in|at|near|on) {_PLACE}", "lives_in"),),
    "reside": ((rf"(?:in|at) {_PLACE}", "lives_in"),),
    "move": (
        (rf"(?:back |over |out |here |there |away )?from (?P<old>[^,;.!?()]{{1,40}}?) (?:back |over )?to {_PLACE}", "lives_in"),
        (r"to (?:the |a new )?(?:company|firm|startup|start-up|employer|agency) (?P<v>[^,;.!?()]{1,40})", "works_at"),
        (rf"(?:back |over |out |up |down )?to {_PLACE} from (?P<old>[^,;.!?()]{{1,40}})", "lives_in"),
        (rf"(?:to|onto) (?:the |a )?(?P<v>(?:{PLANS})(?: {TIER})?|[^,;.!?()]{{2,30}}? {TIER})\b", "plan"),
        (rf"(?:back |over |out |up |down )?to {_PLACE}", "lives_in"),
    ),
    "relocate": ((rf"{_OLD}to {_PLACE}", "lives_in"), (rf"to {_PLACE} from (?P<old>[^,;.!?()]{{1,40}})", "lives_in")),
    "be": (
        (rf"(?:based|located|living) (?:out of|in|at|near) {_PLACE}", "lives_in"),
        (rf"(?:originally )?from {_PLACE}", "origin"),
        (r"(?P<v>\d{1,3}) ?(?:years? (?:old|of age)|y/?o\b|yrs? old)", "age"),
        (
            (
                r"(?P<v>(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)?[- ]?(?:one|"
                r"two|three|four|five|six|seven|eight|nine)?) years old"
            ),
            "age",
        ),
        (r"(?:only |about |almost |turning )?(?P<v>\d{1,2})(?= (?:and|now|but|so|there|this|today)\b|\s*$|\s*[,;.!])", "age"),
        (r"(?:called|named) (?P<v>[A-Z][\w'-]*(?: [A-Z][\w'-]*)*)", "name"),
        (
            (
                rf"(?:now |currently |still )?(?:on|using) (?:the |your |a |an )?(?P<v>(?:{PLANS})(?: "
                rf"{TIER})?|[^,;.!?()]{{2,30}}? {TIER})\b(?! to\b)"
            ),
            "plan",
        ),
        (rf"(?:an? )?(?:strict |mostly |now |currently )*(?P<v>{DIETS})\b", "diet"),
        (r"(?:currently |now )?on (?:an? )?(?P<v>[a-z -]{2,30}) diet\b", "diet"),
        (rf"(?P<v>{RELATIONSHIPS})(?: (?:to|with) [^,;.!?]+)?", "relationship"),
        (rf"(?:deathly |very |severely |highly |badly |also )*(?:allergic|intolerant) to {_FREE}", "allergic_to"),
        (rf"(?:an? )?(?:\w+ )?members? (?:of|at) {_FREE}", "member_of"),
        (
            r"in (?:the|a) (?P<v>(?:\w+ ){0,2}(?:army|navy|air force|military|marines|band|choir|club|team|gang|book club))\b",
            "member_of",
        ),
        (
            (
                r"(?:not )?(?:really |very |super |big |huge |totally |so )*(?:into|fond of|crazy "
                rf"about|obsessed with|passionate about|keen on|addicted to) {_FREE}"
            ),
            "likes",
        ),
        (rf"(?:not )?an? (?:really |very |super |big |huge |real |total |avid |massive )*(?:fan of|lover of) {_FREE}", "likes"),
        (r"(?:fluent|conversational|proficient) in (?P<v>[^;.!?()]+)", "speaks"),
        (rf"(?:pretty |really |very |quite |also )*(?:good|great|skilled|experienced|best) (?:at|in|with) {_FREE}", "skill"),
        (
            (
                r"an? (?:full[- ]time |part[- ]time )?(?P<v>(?:[\w'-]+ ){0,4}?[\w'-]+)(?= (?:at|"
                r"for|with|in|from|by|who|and|but|so|on|here|there|now|these|again|currently|since|full|part|to|of)\b|\s*$|\s*[,;.!?(])"
            ),
            "job",
        ),
        (r"(?:the|an?) (?P<v>(?:ceo|cto|cfo|coo|head|director|founder|owner|manager|president|vp)\b(?: of [^,;.!?]+)?)", "job"),
        (r"(?:now |currently )?(?:retired|unemployed)", "job_gone"),
        (rf"in (?:the )?(?P<v>{ZONES})(?: time ?zone)?\b", "timezone"),
    ),
    "work": (
        (r"(?:\w+ )?as (?:an? |the )?(?P<v>[^,;.!?()]{2,60})", "job"),
        (rf"(?:full[- ]time |part[- ]time |remotely |now |over |nights |days |here |mostly )*(?:at|for|with) {_ORG}", "works_at"),
        (rf"on {_FREE}", "works_on"),
    ),
    "join": ((_FREE, "joins"),),
    "start": (
        (
            (
                r"(?:working |work |a (?:new )?(?:job|position|role) |my (?:new )?(?:job|position) "
                rf"|a new (?:job|position) )(?:\w+ )?(?:at|for|with) {_ORG}"
            ),
            "works_at",
        ),
        (rf"(?:working |a (?:new )?job )as (?:an? )?{_FREE}", "job"),
        (rf"at {_ORG}", "works_at"),
    ),
    "leave": (
        (
            (
                r"(?:my |the )(?:old |current |previous )?(?:job|position|role|work|company|firm)(?: "
                r"(?:at|with|in) (?P<v>[^,;.!?()]{2,40}))?"
            ),
            "works_at!",
        ),
        (r"(?P<v>[A-Z][^,;.!?()]{1,40})", "left"),
    ),
    "quit": (
        (
            r"(?:my |the )(?:old |current |previous )?(?:job|position|role|work)(?: (?:at|with|in) (?P<v>[^,;.!?()]{2,40}))?",
            "works_at!",
        ),
        (r"(?P<v>[A-Z][^,;.!?()]{1,40})", "works_at!"),
    ),
    "resign": ((r"(?:from (?P<v>[^,;.!?()]{2,40}))?", "works_at!"),),
    "retire": ((r"(?:from (?P<v>[^,;.!?()]{2,40}))?", "job!"),),
    "study": ((rf"(?:[\w ]{{2,30}} )?at {_ORG}", "studies_at"),),
    "attend": (
        (r"(?P<v>[^,;.!?()]*\b(?:school|college|university|academy|institute)\b[^,;.!?()]*|[A-Z][^,;.!?()]{1,40})", "studies_at"),
    ),
    "enrol": ((rf"(?:at|in) {_ORG}", "studies_at"),),
    "enroll": ((rf"(?:at|in) {_ORG}", "studies_at"),),
    "graduate": ((rf"(?:[\w ]{{2,30}} )?from {_ORG}", "studies_at!"),),
    "upgrade": (
        (
            rf"{_ONCE_MORE}(?:(?:my|our|the) (?:plan|account|subscription) )?{_OLD}to (?:the |a )?(?P<v>[^,;.!?()]{{2,40}})",
            "plan",
        ),
    ),
    "downgrade": (
        (
            rf"{_ONCE_MORE}(?:(?:my|our|the) (?:plan|account|subscription) )?{_OLD}to (?:the |a )?(?P<v>[^,;.!?()]{{2,40}})",
            "plan",
        ),
    ),
    "switch": (
        (r"(?:over |back )to (?:the |using )?(?P<v>[^,;.!?()]{1,40}?) from (?:the |my )?(?P<old>[^,;.!?()]{1,40})", "switches"),
        (rf"(?:over |back |my plan |plans |our plan )?{_OLD}to (?:the |a |an |using )?{_FREE}", "switches"),
    ),
    "migrate": ((rf"(?:over |back )?{_OLD}to (?:the |a |an |using )?{_FREE}", "switches"),),
    "change": (
        (rf"(?:my |our |the )?(?:plan|subscription|tier) {_OLD}to (?:the |a )?{_FREE}", "plan"),
        (rf"(?:over |back )?{_OLD}to (?:the |a |an )?{_FREE}", "changes"),
    ),
    "subscribe": ((rf"to (?:the |your |a )?(?P<v>[^,;.!?()]{{2,30}}? {TIER}|(?:{PLANS}))\b", "plan"),),
    "sign": ((rf"up (?:for|to) (?:the |your |a )?(?P<v>[^,;.!?()]{{2,30}}? {TIER}|(?:{PLANS}))\b", "plan"),),
    "cancel": ((rf"(?:my|the|our|their|his|her) (?:(?P<v>[\w ]{{2,30}}?) )?{TIER}\b", "plan!"),),
    "pause": ((rf"(?:my|the|our) (?:[\w ]{{2,30}} )?{TIER}\b", "paused"),),
    "renew": ((rf"(?:my|the|our) (?:[\w ]{{2,30}} )?{TIER}\b", "active"),),
    "have": (
        (rf"(?:an? )?(?:severe |bad |mild )?allerg(?:y|ies) to {_FREE}", "allergic_to"),
        (r"an? (?:severe |bad |mild )?(?P<v>[\w-]+) allergy\b", "allergic_to"),
        (rf"(?:the |a )(?P<v>(?:{PLANS})(?: {TIER})?|[^,;.!?()]{{2,30}}? {TIER})\s*(?=$|[,.;!])", "plan"),
        (rf"(?!{NOT_HAD})(?:got |about |like |around |over )?(?P<v>[^,;.!?()]{{2,80}})", "has"),
    ),
    "get": (
        (r"(?:hired|a (?:new )?(?:job|position|offer)) (?:\w+ )?(?:by|at|with|from) (?P<v>[^,;.!?()]{2,60})", "works_at"),
        (r"(?:a (?:new )?(?:job|position)|hired) as (?:an? )?(?P<v>[^,;.!?()]{2,60})", "job"),
        (r"(?:fired|laid off|let go)(?: (?:from|by) (?P<v>[^,;.!?()]{2,40}))?", "works_at!"),
        (r"(?P<v>married|engaged|divorced|separated)\b", "relationship"),
        (r"(?P<v>(?:an?|two|three|four|some|my first|our first) [^,;.!?()]{2,60})", "gets"),
    ),
    "marry": ((r"(?:to )?(?P<v>[^,;.!?()]{2,60})", "marries"),),
    "divorce": ((r".*", "divorced"),),
    "break": ((r"up(?: with (?P<v>[^,;.!?()]{2,40})|\s*$|\s*[,.;!]| (?:last|a|in|on|after|because)\b)", "relationship!"),),
    "adopt": ((r"(?P<v>(?:an?|two|three|four|some|my|our) [^,;.!?()]{2,60})", "gets"),),
    "rescue": ((r"(?P<v>(?:an?|two|three|four|some) [^,;.!?()]{2,60})", "gets"),),
    "own": ((r"(?!it\b|that\b|them\b|one\b|any\b)(?P<v>[^,;.!?()]{2,60})", "owns"),),
    "buy": ((r"(?P<v>(?:an?|two|three|my|our|the|some|new) [^,;.!?()]{2,60})", "owns"),),
    "purchase": ((r"(?P<v>(?:an?|two|three|my|our|the|some|new) [^,;.!?()]{2,60})", "owns"),),
    "play": (
        (rf"(?:a lot of |some |lots of |mostly )?(?P<v>{INSTRUMENT_OR_GAME})\b", "plays"),
        (
            r"(?!it\b|that\b|them\b|with\b|around\b|a (?:role|part)\b|one\b)(?:a lot of |some |lots of )?(?P<v>[^,;.!?()]{2,50})",
            "plays",
        ),
    ),
    "speak": ((rf"(?:fluent |some |a little |a bit of |only |both |good )*(?P<v>(?:{LANGUAGES})\b[^;.!?()]*)", "speaks"),),
    "visit": ((r"(?!you\b|me\b|it\b|them\b|him\b|her\b|there\b)(?P<v>[^,;.!?()]{2,50})", "visited"),),
    "travel": ((r"(?:\w+ )?to (?P<v>[^,;.!?()]{2,50})", "visited"),),
    "go": ((r"(?:\w+ )?to (?P<v>[A-Z][^,;.!?()]{1,50})", "visited"), (r"by (?P<v>[A-Z][\w'-]+)", "name")),
    "use": ((r"(?!to\b|it\b|that\b|them\b|this\b)(?P<v>[^,;.!?()]{2,60})", "uses"),),
    "want": ((r"(?!you\b|it\b|that\b|them\b|this\b|one\b)(?P<v>[^,;.!?()]{2,80})", "wants"),),
    "wish": (
        (r"(?P<v>to [^,;.!?()]{2,80})", "wants"),
        (
            r"i could (?:actually |just |really |also )*(?P<v>(?!see\b|hear\b|help\b|be\b|have\b|remember\b)[^,;.!?()]{2,80})",
            "wants",
        ),
    ),
    "hope": ((r"(?P<v>to [^,;.!?()]{2,80})", "wants"),),
    "plan": ((r"(?P<v>(?:to|on) [^,;.!?()]{2,80})", "wants"),),
    "know": (
        (r"how to (?P<v>[^,;.!?()]{2,60})", "skill"),
        (r"(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)(?= (?:from|since|through|very well|well)\b|\s*$)", "knows"),
    ),
    "eat": ((rf"(?:any |much )?(?P<v>{FOODS})\b", "eats"),),
    "drink": ((r"(?:any |much )?(?P<v>alcohol|coffee|caffeine|milk|soda)\b", "eats"),),
    "turn": ((r"(?P<v>\d{1,3})\b", "age"),),
    "call": ((r"me (?P<v>[A-Z][\w'-]*(?: [A-Z][\w'-]*)?)", "name"),),
    "bear": ((r"(?:on|in) (?P<v>[^,;.!?()]{2,40})", "born"),),
    "meet": ((r"(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)", "knows"),),
    "test": ((r"(?:with|on|against) (?P<v>[^,;.!?()]{2,60})", "tested_with"),),
    "react": ((rf"badly to {_FREE}", "allergic_to"),),
    "volunteer": ((rf"(?:\w+ )?(?:at|for|with) {_ORG}", "volunteers_at"),),
}
"""Frames by verb, tried in order; the pattern is matched where the verb ends. A "!" behind the attribute ends it."""

LIKING: Final = {
    "love": "loves", "like": "likes", "enjoy": "enjoys", "adore": "adores", "hate": "hates", "dislike": "dislikes", "loathe": "loathes",
    "prefer": "prefers", "dig": "digs", "stand": "stands", "detest": "detests", "despise": "despises",
}  # fmt: skip
"""Verbs of taste and the value they give."""

OWNED: Final[tuple[tuple[str, str], ...]] = (
    (r"(?:full |first |last |middle |real |given |user)?name", "name"),
    (r"(?:work |personal |new |account |billing |contact )?e-?mail(?: address)?", "email"),
    (r"(?:new |cell |mobile |home )?(?:phone|telephone|cell|mobile)(?: number)?|(?:new |work )?number", "phone"),
    (r"birthday|birth date|date of birth|b-?day", "birthday"),
    (r"age", "age"),
    (r"(?:new |current )?time ?zone", "timezone"),
    (r"(?:native |first |preferred |mother )?(?:language|tongue)", "language"),
    (r"(?:current |day |new |main )?(?:job|occupation|profession)(?: title)?", "job"),
    (r"(?:new |current |job )*(?:role|title|position)", "employer_role"),
    (r"(?:current |new )?(?:employer|company|workplace|firm)", "works_at"),
    (r"(?:current |new |subscription |service )?(?:plan|tier|subscription)(?: type| level)?", "plan"),
    (r"(?:subscription|account|membership) status", "subscription_status"),
    (r"(?:current )?status", "status"),
    (r"(?:marital |relationship )status", "relationship"),
    (r"(?:new |current )?diet", "diet"),
    (r"(?:new |current |college |university )*(?:major|degree|field of study|course of study|subject|studies)", "studies"),
    (r"(?:new |current )?team", "team"),
    (r"(?:home ?town|place of birth|birthplace)", "origin"),
    (r"(?:current |new )?(?:school|university|college)", "studies_at"),
    (r"(?:current |new )?(?:city|home city|location|place of residence|home base)", "lives_in"),
    (r"(?:current |new |home |street |postal |mailing |shipping |delivery |billing )*address", "address"),
)
"""What "my … is" may name, and the attribute it fills."""

QUESTIONS: Final[tuple[tuple[str, str], ...]] = (
    (r"(?:which|what) (?:\w+ )?(?:plan|tier|subscription)\b|plan are you (?:on|using)", "plan"),
    (r"what(?:'s| is|s) your (?:full |first |last )?name|who am i (?:speaking|talking) (?:to|with)", "name"),
    (
        r"where (?:do|are) you (?:live|living|based|located|staying)|(?:which|what) (?:city|country|state|town) (?:do|are) you",
        "lives_in",
    ),
    (r"where (?:are|do) you (?:come )?from", "origin"),
    (r"who do you work for|where do you work|(?:which|what) company", "works_at"),
    (
        (
            r"what do you do (?:for (?:a living|work)|professionally)|what(?:'s| is) your (?:job|"
            r"profession|occupation)|what (?:kind|type|sort) of (?:work|job)|do you (?:have a job|work)\b"
        ),
        "job",
    ),
    (r"where (?:do|did) you (?:study|go to (?:school|college|university))", "studies_at"),
    (r"how old (?:are you|r u)|what(?:'s| is) your age", "age"),
    (r"(?:when(?:'s| is)|what(?:'s| is)) your (?:birthday|date of birth)|when were you born", "birthday"),
    (r"what(?:'s| is) your (?:e-?mail|email address)|(?:which|what) e-?mail", "email"),
    (r"what(?:'s| is) your (?:phone|number|phone number)", "phone"),
    (r"(?:what|which) time ?zone", "timezone"),
    (
        r"(?:what(?:'s|s| is| are)|which is|who(?:'s| is)) (?:you|ur|your) (?:all[- ]time )?fav(?:ou?rite|e)? (?P<what>[\w ]{2,30})",
        "favourite",
    ),
)
"""Questions whose bare answer fills a slot."""

SAID_AS: Final = {
    "plan": "'s plan is", "name": "'s name is", "lives_in": " lives in", "address": "'s address is", "origin": " is from", "works_at": " works at", "job": "'s job is",
    "studies_at": " studies at", "age": "'s age is", "birthday": "'s birthday is", "email": "'s e-mail is", "phone": "'s phone number is",
    "timezone": "'s time zone is", "language": "'s language is", "diet": "'s diet is", "favourite": "'s favourite", "likes": " likes",
    "dislikes": " dislikes", "has": " has", "speaks": " speaks", "uses": " uses", "plays": " plays", "relationship": " is", "studies": " studies", "fears": " is afraid of", "team": "'s team is", "subscription_status": "'s subscription is",
}  # fmt: skip
"""How a slot is put into words between its subject and its value."""
