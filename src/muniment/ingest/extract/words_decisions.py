"""The words by which decisions, commitments and outcomes are told, as pieces of patterns. The rules that use them stand apart.

Rule of this file: constants only; every repetition is bounded, so that a pattern takes linear time on any text.
"""

# ruff: noqa: RUF001, E501, SIM905  typographic signs; a pattern and a list of words read best unbroken

from __future__ import annotations

AUXILIARY = frozenset(
    "have has had 've 's 'd 'm 're 'll am are is was were been be being will just finally eventually ultimately all then now both also "
    "recently formally officially already jointly collectively unanimously actually definitely together therefore thus hence instead "
    "initially originally first later subsequently still even apparently basically simply quickly firmly gonna going to end ended wind "
    "wound up quietly mutually happily reluctantly provisionally today yesterday tonight each most go ahead did do got get "
    "long last at after in the end".split()
)
"""What may stand between who decides and the verb."""

UNSURE = frozenset(
    "not never n't haven't hasn't hadn't didn't don't doesn't won't wouldn't couldn't can't cannot isn't aren't wasn't weren't yet "
    "almost nearly might may could would should must can shall maybe perhaps possibly probably if whether unless wish hope usually "
    "always often sometimes typically generally normally rarely seldom barely hardly tend tends used trying try want wants need needs "
    "able hoping considering thinking".split()
)
"""What between the two makes it no decision."""

UNREAL_BEFORE = (
    r"(?:\bif|\bwhether|\bsuppos(?:e|ing)(?: that)?|\bimagine(?: that)?|\bwhat if|\bhad|\bwish(?: that)?|\bin case|\bunless|\buntil|"
    r"\bwhenever|\bevery time|\beach time|\bmaybe|\bperhaps|\bcould|\bshould|\bwould|\bmight|\bwere|\bdid|\bhave|\bwhen will|\bonce|"
    r"\b(?:ever )?since|\bafter|\bnow that|\bpretend|\bhypothetically,?|\bassuming(?: that)?|\bas though|\bas if|\bdoubt(?: that)?|\bwonder (?:if|whether|why)|"
    r"\bnot sure (?:if|whether|why)|(?<!\bis )(?<![’']s )\bwhy|\bhow)$"
)
"""What right before who decides makes it no decision."""

PEOPLE = (
    r"i|we|he|she|they|you|everyone|everybody|let['’]s|let us|both of us|the two of us|"
    r"(?:the|our|my|his|her|their|your|its)(?: [a-z][\w'’-]{1,20}){1,3}"
)
"""Who may decide, beside names."""

DECIDED = (
    r"decided(?: instead)?(?:,? (?:after [^,.;]{1,40}|finally|together|as a team),?)? "
    r"(?:not to|to|upon|on|that|against|in favou?r of|for|we|i|it)|"
    r"agreed(?: instead)? (?:not to|to(?! (?:disagree|differ))|upon|on|that|we)|"
    r"resolved (?:not to|to|that)|elected (?:not to|to)|opted (?:not to|to|for|against|out of)|voted(?: \d{1,3}(?:-| to )\d{1,3}| unanimously| overwhelmingly| narrowly)? (?:not to|to|for|against|in favou?r of)|"
    r"concluded (?:that )?(?:we|i) (?:should|would|will|need to|must)|"
    r"settled (?:up)?on|settled for|landed on|plumped for|standardi[sz]ed on|zeroed in on|locked in|signed off on|signed up for|"
    r"committed to|"
    r"made up (?:my|our|his|her|their) minds? (?:to|on|about|that|and)|"
    r"(?:made|took|reached|came to) (?:the|a|our|my) (?:final |joint |firm |difficult |tough )?(?:decision|call|choice|conclusion|agreement) "
    r"(?:not to|to|that|on|for|of)|"
    r"pulled the trigger on|bit the bullet (?:and|on)|took the plunge (?:and|on)|said (?:yes|no) to|gave (?:the |a )?(?:green light|go-?ahead|nod|thumbs up) (?:to|for)|"
    r"put (?:my|our) money on|passed on|walked away from|bet on|doubled down on|"
    r"approved|green-?lit|ruled out|rejected|turned down|vetoed|ditched|scrapped|shelved|abandoned"
)
"""Verbs that say by themselves that something was settled, with what joins them to it."""

CHOSE = (
    r"chose(?:n)?(?: not)?(?: to| that)?|picked(?! up| him| her| me| us| them| my (?:kids?|son|daughter|wife|mom|dad))|"
    r"selected|adopted|booked|hired|bought|signed with|"
    r"went (?:with(?! (?:me|him|her|us|them|you|my|his|our|a friend|friends|mom|mum|dad|family|everyone|the (?:flow|family|kids|crowd))\b)|for(?! (?:a|an|the) (?:walk|run|swim|hike|ride|drive|drink|coffee|meal|jog|bite|stroll|check-?up)\b)|ahead with)|"
    r"going (?:with(?! (?:me|him|her|us|them|you|my|his|our|a friend|friends|mom|mum|dad|family|everyone|the (?:flow|family|kids|crowd))\b)|ahead with|for(?! (?:a|an|the) (?:walk|run|swim|hike|ride|drive|drink|coffee|meal|jog|bite|stroll|check-?up)\b))|"
    r"(?:moving|switching|migrating) (?:over |back )?to|(?:moved|switched|migrated) (?:over |back )?to|"
    r"sticking (?:with|to)|stuck with|stayed with|staying with|using|adopting|choosing|picking|dropping|keeping|kept|dropped|"
    r"standardi[sz]ing on|settling (?:on|for)|opting (?:for|out of)|committing to|landing on|plumping for|ruling out|scrapping|shelving|ditching|abandoning|"
    r"rejecting|turning down|axing|binning|parking|"
    r"passing on|taking|took|preferring|preferred|all (?:set|in) on|set on|"
    r"postponing|postponed|cancelling|cancell?ed|delayed|delaying|hiring|buying|booking"
)
"""Verbs that say a choice where it is plain that one was made."""

CHOOSE = (
    r"(?:go|run) (?:with(?! (?:me|him|her|us|them|you|my|mom|mum|dad|the flow)\b)|for(?! (?:a|an|the) (?:walk|run|swim|hike|ride|drive|drink|coffee|meal|jog|bite|stroll)\b)|ahead with)|"
    r"use|adopt|choose|pick|stick (?:with|to)|stay with|settle on|opt for|move (?:over |back )?to|switch (?:over |back )?to|migrate to|keep|drop|postpone|take|skip|hold off on"
)
"""The same verbs after "will" and "let's"."""

NOUN_DECISION = (
    r"(?:(?:the|our|my|his|her|their)(?: [a-z-]{2,14}){0,2} )?(?:decision|choice|verdict|resolution|final (?:call|answer|pick)|conclusion|call|consensus|pick|winner|vote|nod)"
    r"(?: (?:we|i|they|the team) (?:made|took|reached|came to))?(?: (?:on|for|about|regarding|concerning|in)(?: [\w'’-]{1,20}){1,5}?)?"
    r"(?::| (?:was made|has been made|is made|was taken|has been taken|was|is|fell|went|goes|ended up being)(?: finally| then| simply)?(?::| (?:not to|to|that|on|for|against)\b| (?=[A-Z0-9])))"
)
"""A noun for a decision with what joins it to the thing decided: "the decision was to", "verdict:"."""

LABEL = r"(?:decision|decided|resolved|agreed|resolution|verdict|final (?:call|decision|answer|pick)|conclusion|adr[- ]?\d{0,4})(?: \([^)]{1,40}\))? ?(?::|–|—|-) "

PASSIVE = r"(?:it(?: was|['’]s been| has been| had been)(?: [a-z]{2,14}ly| finally| then)? (?:decided|agreed|resolved|settled)(?: (?:not to|to|that|on|upon))?)"

WAS_CHOSEN = (
    r"(?:was|were|has been|have been|got)(?: [a-z]{2,14}ly)? (?:chosen|picked|selected|approved|adopted|settled on|agreed(?: upon| on)?|rejected|"
    r"ruled out|scrapped|shelved|dropped)|won(?: out)?(?: the day| the vote| the race| hands down)?|came out (?:on top|ahead)|(?:got|gets|has) the (?:nod|green light|go-?ahead|job|contract|vote|most votes)|"
    r"(?:made|makes) the cut|beat|beats|trumped|edged out|(?:is|was) (?:my|our|the) (?:final )?(?:choice|pick|winner|decision)"
)

REVERSED = (
    r"(?:changed (?:my|our|his|her|their) minds?|(?:reversed|overturned|revoked|walked back|went back on|backed out of|reconsidered)"
    r"(?: (?:the|our|my|that|this) (?:earlier |original |previous )?(?:decision|choice|plan|call))?|scratch that|no longer going (?:with|to)|"
    r"not going (?:with|ahead with)|(?:instead of|rather than) what we (?:had )?decided)"
)

BECAUSE = (
    r"(?:mainly |mostly |largely |primarily |partly |simply |just |precisely |chiefly |especially )?"
    r"(?:because of|because|due to|owing to|on account of|thanks to|seeing (?:as|that|how)|considering(?: that)?|given(?: that)?|"
    r"on the grounds (?:that|of)|on the strength of|out of concern for|in the name of|swayed by|persuaded by|convinced by|drawn by|tempted by|won over by|driven by|in light of|in view of|now that|inasmuch as|for fear (?:of|that)|out of)"
    r"|since(?! (?:\d|last|then|yesterday|the (?:start|beginning|\w+ of)|monday|tuesday|wednesday|thursday|friday|saturday|sunday|jan|feb|mar|apr|may\b|jun|jul|aug|sep|oct|nov|dec|early|late|childhood|birth|this morning)|ly)"
    r"|so that|so (?=(?:we|i|they|it|he|she|people|everyone|users|customers|the \w+|our \w+) (?:can|could|will|would|don['’]?t|won['’]?t|do(?:es)? not|have|has|get|gets|stay|keep|never|only)\b)"
    r"|(?:the|our|my|main|one) reason(?: being| was| is)?(?:,| that|:)?|(?:my|our|the) (?:reasoning|rationale|thinking|logic|idea|argument)(?: being| was| is)?(?: simple| clear| plain)?(?: that|:|,)?"
)
"""What a reason follows."""

BECAUSE_AS = r"(?<=, )as (?=(?:it|they|this|that|he|she|we|i|there|our|my|the)\b)|as (?=(?:it|they|this|that|he|she|we|i|there)(?:['’]s|['’]re|['’]d|['’]ve| (?:is|are|was|were|has|have|had|would|can|could|will|gives?|offers?|costs?|needs?|lets?|fits?|made|makes)))"
PURPOSE = (
    r"(?:in order to|so as to)|to (?=(?:avoid|reduce|save|improve|prevent|minimi[sz]e|cut|make sure|ensure|lower|protect|simplify|speed up|"
    r"get (?:rid|around|better|more)|give (?:us|me|them|our|people|the team)|keep (?:costs?|things|it|the|our|us)|stay|meet|comply|help|free up|"
    r"maximi[sz]e|support|allow|let|leave|escape|boost|limit|shorten|focus|be (?:closer|able|safe|near)|spend (?:less|more)|have more|gain|reach)\b)"
    r"|for (?=(?:its|their|the sake of|simplicity|speed|performance|cost|better|lower|easier|faster|cheaper|ease|safety|security|reliability|"
    r"more|less|peace of mind|stability|flexibility|privacy|budget|compliance|health|fun|convenience|[a-z-]+ (?:and [a-z-]+ )?reasons?)\b)"
)
"""What a purpose follows; the purpose keeps these words."""

INSTEAD = (
    r"instead of|rather than|at the expense of|leaving behind|leaving out|to the detriment of|as opposed to|in place of|in preference to|(?:and|but) not|not(?= (?:the|a|an|[A-Z]|to\b))|versus|vs\.?|ahead of|as a replacement for|"
    r"to replace|replacing"
)
OVER = (
    r"over(?! (?:the (?:weekend|summer|winter|holidays?|years?|next|last|past|phone|course|line|top|rest)|\d|time|there|here|budget|"
    r"christmas|lunch|dinner|email|slack|zoom|coffee|a (?:call|week|month|year)|it\b|them\b|to\b))"
)
FAVOUR = r"in favou?r of|and (?:go|went|going) (?:with|for)|and (?:us(?:e|ed|ing)|chose|choosing|pick(?:ed|ing)|tak(?:e|ing)(?! up)|took(?! up)|bought|buying)"
"""What the thing that was taken follows, after one that was not."""
DEPENDS = (
    r"if|once|provided(?: that)?|providing(?: that)?|as long as|so long as|depending on|assuming(?: that)?|unless|subject to|pending|"
    r"contingent (?:up)?on|conditional on|on (?:the )?condition that|only when|as soon as|dependent on|but only (?:if|once|after|when)"
)
STOP = (
    r"[;(]| [—–-] |, (?:with(?= [^,.;]{2,50} (?:second|runner-up|behind|third))|but|although|though|even though|which|who|while|whereas|and (?=(?:i|we|he|she|they|it|so|then|will|the|that|that['’]s)\b)|so(?! that)|then)"
    r"|, (?=(?:[\w'’-]+ ){1,3}(?:just |simply |really )?(?:didn['’]t|doesn['’]t|couldn['’]t|wasn['’]t|was|were|is|are|lost)\b)"
    r"| but (?!not)| although | though | even though | and (?=(?:i|we|he|she|they)(?:['’]|\s))"
)
"""Where what was decided ends."""

EXPLAINS = (
    r"(?:too|not|no|far|much|way|less|more|cheaper|faster|simpler|easier|better|half|they|that|he|she|there|nobody|everyone|nothing)\b"
    r"|it (?!is\b|will\b|was\b)\w|(?:the|our|its|my|an?) [^.,;:!?\n]{2,60} (?:is|are|was|were|has|have|had|would|will|can|could|costs?|takes?|needs?|gives?|offers?|does|did|makes?|keeps?|lets?)\b"
)
"""What behind a colon gives a reason, and is no name of what was chosen."""
SPLICE = (
    r", (?=(?:it|they|he|she|that|the [\w'’-]+(?: [\w'’-]+)?|our [\w'’-]+|its [\w'’-]+|everything|everyone|nothing|anything)"
    r"(?:['’](?:s|re|ll|d) | (?:just |simply |really |also |already |always |never |all )?(?:is|are|was|were|has|have|had|would|will|can|could|costs?|takes?|took|needs?|gives?|offers?|saves?|does|do|did|"
    r"runs?|works?|fits?|feels?|felt|looks?|looked|made|makes?|came|comes|won|supports?|handles?|pays?|keeps?|lets?|knows?|knew|scales?|ships?)\b))"
)
"""A comma before a clause that explains without saying so ("we took the flat, it has a garden")."""

THE_REASON = (
    r"(?:(?:the|our|my|one|another|a|her|his|their)(?: [a-z-]{2,14}){0,2} |(?:main|key|biggest|primary|deciding|real|short) )?(?:reasons?|rationale|motivation|motive|deciding factor|clincher|logic|thinking|"
    r"reasoning|justification|argument|driver|why)(?: (?:behind|for) (?:it|this|that|the (?:choice|decision|switch|move|change)))?"
    r"(?: (?:was|is|were|are|being|here was|here is|here))?(?: (?:simple|twofold|clear))?(?: (?:that|because))?(?::|,| –| —|\?)? "
    r"|(?:mainly |mostly |partly |simply |just |basically )?(?:because|since|due to|owing to)\b(?: of)?(?:,)? "
    r"|(?:this|that|it) (?:was|is|['’]s)(?: (?:mainly|mostly|largely|partly|primarily|all|simply|just))? (?:because(?: of)?|due to|down to|driven by|for the sake of) "
    r"|(?:it|this|that)(?: (?:all|mostly|mainly|really))? (?:came|comes|boiled|boils) down to "
    r"|(?:what|the thing that) (?:tipped|swung|convinced|sold|decided|clinched|settled|won)(?: (?:it|us|me|the balance|the scales|them|the matter))?(?: over)?(?: for us| for me)? (?:was|is)(?: that)? "
    r"|that way,? |this way,? |(?:so )?that (?:gives|lets|means|saves) (?:us |me )?"
)
"""How a sentence opens that gives the reason of the decision before it."""

SO_OPENS = r"(?:so|therefore|hence|thus|that['’]s why|that is why|which is why|for (?:that|this) reason|because of (?:that|this)|as a result|consequently|accordingly)\b,? "
"""How a sentence opens whose reason stands in the sentence before."""

TIPPED = (
    r"(?:what|the thing that)(?: finally| really)? (?:tipped|swung|convinced|sold|decided|clinched|settled|won|did|sealed|persuaded|made)(?: (?:it|us|me|the (?:balance|scales?|deal|difference|matter|decision|choice)|them))?(?: over)?(?: for (?:us|me))? "
    r"(?:was|is|were)(?: that)?|(?:the )?(?:deciding|decisive|main|biggest|key|winning) (?:factor|reason|argument|point)(?: for (?:it|us|me))? (?:was|is|being|were)(?: that)?|"
    r"(?:the )?(?:clincher|tie-?breaker|kicker|decider)(?: for (?:us|me))? (?:was|is|being)(?: that)?"
)
"""What a reason told last follows: "what tipped it was the price"."""
FACTOR = (
    r"(?:made (?:all )?the difference|tipped (?:the scales|it|the balance)|(?:was|were|is|being) the (?:deciding|decisive|main|biggest) (?:factor|point|argument|reason)|"
    r"(?:was|were|is) the (?:clincher|tie-?breaker|kicker|reason|decider)|clinched it|sealed (?:it|the deal)|won (?:us|me|them) over|settled (?:it|the matter)|"
    r"decided it|did it for (?:me|us)|sold (?:me|us)|convinced (?:me|us))"
)
"""What follows a reason told first: "the price made the difference"."""

DEPENDS_OPENS = r"(?:(?:it|this|that|everything|the (?:plan|decision|move|switch|whole thing|choice)|which)(?: all| still| now)? (?:depends?|hinges|rests|is contingent|is conditional|relies|is subject)(?: on| upon| to)? )"

OUTCOME = (
    r"(?:it|that|this|things?|everything)(?:['’]s)? (?:all )?(?:really |actually |finally |has |had |have |definitely |certainly |just |eventually |later )*(?:held up|come back to (?:bite|haunt)|came back to (?:bite|haunt)|"
    r"lived up|fell (?:apart|short|through|flat)|aged (?:well|badly)|bombed|tanked|been (?:great(?! (?:to|having|since|seeing|talking|watching|catching|getting))|smooth|stable|solid|worth (?:it|every)|a (?:success|mistake|disaster|win|hit|blessing|nightmare))|worked(?: out| well| fine| great| perfectly| like a charm)?|paid off|backfired|"
    r"turned out|didn['’]t (?:work|help|pay off|go well)|did not (?:work|help|pay off|go well)|failed|flopped|was (?:a|the right|the wrong) (?:mistake|success|disaster|win|good|great|bad|call|move|decision|choice)\w*|"
    r"saved (?:us|me|the team|them)|went (?:well|smoothly|badly|fine|great|wrong)|cost us|helped|solved)"
    r"|(?P<what>(?:the|our|my|that|this)(?: [\w-]{2,20}){0,3} (?:move|switch|migration|change|decision|choice|rollout|upgrade|rewrite|launch|pilot|experiment|plan|approach|setup|purchase|hire)"
    r"(?: (?:to|of|from|for|with|on|over to|in)(?: [\w.'’-]{1,20}){1,7}?)?|(?:moving|switching|migrating|changing|going|choosing|picking|dropping|adopting|using|hiring|buying)"
    r"(?: (?:to|with|for|over to))?(?: [\w.'’-]{1,20}){1,4}?) (?:has |have |had |really |actually |ended up |since |already |definitely |now )*"
    r"(?:cut|reduced?|halv(?:ed|ing)|doubl(?:ed|ing)|tripl(?:ed|ing)|sav(?:ed|ing)|paid off|paying off|worked|work(?:ing)? out|failed|improv(?:ed|ing)|led to|broke|caus(?:ed|ing)|went (?:well|smoothly|badly|wrong|live)|backfired|"
    r"turned out|was (?:a (?:big |huge |total |real |complete )?(?:success|mistake|disaster|failure|hit|win|flop)|the (?:right|wrong)|worth|well worth|not worth)|sped up|slowed|increased|decreased|dropped|brought|"
    r"cost us|solv(?:ed|ing)|fixed|fixing|didn['’]t (?:work|help|pay off|go|solve|fix|last)|did not (?:work|help|pay off|go|solve|fix|last)|proved|proving|exceeded|"
    r"made (?:things|it|everything|us|our)|held up|come back to (?:bite|haunt)|came back to (?:bite|haunt)|lived up|fell (?:apart|short|through|flat)|aged (?:well|badly)|bombed|tanked|"
    r"been (?:great|smooth|stable|solid|running|working|worth|a (?:success|mistake|disaster|win|hit|blessing|nightmare))|slashed|shaved|freed up|boosted|raised|lowered|shrank|shrunk|grew|grown|rose|risen|fell|fallen|climbed|"
    r"delivered|stuck|bit us|cost (?:more|less|twice|double|half|a)|took (?:longer|less|twice)|got (?:us|better|worse|faster|slower))\b"
    r"|^since then\b|^fast forward\b|^the proof\b|^postscript\b|\b(?:never|n['’]t|not|no) look(?:ed|ing)? back\b|^no regrets\b|\b(?:best|worst) (?:decision|choice|move|call|purchase|thing) (?:we|i|they) (?:ever )?(?:made|did)\b|"
    r"\b(?:blew up in (?:our|my|their) faces?|bore fruit|borne fruit|earned (?:its|their) keep|proved its worth|paid for itself|money well spent|(?:was|is|been) a (?:dud|flop|game[- ]?changer|lifesaver|godsend|headache|hit)|turned sour|went south|saved the day)\b|\b(?:was|is|proved|turned out|has been|ended up)(?: to be| being)? (?:the (?:right|wrong|best|worst|better)|an? (?:good|bad|great|terrible|poor|excellent|costly|smart|wise)) (?:call|choice|move|decision|thing to do|pick|bet)\b"
    r"|(?:since|after|once) (?:we|i) (?:switched|moved (?:over |back )?(?:to|onto|off)|migrated|changed|adopted|went (?:with|for|live|ahead)|started using|chose|picked)\b"
    r"|(?:since|after) (?:switching|moving|migrating|changing|adopting|going with|choosing|picking|dropping)\b"
    r"|(?:we|i|they|the team)(?:['’]ve)?(?: had to| have| then| ended up| later| eventually| since)* (?:rolled back|rolling back|roll back|reverted|revert|undid|undo|regret(?:ted|s)?|"
    r"(?:went|gone|go|going|switched|switching|moved) back (?:to|on)|(?:are|am|['’]re|['’]m) (?:very |really |so |pretty )?(?:(?:happy|pleased|thrilled|satisfied) (?:with|that)|(?:happy|glad|pleased|thrilled) (?:that )?(?:we|i) (?:went|chose|picked|switched|moved|made|did|bought|took|hired|stayed|kept|decided|changed|dropped)))\b"
    r"|^(?:update:? |so,? |well,? )?(?:\w+|a few|a couple of|several) (?:days?|weeks?|months?|years?) (?:in|on|later|after|into)\b|^(?:after|with) (?:\w+ ){0,2}(?:days?|weeks?|months?|years?|sprints?) (?:of (?:using|running|having|living with)|with|on|in place)\b"
    r"|here['’]s what (?:happened|came of)\b|^so far,? |looking back (?:at|on) (?:it|that|this|the (?:decision|choice|move|switch|change))\b"
    r"|(?:as a result|in hindsight|in retrospect|looking back|the result|the outcome|the upshot|update|end result)(?: of [^,:;]{2,60}?)?(?: is| was|,|:) "
)
"""How a sentence tells what came of something."""

OUTCOME_NAMED = (
    r"\b(?P<what>(?!(?:I|We|You|He|She|They|It|This|That|These|Those|There|Who|What|Nobody|Nothing|Everyone|Someone|My|Our|The|A|An|And|But|So|If|When|No|Yes)\b)[A-Z][\w.'’-]{1,30}(?: [A-Z][\w.'’-]{1,20})?) "
    r"(?:has |have |had |really |actually |ended up |since |already |definitely )*(?:cut (?:our|the|costs?|my|down|\w+ (?:by|in|from))|reduced|halv(?:ed|ing)|doubl(?:ed|ing)|tripl(?:ed|ing)|sav(?:ed|ing) (?:us|me|the|our|them)|paid off|paying off|worked (?:out|well|fine|great)|"
    r"failed|improv(?:ed|ing) (?:our|the|my)|led to|caus(?:ed|ing)|went (?:well|smoothly|badly|wrong|live)|backfired|turned out|was (?:a (?:big |huge |total |real |complete )?(?:success|mistake|disaster|failure|hit|win|flop)|the (?:right|wrong)|worth|"
    r"well worth|not worth)|sped up|slowed|increased|decreased|cost us|solv(?:ed|ing) (?:our|the|my|that)|fixed (?:our|the|my|that)|didn['’]t (?:work|help|pay off|solve|fix|last)|did not (?:work|help|pay off|solve|fix|last)|proved|exceeded|"
    r"held up|come back to (?:bite|haunt)|came back to (?:bite|haunt)|lived up|fell (?:apart|short|flat)|has been (?:great(?! to)|smooth|stable|solid|running))\b"
)
"""The same told of something by its name."""
OUTCOME_CUE = r"\b(?:cut|reduc|halv|doubl|tripl|sav(?:ed|ing)|paid|paying|work|fail|improv|led to|caus|went|backfired|turned out|was|sped|slowed|increas|decreas|cost|solv|fix|did|prov|exceed|held|c[ao]me back|lived|fell|been)"
"""In small letters: without one of these nothing by its name is told to have come out."""

REFERS = r"^(?:well,? |and |yes,? |so,? |btw,? |update: |quick update:? |good news:? |bad news:? |turns out,? )?(?:that|it|this|things?|everything|as a result|in hindsight|in retrospect|looking back|the result|the outcome|the upshot|end result|since then|so far)\b"
"""How an outcome opens that names nothing itself."""

DUTY = frozenset(
    "send deliver write prepare review finish complete submit share ship fix update draft book call email mail phone ping message text "
    "schedule arrange organise organize set pay order buy bring pick drop return refund process file publish post upload create build "
    "make contact reach follow get confirm check test deploy merge migrate present hand forward sign renew cancel replace repair "
    "install invite meet talk discuss cover handle own lead run clean cook drive visit transfer reimburse report circle revert open "
    "close investigate escalate ask notify inform document implement add remove translate print bake donate register apply interview "
    "onboard train record edit design sketch compile collect gather provide supply reply respond answer revise rewrite redo measure "
    "audit back turn give take let look host attend join come start issue double-check sort loop patch release wrap push pull chase "
    "propose summarise summarize reserve".split()
)
"""Verbs of things one promises to do."""

NOT_DUTY = (
    r"(?:see|think|admit|say|bet|assume|guess|take (?:that|it|this) as|be (?:honest|happy|glad|fine|okay|ok|right|sure)|never|probably|maybe|try|"
    r"do my best|let you (?:decide|go)|get (?:used|better|over)|look forward|start (?:by|with|thinking)|keep (?:on )?\w+ing|keep (?:at it|going|you|it up|up|(?:that|it|this) in mind)|take a (?:shot|chance|break|look)|pay off|check (?:it|them|that|this) out|let you know\b(?! (?:by|on|at|tomorrow|tonight|today|this|next|before|as soon))|stay (?:strong|positive|determined|focused|motivated|tuned|safe)|ask (?:you )?(?:a|again|one)|give you an? (?:example|idea|overview|hint)|"
    r"give it|come across|make (?:it|sure|a difference|(?:my|our|his|her|their) (?:dreams?|mark|day)|(?:this|that|things) work)|take (?:care|a look|the|it)|call (?:it|you|him|her)\b(?! (?:on|at|by|back|tomorrow|tonight|later))|run out|turn (?:\d|into|out)|get to|answer (?:that|your|this)|look like)\b"
)
"""What after "will" promises nothing, unless a time stands with it."""

PROMISE = (
    r"(?:promise|commit|swear|pledge|undertake)(?:d|s|ted|ting)? (?:you )?(?:to|that (?:i|we|he|she|they)['’ ]?(?:ll| will|d| would))|"
    r"(?:volunteered|offered|undertook|signed up|is due|are due|is supposed|is on the hook) (?:to|for)|took on|owe (?:you|him|her|them)"
)

OWNED = r"(?:action item|todo|to-do|ai|task|next step|follow-up|action)(?: for (?P<for>[A-Z][\w'’-]{1,20}))?(?: ?\((?P<in>[A-Z][\w'’-]{1,20})\))?(?: ?\[(?P<box>[A-Z][\w'’-]{1,20})\])? ?(?::|-|–) ?"

MEET = r"let['’]s (?:meet|talk|catch up|sync|have a call|do a call|reconvene|regroup|touch base|do lunch|have lunch|have dinner|grab)\b"

GATE = (
    r"said (?:yes|no)|decid|decision|answer:|agreed|cho[os]s?e|choice|picked|select|opted|resolv|elected|voted|settl|landed on|went (?:with|for|ahead)|go(?:ing)? (?:with|for|ahead)|"
    r"let['’]s|will\b|['’]ll\b|going to|gonna|promis|commit|pledge|undert|owe|volunteer|offered|standardi|adopt|approv|green-?li|ruled out|reject|turned down|"
    r"veto|ditch|scrap|shelv|abandon|verdict|conclu|adr|switch|mov(?:ed|ing)|migrat|stick|stuck with|stay|using|keeping|kept|drop|postpon|cancel|work|paid off|"
    r"backfir|turned out|failed|rolled back|revert|regret|hindsight|retrospect|looking back|as a result|outcome|update|upshot|mistake|success|"
    r"saved|saving|cut|halv|doubl|improv|reduc|cost us|happy with|glad|went|changed (?:my|our)|scratch that|action item|todo|to-do|task|next step|follow-up|"
    r"\bit is\b|minds?|zeroed|locked in|signed|plumped|call\b|hired|bought|booked|hiring|buying|booking|solv|fix|broke|caus|led to|flop|pick(?:ing)?\b|proved|exceeded|weeks?\b|months?\b|so far|happened|beat|trigger|bullet|plunge|green light|nod\b|winner|consensus|vote|passed on|passing on|walked away|bet on|prefer|all set|set on|won\b|out on top|the cut|took\b|taking|\bpick\b|trump|edged|money on|doubled down|pleased|satisf|thrilled|undid|helped|disaster|look|regret|best|worst|bore|borne|worth|itself|well spent|dud|game|godsend|sour|south|the day|held up|haunt|bite|lived up|fell|aged|bomb|tank|been|since then|delay|revers|reconsider|no longer|not going"
)
"""A sentence with none of these is not looked at."""

IRREGULAR = {
    "sent": "send", "wrote": "write", "written": "write", "paid": "pay", "bought": "buy", "brought": "bring", "made": "make", "met": "meet",
    "spoke": "talk", "told": "inform", "gave": "give", "given": "give", "took": "take", "taken": "take", "did": "do", "done": "do",
    "ran": "run", "built": "build", "drove": "drive", "led": "lead", "held": "hold", "got": "get", "rewrote": "rewrite", "came": "come",
    "rewritten": "rewrite", "put": "put", "set": "set", "let": "let", "drew": "draw", "found": "find", "rang": "call", "gotten": "get",
}  # fmt: skip
"""Past forms of what one promises, with the verb."""

MAYBE_OUTCOME = (
    r"\b(?:updates?|status|report|follow-?up|since|so far|these days|now|nowadays|today|hindsight|looking back|turn(?:s|ed) out|remember|result|months?|weeks?|years?|days?|quarters?|sprints?|happy|happier|unhappy|never been|went|gone|worked|works|working|"
    r"paid|pays|saved|saving|saves|cost|costs|cut|halved|doubled|tripled|fell|fallen|dropped|down|up|rose|risen|grew|grown|shrank|jumped|climbed|faster|slower|cheaper|better|worse|fewer|less|more|longer|without|smooth\w*|great|brilliant|terrible|awful|"
    r"disaster|nightmare|success\w*|mistake|regret\w*|loved?|loves|hated?|complain\w*|complaints?|problems?|trouble|issues?|incidents?|outages?|crash\w*|fail\w*|broke\w*|fix\w*|solved|shipped|finished|launched|live|delivered|arrived|budget|on time|late|won|lost|lasted|"
    r"holds?|held|holding|stable|reliable|fine|perfect\w*|well|badly|percent|still|already|no more|improved|improving|reduced|increased|rained|learned|learnt|back|agree|agrees|caused|led|gained|broken|survived|quiet\w*|proved|proven|smoother|easier|harder|\d[\d.,]*)\b|%"
)
"""A sentence without one of these does not tell, even perhaps, what came of something."""
