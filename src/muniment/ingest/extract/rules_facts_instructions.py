"""Instructions that are to last ("always answer in French", "call me Ana") and procedures ("to deploy, run …").

Rule of this file: a wish for the next answer alone is neither; untrusted text gives none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from muniment.ingest.extract.words_slots import LANGUAGES


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What is asked for good, or how something is done: `kind`, words, slot if any, and for procedures the goal and steps."""

    kind: str
    text: str
    attribute: str = ""
    value: str = ""
    goal: str = ""
    steps: tuple[str, ...] = ()


_POLITE: Final = re.compile(
    r"(?:(?:please|ok|okay|and|also|so|hey|from now on|going forward|in (?:the )?future|for (?:the )?future)[\s,:]+)+",
    re.IGNORECASE,
)
_LASTS: Final = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|every time|each time|"
    r"whenever|by default|don't ever|do not ever|any ?more|again)\b",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"(?:(?:can you|could you|would you|you should|you must|i want you to|i'd like you "
    r"to|i need you to|make sure(?: that)? (?:you|to)|remember to|be sure to|try to)\s+)?(?:please "
    r")?(?:always |never |don't (?:ever )?|do not (?:ever )?|stop )?"
    r"(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_ASKED: Final = frozenset(
    [
        "answer",
        "reply",
        "respond",
        "write",
        "use",
        "call",
        "address",
        "keep",
        "be",
        "give",
        "show",
        "send",
        "include",
        "add",
        "avoid",
        "stop",
        "speak",
        "talk",
        "format",
        "explain",
        "summarize",
        "summarise",
        "cite",
        "list",
        "ask",
        "check",
        "confirm",
        "start",
        "end",
        "begin",
        "put",
        "remind",
        "refer",
        "treat",
        "round",
        "quote",
        "prefer",
        "make",
        "run",
        "skip",
        "sign",
        "translate",
        "tell",
        "suggest",
        "recommend",
        "mention",
        "schedule",
        "book",
        "do",
        "assume",
        "follow",
        "wait",
        "save",
        "commit",
        "test",
        "answering",
        "replying",
        "using",
        "calling",
        "sending",
        "asking",
        "suggesting",
        "adding",
        "mentioning",
        "giving",
    ]
)
_CALL: Final = re.compile(
    r"(?:please )?(?:(?:just|always|you can|you may|feel free to) )*(?:call|address) me "
    r"(?:as |by )?(?P<v>(?!if|when|back|later|at|on|a |an |the|tomorrow|today|crazy|old)[^\s,.;!?]+(?: "
    r"[A-Z][\w'-]+)?)(?: from now on| please| instead)*\s*[.!]*$",
    re.IGNORECASE,
)
_LANGUAGE: Final = re.compile(
    rf"\b(?:answer|reply|respond|write|speak|talk)(?:ing)?(?: to me| me)?(?: only| always)? in (?P<v>{LANGUAGES})\b",
    re.IGNORECASE,
)
_STYLE: Final = re.compile(
    r"\b(?:keep|make) (?:your |the |all )?(?:answers?|repl(?:y|ies)|responses?|it|messages|"
    r"things) (?P<v>(?:very |more )?(?:short|brief|concise|simple|formal|informal|casual|"
    r"detailed|long|polite|friendly|to the point)(?:er)?)\b|"
    r"\b(?:be|answer) (?P<w>(?:more |very )?(?:brief|concise|formal|informal|direct|detailed|"
    r"polite|briefly|concisely|formally))\b",
    re.IGNORECASE,
)
_GOAL: Final = re.compile(
    r"(?:in order )?to (?P<goal>[a-z][^,.;!?]{2,80}?),? (?:(?:you|we|one|just|first|simply|"
    r"always)(?: (?:must|should|need to|have to|can|first))?,? )*(?P<steps>(?:run|open|"
    r"use|click|go|call|set|press|type|create|install|"
    r"send|ask|check|start|stop|restart|write|log|build|deploy|copy|delete|remove|add|"
    r"select|choose|enter|execute|pull|push|merge|reset|fill|submit|contact|email|export|"
    r"import|edit|make|turn|update)\b[^\n]{2,400})",
    re.IGNORECASE,
)
_HOW: Final = re.compile(
    r"(?:the |our )?(?:way|process|procedure|steps|recipe|workflow) (?:to|for|of|we use "
    r"to) (?P<goal>[^,.;!?:]{2,80}?)(?: is| are|:)\s*(?:to )?(?P<steps>[^\n]{4,400})",
    re.IGNORECASE,
)
_WHEN: Final = re.compile(
    r"(?:when(?:ever)?|if|every time|each time) (?P<goal>(?:the|a|an|there|it|something|"
    r"our|someone|deploy|build|tests?|we)\b[^,]{3,80}), (?:then |always |first |you should "
    r"|we |you )*"
    r"(?P<steps>(?:run|open|use|click|go|call|set|press|check|restart|retry|roll|rollback|"
    r"ask|send|tell|escalate|notify|page|restart|stop|start|clear|reset|delete|wait|verify|"
    r"make|update|log)\b[^\n]{2,400})",
    re.IGNORECASE,
)
_STEPS: Final = re.compile(r"(?:,?\s+(?:and )?then\s+|;\s*|,\s+(?:and\s+)?|\s+and\s+finally\s+)", re.IGNORECASE)
_FAST: Final = re.compile(
    r"always|never|from now|future|going forward|every time|each time|whenever|default|"
    r"ever\b|call me|address me|(?:answer|reply|respond|write|speak|talk)|keep|make|\bbe "
    r"(?:more|very|brief|concise|direct|formal|polite)|any ?more|again"
)
_LONGEST = 500


def lasting(text: str) -> Rule | None:
    """The instruction in a sentence, if it is one for good."""
    if len(text) > _LONGEST or not _FAST.search(text.lower()):
        return None
    start = found.end() if (found := _POLITE.match(text)) else 0
    said = text[start:].strip().rstrip(".!")
    if call := _CALL.match(said):
        return Rule(kind="instruction", text=said, attribute="call_me", value=call["v"])
    verb = _VERB.match(said)
    if verb is None or verb["verb"].lower() not in _ASKED:
        return None
    if language := _LANGUAGE.search(said):
        return Rule(kind="instruction", text=said, attribute="reply_language", value=language["v"])
    if style := _STYLE.search(said):
        return Rule(kind="instruction", text=said, attribute="reply_style", value=style["v"] or style["w"])
    return Rule(kind="instruction", text=said) if _LASTS.search(text) and said.count(" ") > 1 else None


def procedure(text: str) -> Rule | None:
    """How something is done, if a sentence tells that."""
    if len(text) > _LONGEST:
        return None
    first = text[:12].lower()
    if not first.startswith(("to ", "in order", "when", "if ", "every", "each", "the ", "our ", "way", "process", "steps")):
        return None
    found = _GOAL.match(text) or _HOW.match(text) or _WHEN.match(text)
    if found is None:
        return None
    steps = tuple(step.strip(" .!") for step in _STEPS.split(found["steps"]) if step.strip(" .!"))
    return Rule(kind="procedure", text=text.strip(), goal=found["goal"].strip(), steps=steps)
