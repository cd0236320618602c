"""What may become a rule an agent learns from a run: one short order, proved by trusted words, and nobody else's words repeated.

Rule of this file: pure. A doubt is a refusal, with a reason code.
"""

# ruff: noqa: RUF001, E501, SIM905  typographic signs; a pattern and a list of words read best unbroken

from __future__ import annotations

import re
from collections.abc import Sequence
from unicodedata import category, normalize

from muniment.text.sentences import sentences
from muniment.types import Record, Role, Trust

LONGEST = 300
"""Characters of the longest rule."""
SHARED_WORDS = 5
"""Words in a row that a rule may not share with an untrusted record."""
_SHARED_LETTERS = 10
_MOST_SHARE = 0.8
_LEAST_WORDS = 3
_CONTENT = 4

_ORDERS = frozenset(
    "accept acknowledge add adjust allow always announce answer apply apologise apologize ask assign assume attach avoid back batch be begin block "
    "book break bring build buy cache calculate call cancel catch change charge check choose cite clarify clean clear close collect combine commit "
    "compare complete compute confirm connect consider consult contact continue convert copy correct count create cross-check cut decide decline "
    "delay delete deliver deny describe do document don't double-check download draft drop edit enable end ensure escalate estimate exclude execute "
    "explain export fail fall fetch fill filter find finish fix flag follow format gather generate get give go group handle hold identify ignore "
    "include increase inform insert inspect install invoke keep leave let limit link list load locate lock log look lower make map mark mask match "
    "measure mention merge migrate mind monitor move name never note notify obtain offer omit only open order pass pause pay perform pick pin place "
    "plan poll prefer prepare present preserve prevent print process propose protect provide pull push put query quote raise re-read read rebuild "
    "recompute reconcile record recover redact reduce refer refresh refund refuse register reject release reload remember remove rename reopen repeat "
    "say claim pretend charge widen narrow extend expand shorten lengthen simplify speak assess audit bundle cap catch confirm decrypt encrypt enforce favour favor forward honor honour mirror mute negotiate patch probe quarantine rank recalculate reconfirm redo reschedule resend resubmit reword secure shift slow spell stagger standardize tag tidy toggle trace upgrade warm weigh withhold yield "
    "rephrase replace reply report request require rerun reserve reset resolve respect respond restart restore restrict retain retry return reuse "
    "reverse review revert rewrite roll rotate round route run sanitise sanitize save scan schedule search secure see select send separate serve set "
    "show skip sort specify split start state stay stick stop store submit summarise summarize suggest switch take tell test throttle transfer "
    "translate treat trim truncate try turn unlock update upload use validate verify wait warn watch work wrap write".split()
)
_FRONT = re.compile(
    r"^(?:when(?:ever)?|if|before|after|once|unless|until|while|for|in|on|with|without|during|as soon as|given|where|at)\b[^,:.;!?]{2,200}[,:]\s*(?:then |please )?",
    re.IGNORECASE,
)
_ADVERB = re.compile(
    r"^(?:please|always|never|first|only|instead|explicitly|immediately|carefully|do not|don['’]t|must|[a-z]+ly)[,:]?\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[\w'’-]+")
_HAN = re.compile("[\u3041-\u30ff\u4e00-\u9fff]")
_HAN_ORDERS = re.compile("^(?:请|先|务必|必须|不要|别|总是|始终|在.{1,60}(?:前|后|时)，?(?:请|先|务必|必须|不要)?)")


def refusal(text: str, records: Sequence[Record], *, shown: Sequence[Record] | None = None) -> tuple[str, str]:  # noqa: PLR0911  one doubt a line
    """Why `text` may not become a rule, as a code and a sentence; two empty texts when it may.

    `records` are what is to prove it; `shown` all that whoever wrote it has read, trusted or not.
    """
    bare = text.strip()
    if not bare:
        return "empty", "there is no rule."
    if len(bare) > LONGEST:
        return "too_long", f"it has {len(bare)} characters; a rule has {LONGEST} at most."
    if any(category(c) in ("Cc", "Cf", "Cs", "Co") for c in bare):
        return "not_plain", "it holds a line break, control or invisible character."
    if len(sentences(bare)) != 1:
        return "not_one_sentence", "it is more than one sentence."
    if not _orders(bare):
        return "not_imperative", "it does not say what to do; begin with a verb, as in “Check the date before booking”."
    if not records:
        return "no_evidence", "no record of the run proves it."
    if any(untrusted(record) for record in records):
        return "untrusted_evidence", "a record that is to prove it is untrusted."
    if any(repeats(bare, record.text) for record in (shown if shown is not None else records) if untrusted(record)):
        return "untrusted_text", "it repeats words of an untrusted record."
    return "", ""


def untrusted(record: Record) -> bool:
    """True for words of tools, documents and whoever is not trusted."""
    return record.trust is Trust.UNTRUSTED or record.role in (Role.TOOL, Role.DOCUMENT)


def _orders(text: str) -> bool:
    if text.endswith(("?", "？")):
        return False
    if _HAN.search(text):
        return bool(_HAN_ORDERS.match(text))
    rest = _FRONT.sub("", text, count=1)
    while (shorter := _ADVERB.sub("", rest, count=1)) != rest:
        rest = shorter
    first = _WORD.search(rest)
    return bool(first and first.start() <= 1 and first[0].casefold().replace("’", "'") in _ORDERS)


def repeats(text: str, other: str) -> bool:
    """True when `text` shares a long run of words with `other`, or nearly all its telling words."""
    own, theirs = _plain(text), _plain(other)
    if _HAN.search(own) or _HAN.search(theirs):
        tight, whole = re.sub(r"\W", "", own), re.sub(r"\W", "", theirs)
        if any(
            tight[at : at + _SHARED_LETTERS] in whole
            for at in range(max(0, len(tight) - _SHARED_LETTERS + 1))
            if _HAN.search(tight[at : at + _SHARED_LETTERS])
        ):
            return True
    mine, words = _WORD.findall(own), _WORD.findall(theirs)
    runs = {tuple(words[at : at + SHARED_WORDS]) for at in range(len(words) - SHARED_WORDS + 1)}
    if any(tuple(mine[at : at + SHARED_WORDS]) in runs for at in range(len(mine) - SHARED_WORDS + 1)):
        return True
    telling = {word for word in mine if len(word) >= _CONTENT}
    return len(telling) >= _LEAST_WORDS and len(telling & set(words)) >= _MOST_SHARE * len(telling)


def _plain(text: str) -> str:
    """Caseless, in one form, without characters that show nothing."""
    return "".join(c for c in normalize("NFKC", text).casefold() if category(c) != "Cf").replace("’", "'")
