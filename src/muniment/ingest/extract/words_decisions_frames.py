"""Whole wordings of decisions that no single verb tells ("it came down to price, so Oslo it is"; "the rewrite is off the table").

Rule of this file: constants only; each frame is (pattern, verb, sure). Groups: `what` was decided, `lost` what was not, `why` the
reason, `tail` what follows and is read for more. Every repetition is bounded.
"""

# ruff: noqa: RUF001, E501  typographic signs; a pattern reads best unbroken

from __future__ import annotations

from typing import Final

_LEAD = r"^(?:[^\w\s]{1,3} ?)?(?:(?:ok(?:ay)?|so|well|right|alright|all right|anyway|yes|yep|great|good|then|and|but|in the end|after all(?: that)?|eventually|finally|long story short|bottom line|having said that)[,:]? ){0,2}"
_X = r"(?P<what>[^\s,.;:!?\n–—(][^,.;:!?\n–—(]{0,70}?)"
_NAME = r"(?P<what>(?:the |our |an? )?(?-i:[A-Z0-9])[^,.;:!?\n–—(]{0,50}?)"
_Y = r"(?P<lost>[^\s,.;:!?\n–—(][^,.;:!?\n–—(]{0,60}?)"
_END = r"(?P<tail>(?:[,.;:!]| [–—-] | \(| because| since| as | due to| given| thanks to| for | on | in the end| after| over | rather than| instead of| mostly| mainly| which).*)?$"
_PARTY = (
    r"(?P<who>we|i|they|he|she|the (?:team|board|committee|group|family|company|client|council|management)|management|everyone)"
)
_DEAL = r"(?:job|contract|business|nod|vote|votes|gig|spot|slot|role|deal|order|money|green light|go-?ahead|thumbs up|blessing|all-clear|crown|prize|edge)"

_FOR = r"for (?P<for>(?!now\b|me\b|us\b|years?\b|ages\b|some\b|that\b|this\b|these\b|what\b|(?:the )?(?:record|time|moment|most|first|last|rest|same|past|next)\b|a (?:long|while|few|lot|couple)\b|example\b|instance\b|breakfast\b|lunch\b|dinner\b|once\b|sure\b|real\b|good\b|\d)[^,.;:!?\n]{2,40}?),? "
PURPOSE: Final = rf"{_LEAD}{_FOR}(?=(?:we|i|they|the team)(?:\b|['’]))"
"""What a decision is for, said before who decided."""

STORIES: Final = (
    r"(?:took|taking|picked|kept|dropped|keeping|dropping) (?:up )?(?:the |a |an |my |our |his |her |their |another )?(?:[\w-]+ )?"
    r"(?:train|bus|taxi|cab|metro|subway|tube|tram|ferry|stairs|elevator|lift|escalator|umbrella|photos?|pictures?|nap|shower|bath|"
    r"walk|break|pills?|medicine|exam|test|days? off|flowers|(?:straw|blue|rasp|black)?berries|cherries|apples|mushrooms)\b"
    r"(?!-)(?! (?:pass|tour|ticket|company|line|provider|vendor)(?:e?s)?\b)"
    r"|(?:took|take|taking|taken) (?:(?:in|on|over|up|out|off|back|home|away|apart|part|place|care|turns|time|action|advantage|note|notes|pride|heart|"
    r"hold|shape|stock|charge|it|that|them|me|us|him|her|you|someone|everyone|my|his|their|during|after|before|from|a lot|so|too|longer|less|more|"
    r"about|around|some time|forever|ages|years|months|weeks|days|hours|one|two|three|\d+)\b|(?:an?|the|this|that|our|some|another) (?:[\w-]+ )?"
    r"(?:break|walk|nap|bath|kids?|children|family|dogs?|cats?|baby|trip|step|steps|look|shot|chance|leap|moment|minute|second|seat|bite|sip|stand|turn|breather|breath|vacation|holiday|weekend|hit|toll|"
    r"lesson|lessons|class|course|workshop|time)\b|(?-i:[A-Z][a-z]+) (?:to|for|out|on|with)\b)"
    r"|(?:keep|kept|keeping) (?:busy\b|on |it |that |this |them |you |me |us |up |in |an eye|each other|one another|my |your |(?!using|renting|hosting|buying|paying|offering|"
    r"supporting (?:the|our|version)|running (?:the|our|on|it|both))\w+in(?:g|['’])(?= |$|[.,!]))"
    r"|(?:took|kept|dropped) (?:my|his|her|their) (?:phone|keys|wallet|glass|plate|bag|cup|coffee|umbrella|hat|coat|kids?|son|"
    r"daughter|friends?|promise|word|cool|balance)\b"
    r"|(?:adopted|picked up|took in) (?:an?|two|three|the|this|our) (?:[\w-]+ )?(?:dog|cat|puppy|kitten|rabbit|hamster|bunny|parrot|"
    r"baby|child|boy|girl)\b(?!-)(?! \w+ (?:policy|service|model|brand)\b)"
    r"|(?:chose|chosen|picked|selected|preferred) (?:s?he|they|you|him|her|them|me|us|we|i|it) (?:rather|instead|over|than|and|or)\b"
)
"""What is told of the day and was settled by nobody, though the verb also stands for a choice."""

FRAMES: Final[tuple[tuple[str, str, bool], ...]] = (
    (
        rf"{_LEAD}{_FOR}(?P<who>we|i|they|the team)(?:'ve| have|'ll| will|'re|'m)? (?:now |just |all )?(?:go|going|settle|settled|standardi[sz]e|standardi[sz]ed) (?:with|on|for|to) {_X}{_END}",
        "chose",
        True,
    ),
    (
        rf"{_LEAD}(?:the|our|my) [\w-]{{2,20}}(?: [\w-]{{2,20}})? (?:will be|is going to be|is now|is to be|ends up being) (?P<what>[^\s,.;:!?\n–—(][^,.;:!?\n–—(]{{0,60}}?) (?:after all|instead|then|now){_END}",
        "decided:",
        True,
    ),
    (
        rf"{_LEAD}{_Y} (?:lost out|loses out|gave way|made way|was passed over|was outvoted) (?:to|for|by|in favou?r of) {_X}{_END}",
        "chose",
        False,
    ),
    (
        rf"{_LEAD}{_NAME} (?:gets|got|takes|took|earns|earned|wins|won|has|landed|secured) (?:the|our|my|their|everyone's) (?:final )?{_DEAL}{_END}",
        "chose",
        True,
    ),
    (rf"{_LEAD}(?:the|our|my|their) {_DEAL} (?:goes|went|is going) to {_X}{_END}", "chose", True),
    (
        rf"{_LEAD}(?:my|our) (?:money|vote|bet|pick|choice|preference|mind)(?:'s| is| was)(?: made up)?(?: firmly)?(?: on| with| for|:)? {_X}{_END}",
        "chose",
        True,
    ),
    (
        rf"{_LEAD}(?:the |a |our )?(?:verdict|result|answer|decision|vote|jury|choice) (?:is|was|came) (?:in|made|back|clear|final|unanimous)[:,–—-]+ ?{_X}{_END}",
        "decided:",
        True,
    ),
    (
        rf"{_LEAD}(?:it|that)(?:'s| is| was|'ll be| will be) (?:going to be|gonna be|got to be|to be|settled[:,]|decided[:,]|final[:,]) ?{_NAME}{_END}",
        "decided:",
        False,
    ),
    (rf"{_LEAD}it(?:'s| is) {_NAME}(?: then| for us| for me| from here on)(?P<tail>[,.;:!–—-].*)?$", "decided:", True),
    (
        rf"{_LEAD}(?P<why>it (?:all )?(?:came|comes|boiled|boils) down to [^,;:.\n]{{2,80}}|[^,;:.\n]{{4,100}}),? (?:and )?so (?:it's(?= (?:the |our )?(?-i:[A-Z0-9]))|it is(?= (?:the |our )?(?-i:[A-Z0-9]))|we went|i went|we're going|we are going|i'm going|we took|i took|we chose|i chose|we picked|i picked) (?:with |for )?{_X}{_END}",
        "chose",
        True,
    ),
    (rf"^(?P<why>[^.;:\n]{{4,100}}?)(?:,| [–—-]|;) (?:so|hence|thus|therefore) {_NAME} it is{_END}", "decided:", True),
    (
        rf"{_LEAD}(?:i am|i'm|we are|we're) (?:now |totally |completely |all )?(?:sold on|all in on|committed to|set on|decided on|locked in on|locked into) {_X}{_END}",
        "chose",
        True,
    ),
    (
        rf"{_LEAD}(?:i|we) (?:have |'ve )?(?:made up (?:my|our) minds?)[,:;–—-] ?(?:it's |it is |we're |i'm )?(?:going (?:with |for |to )?)?{_X}{_END}",
        "decided:",
        True,
    ),
    (
        rf"{_LEAD}(?:(?P<who>we|i)(?:'ve| have)? )?(?:put|shelved|parked|left) {_Y} (?:on ice|on hold|on the back ?burner|on the shelf|to one side|for good){_END}",
        "decided against",
        True,
    ),
    (
        rf"{_LEAD}(?P<lost>(?:the |our |a |any )?[a-z0-9][^,.;:!?\n–—(]{{1,60}}?) (?:is|are|was|were) (?:now |officially |definitely )?(?:off the table|on ice|off the cards|not happening|a no-go|a non-starter|no longer (?:on|an option|happening)|out of the question|dead in the water){_END}",
        "decided against",
        True,
    ),
    (
        rf"\b{_PARTY}(?:'ve| have| has)? (?:finally |then |just |quietly |also )?(?:pulled the plug on|drew a line under|called time on|put an end to|got rid of|backed out of|moved away from|steered clear of|nixed|axed|binned|killed(?: off)?|parked|canned|gave up on|let go of|said goodbye to|threw out|dumped) {_Y}(?: in favou?r of (?P<what>[^,.;:!?\n–—(]{{2,60}}?))?{_END}",
        "decided against",
        False,
    ),
    (rf"\b{_PARTY}(?:'ve| have| has)? (?:turned|voted|struck|shot) {_Y} down{_END}", "decided against", True),
    (
        rf"^(?:(?P<who>i|we) )?(?:have |'ve )?(?:declined|refused|turned down|said no to|opted out of|passed on|ruled out) {_Y}{_END}",
        "decided against",
        True,
    ),
    (
        rf"{_LEAD}{_NAME} (?:wins|is the winner|was the winner|is a clear winner|was a clear winner|came out on top|comes out on top|is the way to go|is the one|is it|prevailed|triumphed|made the most sense|is the (?:best|better|right|obvious|natural|safest) (?:fit|choice|option|call)|is what we (?:chose|picked|settled on|went with)|is where we landed|is where we ended up)(?: (?:over|against) (?P<lost>[^,.;:!?\n–—(]{{2,60}}?))?{_END}",
        "chose",
        False,
    ),
    (
        rf"{_LEAD}(?P<lost>(?:the |our )?[^\s,.;:!?\n–—(][^,.;:!?\n–—(]{{0,60}}?) (?:lost|loses|gave way|made way|took second place|came second|took a back ?seat|had to yield|yielded|was (?:passed over|set aside|dropped|skipped|traded) for|was beaten by|was outvoted by|had to make way)(?: to| for|) {_NAME}{_END}",
        "chose",
        False,
    ),
    (
        rf"{_LEAD}(?P<what>[^\s,.;:!?\n–—(][^,.;:!?\n–—(]{{3,90}}?)(?:,| [–—-]) (?:is what )?(?:we|i|they|the team) (?:have |'ve |all |both |then |finally )*(?:decided|agreed|concluded|settled on|chose|picked)\s*(?:in the end|together|yesterday|today)?[.!]*$",
        "decided:",
        True,
    ),
    (
        r"^(?:from (?:now|here|today|this point) on(?:wards?)?|going forward|henceforth|starting (?:now|today|tomorrow|monday|next \w+|in \w+|this \w+)|effective (?:immediately|today|now|\w+day)|as of (?:now|today|\w+day|next \w+)),? (?P<what>(?:we|all|everyone|everybody|every|each|no|nobody|the team|our|deploys?|meetings?)\b[^.;!?\n]{3,120}?)(?P<tail>(?: because| since| instead of| rather than| due to|,| [–—-] ).*)?[.!]*$",
        "decided:",
        True,
    ),
    (
        rf"\b(?:we're|we are|we'll be|i'm|i am) (?:doing|using|taking|having|getting|buying|keeping) {_X} (?:from (?:now|here) on|going forward|from today|for good|after all|instead){_END}",
        "decided:",
        True,
    ),
    (
        rf"{_LEAD}let(?:'s| us) (?:just )?(?:do|make it|call it|say|have|lock in|settle for|agree on|plan on|plan for) {_X}(?: then| in)?{_END}",
        "decided:",
        False,
    ),
    (rf"{_LEAD}{_NAME} (?:for (?:me|us)|all the way),? (?:rather than|instead of|not|over) {_Y}{_END}", "chose", True),
    (
        rf"{_LEAD}(?:going|gone|went) {_NAME}(?P<tail>[,;:–—-].*| (?:over|because|since|rather than|instead of) .*)$",
        "chose",
        False,
    ),
    (
        rf"\b{_PARTY}(?:'ve| have| has)? (?:ended up|wound up) (?:with|on|going(?: with| for)?|choosing|picking|buying|using|taking|at|booking|hiring|getting) {_X}{_END}",
        "chose",
        False,
    ),
    (
        rf"\b{_PARTY} (?:favou?r(?:s|ed)?|prefer(?:s|red)?|backed?|sided with|threw (?:its|their|our) weight behind|rallied (?:around|behind)|got behind|came down on the side of|leaned towards?|lean towards?|gravitated to(?:wards)?|found (?:our|my|their) way to|put (?:its|their|our|my) (?:faith|trust|weight|chips|name) (?:in|on|behind|down for)) {_X}(?: over (?P<lost>[^,.;:!?\n–—(]{{2,60}}?))?{_END}",
        "chose",
        False,
    ),
    (
        rf"\b{_PARTY}(?:'ve| have| has)? (?:struck a deal|shaken hands|shook hands|signed up|signed|inked a deal|reached (?:an agreement|agreement|consensus)|come to an agreement|came to an agreement) (?:with|on|for) {_X}{_END}",
        "agreed on",
        False,
    ),
    (
        rf"{_LEAD}(?:green light|thumbs up|go-?ahead|approval|yes|no) (?:for|to|from (?:me|us) (?:for|on)) {_X}{_END}",
        "decided on",
        True,
    ),
    (
        (
            rf"\b{_PARTY}(?:'ve| have| has|'re| are| is|'m| am)? (?:(?:throw|threw|thrown|throwing|cast|casting) (?:in )?(?:our|my|their) lot (?:in )?with|(?:hung|hanging|hang) (?:our|my|their) hat on|"
            rf"nail(?:ed|ing) (?:our|my|their) colou?rs to|shook on|shaken on|shaking on|(?:put|putting) pen to paper (?:with|on|for)|pinn(?:ed|ing) (?:our|my|their) hopes on|"
            rf"hitch(?:ed|ing) (?:our|my|their) wagon to|(?:put|putting) all (?:our|my|their) (?:eggs|chips) (?:in|on)|hedg(?:ed|ing) on|crown(?:ed|ing)|anoint(?:ed|ing)|nominat(?:ed|ing)|earmark(?:ed|ing)|"
            rf"gave (?:our|my|their) blessing to|gone all[- ]in on|went all[- ]in on|tak(?:en|ing) (?:our|my|their) business to|took (?:our|my|their) business to|swor(?:e|n) by|stak(?:ed|ing) (?:our|my|their|everything|it all) on) {_X}{_END}"
        ),
        "chose",
        True,
    ),
    (
        (
            rf"{_LEAD}{_X} (?:carried the day|won us over|won me over|won hearts|won out|got the last word|had the last laugh|took the cake|takes the cake|ticked (?:all|more|the most) (?:of )?(?:the |our )?boxes|ticks (?:all|more|the most) (?:of )?(?:the |our )?boxes|"
            rf"stole the show|is a done deal|is the last one standing|was the last one standing|was left standing|came through|rose to the top|pulled ahead|got everyone's blessing|is signed and sealed|won by a (?:mile|nose|hair|whisker|landslide)|had the edge|has the edge){_END}"
        ),
        "chose",
        False,
    ),
    (
        rf"{_LEAD}(?:case closed|end of (?:story|discussion|debate)|done deal|signed and sealed|sealed|settled|that settles it|that's settled|it's settled|it's official|it's decided|matter closed|discussion closed|no two ways about it|drum ?roll|mark it down|write it down|stamp it)[:,!.–—-]+ ?(?:it's |we're going (?:with |for )?|we go (?:with |for )?|we take |we'll take |we use )?{_X}{_END}",
        "decided:",
        True,
    ),
    (
        rf"{_LEAD}{_NAME}[,.:;–—-]+ ?(?:case closed|end of (?:story|discussion|debate)|done deal|done and dusted|that's (?:settled|final|that|decided)|and that's (?:final|that|settled|it)|final|no more debate|no more discussion|debate over|discussion closed)(?P<tail>[,.;:!–—-].*| because .*)?$",
        "decided:",
        True,
    ),
    (
        rf"{_LEAD}{_Y} (?:fell by the wayside|bit the dust|bowed out|drew the short straw|got the (?:boot|axe|chop|cold shoulder)|gets the (?:boot|axe|chop)|was shown the door|didn't survive|is history|had to go|went out of the window|went in the bin|was left behind|left the building|can wait|was crossed off|got crossed off|was given up|was laid to rest|is dead|never stood a chance){_END}",
        "decided against",
        False,
    ),
    (
        rf"\b{_PARTY}(?:'ve| have| has)? (?:showed {_Y} the door|shown (?P<lost2>[^,.;:!?\n]{{2,40}}?) the door|crossed (?P<lost3>[^,.;:!?\n]{{2,40}}?) off(?: the list| our list)?|sent (?P<lost4>[^,.;:!?\n]{{2,40}}?) packing|left (?P<lost5>[^,.;:!?\n]{{2,40}}?) (?:at the altar|behind)){_END}",
        "decided against",
        True,
    ),
)

CUE: Final = (
    r"\b(?:(?:gets?|got|takes?|took|earn\w*|wins?|won|has|landed|secured) (?:the|our|my|their|everyone's) (?:final )?(?:job|contract|business|nod|votes?|gig|spot|slot|role|deal|order|money|green|go|thumbs|blessing|all-clear|crown|prize|edge)|"
    r"(?:goes|went|going) to\b|(?:my|our) (?:money|vote|bet|pick|choice|preference|mind)\b|verdict|jury|(?:it|that)(?:'s| is| was) (?:going to|gonna|got to|to) be|so it(?:'s| is)|it(?:'s| is) [\w .-]{1,30} (?:then|for us|for me)\b|down to |it is\b|so (?:we|i) |"
    r"so (?:we|i)'|sold on|all in on|set on|locked|committed|decided|minds?\b|on ice|on hold|on the (?:back|shelf)|to one side|for good|off the|not happening|no-go|non-starter|no longer|out of the question|dead in|"
    r"plug on|drew a line|called time|an end to|got rid|backed|moved away|steered clear|nixed|axed|binned|killed|parked|canned|gave up on|let go of|goodbye|threw|dumped|"
    r"(?:turned|voted|struck|shot) [\w .'-]{1,60} down\b|declined|refused|turned down|said no|opted|passed on|ruled out|wins|winner|out on top|way to go|the one|prevailed|triumphed|made the most|choice|is it\b|what we|where we|"
    r"best fit|better fit|right fit|lost|loses?|gave way|made way|make way|took second|came second|seat|yield|passed over|set aside|dropped|skipped|traded for|beaten by|outvoted|agreed|concluded|settled|chose|picked|"
    r"after all\b|from (?:now|here|today|this)|going forward|henceforth|^starting|^effective|^as of|(?:doing|using|taking|having|getting|buying|keeping)\b|let(?:'s| us)|(?:for|all the) (?:me|us|way),? (?:rather|instead|not|over)|"
    r"^going|^gone|^went|ended up|wound up|favou?r|prefer|sided|weight|rallied|got behind|side of|lean|gravitat|(?:faith|trust|chips|name) (?:in|on|behind|down)|struck a|shook hands|shaken hands|signed|inked|agreement|"
    r"\blot (?:in )?with|hat on|colou?rs to|pen to paper|hopes on|wagon|eggs|chips|crown|anoint|nominat|earmark|blessing|all[- ]in|business to|staked?|carried the|won (?:us|me|hearts|by)|last (?:word|laugh|one)|the cake|boxes|"
    r"the show|done deal|standing|came through|pulled ahead|sealed|the edge|case closed|end of (?:story|disc|deb)|settle|official|that's (?:that|final)|wayside|the dust|bowed|straw|the (?:boot|axe|chop|door)|survive|history|had to go|can wait|crossed|packing|altar|left behind|"
    r"^for\b|(?:so|and|but|ok|okay|then|well),? for\b|green light|thumbs up|go-?ahead|approval|^(?:yes|no) (?:for|to|from))"
)
"""A sentence with none of these fits no frame."""

GAMES: Final = (
    r"\b(?:match|games?|season|league|cup|semi-?finals?|score[ds]?|goals?|race|tournament|championship|chess|poker|tennis|football|soccer|basketball|"
    r"cancer|illness|lottery|oscar|award|medal|elections?|war|\d{1,3}[-–:]\d{1,3})\b"
)
"""Words of contests in which somebody wins without anything being decided."""

NOBODY: Final = r"^(?:(?:but|and|so|well) )?(?:turns|not|i|we|he|she|they|you|it|that|this|who|whoever|nothing|nobody|no one|someone|somebody|everyone|there|what|which|one|my|his|her|their|your)\b"
"""What beats or wins without having been chosen."""

COMPARED: Final = r"(?P<why>(?:(?:much|far|way|a lot|slightly|a bit) )?(?:(?!rather|other|either|whether)\w{3,}er|more [\w-]+|less [\w-]+|better [\w-]+|fewer [\w-]+) than (?P<lost>[^,.;:!?\n–—(]{2,50}))"
"""A reason that is a comparison, and what it is compared with."""
