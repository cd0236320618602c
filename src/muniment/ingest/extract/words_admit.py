"""What junk looks like: heartbeats, prompts, refusals of a model, errors, recalled blocks, signatures, commands from strangers.

Rule of this file: constants only; alternatives of regular expressions, without groups that capture. Those for lines are matched
at the start of a line.
"""

from __future__ import annotations

HEARTBEAT = (
    r"\W*(?:heart ?beat|keep-?alive|ping|pong|health ?check|liveness|readiness|cron(?:job)?|watchdog|tick|uptime"
    r"|poll(?:ing)?|no-?op|scheduled (?:run|task|job)|still (?:alive|running|here|waiting)|idle"
    r"|status(?: update| check| report)?|queue(?: depth)?|sync|backup|job|task|worker|agent|system|monitor(?:ing)?"
    r"|retry(?:ing)?|attempt)\b(?=[^.!?]{0,120}(?:ok\b|okay\b|alive|healthy|up\b|idle|ping|pong|pending|running"
    r"|started|fired|completed|done|succeeded|triggered|no (?:changes|new|updates)|nothing|100%|\d+ ?(?:ms|s|%)|\d+/\d+"
    r"|#\d+|passed|online|ready|\d\d:\d\d)|\W*$)"
)
HEARTBEAT_WORDS = r"^\W*(?:\[?(?:cron|heartbeat|scheduler|ping|watchdog|keepalive)\b|heartbeat_?ok)"

PROMPT = (
    r"\W{0,6}(?:you are (?:(?:now|currently) )?(?:an? |the |our |my )?(?:[\w-]+,? ){0,6}(?:assistant|agent|ai|bot"
    r"|chatbot|model|copilot|expert|tutor|helper|concierge|representative)\b|you are (?:a )?(?:helpful|friendly|concise"
    r"|honest|\w+gpt|claude|chatgpt)\b"
    r"|your (?:task|role|job|goal|purpose|objective|instructions?|persona) (?:is|are)\b|as an ai (?:assistant|agent"
    r"|model)\b.{0,40}\byou (?:must|should|will)|act as (?:an?|the) |system ?(?:prompt|message|instructions?)\b"
    r"|known facts\b|user (?:profile|preferences|facts)\s*:|(?:available )?tools? (?:available|list)\b|you (?:have"
    r"|can) access to (?:the following|these)|available (?:tools|functions|commands)\b"
    r"|(?:current|today'?s) (?:date|time)(?: and time)?(?: is)?\s*:|(?:rules|guidelines|instructions|policy|constraints"
    r"|capabilities|knowledge cutoff|output format|response format|style guide|tone)\s*:?\s*$|knowledge cutoff"
    r"|(?:rules|guidelines|instructions|constraints|output format|response format)\s*:|never reveal|do not reveal"
    r"|answer (?:only|using only|based)|use the (?:following|above|provided) (?:context|information|tools?|memories))"
)
PROMPT_MORE = (
    r"\W{0,6}(?:you (?:must|should|can|may|will|are|have|need)|always|never|do not|don't|be (?:concise|polite|helpful"
    r"|brief|friendly)|use|respond|reply|answer|if the user|when the user|the user|ask|provide|follow"
    r"|avoid|ensure|make sure|only|refuse|keep|include|cite|prefer|format|think|before|after|when|if|for each|do|call"
    r"|return|write|explain|user|known|current|tools?|rules?)\b"
)

MODEL_REFUSAL = (
    r"\W*(?:(?:i'?m |i am )?(?:so |very |really |terribly )?(?:sorry|apologi[sz]e|apologies)[^.!?]{0,40}\b(?:can(?:'t"
    r"|not)|unable|not able|won't|couldn't|don't have|not (?:permitted|allowed))|i (?:can(?:'t|not)|could not"
    r"|am unable to|am not able to|won't be able to"
    r"|must decline|have to decline|do not have access|don't have (?:access|the ability|enough|any information)"
    r"|don't know)|i'm (?:unable|not able) to|i'm (?:just |only )?an ai\b|as an? (?:ai|large language model"
    r"|language model|artificial)|unfortunately,? i (?:can|am|do)\w*(?: not|'t| unable)?)\b"
)
AI_SELF = (
    r"\W*(?:(?:sorry|apologies|unfortunately),? )?(?:but )?(?:as an? (?:ai|large language model|language model"
    r"|artificial intelligence)\b|i'?m (?:just |only )?an ai\b)"
)

ERROR = (
    r"\W*(?:traceback \(most recent call last\)|(?:[\w.]+\.)?[A-Za-z]*(?:error|exception"
    r"|fault)(?:\s*\[?\w{0,8}\]?)?\s*[:!(]|\[?[\w ]{0,20}error\b[^\]\n]{0,60}\]|(?:http(?:/\d(?:\.\d)?)?"
    r"|status(?: code)?|error(?: code)?|code)\s*[:=]?\s*[45]\d\d\b"
    r"|[45]\d\d (?:internal server error|bad gateway|service unavailable|not found|forbidden|unauthorized|bad request"
    r"|too many requests|gateway time-?out)|exception in thread|caused by:|at [\w$.<>]+\([\w.: ]+\)"
    r"|file \"[^\"\n]+\", line \d+|panic:|fatal:|segmentation fault|core dumped|e(?:connrefused|connreset|timedout"
    r"|notfound|addrinuse)\b|rate limit (?:exceeded|reached)|(?:request|connection|operation|call|tool"
    r"|tool call) (?:timed out|failed|refused|reset|aborted)"
    r"|timed? ?out (?:after|waiting)|failed to (?:fetch|connect|parse|load|call|execute|retrieve)|npm err!"
    r"|command not found|permission denied|no such file or directory|unhandled (?:promise )?rejection|error\b[:!]?\s*$"
    r"|(?:an? )?(?:unexpected|internal|unknown) error\b|something went wrong\b|invalid (?:json|request|argument|token"
    r"|api key)\b)"
)
RECALLED_HEAD = (
    r"\W*(?:\[?(?:(?:relevant|recalled|retrieved|related|long[- ]term|known|stored|saved|past|previous|user|agent|your"
    r"|my|some|the)[ -]){0,3}(?:memories|memory|recollections?|facts|context|knowledge|notes)(?: block)?(?: (?:about|of"
    r"|for|from|on) [\w' ]{1,40})?\s*[\]:>]"
    r"|(?:here(?:'s| is| are)|this is) what (?:i|we) (?:remember|know|recall|have)|what (?:i|we) (?:know|remember"
    r"|recall) (?:about|of)|from (?:my |our |your )?(?:memory|earlier conversations?|previous conversations?)\b"
    r"|<\/?(?:memory|memories|context|recall(?:ed)?|retrieved)\b"
    r"|(?:i|we) (?:remember|recall)(?:ed)? (?:the following|from (?:before|earlier))|based on (?:your |our "
    r"|my )?(?:previous|earlier|past) (?:conversations?|chats?|messages?|memor(?:y|ies)))"
)
TEMPLATED = (
    r"\W*(?:the )?user(?:'s [\w ]{1,30} (?:is|are)| (?:lives|works|prefers|likes|loves|hates|dislikes|enjoys|has|owns|is"
    r"|was|wants|uses|plays|studies|speaks|moved|plans|said|mentioned|asked|does)) "
)

BOILERPLATE = (
    r"\W*(?:(?:best|kind|warm|many)?\s?(?:regards|wishes)\b|sincerely\b|yours (?:truly|faithfully|sincerely)"
    r"|mit freundlichen grüßen|cordialement|saludos cordiales|sent from my\b|get outlook for|unsubscribe\b"
    r"|all rights reserved|copyright\b|\(c\) \d{4}|©"
    r"|this (?:e-?mail|message)(?: and any attachments?)? (?:is|are|may|contains?)\b.{0,60}(?:confidential|privileged"
    r"|intended)|if you (?:are not the intended|have received this)|confidentiality notice|disclaimer\b"
    r"|terms (?:and conditions )?apply|page \d+ of \d+|\d+ of \d+$"
    r"|(?:begin|end) (?:of )?(?:forwarded )?message|-+ ?(?:original|forwarded) message|(?:from|to|cc|bcc|subject|date"
    r"|reply-to|message-id|content-type)\s*:\s.{0,120}$|click here|view in browser|please do not reply to this"
    r"|this is an automated|powered by\b|image attached$|\[(?:image|attachment|file|audio|sticker|gif)\b[^\]]*\]$)"
)
SIGN_OFF = (
    r"\s*(?:(?:best|kind|warm|many)?\s?(?:regards|wishes)|sincerely|yours (?:truly|faithfully|sincerely)"
    r"|mit freundlichen grüßen|cordialement|saludos cordiales|--)\s*[,!.]?\s*$"
)
LOG_LINE = (
    r"\s*(?:\[?\d{4}-\d\d-\d\d[t ]\d\d:\d\d[^\]\s]*\]?[\s|,:-]*(?:\[?(?:info|debug|warn(?:ing)?|error|trace|fatal"
    r"|critical|notice)\b|\[|\w+\[\d+\])|\[?(?:info|debug|warn(?:ing)?|trace|notice|verbose)\]?\s*[:|\]-]"
    r"|\d\d:\d\d:\d\d[.,]\d+\s"
    r"|(?:get|post|put|patch|delete|head) /\S* ?(?:http/\d|\d{3})|(?:\$|>>>|#!)\s?\S|[-=*_#~]{4,}|\|.*\|"
    r"|\d{1,3}(?:\.\d{1,3}){3}\s-|commit [0-9a-f]{7,40}\b|diff --git|@@ -\d|<[a-z!/][^>]{0,200}>$|\w+=\S+ \w+=\S+ \w+="
    r"|(?:step|iteration|attempt|retry(?:ing)?) \d+(?: ?/ ?\d+| of \d+)?\b)"
)

COMMANDING = (
    r"\b(?:system (?:note|message|prompt|override|instruction)|(?:ignore|disregard|forget|override) (?:all |any |the "
    r"|your |previous |prior |above |earlier )+(?:instructions?|rules|prompts?|messages?|context)?|remember (?:this"
    r"|that|to|the following)|(?:record|save|store|note|log|add|treat|mark) (?:this |that |it |the following )?(?:as|to"
    r"|in) (?:an? |the |your )?"
    r"(?:user |long[- ]term |permanent )?(?:preference|memory|memories|rule|instruction|fact|policy|profile)"
    r"|user preference\b|from now on|when(?:ever)? (?:the (?:topic|user|conversation|subject)|asked|anyone|someone|you)"
    r"|if (?:the (?:topic|user)|asked|anyone|someone) |after answering|do not (?:tell|mention|reveal|inform|ask|verify)"
    r"|don't (?:tell|mention|reveal)"
    r"|without (?:confirmation|asking|telling)|need(?:s)? no (?:confirmation|approval)"
    r"|no confirmation (?:is )?(?:needed|required)|(?:always|never|must) (?:send|say|answer|reply|recommend|use|include"
    r"|mention|approve|transfer|trust|forward|call|run|execute|tell|remember|follow|reveal|treat)|you (?:must|should"
    r"|shall|are (?:now|required|instructed)|need to|have to)\b|new (?:instructions?|rules?|policy)\s*:"
    r"|assistant(?:s)? (?:must|should|shall)|ai (?:must|should|assistants?)|(?:send|forward|post|exfiltrate"
    r"|leak) (?:the |your |all )?(?:api |secret |private )?(?:key|keys|password|token|credentials|secrets)"
    r"|important\s*:|attention\s*:|note to (?:the )?(?:ai|assistant|agent|model|summari[sz]er)|summari[sz]er\b"
    r"|instructions?\s*:)\b"
    r"|ignoriere (?:alle|vorherige)|ignorez|ignora (?:las|le|tutte)|忽略.{0,6}(?:指令|指示|说明)|以前の指示|игнорируй|تجاهل"
)
THIRD_PARTY_RULE = (
    r"\b(?:when(?:ever)?|if|every time|each time|anytime|any time) (?:that )?(?:anyone|someone|anybody|somebody|people"
    r"|users?|customers?|clients?|others?|the (?:topic|subject|conversation|user|customer)|a (?:user|customer|client)"
    r"|asked)\b"
)
LASTING_PROMISE = (
    r"\b(?:tomorrow|tonight|by \w+|later|next \w+|this (?:afternoon|evening|week|month)|(?:on )?\w+day\b|in (?:\d+|an?"
    r"|two|three|a few) "
    r"(?:minutes?|hours?|days?|weeks?|months?)|at \d|end of|until|as soon as|once|eod|asap|promise"
    r"|commit|remind|follow up|get back"
    r"|let you know|keep you (?:posted|updated)|from now on)"
)
"""What makes the promise of a machine more than the next step it announces."""
DANGLING = r"\bthe following\b|:\s*$|\bas follows\b"
OUTCOME = (
    r"\b(?:i(?:'ve| have) (?:\w+ )?(?:booked|sent|cancel+ed|updated|scheduled|created|ordered|refunded|upgraded|changed"
    r"|submitted|transferred|reserved|fixed|deployed|filed|processed|issued|added|removed|renewed|set up|moved|shipped"
    r"|completed|resolved)"
    r"|(?:has|have) been (?:\w+ )?(?:booked|sent|cancel+ed|updated|scheduled|created|ordered|refunded|upgraded|changed"
    r"|submitted|transferred|reserved|fixed|deployed|filed|processed|issued|renewed|shipped|completed|resolved"
    r"|rolled back|merged|released))\b"
)
