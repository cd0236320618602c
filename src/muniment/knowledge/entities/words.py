"""The words by which names are read: titles, endings, nicknames, legal forms, streets, headings, letters of other scripts.

Rule of this file: tables only, in small letters without marks, as `spelling.normal` gives them.
"""

# ruff: noqa: RUF001, SIM905  # letters of other scripts are meant, and a table reads best as plain words

from __future__ import annotations

MALE_TITLES = frozenset("mr mister sir lord herr monsieur senor don signor master king prince father brother uncle".split())
FEMALE_TITLES = frozenset(
    "mrs ms miss missus lady madam madame mme mlle frau senora senorita dona signora queen princess mother sister "
    "aunt auntie".split()
)
TITLES = (
    MALE_TITLES
    | FEMALE_TITLES
    | frozenset(
        "mx dr doctor prof professor rev reverend fr st saint judge justice president senator governor mayor captain capt col "
        "colonel general gen lieutenant lt sergeant sgt major maj officer detective inspector chancellor rabbi imam "
        "pastor bishop "
        "dean coach chef nurse minister ambassador secretary".split()
    )
)
AMBIGUOUS_TITLES = frozenset("st major dean king prince judge justice don fr gen general chef saint master".split())
"""Titles that are names or other words as well, and are taken for a title only in front of a name."""

GENERATIONS = {
    "jr": "jr",
    "junior": "jr",
    "sr": "sr",
    "senior": "sr",
    "ii": "2",
    "iii": "3",
    "iv": "4",
    "fils": "jr",
    "pere": "sr",
}
DEGREES = frozenset("phd md esq esquire mba obe cbe ba bsc msc ma dds rn cpa jd".split())

PARTICLES = frozenset(
    "van von der den de del della di da dos das do du la le el al bin ibn ben bint abu ter ten zu zur af av y e mac saint".split()
)

_NICKNAMES = """
robert bob bobby rob robbie bert
william bill billy will willy
richard dick rick ricky rich richie
john johnny
james jim jimmy jamie
joseph joe joey
thomas tom tommy
michael mike mikey mick mickey
charles charlie chuck charley
edward ed eddie ted teddy ned
david dave davey
daniel dan danny
matthew matt matty
anthony tony
andrew andy drew
steven steve stevie
stephen steve stevie
christopher chris kit
nicholas nick nicky
alexander alex sandy sasha xander
samuel sam sammy
benjamin ben benny
jonathan jon jonny
nathaniel nate nat
timothy tim timmy
patrick pat paddy
peter pete
philip phil
phillip phil
gregory greg
jeffrey jeff
geoffrey geoff
kenneth ken kenny
ronald ron ronnie
donald don donnie
lawrence larry
leonard len lenny leo
raymond ray
henry hank
harold hal
albert al bert
alfred alf fred freddie
frederick fred freddie freddy
francis frank frankie
franklin frank
gerald gerry jerry
walter walt wally
zachary zach zack
joshua josh
jacob jake
vincent vince vinny
victor vic
eugene gene
theodore ted teddy theo
dominic dom nick
maximilian max
sebastian seb bastian basti
elizabeth liz lizzie beth betty eliza betsy libby
elisabeth lisbeth elli
margaret maggie meg peggy marge
katherine kate katie kathy kat kitty
catherine kate katie cathy cat kitty
kathleen kathy kate
jennifer jen jenny
jessica jess jessie
rebecca becky becca
susan sue susie suzie
patricia pat patty tricia trish
barbara barb babs
deborah deb debbie
victoria vicky tori
christina chris tina
christine chris tina
alexandra alex lexi sasha
samantha sam sammy
amanda mandy
abigail abby
caroline caro
charlotte charlie lottie
dorothy dot dottie dolly
eleanor ellie nell nellie
emily em
gabrielle gabby
isabella bella izzy
jacqueline jackie
judith judy
madeleine maddie
madeline maddie
melissa mel missy
michelle shelly
natalie nat
pamela pam
penelope penny
rachel rach
sandra sandy
stephanie steph
theresa terry tess
veronica ronnie
virginia ginny
winifred winnie
francisco paco pancho kiko
jose pepe
ignacio nacho
enrique quique
guillermo memo guille
roberto beto
alejandro alex ale jandro
guadalupe lupe
dolores lola
concepcion concha
mercedes merche
isabel isa chabela
francisca paca
manuel manolo
rafael rafa
eduardo edu lalo
fernando nando
johannes hans hannes
johann hans
joachim jochen achim
wolfgang wolf
friedrich fritz
heinrich heinz heiner
michaela michi
katharina kathi katja
ursula uschi
susanne susi
brigitte gitte gitti
andreas andi
matthias matze
stefan steff
guillaume guigui
benoit ben
frederic fred
genevieve gigi
"""

NICKNAMES: dict[str, frozenset[str]] = {}
"""Each given name and each of its short forms, with the full forms it may stand for (a full form stands for itself)."""
for _line in _NICKNAMES.strip().splitlines():
    _full, *_short = _line.split()
    for _name in (_full, *_short):
        NICKNAMES[_name] = NICKNAMES.get(_name, frozenset()) | {_full}

PLACES_TOO = frozenset(
    "virginia florence paris sydney georgia carolina charlotte austin madison savannah chelsea brooklyn dallas houston jordan "
    "israel india chad kenya asia lincoln jackson washington orlando victoria adelaide milan sofia verona vienna santiago diego "
    "alexandria denver memphis phoenix dakota aberdeen troy lorraine brittany vernon clayton preston bristol lima salvador "
    "francisco jose".split()
)
"""Given names, and names given like them, that are places as well."""

LEGAL_FORMS = {
    word: word
    for word in "inc corp co ltd plc llc llp lp gmbh ag kg se ug ohg ev sa sas sarl sl srl spa bv nv ab oy aps oyj pty kk".split()
} | {"incorporated": "inc", "corporation": "corp", "company": "co", "limited": "ltd"}
"""What a company's legal form is written as, and the form meant. Two forms are two companies."""

ORGANISATION_WORDS = frozenset(
    "university college institute school academy bank hospital clinic foundation association society committee "
    "commission council "
    "ministry department agency bureau authority union federation league party corporation group holdings partners labs "
    "laboratories laboratory systems technologies solutions industries enterprises ventures capital airlines "
    "airways motors press "
    "museum library court congress senate parliament church team club orchestra company organization organisation "
    "center centre "
    "studio studios games software records pictures entertainment broadcasting network".split()
)
PLACE_WORDS = {
    "street": "street",
    "str": "street",
    "st": "street",
    "strasse": "street",
    "avenue": "avenue",
    "ave": "avenue",
    "av": "avenue",
    "road": "road",
    "rd": "road",
    "boulevard": "boulevard",
    "blvd": "boulevard",
    "lane": "lane",
    "ln": "lane",
    "drive": "drive",
    "dr": "drive",
    "court": "court",
    "ct": "court",
    "square": "square",
    "sq": "square",
    "place": "place",
    "pl": "place",
    "highway": "highway",
    "hwy": "highway",
    "mount": "mount",
    "mt": "mount",
    "saint": "saint",
    "fort": "fort",
    "ft": "fort",
    "north": "north",
    "n": "north",
    "south": "south",
    "s": "south",
    "east": "east",
    "e": "east",
    "west": "west",
    "w": "west",
}
STREETS = frozenset("street avenue road boulevard lane drive court square place highway".split())

HEADINGS = frozenset(
    "task step section chapter figure fig table phase item page day week question appendix part lesson slide exercise note "
    "example option scenario test case requirement goal milestone sprint stage round level unit module topic heading paragraph "
    "article annex listing agenda point draft version problem answer issue session scene act episode".split()
)
SMALL_WORDS = frozenset("of the and for in at on to a an & de la le les des du der die das und et y e".split())

HONORIFICS = ("さん", "様", "さま", "先生", "くん", "君", "ちゃん", "氏", "님", "씨", "선생님", "女士", "小姐")

LETTERS = str.maketrans(
    dict(zip("абвгдезийклмнопрстуфыэ", "a b v g d e z i y k l m n o p r s t u f y e".split(), strict=True))
    | dict(zip("αβγδεζηικλμνξοπρσςτυφωχψθ", "a v g d e z i i k l m n x o p r s s t y f o ch ps th".split(), strict=True))
    | {"ё": "e", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "", "ь": "", "ю": "yu", "я": "ya"}
    | {"і": "i", "ї": "yi", "є": "ye", "ґ": "g", "ў": "u", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "ђ": "dj", "џ": "dz"}
)
"""Cyrillic and Greek small letters as Latin ones, as names are usually carried over."""

PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ё": "е"})
