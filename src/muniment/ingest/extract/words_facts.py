"""English words that the readers of statements know: verbs, adverbs, openers, and what is said for politeness alone.

Rule of this file: constants only. A reader finds the rules in rules_facts*.py and what they look up here.
"""

# ruff: noqa: E501, SIM905  a pattern and a table of words are read as one text

from __future__ import annotations

from typing import Final

VERBS: Final = frozenset(
    """
    accept adapt convert exchange frighten promote rename resettle retrain scare settle swap terrify trade update act add average bother contain crash exist expire include log rank remain rest rotate score store sync total adopt adore afford agree allow annoy answer apply argue arrange arrive ask attach attend avoid
    babysit bake ban bathe be beat become begin believe belong bike bind bite blog blow book borrow breed break brew
    bring build burn buy call camp cancel care carry catch celebrate change chase chat check choose clean climb close
    coach code collect come commute compete complete compose connect consider cook cope cost count cover craft create
    cross cry cure cut cycle dance date deal decide decorate deliver deploy depend design develop die dig discover
    dislike divorce do donate downgrade draw dream dress drink drive drop earn eat edit email embroider employ end
    engage enjoy enroll enrol enter exercise expect experience explore fail fall farm fear feed feel fight fill film
    find finish fire fish fix fly follow forget freelance garden get give go golf graduate grill grow guide handle
    hang happen hate have head hear help hike hire hit hold homeschool hope host hunt hurt identify immigrate improve
    inherit injure install intend interview invest invite join juggle jog jump keep jam kill knit know land last laugh leak
    launch lead learn leave lend let like listen live loathe look lose love major make manage marry mean measure
    meditate meet mentor merge migrate mind miss move mow need nurse offer open order organise organize own pack paint
    park participate pass patent pay perform phone pick plan plant play practice practise prefer prepare produce
    promote propose publish pull purchase push put quit race raise read receive record recover recycle refuse rehearse
    relax release relocate remember renew renovate rent repair replace report require rescue reside resign respond
    retire return review ride roast row run sail save say schedule search see sell send serve set sew shake share
    shave ship shoot shop show sing sit skate ski skip sleep smoke speak spend spill stand start stay steal stop
    stream struggle study subscribe suffer support surf swim switch take talk teach tell test think throw travel train
    transfer translate treat try turn tutor type undergo upgrade use visit volunteer vote wait wake walk want wash
    watch wear weigh win wonder work worry wrestle write yell
    """.split()
)
"""Base forms. Other words after a pronoun are still taken for verbs; these are needed to see a verb without one."""

IRREGULAR: Final = {
    row.split()[0]: tuple(row.split()[1:])
    for row in (
        "be was been|beat beat beaten|become became become|begin began begun|bind bound bound|bite bit bitten|blow blew blown|"
        "break broke broken|breed bred bred|bring brought brought|build built built|burn burnt burnt|buy bought bought|"
        "catch caught caught|choose chose chosen|come came come|cost cost cost|cut cut cut|"
        "deal dealt dealt|dig dug dug|do did done|"
        "draw drew drawn|dream dreamt dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed fed|"
        "feel felt felt|fight fought fought|find found found|fly flew flown|forget forgot "
        "forgotten|get got gotten|give gave given|"
        "go went gone|grow grew grown|hang hung hung|have had had|hear heard heard|hit hit hit|hold held held|hurt hurt hurt|"
        "keep kept kept|know knew known|lead led led|learn learnt learnt|leave left left|"
        "lend lent lent|let let let|lose lost lost|"
        "make made made|mean meant meant|meet met met|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|"
        "run ran run|say said said|see saw seen|sell sold sold|send sent sent|set set set|sew sewed sewn|shake shook shaken|"
        "shoot shot shot|show showed shown|sing sang sung|sit sat sat|sleep slept slept|speak spoke spoken|spend spent spent|"
        "spill spilt spilt|stand stood stood|steal stole stolen|swim swam swum|take took "
        "taken|teach taught taught|tell told told|"
        "think thought thought|throw threw thrown|undergo underwent undergone|wake woke "
        "woken|wear wore worn|win won won|write wrote written"
    ).split("|")
}
"""Past and participle of verbs that do not end in -ed."""

PAST_WHEN_BARE: Final = frozenset("quit hit put cut set hurt let cost".split())
"""Words that are past and base form alike, and mean the past when someone tells of themselves."""

DOUBLING: Final = frozenset(
    """
    ban beat begin chat cut dig drop get hit jam jog knit let plan put quit rehab row run set shop sit skip spit stop swap swim drop
    """.split()
)

ADVERBS: Final = frozenset(
    """
    absolutely actually almost already also always basically certainly currently definitely especially even eventually
    ever finally first formerly frequently fully generally genuinely gladly happily honestly initially just kinda
    largely lately later literally mainly mostly normally now occasionally often only originally particularly
    presently previously primarily probably quite rarely really recently regularly secretly seldom simply sometimes
    nearly hardly barely scarcely narrowly soon sorta still successfully sure surely then totally truly typically unfortunately usually very personally both
    all
    """.split()
)
PAST_ADVERBS: Final = frozenset("originally initially formerly previously".split())

BE: Final = {
    "am": "", "is": "", "are": "", "was": "past", "were": "past", "'m": "", "m": "", "'re": "", "'s": "", "isnt": "not",
    "isn't": "not", "aren't": "not", "ain't": "not", "wasn't": "past not", "weren't": "past not", "im": "",
}  # fmt: skip
HAVE: Final = {
    "have": "", "has": "", "had": "past", "'ve": "", "haven't": "not", "hasn't": "not", "hadn't": "past not", "havent": "not", "hasnt": "not", "ve": "",
}  # fmt: skip
DO: Final = {
    "do": "", "does": "", "did": "past", "don't": "not", "doesn't": "not", "didn't": "past not", "dont": "not", "doesnt": "not", "didnt": "past not",
}  # fmt: skip
MODALS: Final = {
    "will": "planned", "'ll": "planned", "won't": "planned not", "shall": "planned", "gonna": "planned", "would": "wished",
    "'d": "wished", "wouldn't": "wished not", "might": "possible", "may": "possible", "could": "possible", "maybe": "possible",
    "couldn't": "past not", "can": "can", "can't": "can not", "cannot": "can not", "cant": "can not", "wont": "planned not", "wouldnt": "wished not", "should": "should", "shouldn't": "should not",
    "must": "should", "ought": "should",
}  # fmt: skip

OPENERS: Final = (
    r"(?:that|it|this)(?:'s| is| was| sounds| must be)(?: so| very| really| pretty)? (?:good|"
    r"great|nice|cool|awesome|fun|amazing|interesting|true|neat|wonderful|fantastic|sweet|"
    r"tough|hard|rough|funny|lovely)(?: too| to hear)?(?=[\s,]+(?:i|my|we)\b)|"
    r"yes|yeah|yea|yep|yup|no|nope|nah|well|oh|ah|ok|okay|so|and|but|also|then|wow|cool|"
    r"nice|great|awesome|sure|hi|hey|hello|haha+|lol|"
    r"hmm+|um+|true|right|exactly|thanks|thank you|sorry|actually|honestly|personally|"
    r"basically|anyway|anyways|plus|because|since|"
    r"unfortunately|sadly|luckily|fortunately|lately|recently|currently|nowadays|these "
    r"days|for me|me|as for me|too|very cool|very nice|"
    r"of course|definitely|absolutely|indeed|same here|me too|not (?:really|much)(?=[,.!])|"
    r"(?:as )?it (?:turns|turned) out(?: that)?|turns out(?: that)?|to be honest|tbh|by the way|btw|in fact|"
    r"you know|i mean|i think(?: that)?|i guess(?: that)?|i believe(?: that)?|i suppose|"
    r"i feel like|i must (?:say|admit)|i have to say|i know|"
    r"i would say|i'd say|let me see|let's see|good|that's good|sweet|interesting|as well|"
    r"at the moment|right now|now|though|however|otherwise|"
    r"hopefully|as you know|no way|in my opinion|imo|for sure|likewise|apparently|obviously|to be fair|trust me|believe me|"
    r"believe it or not|frankly|oh yeah|awe|aw+|"
    r"usually|sometimes|mostly|today|ya|yay|ha|ugh|gosh|man|dang|damn|oh no|oh my (?:goodness|"
    r"gosh|god)|my (?:goodness|gosh|god)|oh my|omg|me neither|all good|fun|neat"
)
"""What may stand before the statement proper."""

VAGUE: Final = frozenset(
    """
    it that this them those these so too one ones thing things stuff something anything nothing everything someone
    anyone there here way lot lots bit much more most well good great nice cool awesome fun ok okay fine sure sorry
    glad happy true right yes no not sound sounds all same idea kind sort type point guess very really pretty quite
    just also again now then yet ever never always both him her you me us he she they we i my your his their our its u
    ya who what which where when how why if because though do does did done doing don doesn didn is am are was were be
    been being have has had having can could will would should may might go going get got getting think know see like
    love want wish hope hear say said tell mean make made feel try agree understand imagine believe wonder enjoy care
    mind need help look looks seem thanks thank please haha lol wow oh hey hi hello bad better best awesome amazing
    wonderful interesting absolutely definitely certainly totally course problem luck worry matter please to of in on
    at for with from by about as into than or and but a an the up out off over down some any such other another only
    even still already let s t m re ve ll d im dont didnt thats
    """.split()
)
"""Words that alone do not make a statement worth keeping."""

EMPTY_VERBS: Final = frozenset(
    "see know think guess agree hope bet understand mean imagine wonder believe suppose "
    "suggest recommend remember forget thank apologize "
    "apologise wish hear doubt assume appreciate envy swear say tell promise admit feel "
    "ask notice sympathize relate recall look welcome "
    "congratulate figure expect hesitate beg pray".split()
)
"""Verbs that tell what the speaker makes of the talk, not of their life, unless a fact stands behind them."""

POLITE_STATES: Final = (
    r"(?:so |very |really |doing |also |just |pretty |feeling |not )*(?:good|well|fine|"
    r"great|ok|okay|sorry|glad|happy (?:to|for|that)|sure|here|ready(?! (?:to|for) [a-z])(?! (?:to|for) \w)|"
    r"afraid|curious|impressed|jealous|surprised|excited (?:for you|to hear)|thankful|"
    r"grateful|aware|serious|kidding|joking|confused|wondering|"
    r"thinking|guessing|hoping|wishing|right|wrong|in awe|interested in hearing|alright|"
    r"familiar|positive|certain|listening|back|done|welcome|"
    r"proud of you|amazed|intrigued|flattered|honored|honoured|able to|all (?:ears|good|set)|down|game|up for|open to|willing)\b"
)
"""States after "I am" that are talk, not facts."""

KIN: Final = {
    "has_child": """
    son daughter child kid baby children kids sons daughters stepson stepdaughter kiddo kiddos toddler twins triplets
    """.split(),
    "has_pet": (
        "dog cat puppy kitten kitty rabbit bunny hamster parrot turtle tortoise snake lizard horse pony goldfish ferret gecko "
        "iguana hedgehog chinchilla pup pups pooch doggo cow cows goat goats sheep hens chickens donkey ponies dogs cats puppies kittens rabbits bunnies "
        "hamsters parrots turtles snakes horses pet pets "
        "poodle labrador retriever beagle bulldog chihuahua terrier husky corgi dachshund "
        "shepherd pug collie greyhound dalmatian "
        "canary budgie cockatoo gerbil axolotl tarantula"
    ).split(),
    "has": (
        "wife husband girlfriend boyfriend fiance fiancé fiancee fiancée partner spouse "
        "brother sister brothers sisters mother father mom mum dad "
        "mommy daddy parents grandmother grandfather grandma grandpa grandparents aunt uncle "
        "cousin cousins nephew nephews niece nieces "
        "boss manager roommate roommates neighbor neighbour landlord colleague coworker "
        "grandson granddaughter grandchildren grandkids grandchild friend friends teacher coach doctor dentist therapist "
        "lawyer accountant assistant team company business shop restaurant bakery farm garden house apartment flat car truck "
        "motorcycle motorbike scooter bike boat yacht van jeep tractor camper garage blog channel band guitar piano violin greenhouse farm ranch"
    ).split(),
}
"""What someone has when they say "my …", and the attribute it tells."""
OF_ONE: Final = frozenset(
    "wife husband girlfriend boyfriend fiance fiancé fiancee fiancée partner spouse mother "
    "father mom mum dad boss manager landlord "
    "doctor dentist therapist lawyer accountant team coach".split()
)
"""Of these one has one at a time: a new name takes the old one's place."""
PERSONS: Final = frozenset(KIN["has_child"]) | frozenset(
    "wife husband girlfriend boyfriend fiance fiancé fiancee fiancée partner spouse brother "
    "sister mother father mom mum dad grandmother "
    "grandfather grandma grandpa aunt uncle cousin nephew niece boss manager roommate "
    "neighbor neighbour landlord colleague coworker "
    """
    friend teacher coach doctor dentist therapist lawyer accountant assistant
    """.split()
)
"""Words for people, who may carry a name behind them."""
FEMALE: Final = frozenset(
    """
    wife girlfriend fiancee fiancée sister mother mom mum daughter aunt niece grandmother grandma
    """.split()
)
MALE: Final = frozenset(
    """
    husband boyfriend fiancé brother father dad son uncle nephew grandfather grandpa
    """.split()
)
TOO_COMMON: Final = frozenset(
    """
    mom mum dad mother father parents friends mommy daddy team company
    """.split()
)
"""What everyone has: "my mother" tells nothing by itself."""
EMPTY_SUBJECTS: Final = frozenset(
    "pleasure bad condolences mistake goodness god advice guess point mind apologies "
    "thoughts question answer word turn day morning "
    """
    evening weekend night opinion fault bet impression heart way understanding
    """.split()
)
"""What is "my …" without telling anything."""
TELLING: Final = {
    "think": r"(?:about|of) (?:\w+ing|the|a|my)\b|(?!it\b|that\b|this\b|so\b|not\b|about\b|of\b|"
    r"they\b|he\b|she\b|these\b|those\b|there\b|for\b|we\b|anyone|everyone)\w+ \w+ \w+",
    "know": r"(?:an?|some|many|several|two|three|how to|nothing|little|all about|someone|people|lots|quite)\b",
    "see": r"(?:[\w' -]{4,30} (?:recently|last|yesterday|live|in concert|perform|play|at the)\b)|(?:an?|the|my|three|two|some|many|lots|all) (?!lot\b|point|same)\w+ ?\w*",
    "feel": r"\w+",
    "look": r"(?:for|into|after|forward to) \w+",
    "hope": r"(?:to|for|i|my) \w+ \w+ \w+",
    "remember": r"(?:\w+ing|my|when i) \w+",
    "believe": r"in \w+",
    "ask": r"(?:my|for) \w+",
    "tell": r"(?:my|the) \w+",
}
"""Verbs of thinking and saying that tell something of the speaker when these words follow."""
NO_NAMES: Final = frozenset(
    """
    what who where when why how which that this there here it you your they the a an let please do does did are is was were
    can could would will should has have may if not no yes everyone everything nothing something people some many most
    all any both these those sounds seems looks hope thanks
    """.split()
)
"""Words at the start of a clause, written with a capital there, that are nobody's name."""
AGREED: Final = {
    "am": "is", "'m": "is", "m": "is", "im": "is", "are": "is", "'re": "is", "were": "was", "aren't": "isn't",
    "weren't": "wasn't",
    "ain't": "isn't", "have": "has", "'ve": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "dont": "doesn't",
    "'ll": "will",
    "'d": "would", "'s": "is", "isn't": "isn't", "gotta": "has to", "wanna": "wants to",
}  # fmt: skip
"""Auxiliaries after "I" and their form after a name."""

IDLE: Final = (
    r"\s*(?:(?:also |just |really |still |always |'m |am |'ve |have |will |'ll |can |can't |cannot |do |do not |don't |not )*)"
    r"(?:wait\b(?! to (?!hear|see\b|find out|know|meet you|talk|read it|try it|do it))|lost (?:count|track)|do(?:ing)? my best|hold(?:ing)? my breath|"
    r"kidding|joking|keep(?:ing)? (?:that|it|an eye|you|my fingers|in mind)|(?:sent?|send|sending) (?:good|my|positive|you|love|hugs)|"
    r"rest my case|stand corrected|take it back|got to (?:go|run)|gotta (?:go|run)|deal with (?:it|that)|relate\b|"
    r"(?:look|looking) forward to (?:it|that|hearing|seeing you)|get (?:it|that|the point|the idea)\b|talk (?:later|soon)|"
    r"(?:was|were|'m|am) just (?:wondering|curious|thinking|asking|saying)|give it a (?:try|shot|go)|check (?:it|that|them) out)"
)
"""Idle talk in the first person."""
GOOD: Final = (
    r"(?:just |always |really |so |very |such |pretty |super |quite |also |truly |still |definitely |absolutely |can be |usually |lots of |a lot of |much )*"
    r"(?:(?:a |an |my )?(?:great|good|beautiful|lovely|wonderful|perfect|classic|real) (?:way|place|band|song|movie|show|book|dogs?|pets?|companions?|sport|exercise|workout|hobby|game|food|team)"
    r"(?: (?:to|for) [^,.!?;]{2,40})?|cute|catchy|fun|great|awesome|amazing|delicious|relaxing|the best|my jam|beautiful|fantastic|wonderful|lovely|yummy|tasty|"
    r"incredible|gorgeous|fascinating|peaceful|soothing|refreshing|adorable|therapeutic|exciting|cool|"
    r"(?:my|a) (?:passion|hobby|favou?rite|weakness|love|obsession|guilty pleasure)(?: of mine)?|underrated|so good|where it's at)"
    r"(?: too| as well| though| for me| to me| to (?:watch|eat|play|read|do|visit|drink))*\s*(?:$|[,.!;]| (?:but|and|because|since|they|it|so)\b)"
)
"""What is said of a kind of thing that one likes."""
BAD: Final = (
    r"(?:just |always |really |so |very |pretty |super |quite |too |absolutely )*"
    r"(?:disgusting|gross|nasty|boring|overrated|the worst|terrible|awful|terrifying|scary|creepy)(?: though| for me| to me)*\s*(?:$|[,.!;])"
)
NO_KIND: Final = (
    r"(?:the|this|that|these|those|it|its|your|his|her|their|our|my|what|which|there|here|everything|everyone|nothing|something|"
    r"all|both|one|some|life|work|today|tomorrow|things?|people|weather|i|we|he|she|they|you|one|day|time|an?)\b"
)
"""Subjects that are no kind of thing."""
NOTHING_BETTER: Final = (
    r"\b(?:there(?:'s| is) nothing (?:better|like|quite like)(?: than)?|nothing (?:beats|better than|compares to)|"
    r"(?:you )?(?:can't|cannot) (?:beat|go wrong with)|who (?:doesn't|does not) (?:love|like)|(?:you )?gotta love|got to love) "
    r"(?!it\b|that\b|this\b|them\b|a deal\b)(?P<v>[^,;.!?()]{2,60})"
)
CLEFT: Final = (
    r"\bwhat i (?:really |truly |actually )?(?:love|like|enjoy|prefer)(?: the)?(?: most| best| more)?(?: of all)?(?: about \w+ ?\w*)? (?:is|are) "
    r"(?!that\b|it\b|how\b|when\b)(?P<v>[^,;.!?()]{2,60})"
)
"""What one likes, told the other way round."""
WORK_AT: Final = (
    r"\b(?:my|our) (?P<new>(?:new|current|day|part[- ]time|full[- ]time|main) )*(?P<kind>(?!old|last|first|previous|former|dream|next|only|own|whole)[a-z]+ )?"
    r"(?P<noun>job|internship|career|gig|apprenticeship)(?P<at> (?:at|in|with|as) (?:the |a |an )?[\w'-]+(?: [\w'-]+)?)?"
)
"""Work that is told of as one's own, of a kind or somewhere."""
ASIDE: Final = (
    r"(?:^|[,;.]\s*|\b(?:and|but|so)\s+)(?P<said>(?:i|my|we)(?:'m|'ve|m\b|ve\b)?\s[^?,;]{4,160}?)"
    r"(?=,|;|[?.!]|$|\s(?:and |but |so )?(?:what|how|where|which|who|when|why|do|does|did|are|is|have|has|can|could|would|will)"
    r"(?:'s)?\s(?:about |is |are |do |does |did )?(?:you|your|u)\b)"
)
"""What is stated beside a question."""
WITHIN: Final = (
    r"\b(?:when|while|why|because|cuz|since|after|before|whenever|where|maybe|although|though|yes|yeah|no|good|interesting|too|outside|(?<!if)[.,]) "
    r"(?=(?:i|my)(?:'m|'ve|m\b|ve\b)? [a-z])"
)
"""Where inside a sentence about something else the speaker tells of themselves."""
NO_ASIDE: Final = r"i (?:wonder|guess|think|hope|would|could|should|can|may|might|mean|suppose|was (?:thinking|wondering)|am (?:wondering|curious))\b"
STATES: Final = (
    r"(?:now |currently |still |already |officially |finally |again |back )*"
    r"(?P<v>(?:open|closed|done|blocked|resolved|fixed|finished|completed?|pending|in progress|in review|under review|on hold|"
    r"cancelled|canceled|approved|rejected|merged|released|deployed|deprecated|overdue|ready|live|down|offline|online|active|inactive|"
    r"in stock|out of stock|sold out|on back ?order|back ?ordered|discontinued|available|unavailable|shipped|delivered|paid|unpaid|"
    r"reopened|archived|suspended|in production|in beta|in maintenance))\b(?=\s*(?:$|[.,;!(]| (?:as of|since|again|now|today|yesterday|last|this|on|for|until|at|by|because|in)\b))"
)
"""States a thing is in until it is in another."""
_WORK: Final = (
    "order|ticket|issue|task|project|case|invoice|request|recommendation|build|release|pull request|bug|job|milestone|feature|"
    "sprint|incident|shipment|parcel|package|contract|proposal|application"
)
NUMBERED: Final = (
    rf"(?i:\b(?:{_WORK})) (?:number |no\.? |#)?(?:#?\d[\w.-]*|[A-Z][\w.-]*(?: [A-Z0-9][\w.-]*)?)$"
    rf"|\b(?!(?:The|This|That|His|Her|My|Our|An?)\b)[A-Z][\w.-]*(?: [A-Z][\w.-]*)? (?:{_WORK})$"
)
"""A piece of work told apart from others by a number or a name: "order 4411", "the Falcon project"."""
CONDITIONS: Final[tuple[tuple[str, str, str], ...]] = (
    ("work", r"(?:again|now|fine|properly|perfectly|well|like new)\b|\s*$", "works"),
    ("be", r"(?:now |finally |already |all )*(?P<v>fixed|repaired|mended|working|back (?:up|online)|up and running)\b", ""),
    (
        "be",
        (
            r"(?:now |still |completely |totally |badly )*(?P<v>broken|out of order|down|jammed|leaking|clogged|cracked|busted|dead|"
            r"not working|out of ink|out of paper|at the (?:garage|mechanic|shop)|in the (?:shop|garage)|in repair)\b(?! (?:tree|end|to|there)\b)"
        ),
        "",
    ),
    ("break", r"(?:down|yesterday|today|again|last|this|\s*$)", "broken"),
    ("leak", r"", "leaks"),
    ("jam", r"", "jams"),
    ("crash", r"(?:again|all|every|on|when|twice|\s*$)", "crashes"),
    ("stop", r"working\b", "stopped working"),
    ("start", r"working\b", "works"),
)
"""Verbs of working order, what follows them, and the state they tell ("" for the group v)."""
NO_DEVICE: Final = (
    r"(?:the|my|our) (?:news|day|weather|sun|rain|world|people|guy|man|woman|market|economy|thing|way|idea|night|party|mood|heart|"
    r"dog|cat|baby|kids?|wife|husband|mom|mum|dad|sister|brother|son|daughter|family|friends?)\b"
)
"""Subjects whose condition is none of a device."""
THING_VERBS: Final = frozenset("run use support listen host serve cost weigh expire require depend ship hold store".split())
"""What things do that is worth knowing with a number or a version."""
PASSING: Final = (
    r"(?:(?:so|very|really|pretty|quite|super|too|just|a bit|a little|kind of|kinda|totally|absolutely|feeling|getting|also|"
    r"still|rather|extremely|always) )*(?:tired|hungry|thirsty|sleepy|bored|exhausted|starving|famished|stuffed|full|knackered|drained|"
    r"beat|cold|freezing|hot|sweaty|wet|soaked|busy|late|stuck|awake|nervous|annoyed|grumpy|cranky|lazy|drunk|hungover|lost|"
    r"speechless|relieved|pumped|hyped|overwhelmed|stressed|confused|distracted|comfy|cosy|cozy|worn out|out of breath)\b"
    r"(?:\s+(?:and (?:so |very )?(?:tired|hungry|thirsty|sleepy|bored|exhausted|cold|hot|stressed)|today|tonight|now|right now|"
    r"at the moment|this (?:morning|evening|afternoon|week)|already|again|lol|haha+|tbh|ngl|though|rn|atm|anyway))*[\s.!,]*$"
)
"""How one is for an hour, which says nothing of one the next day."""
