"""What verbs of choosing take beside them, and the words that mark the clauses around a decision.

Rule of this file: constants only; each shape is (pattern, verb, how sure). Groups: `what` was taken, `lost` what was not, `tail` what
follows and is read for more. Every repetition is bounded.
"""

# ruff: noqa: RUF001, E501, SIM905  typographic signs; a pattern and a list of words read best unbroken

from __future__ import annotations

from typing import Final

SURE, WEAK, FAINT = 2, 1, 0
"""A shape that settles something by itself; one that needs a reason or an alternative; one that needs an alternative."""

GROUPS: Final = frozenset(
    "team board committee group council management leadership company client customer family jury panel reviewers members staff parents "
    "owners directors court crew department cabinet union trustees shareholders boss treasurer chair landlord architects engineering "
    "finance legal marketing procurement editors organisers organizers majority plenary assembly".split()
)
"""Who decides together, or for others, even without an article before it."""

_IN = r"(?:[^,.;:!?\n–—()]|\.(?=\w)|,(?=\d)|(?<=\b(?:Dr|Mr|Ms|St))\.)"
_X = rf"(?P<what>(?:the |our |an? )?[\w\"“'‘#+@&$€£]{_IN}{{0,70}}?)"
_Y = rf"(?P<lost>(?:the |our |an? )?[\w\"“'‘#+@&$€£]{_IN}{{0,70}}?)"
_START = r"(?:^|(?<=[,;:.–—(] )|(?<=\band )|(?<=\bbut )|(?<=\bso )|(?<=\bthat ))"
_END = r"(?P<tail>(?:[,.;:!?()]|['\"”]?[,.;]| [–—-] | because\b| since\b| bc\b| cos\b| as (?:it|they|we|he|she|the|this|that|our|my)\b| due to\b| given\b| thanks to\b| so that\b| to (?:avoid|save|reduce|keep|make|get|help|cut)\b| on the grounds\b| (?:starting|effective|from (?:now|next|the|\w+day|january|february|march|april|may|june|july|august|september|october|november|december)|until|after|when|once|if|provided|subject to|which|who)\b| and (?:we|i|it|they|that|the)\b| but\b).*)?$"
_BE = r"(?:is|was|are|were|has been|have been|had been|will be|is being|are being|got|gets|is to be|are to be)(?: now| then| finally| duly| formally| unanimously| narrowly| eventually| [a-z]{3,12}ly)?"
_AWARD = r"(?:contract|job|tender|order|bid|commission|award|work|business|project|role|position|post|grant|deal|slot|account|mandate|engagement|assignment|brief|prize)"
_GROUP = "|".join(sorted(GROUPS, key=len, reverse=True))
_WHO = rf"(?P<who>i|we|they|he|she|(?:(?:the|our|my) (?:[a-z]{{2,14}} )?)?(?:{_GROUP})|the [a-z]{{3,14}} (?:{_GROUP})|everyone|(?-i:[A-Z][\w'’-]{{1,20}}))(?:['’](?:ve|re|m|d|ll|s)| have| has| had| are| is| am| will)?(?: (?:now|just|finally|also|all|then|eventually|both|already|been|officially|formally|going to|gonna))*"

SHAPES: Final[tuple[tuple[str, str, int], ...]] = (
    # one thing is put in the place of another
    (
        rf"\b{_WHO} (?:replac(?:e|ed|ing)|swapp?(?:ed|ing)?(?: out)?|supersed(?:e|ed|ing)|exchang(?:e|ed|ing)|trad(?:e|ed|ing)(?: in)?|ditch(?:ed|ing)?|dump(?:ed|ing)?|scrapp?(?:ed|ing)?|dropp?(?:ed|ing)?|abandon(?:ed|ing)?) {_Y} (?:with|by|for|in exchange for) {_X}{_END}",
        "chose",
        SURE,
    ),
    (
        rf"^(?:[\w '’-]{{0,24}}[,:] )?(?:replacing|swapping(?: out)?|ditching|dumping|trading(?: in)?) {_Y} (?:with|for) {_X}{_END}",
        "chose",
        WEAK,
    ),
    (
        rf"{_START}{_Y} {_BE} (?:replaced|superseded|succeeded|supplanted|swapped out|dropped|ditched|passed over|rejected|abandoned) (?:by|with|for|in favou?r of) {_X}{_END}",
        "chose",
        SURE,
    ),
    (
        rf"\b{_WHO} (?:switch|migrat|transition|convert|port)(?:e|ed|es|ing)? (?:{_IN}{{2,40}}? )?(?:from|off|away from) {_Y} (?:over |across |back )?(?:to|onto) {_X}{_END}",
        "switched to",
        SURE,
    ),
    (
        rf"\b{_WHO} (?:pull|mov|shift|chang|cut|tak|bring|brought)(?:e|ed|es|ing)? (?P<of>(?:the|our|all|both|every|everything|stand-?ups?|meetings?) ?{_IN}{{0,40}}?) from {_Y} (?:over |back |down |up )?to {_X}{_END}",
        "moved to",
        SURE,
    ),
    (
        rf"\b(?P<who>we|the (?:[a-z]{{2,14}} )?(?:team|company|group))(?:['’](?:re|ve|ll)| are| have| will|) (?:mov|shift|go|went|gone|chang)(?:e|ed|es|ing)? (?:from|off|away from) {_Y} (?:over |across |back )?(?:to|onto) {_X}{_END}",
        "moved to",
        WEAK,
    ),
    (
        rf"\b(?P<who>we|the (?:[a-z]{{2,14}} )?(?:team|board|committee|group|council|company))(?:['’](?:re|ve|ll)| are| have| will|) (?:mov|shift|push|pull|relocat|transferr?|postpon)(?:e|ed|es|ing)? (?P<of>(?:the|our|all|both|every|everything) ?{_IN}{{0,40}}?) (?:over |back |down |up |forward |out )?to {_X}{_END}",
        "moved to",
        WEAK,
    ),
    # what wins and what loses
    (rf"{_START}{_X} (?:was|is|were|has been|got) (?:preferred|favou?red) (?:to|over) {_Y}{_END}", "chose", SURE),
    (
        rf"{_START}{_X} (?:supersedes|replaces|supplants|takes over from|takes the place of|will replace|is replacing|outscored|outperformed|prevailed over|won over|wins over|won against|triumphed over|pipped|saw off|(?:came|finished) (?:out |in |well )?ahead of|got more votes than|won the vote against) {_Y}{_END}",
        "chose",
        SURE,
    ),
    (
        rf"{_START}{_X} (?:prevailed|got the votes?|got (?:the )?most votes|received the most votes|came (?:out )?first|came out ahead|emerged (?:as )?(?:the )?(?:winner|favou?rite|front-?runner|best|clear)\b|made the grade|got the green light|got the go-?ahead|was given the (?:green light|go-?ahead|nod)|got (?:the )?approval|won approval|received (?:approval|the go-?ahead)){_END}",
        "chose",
        WEAK,
    ),
    (rf"\b{_WHO} preferred {_X} (?:to|over|above) {_Y}{_END}", "chose", FAINT),
    # something is given to one of several
    (
        rf"\b{_WHO} (?:award(?:ed|ing)?|gave|give|giving|given|hand(?:ed|ing)?|assign(?:ed|ing)?|grant(?:ed|ing)?) (?:the |our |this |that )?(?:[\w-]{{2,16}} ){{0,3}}?{_AWARD} to {_X}{_END}",
        "chose",
        SURE,
    ),
    (
        rf"\b(?:the |our |this )?(?:[\w-]{{2,16}} ){{0,3}}?{_AWARD} (?:(?:was|is|has been|will be) (?:awarded|given|handed|let|assigned) to|(?:goes|went|is going|has gone) to) {_X}{_END}",
        "chose",
        SURE,
    ),
    (rf"\b(?:offer|extend|made)(?:ed|ing)? (?:the |an |our )?(?:{_AWARD} |offer )+to {_X}{_END}", "chose", WEAK),
    # what was moved and carried, and what the many decide
    (
        rf"\b(?:the |a )?(?:motion|proposal|resolution|amendment|request|suggestion|plan|bid|idea) (?:to|for|that|of) {_X} (?:was |is |has |were )?(?:been )?(?:then |duly |unanimously |narrowly )?(?:carried|passed|approved|accepted|adopted|agreed|endorsed|ratified|supported|granted|seconded and (?:carried|passed)){_END}",
        "decided:",
        SURE,
    ),
    (
        rf"\b{_WHO} (?:ratif(?:y|ied|ying)|endors(?:e|ed|ing)|authori[sz](?:e|ed|ing)|sanction(?:ed|ing)|okay(?:ed|ing)|ok['’]?(?:ed|d|ing)|wav(?:ed|ing) through|green-?light(?:ed|ing)|rubber-?stamp(?:ed|ing)|sign(?:ed|ing) off|approv(?:e|ed|ing)|mandat(?:ed|ing)|consented to|assented to|g(?:a|i)ve (?:its|their|his|her|our|my) (?:blessing|consent|approval|ok|okay) (?:to|for|on)) {_X}{_END}",
        "approved",
        SURE,
    ),
    (
        rf"\b{_WHO} (?:appoint(?:ed|ing)|nominat(?:ed|ing)|elected|nam(?:ed|ing)|designat(?:ed|ing)) {_X} (?:as|to be|our|the) [^,.;:!?\n]{{2,40}}?{_END}",
        "chose",
        WEAK,
    ),
    (
        rf"(?:^|[,:;] )(?:it (?:was|is|has been) )?(?:resolved|agreed|decided|determined|concluded|ruled|ordered|settled)(?:,? (?:by|with|in|five|six|four|three|two|unanimously|after|following|nem)[^:\n]{{2,60}}?,)? (?:to|that|on|upon|for|in favou?r of) {_X}{_END}",
        "decided:",
        SURE,
    ),
    (
        rf"\b{_WHO} (?:determined|ruled|concluded|finali[sz]ed|confirmed|called it|made the call|came down|came round|came around)(?: on the side)?(?:,? after [^,\n]{{2,50}},)? (?:that|to|on|in favou?r of|of|for|with) {_X}{_END}",
        "decided on",
        FAINT,
    ),
    # getting what was wanted
    (
        rf"\b{_WHO} (?:(?:gave in|caved(?: in)?|relented|splurged|bit the bullet|took the plunge|pulled the trigger|went ahead|ended up|wound up|finally)(?: and| on|,)? )(?:got|bought|booked|took|ordered|chose|picked|went (?:with|for)|signed|joined|getting|buying|booking|taking|ordering|choosing|picking|going (?:with|for)|signing|joining|hired|hiring|using|used|rented|renting|built|building|adopted|adopting|leased|leasing|sold|selling|rehomed|keep|kept|keeping|staying|stayed|moving to|moved to|paying for|choosing) (?:up for |with |at )?{_X}{_END}",
        "chose",
        SURE,
    ),
    (
        rf"\b{_WHO} (?:got|getting|ordered|ordering|rent(?:ed|ing)|leas(?:ed|ing)|enrol?led in|enrol?l?ing in|subscrib(?:ed|ing) to|join(?:ed|ing)|install(?:ed|ing)|book(?:ed|ing)|bought|buying|accept(?:ed|ing)|tak(?:en|ing)|took|brought in|bringing in|reserv(?:ed|ing)|implement(?:ed|ing)|introduc(?:ed|ing)|roll(?:ed|ing) out|deploy(?:ed|ing)|retain(?:ed|ing)|return(?:ed|ing) to|revert(?:ed|ing) to|building|built|staying (?:on|with)|stayed (?:on|with)|hosting(?: it| them)?(?: in| at| on)?|start(?:ed|ing)? with) {_X}{_END}",
        "chose",
        FAINT,
    ),
    (
        rf"\b(?P<who>i|we)(?:['’]d| would) (?:like|prefer|love|rather)(?: to)? (?:go (?:with|for)|take|have|book|choose|pick|order|keep|stay with|stick with|use|get|buy|do)? ?{_X}{_END}",
        "chose",
        FAINT,
    ),
    (
        rf"\b(?P<who>i|we|they|he|she|the (?:[a-z]{{2,14}} )?(?:team|board|committee|group|council|company|family))(?:['’]ll| will|['’](?:re|m|s) going to| (?:are|am|is) going to)(?: (?:now|just|all|be))* {_X}(?:,? instead of|,? rather than|, (?:and )?not) {_Y}{_END}",
        "decided:",
        WEAK,
    ),
    (
        rf"(?:^|[,:;] )(?:so |and |then |now |for now |ok(?:ay)?,? )?(?P<who>we) (?:keep|stay (?:with|on|at)|stick (?:with|to)|go (?:with|for|ahead with)|opt for|take|drop|skip|postpone|hold) {_X}{_END}",
        "decided:",
        WEAK,
    ),
    # what is to be from now on
    (
        rf"{_START}(?P<what>(?:the|our|all|every|each|no) {_IN}{{2,50}}? (?:moves?|switch(?:es)?|shifts?|stays?|remains?|goes|is moving|are moving|is switching|are switching|will move|will stay|will remain|will switch) (?:to|with|on|at|in|onto|over to) {_IN}{{2,50}}?){_END}",
        "decided:",
        WEAK,
    ),
    (
        rf"{_START}{_X} (?:stays|is staying|are staying|stay|is here to stay|remains our [^,.;:\n]{{2,30}}|will do|will have to do|is ours|gets our (?:money|business|vote)){_END}",
        "decided:",
        FAINT,
    ),
    (
        rf"{_START}(?P<what>[\w-]{{3,20}} (?:go|goes|will go|are going|is going|move|moves|will live|will run|will stay) (?:to|on|in|into|with|at) {_IN}{{2,50}}?){_END}",
        "decided:",
        FAINT,
    ),
    (
        rf"(?:^|[,:] |\ball, )(?:as of|effective(?: from)?|starting(?: from)?|beginning|from) (?:today|now|tomorrow|next \w+|this \w+|(?:the )?\d{{1,2}}(?:st|nd|rd|th)? \w+|\w+ \d{{1,2}}(?:st|nd|rd|th)?|\w+day|january|february|march|april|may|june|july|august|september|october|november|december)(?: on(?:wards?)?)?,? (?P<what>(?!i\b|i['’]m){_IN}{{2,30}}? (?:is|are|will|need|needs|must|go|goes|get|gets|take|takes|use|uses|stop|stops|require|requires|has|have|run|runs) {_IN}{{2,80}}?){_END}",
        "decided:",
        SURE,
    ),
    (
        rf"{_START}(?P<what>(?:the |our )?{_IN}{{2,40}}? (?:is|are) (?:now )?(?:fixed|set|capped|limited|frozen) (?:at|to) {_IN}{{1,40}}?)(?: as of \w+)?{_END}",
        "decided:",
        WEAK,
    ),
    (rf"\b{_WHO} (?:came|come|coming) (?:down )?(?:out )?(?:on the side of|in favou?r of|for) {_X}{_END}", "chose", SURE),
    (rf"\b{_WHO} (?:offered|gave|given) (?:the |this )?(?:post|position|role|job|place) to {_X}{_END}", "chose", SURE),
    (
        rf"\b(?:i|we)(?:['’]ve| have)? (?:found|picked out) (?:our|my|the) (?:new |next |future )?[\w-]{{3,16}}: {_X}{_END}",
        "chose",
        SURE,
    ),
    (rf"\b(?P<who>we)(?:['’]d| would)? ?rather (?:have|take|go with|do|keep|use) {_X} than {_Y}{_END}", "chose", SURE),
    # deeds that settle a matter
    (
        r"\b(?P<who>i|we)(?:['’](?:re|m|ve|ll)| are| am| have| will)(?: (?:now|just|all|finally|going to|gonna|be|been|both))* (?P<what>(?:retir|deprecat|sunsett|phas|freez|froze|paus|postpon|delay|halt|stopp|discontinu|clos|cancel|withdraw|withdrew|outsourc|extend|shutt|clos|suspend|dissolv|end|limit|restrict|capp|rais|lower|reduc|merg|split|consolidat|centrali[sz]|rebuild|rewrit|refactor|sell|sold|leav|quitt|mak|bann|requir|buy|bought|rent|mov|keep|renew|expand|open|launch)(?:e|ed|en|ing|t)?(?: (?:"
        + _IN
        + r"){2,80}?)?)"
        + _END,
        "decided:",
        FAINT,
    ),
)

CUE: Final = (
    r"replac|swap|supersed|exchang|trad(?:e|ing)|ditch|dump|scrap|dropp|abandon|switch|migrat|transition|convert|port(?:ed|ing)|pull|mov(?:e|ing)|shift|chang|cut\b|bring|brought|went|gone|"
    r"preferred|prefer|favou?red|supplant|takes? (?:over|the)|outscored|outperf|prevail|won\b|wins|triumph|pipped|saw off|ahead|votes?|came|emerged|grade|green|go-?ahead|nod\b|approv|"
    r"award|gave|giv(?:e|ing|en)|hand(?:ed|ing)|assign|grant|goes|going|offer|extend|made|motion|proposal|resol|amend|request|suggestion|plan\b|bid\b|idea|carried|passed|accept|adopt|agreed|"
    r"ratif|endors|authori|sanction|okay|\bok['’]?|wav(?:ed|ing)|rubber|sign|mandat|consent|assent|appoint|nominat|elected|nam(?:ed|ing)|designat|decided|determin|conclu|ruled|ordered|settled|"
    r"finali|confirm|called it|caved|relent|splurg|bullet|plunge|trigger|ended up|wound up|finally|got\b|getting|rent|leas|enrol|subscrib|join|install|book|bought|buy|tak(?:en|ing)|took|reserv|"
    r"implement|introduc|roll(?:ed|ing)|deploy|retain|return|revert|buil[dt]|stay|hav(?:e|ing)|run|do(?:ing)?\b|host|start|begin|['’]d|would|remain|will|['’]ll|live|"
    r"retir|deprec|sunset|phas|freez|froze|paus|postpon|delay|halt|stop|discont|clos|cancel|withdr|outsourc|shut|suspend|dissolv|end(?:ed|ing)|limit|restrict|capp|rais|lower|reduc|merg|split|"
    r"consolid|central|rewrit|refactor|sell|sold|leav|quit|mak(?:e|ing)|bann|requir|keep|renew|expand|open|launch"
)
"""A sentence in small letters without these fits no shape."""

TURNED_DOWN: Final = (
    r"(?:not (?=the |our |[a-z]{2,12}ing\b)(?:(?:doing|going (?:with|for|to)|using|taking|buying|renting|having|keeping|moving|building|hiring|getting|signing|paying for|joining|touching)(?: with| for| to)? )?"
    r"|no (?!one|idea|problem|worries|way|longer|doubt|need|matter|rush|reply|news|objections?|thanks|more\b)"
    r"|(?:i['’]m|we['’]re|i am|we are) not (?=[a-z]{2,12}ing\b)|(?:(?:i am|i['’]m|we are|we['’]re|i have|i['’]ve|we['’]ve|we have|i|we|the \w+|they) )?(?:now |all |just |finally |also )?(?:killing|dropping|scrapping|withdrawing|axing|ditching|skipping|cancelling|canceling|shelving|parking|binning|nixing|"
    r"pulling out of|backing out of|moving off|moving away from|giving up(?: on)?|letting go of|getting rid of|passing on|ruling out|leaving|killed|dropped|scrapped|withdrew|withdrawn|axed|ditched|skipped|cancelled|canceled|shelved|parked|binned|nixed|"
    r"pulled out of|backed out of|moved off|moved away from|gave up(?: on)?|let go of|got rid of|passed on|ruled out|said no to|turned down|declined|rejected|walked away from|nearly (?:took|bought|booked|chose|went (?:with|for)|picked|signed)|almost (?:took|bought|booked|chose|went (?:with|for)|picked|signed)|can['’]t (?:keep|afford|do|have|use)|cannot (?:keep|afford|do|have|use)) )"
    r"(?P<lost>(?:the |our |an? |both |any )?[^,.;:!?\n–—()]{2,60}?)(?=[,.;:!?–—()]|$| because| since| as | again| so | and (?:so|we|i)| after all| for now)"
)
"""A clause that turns something down and may stand before one that says what is done instead."""

INSTEAD_WE: Final = (
    r"[,;:. –—-]*(?:so |and |instead,? |but |rather,? |therefore )*(?:(?P<who>i|we|they|she|he|let['’]s)(?:['’]ll| will|['’](?:re|m|s) going to| are going to| am going to|(?<=let['’]s))(?: (?:just|now|instead|simply|rather|all|be))* |(?:(?P<who2>i|we|they)(?:['’](?:re|m)| are| am) )?(?:now |just |instead )?(?=(?:doing|going (?:with|for)|using|taking|buying|renting|staying|keeping|getting|hiring|building|putting|moving to|switching to)\b))"
    r"(?P<what>(?:put(?:ting)? (?:the |our )?(?:effort|money|time|energy|resources) in(?:to)? )?[^,.;:!?\n–—()]{2,80}?)"
    r"(?P<tail>(?:[,.;:!–—(]| because| since| as (?:it|the|they|we)| instead| from now).*)?$"
)
"""What is done instead, after something was turned down."""

NEXT_STEP: Final = (
    r"^(?:and |so |then |also |but )?(?:i['’]ll|we['’]ll|i will|we will|you|please|let me|let['’]s|next|now|thanks|thank|kind|best|regards|cheers|dear|hi|hello|hey|work starts|starts?|starting|production|implementation|can (?:you|we|someone|somebody)|could|will|would|"
    r"shall|should|any|who|what|when|where|how|lol|haha|great|nice|wow|ok|okay|cool|done|finally|congrat\w*|sounds|looking forward|see you|talk|item|agenda|present|status|action|todo|next steps?|p\.?s|fyi|update|signed|sent|from (?:monday|tuesday|wednesday|thursday|friday|now)|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|next|the end)|"
    r"i (?:think|hope|guess|wonder|told|asked|need|want|am going|just|have to|also)|i['’]m (?:going|so|excited|off)|we (?:start|begin|launch|meet|move|go|also|need|have to|hope|looked|considered)|(?:\w+ ){0,3}(?:starts|begins|deferred|tbd|pending|to follow|is due|are due|still open|kicks off|goes live)\b)"
)
"""How a sentence opens that tells what comes next, or what somebody feels, and gives no reason."""

EXPLAINS: Final = (
    r"^(?:and |also |plus,? |besides,? |well,? |honestly,? |mostly |mainly |simply |just )?(?:it|its|it['’]s|they|they['’]re|their|that|that['’]s|this|he|he['’]s|she|she['’]s|his|her|there|there['’]s|nobody|no one|no|not|nothing|everyone|everybody|everything|both|neither|fewer|less|more|most|much|way|far|too|cheaper|faster|better|easier|simpler|"
    r"safer|half|twice|only|same|one|two|three|four|five|six|seven|eight|nine|ten|\d[\d.,]*%?|you can(?:no|['’])t|you can|we can(?:no|['’])t|can(?:no|['’])t|we already|we (?:get|save|need|know|want|trust|have)|i (?:can(?:no|['’])t|know|already|trust|like|love|need|am|have)|my|our|the) "
)
"""How a sentence opens that may tell why."""

STATES: Final = (
    r"\b(?:is|am|are|was|were|has|have|had|['’]s|['’]re|can|can['’]t|cannot|could|won['’]t|would|wouldn['’]t|does|do|doesn['’]t|don['’]t|did|didn['’]t|isn['’]t|aren['’]t|wasn['’]t|"
    r"needs?|costs?|takes?|gives?|offers?|lets?|keeps?|makes?|works?|runs?|fits?|feels?|looks?|reads?|scales?|supports?|handles?|saves?|covers?|comes?|gets?|holds?|lasts?|pays?|knows?|wants?|likes?|"
    r"loves?|hates?|breaks?|keep|lacks?|means?|goes|caused|causes|kept|failed|came|took|gave|lost|fell|rose|grew|broke|asked|preferred|worked|less|more|fewer|cheaper|faster|better|easier|simpler|safer|quicker|"
    r"smaller|lighter|closer|enough|too|than|only|\w+ly)\b"
)
"""What a sentence that tells why holds."""

BESIDE_LOST: Final = (
    r"(?P<lost>(?:the |our |an? )?[\w\"“'‘#+@&$€£][^,.;:!?\n–—()]{0,60}?)(?:,? (?:on the other hand|though|however|by contrast),?)? "
    r"(?:(?:had been|has been|have been|was|were|is|are|got|being) (?:also |briefly |first |seriously |already |both |initially |always )?(?:proposed|discussed|floated|pitched|suggested|looked at|looked into|evaluated|weighed|tested|trialled|trialed|mooted|raised|tabled|considered|tempting|attractive|appealing|"
    r"nice|lovely|close|a close|the (?:other|obvious|cheaper|safer|first|early|initial)|out\b|too|nicer|cheaper|slower|heavier|older|pricier|riskier|harder|like|no longer|dropped|rejected|ruled|set aside|turned|discarded|dismissed|passed over|voted down|withdrawn|shelved|abandoned|unavailable|sold out|full\b|booked out|gone\b|overkill|not (?:an option|feasible|viable|possible|worth|enough|ready|available|mature))"
    r"|(?:is|are|was|were|would be|has|have|had|looks?|sounds?|does) [^.;!?\n]{2,60}? but\b|(?:was|were|is) felt to be|wanted|put forward|found (?:no|little) (?:support|favou?r|backers)|(?:has|had|have) (?:no|a (?:waiting|long|poor|bad|steep|hefty|two|three|six)|too|only|worse|less|fewer|poor|terrible|issues|problems|been (?:too|slow|flaky))|would(?:n['’]t)? (?:have|need|cost|take|mean|require|be|lock|force|tie|add|break|fit|work)|would['’]ve|lacks?|lacked|lost|loses|can wait|won['’]t|"
    r"needs? (?:a|too|more|an)|needed|costs? (?:more|too|twice|double|three)|cost (?:more|too|twice)|came (?:in )?(?:second|last|close)|fell (?:short|through|out|behind|away)|didn['’]t|doesn['’]t|don['’]t|did not|does not|couldn['’]t|could not|wasn['’]t|weren['’]t|isn['’]t|was(?:n['’]t| not)|scored lower|failed|is overkill|felt|looked|seemed)\b"
)
"""What is told of an option that was not taken."""

PROPOSED: Final = (
    r"(?:pushing|pushed|lobbied|lobbying|argued|arguing|rooting|campaigned|made (?:a|the) case|heard the case|case|voted|holding out|hoping|leaning|vouched|quotes?|bids?|offers?|proposals?|pitches|tempted|keen|drawn|back and forth (?:between|on|over)|toying)(?: (?:both|either|hard))? (?:for|towards?|from|by|on|to|with|about|between) "
    r"(?P<lost>(?:the |our |an? )?[^,.;:!?\n–—()]{2,60}?)(?=[,.;:!?–—()]|$| but | because| honestly| and (?:for|then|so) )"
)
"""What somebody was for."""

LOST_LABEL: Final = r"(?:unsuccessful|losing|rejected|discarded|other|remaining|further|also|alternative|second|competing|shortlisted)(?: [a-z]{3,14}){0,2}: (?P<list>[^.:;!?\n]{2,160})"

VERDICT: Final = (
    r"^(?:(?:ok(?:ay)?|so|then|yes|yeah|yep|right|alright|fine|sure|definitely|hm+|well|agreed|done|let['’]s (?:do|go with|say|make it|take|have)|i(?:['’]d)? (?:say|vote)(?: for)?|i(?:['’]ll| will) (?:take|have|go with|go for)|my (?:vote|pick|choice)(?: is)?|going(?: with| for)?|team|final (?:answer|call)|answer|verdict|it['’]s|it is|we['’]ll (?:take|have|do)|make it|give me|put me down for)[,:!.]? ){0,3}"
    r"(?P<what>(?:the |an? |our )?[\w\"“#+@&$€£][\w\"”'’#+@&$€£/.-]*(?: [\w\"“'’#+@&/.-]+){0,4}?)"
    r"(?P<mark>,? (?:then|it is(?: then)?|please|pls|all the way|ftw|for the win|wins|hands down))?"
    r"(?P<tail>(?:[.!,;:)(]| [–—-] | because\b| since\b| bc\b| as (?:it|they|we|the)\b| over\b| instead of\b| rather than\b).*)?$"
)
"""A verdict so short that only what was asked before makes it one."""

CALLED_FOR: Final = r"\b(?:final (?:call|answer|decision|say|pick)|(?:which|what|who|where)\b[^.?!]{0,50}\b(?:decide|decided|pick|picked|choose|chose|chosen|go with|going with|went with|verdict|decision|settle on|settled on)\b|your (?:call|pick|choice|verdict|decision)|(?:make|need|want) (?:a|the|your) (?:call|decision|verdict)|so,? (?:the )?verdict)\b"
"""What asks for a choice."""
