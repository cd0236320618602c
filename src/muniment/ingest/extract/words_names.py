"""The words by which names are told from other words in running text, and what a name is likely to be.

Rule of this file: tables only, in small letters. They are open: a name missing here is still found by its shape and place.
"""

# ruff: noqa: RUF001, SIM905  # letters of other scripts are meant, and a table reads best as plain words

from __future__ import annotations

COMMON = frozenset(
    """
a able about above absolutely access according account across act actually add after afternoon again against age ago
agree agreed ah ahead all allow almost alone along already alright also although always am amazing among an and
another answer any anybody anyone anything anyway anyways apart apparently appointment approach are area aren't around
article as aside ask at attach attached avoid aw away awesome aww baby back bad balance based basically be beautiful
because become been before begin behind being believe below beside besides best better between beyond big bill
birthday bit black blue bless boat body book boring born both bottom boy break breakfast breaking bring brother brown
brunch build bug but buy by bye call called can can't cannot care careful case cause celebrate certain certainly
change charge chat check cheers chill choose christmas class clean clear clearly click close code coffee cold come
comfort coming commit company complete completely confirm congrats congratulations consider contact continue cook cool
copy correct cost could couldn't country couple course cover crazy create cry cup customer cut cute cuz dad daily damn
dance date day days dead deal dear decide decided decision definitely delete deliver delivery deploy depends
description despite details did didn't different dinner directions disclaimer discuss do does doesn't doing don't done
door double doubt down draw dream dress drink drive drop dude due during each early easier easter easy eat either else
email end enjoy enough ensure enter entire error especially essentially etc even evening eventually ever every
everybody everyone everything exactly example excellent except excited exciting excuse expect explain extra eye eyes
face fact fail failed fair fall family fantastic far fast father favorite favourite feel feeling few field figure file
fill final finally find fine finish first fix flight focus follow following food for forget forgot former fortunately
forward found free fresh friday friend friends from front full fun funny further game general generally get gets
getting gift girl girls give given gives giving glad go god goes going gone gonna good goodbye got gotta grab grand
great green greetings group grow guess guy guys ha had haha hahaha half hand hang happen happens happy hard has hasn't
hate have haven't having he he'd he'll he's head hear heard heart hell hello help helping hence her here here's hers
hey hi high him his hit hm hmm hmmm hold holiday holy home honest honestly hope hopefully hoping hot hour hours house
how how's however huge hurry i i'd i'll i'm i've idea if ignore imagine important impressive in include including
indeed info input inside instead interesting into invite is isn't issue it it'd it'll it's its itself i’m jk job join
july june just keep key kid kids kind kinda know knowing kudos lady last late lately later latest laugh lay lead learn
learning least leave left lemme less let let's life light like likely line link list listen literally little live
living lmao load lol long look looking looks lord lose loss lost lot lots love loved lovely loving low luck luckily
lucky lunch mad made main make makes making mama man many marketing maybe me mean means meanwhile meet meeting members
men mention merry message method might mind mine minute miss missing mm model mom moment monday money month months
mood more moreover morning most mostly mother move movie much mum music must my myself nah name names naturally near
need needs neither never nevertheless new news next nice night nights no nobody none nope nor normally not note notes
nothing notice now number obviously of off offer officially often oh ok okay old omg on once one ones only oops open
option or order original other others otherwise ouch our ours out outside over overall own page paid part party pass
past pay people per perfect perfectly perhaps person personally phew phone photo pick picture place plan planning play
playing please plus point poor possible possibly post pray precious present pretty previously price probably problem
product program project promise provide pull push put question questions quick quickly quiet quite rain rather re read
reading ready real really reason recently recommend red refund regarding regardless release remember reminder reply
report request rest result results return right rip road run running sad said same saturday save saw say saying says
school season second see seeing seems seen self sell send sense sent serious seriously service set several shall share
she she'd she'll she's short should shouldn't show shows shut sick side sign similarly simply since single sir sis
sister sit six sleep slow slowly small smart smh so some somebody somehow someone something sometimes somewhere son
song soon sorry sort sound sounds special spend spring stand star start started starting status stay step still stop
stopped store story straight strange stuff stupid subject such suddenly summer summary sun sunday super support
supposed sure surely surprise surprisingly sweet switch system take taken takes taking talk talking task team tell ten
terrible test text than thank thanks thankfully that that'd that'll that's thats the their theirs them then there
there's therefore these they they'd they'll they're they've thing things think thinking third this those though
thought three through throw thursday thus ticket till time times tip tired title to today together told tomorrow
tonight too took top total totally touch tough toward towards track traffic train travel treat tried trip true truly
trust truth try trying tuesday turn tv twice two type ugh um umm unable under understand understood unfortunately
unless unlike until up update updated upon ups us usage use used user users using usually vacation version very via
video view visit voice vote wait waiting wake walk wanna want wanted wants warm warning was wasn't watch watching
water way we we'd we'll we're we've wear weather wedding wednesday week weekend weeks weird welcome well went were
weren't what what's whatever when whenever where where's whereas wherever whether which while white who who's whoa
whole whom whose why wife wild will win winner winter wish with within without woah woman women won't wonder wonderful
won wondering woo word words work worked working works world worry worse worst worth would wouldn't wow write writing
wrong wtf ya yay yea yeah year years yep yes yesterday yet yikes yo you you'd you'll you're you've young your yours
yourself youth yup zero ain't alas aint btw fyi imo imho idk ikr lmfao pls plz rt tbh tho thx u ur w/ y'all yall bro
dm fb ig bruh heading speaking assuming currently initially ultimately typically additionally furthermore consequently
recall yesterday's today's ps nb cc fwd faq todo id ids url api pdf html json xml http https sql css ui ux ai ml llm
gpu cpu ram usb pm ad bc bce ce utc gmt est pst ceo cto cfo coo vp hr pr qa dj mc phd mba dvd cd vip diy atm asap eta
rsvp tl dr q1 q2 q3 q4 ftw regards sincerely attn assistant human bot agent tool monday's mon tue tues wed thu thur
thurs fri sat jan feb mar apr aug sept sep oct nov dec january february march april may august september october
november december english spanish french german italian chinese japanese korean russian arabic portuguese dutch
american british european african asian indian mexican canadian australian irish scottish christian muslim jewish
hindu catholic republican democrat western eastern northern southern north south east west northeast southwest jesus
internet web
""".split()
)
"""Words that are no names where they stand alone with a capital letter, at the start of a sentence or in its middle."""

NOUNS = frozenset(
    """
ability action advice air animal animals anger anxiety art arts attention bacon baking ballet baseball basketball bass
beach beauty bees being birds blood blogging bowling boxing bread bridge business butter cake camp camping cancer cash
cats change character charity cheese chess chicken childhood children chocolate cinema city cleaning climate climbing
cloud clothes college comedy community confidence cooking courage crafts creativity cricket culture curiosity cycling
dancing data death debt depression design diet dogs drama drawing driving education effort energy equality evil
exercise experience expression faith fame fashion fate fear fiction film finance fire fish fishing fitness flowers
flying football freedom friendship fruit fun gardening gas gender glory gold golf gossip grace gratitude grief growth
guitar gym habit hair happiness hate healing health heat heaven hiking history hockey homework honesty hope horror
horses housing humor hunger ice identity imagination immigration inflation inspiration insurance internet jazz
jealousy jewelry joy judo justice karaoke karate kindness knitting knowledge language laughter laundry law learning
lighting logic loss luck lunch magic management marriage math maths meat meditation memories memory milk mindfulness
money motivation movement movies mud music nature noise nutrition opportunity organization pain painting paper
parenting parking passion patience peace performance persistence pets philosophy photography physics piano pizza
plants plastic poetry politics pollution pottery poverty power practice pride privacy progress psychology race racism
rain rap reality recovery religion research respect rice rock romance rugby running safety sailing sand science
security self sewing sex shame shopping silence singing skating skiing sleep smoking snow soccer social society
software soup space sports stress strength string style success sugar surfing swimming tea teaching technology
teamwork television tennis therapy tradition training transport trees trust truth understanding unity violence
volleyball volunteering war wealth weed wind wine winning wisdom wood writing yoga youth iron shadow warrior finals
challenges woohoo anytime pls yup yoo hiya howdy heya alrighty okie
""".split()
)
"""Nouns that often open a sentence as its subject."""

ABSTRACT = ("ness", "tion", "sion", "ism", "ology")
"""Endings of nouns that no surname has."""

NOUN_ENDINGS = ("ness", "tion", "sion", "ment", "ity", "ism", "ship", "ing", "ball", "ology")

ALSO_WORDS = frozenset(
    """
abel amber angel angelo art ash ashley august aurora ava barry basil bella bill bill's blanche bob bonnie brad brooke
bud byron candace carol celeste charity chance chase christian chuck clay cliff crystal daisy dale dawn dean delia
delta destiny dick dixie dolly don dot drew duke earl eden eve faith fay flora florence forest frank gene gill ginger
glory glen gloria grace grant guy gus hal harmony harry haven hazel heath heather herb holly hope hunter iris ivy jack
jade jasmine jean jersey jill joy june jordan jules junior justice ken king lance laurel lee leo liberty lily logan
lone lou lucky luna mae major marina mark marshall mason maud max may maya melody mercedes mercy miles mill mini misty
molly mona morgan moses nat nelson noel norm norman olive opal otto page paige paris parker pat patience pearl peg
penny perry pierce polly precious prince randy ray reed regina rene rich rick rob robin rock rod rodney roman romeo
rory rose rosemary ross rowan roy ruby russ rusty salvador sandy sawyer scarlet scot serenity shelley sherry sid
sienna sierra skip sky sol sonny spencer spring stan star sterling stew stone storm sue summer sunny tab tad taylor
teddy terry tom tracy trent tripp tucker turner vera verity victor viola violet virginia wade walker wally walt ward
warren wayne wells will willow winnie woody york zach turkey china chile georgia phoenix queens orlando malta mali
oman guinea nice reading bath mobile oxford cambridge columbia lima montana wellington washington delaware manila
bengal java madison
""".split()
)
"""Given names and places that are other words or rarely meant in small letters; elsewhere small letters do not hide a name."""

PLACES = frozenset(
    """
afghanistan africa alabama alaska albania algeria amsterdam antarctica argentina arizona arkansas armenia asia athens
atlanta auckland austin australia austria azerbaijan baghdad bahrain bali baltimore bangkok bangladesh barcelona
beijing beirut belarus belfast belgium belgrade berlin bern birmingham bogota bolivia bombay bosnia boston botswana
brasilia bratislava brazil brisbane bristol britain brooklyn brussels bucharest budapest bulgaria cairo calgary
california cambodia cambridge cameroon canada canberra caracas casablanca chennai chicago chile china cincinnati
cleveland cologne colombia colorado congo connecticut copenhagen croatia cuba cyprus dakar dallas damascus delaware
delhi denmark denver detroit dhaka doha dresden dubai dublin dusseldorf ecuador edinburgh egypt england estonia
ethiopia europe finland florence florida france frankfurt geneva georgia germany ghana glasgow greece greenland
guatemala haiti hamburg hanoi havana hawaii helsinki hollywood honduras honolulu houston hungary iceland idaho
illinois india indiana indianapolis indonesia iowa iran iraq ireland israel istanbul italy jakarta jamaica japan
jerusalem johannesburg kabul kansas karachi kathmandu kazakhstan kentucky kenya kiev kolkata korea kosovo kuwait kyiv
kyoto lagos lahore laos latvia lebanon leeds leipzig liberia libya lima lisbon lithuania liverpool london louisiana
luxembourg lyon madagascar madrid maine malaga malaysia mali malta manchester manhattan manila marseille maryland
massachusetts melbourne memphis mexico miami michigan milan milwaukee minneapolis minnesota mississippi missouri
moldova monaco mongolia montana montenegro montreal morocco moscow mozambique mumbai munich myanmar nairobi namibia
naples nashville nebraska nepal netherlands nevada nicaragua niger nigeria norway oakland ohio oklahoma oman ontario
oregon orlando osaka oslo ottawa oxford pakistan palestine panama paraguay paris pennsylvania perth peru philadelphia
philippines phoenix pittsburgh poland porto portland portugal prague pretoria qatar quebec queens queensland riga
romania rome rotterdam russia rwanda sacramento scotland seattle senegal seoul serbia seville shanghai shenzhen
siberia sicily singapore slovakia slovenia somalia spain stockholm stuttgart sudan sweden switzerland sydney syria
taipei taiwan tajikistan tanzania tasmania tehran tennessee texas thailand tibet tokyo toronto tunisia turin turkey
uganda ukraine uruguay utah uzbekistan valencia vancouver venezuela venice vermont vienna vietnam virginia wales
warsaw washington wellington wisconsin wyoming yemen york yorkshire zagreb zambia zimbabwe zurich uk usa us uae nyc la
u.s u.k u.s.a eu
""".split()
)
OPENERS = frozenset(
    """
the a an my our your his her their this that these those and or but in at on for from to of with by
""".split()
)
"""Words that open a name of several words without being a part of it."""

OPENERS_ELSEWHERE = frozenset(
    """
ayer hoy mañana luego después antes ahora gracias hola buenos buenas claro vale quiero tengo necesito estoy soy creo pienso
hier aujourd'hui demain puis ensuite avant maintenant merci bonjour salut oui non voici voilà
gestern heute morgen danach vorher jetzt danke hallo ja nein bitte guten dann vielleicht leider
ieri oggi domani poi prima adesso grazie ciao sì
ontem hoje amanhã depois agora obrigado obrigada olá sim não
вчера сегодня завтра потом сейчас спасибо привет да нет когда где почему можно нужно хочу
χθες σήμερα αύριο μετά τώρα ευχαριστώ γεια ναι όχι
""".split()
)
"""What commonly opens a sentence in other languages, beside their function words."""

DIRECTIONS = frozenset("north south east west northern southern eastern western new".split())
PLACE_HEADS = frozenset("lake mount mt fort san santa los las el new saint port cape puerto villa rio isle".split())
PLACE_TAILS = frozenset(
    """
street avenue road boulevard blvd ave lane drive square river lake beach city park island islands county valley bridge
airport station hills heights bay coast mountains mountain forest desert canyon falls village town harbor harbour
province district peninsula plaza gardens springs creek ocean sea stadium arena mall tower hall pier castle palace cathedral
abbey campus terrace quay wharf ridge reef cemetery woods cliffs beaches canal harbourside promenade rd hwy sq
""".split()
)
PLACE_SURNAMES = frozenset(
    "hall park lake street lane rivers bridge hill hills forest woods castle ridge abbey banks bay".split()
)
"""Words that end the names of places and of persons."""
ORGANISATIONS = frozenset(
    """
google microsoft amazon apple facebook meta twitter netflix tesla intel ibm oracle samsung sony nintendo toyota honda
bmw volkswagen siemens bosch nike adidas walmart target costco starbucks mcdonalds mcdonald's disney spotify uber lyft
airbnb paypal visa mastercard nasa fbi cia nato bbc cnn nbc abc cbs espn hbo nfl nba mlb nhl fifa uefa un unesco
unicef who imf ikea lego boeing airbus openai anthropic nvidia amd linkedin snapchat reddit youtube github gitlab
slack zoom stripe shopify salesforce adobe hp dell lenovo huawei
""".split()
)
PRODUCTS = frozenset(
    """
iphone ipad macbook android windows linux xbox playstation photoshop excel outlook gmail chrome firefox siri alexa
postgres postgresql mysql sqlite mongodb redis python javascript typescript golang kotlin docker kubernetes jenkins grafana
prometheus kafka terraform ansible django numpy pandas pytorch tensorflow vscode figma jira trello asana dropbox kindle wi-fi wifi
bluetooth ubuntu debian whatsapp
""".split()
)
WORK_CUES = frozenset("watch watched watching read reading book novel movie film show series album song episode".split())
PLACE_CUES = frozenset(
    """
in from near to around outside inside across toward towards via into through visiting visited в из en à nach aus bei em
""".split()
)
ORGANISATION_CUES = frozenset("at for joined joining".split())
WORK_VERBS = frozenset(
    """
work works worked working job jobs intern interned employed study studies studied position role career
""".split()
)
SPEECH_VERBS = frozenset(
    """
said says told asked thinks thought wants wanted likes loves loved hates knows knew called texted replied wrote writes agreed
promised decided suggested answered added explained laughed smiled cried married met invited believes believed hopes hoped
prefers prefer lives lived moved phoned emailed mentioned complained apologised apologized argued signed visited studied whispered
shouted nodded insisted recommended admitted
joined joins leads led manages managed teaches taught approved rejected bought sold plays played travelled traveled
graduated retired resigned quit
""".split()
)
"""What persons do, and hardly anything else."""

WORKS = frozenset("works worked working is was".split())
WORKS_BEFORE = frozenset("at for as from".split())
"""What stands behind those verbs where somebody has a job, or comes from somewhere."""

PERSON_VERBS = SPEECH_VERBS | frozenset("and i'm i was is has had will would went came works worked".split())
"""What persons do, among others: enough to take a capital word for a name, not for a person."""

PERSON_CUES = frozenset(
    """
friend sister brother mother father mom dad mum son daughter wife husband aunt uncle cousin boss manager colleague coworker
neighbor neighbour teacher boyfriend girlfriend partner fiance fiancee roommate grandma grandpa nephew niece mentor therapist
dentist named called i'm am met meet hi hey hello dear thanks thank ask asked tell told married dated dating marry
""".split()
)
"""Words right in front of a name that speak of a person."""

NAMING = frozenset("named called".split())
ANIMALS = frozenset("dog cat puppy kitten horse pony parrot rabbit hamster bird tortoise pet pup mare stallion goat cow".split())
COMPANY = frozenset("with and & by".split())
COMPANY_WORDS = frozenset(
    """
met meet meeting talked talk talking spoke speak speaking lunch dinner breakfast coffee chat chatted call married engaged written
directed painted composed dated dating
""".split()
)
"""Words in front of "with" and "by" that speak of a person behind them: "lunch with", "written by"."""

ROLES = frozenset(
    """
doctor nurse teacher designer engineer developer manager boss director lawyer architect accountant dentist therapist coach
professor student chef writer artist musician singer actor actress painter friend neighbour neighbor colleague coworker roommate
partner wife husband sister brother cousin uncle aunt mother father son daughter lead cto ceo cfo founder owner landlord tenant
assistant consultant analyst
""".split()
)

PRODUCT_NOUNS = frozenset(
    """
plan plans app apps tier model models subscription library framework database server servers editor browser edition package plugin
extension api sdk licence license password cluster compiler console software tool platform repo router network camera printer
dashboard
""".split()
)
"""Nouns right behind a name that make it a product's."""

PRODUCT_VERBS = frozenset(
    """
use uses used using install installs installed installing downloaded download downloading deploy deployed deploying upgraded
configure configured configuring
""".split()
)
"""Verbs whose object is a product more often than anything else."""

GERMAN = frozenset(
    """
der die das und ich ist nicht ein eine mit auf für von den dem wir sie er es zu habe hat war auch wenn aber oder
""".split()
)
JOINERS = frozenset("of de la van der den von di da del dos du bin al el le y & the ten ter zu".split())
FAMILY_NAMES_CHINESE = "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘蔡蒋余杜叶程苏魏吕丁任沈姚卢"
ARABIC_CUES = (
    "السيد",
    "السيدة",
    "الدكتور",
    "الدكتورة",
    "الأستاذ",
    "الأستاذة",
    "اسمي",
    "المهندس",
    "أخي",
    "أختي",
    "صديقي",
    "صديقتي",
)
