"""Words before what a writer pastes, forwards, acts out or does not mean.

Rule of this file: constants only; alternatives of regular expressions, without groups that capture, over small letters.
"""

# ruff: noqa: SIM905  lists of words read best as text

from __future__ import annotations

TEXTS = (
    r"(?:documents?|e-?mails?|messages?|texts?|articles?|letters?|pages?|transcripts?|conversations?|chats?|threads?|posts?"
    r"|tweets?|memos?|passages?|paragraphs?|sentences?|poems?|lyrics|scripts?|tickets?|reviews?|excerpts?|snippets?|quotes?"
    r"|invoices?|contracts?|press release|announcement|comments?)"
)
"""What is pasted."""
WORKING = r"(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|draft|compose|shorten|tl;?dr)"
"""What is asked to be done with words that follow, whatever they are."""
WORKING_ON = (
    rf"(?:correct|edit|fix|improve|check|review|read|write|analy[sz]e|classify|explain|polish)\b[^:.!?\n]{{0,60}}\b{TEXTS}"
)
OWN = r"\b(?:remember|note|notes|know|save|store|keep in mind|memori[sz]e|about me|facts?|my (?:details|profile|bio|info\w*))\b"
"""What in such a line tells that the writer's own words follow."""
FORWARDED = r"\W*(?:(?:begin |start of )?forwarded (?:message|e-?mail|conversation)|original message|fwd?:|(?:fw|fwd|re): \S)"
HEADER = r"(?:from|to|cc|bcc|subject|sent|date|reply-to): *\S"

NO_LABELS = frozenset(
    """note notes update updates correction edit fyi ps reminder question answer context background fact facts info summary todo
    task tasks goal goals plan plans step result results name age job work diet location home city address email mail phone
    birthday status hobby hobbies interest interests language languages preference preferences likes dislikes family pets pet
    allergies allergy skills education school about bio intro introduction profile warning important tip caveat example
    problem issue bug idea decision decisions action actions today yesterday tomorrow monday tuesday wednesday thursday friday
    saturday sunday morning evening btw tldr also first second third finally lastly next then now reason because however
    remember disclaimer spoiler clarification addendum anyway plus company role title employer occupation timezone budget
    deadline preference food music sports health weather travel subscription favorite favourite truth honestly seriously
    subject from to cc bcc date sent re fwd regards dear
    confession news announcement yes no ok okay well so sorry actually oops wait thanks hello hi hey bonus request""".split()
)
"""Words before a colon that name no speaker."""
ME = frozenset({"me", "i", "myself", "user", "human"})

JOKE = r"(?:(?:i(?:'m| am| was) )?(?:just |only |totally )*(?:kidding|joking|messing with you)|j/?k|april fool'?s?|psych)\b"
UNSAID = (
    r"(?:not really|(?:lol|haha+|hah|nah),? (?:no|not really|nope)|i wish|said (?:nobody|no one|no-one|none)(?: ever)?|as if"
    r"|not true|in my dreams)"
)
"""Behind a statement, on its own, it takes it back."""
ACTING = (
    r"(?:(?:please |let's |now )*(?:(?:pretend|imagine|make believe) (?:that |to be )?(?:i|i'm|we|we're|you|you're|my|a|an)\b"
    r"|role-?play|act (?:as|like|out)\b)|let(?:'s| us) (?:say|assume|pretend|imagine|suppose)\b"
    r"|(?:in|for) (?:(?:this|our|my|the|a) (?:\w+ )?role[- ]?play|(?:this|our) (?:\w+ )?(?:game|scenario|simulation|script|scene"
    r"|sketch|story|novel))\b(?:,| (?=i'm|i am|my name)))"
)
DREAMT = (
    r"\bin (?:my|a|the|this) (?:\w+ )?dreams?(?=[,.!?)]|$| (?:last|tonight|where|i\b|that|this))"
    r"|^i (?:dreamed|dreamt|had a dream)\b|\bi (?:feel|felt|look|looked) like (?:i'm|i am|i was) (?:\w+ )?(?:\d|an? )"
)
_WHO = (
    r"(?:you|he|she|they|people|everyone|everybody|someone|somebody|(?:my|our|his|her|the|some|most) (?:\w+ ){0,2}?\w+"
    r"|(?!i\b|we\b|yes\b|well\b|so\b|and\b|but\b)\w+(?: \w+)?)"
)
BELIEVED = (
    rf"^(?:and |but |so |well,? )?(?:{_WHO} (?:\w+ly |still |always |just |also |all )?"
    r"(?:thinks?|thought|believes?|believed|assumes?|assumed|guess(?:es|ed)?|suspects?|suspected|imagines?|imagined|pretends?"
    r"|(?:asks?|asked|wonders?|wondered)(?: me| us| him| her)? (?:if|whether))"
    r"|you (?:keep )?(?:say|said|saying|told me|claim|claimed|assume|wrote)),? (?:that )?(?:i|i'm|i've|i'd|we|we're"
    r"|my (?:name|job|plan|birthday|age|address|e-?mail|number|home|employer))\b"
)
"""What others believe, ask or say of one is not said by oneself."""
DENIED = (
    r"\b(?:says?|said|shows?|claims?|lists?) (?:that )?(?:i|i'm|my|we)\b.{2,160}?\bbut (?:i (?:left|quit|moved|don't|do not"
    r"|am not|didn't|haven't|never|no longer)|i'm not|(?:that|it)(?:'s| is) (?:wrong|false|not|old|outdated))"
)
FORESEEN = (
    r"^(?:(?:when|once|as soon as) (?:i|we)\b(?!'d)[^.!?]{3,120}?\b(?:i|we)(?:'ll| will)\b"
    r"|(?:even |and |but )?if (?:i|we|my|our)\b[^.!?]{2,120}?\b(?:i|we|it|that|he|she|they)(?:'d| would| could| might)\b)"
)
