"""What memories are looked up by: the key of a subject, of a slot, and the digest of a statement.

Rule of this file: pure functions of words. Stores index by them and whoever asks a store makes its questions with them, so that
both mean the same.
"""

from __future__ import annotations

from base64 import b32encode
from hashlib import blake2b
from unicodedata import category, normalize

from muniment.knowledge.values import Candidate, Evidence, Memory, MemoryId
from muniment.types import Scope

_TELLING = frozenset("+#-@$%&")  # signs that make another word of one: C and C++
_BETWEEN = "\x1f"  # no attribute holds it, so that no two slots share a key


def plain(text: str) -> str:
    """The text without what makes no difference: compatibility forms, case and the width of spaces."""
    if text.isascii():
        return " ".join(text.lower().split())
    return " ".join(normalize("NFKC", normalize("NFKC", text).casefold()).split())


def subject_key(subject: str) -> str:
    """What a subject is looked up by."""
    return plain(subject)


def slot_key(subject: str, attribute: str) -> str:
    """What a slot is looked up by; empty where there is no attribute."""
    return f"{plain(subject)}{_BETWEEN}{attribute}" if attribute else ""


def statement_digest(*, kind: str, subject: str, attribute: str, negated: bool, text: str) -> str:
    """The same for the same statement, whatever its case, spaces and the punctuation around its words."""
    words = " ".join(filter(None, map(_bare, plain(text).split())))
    told = _BETWEEN.join((kind, plain(subject), attribute, "not" if negated else "", words))
    return blake2b(told.encode(errors="surrogatepass"), digest_size=12).hexdigest()


def digest_of(statement: Memory | Candidate) -> str:
    """The digest of what this one states."""
    return statement_digest(
        kind=statement.kind,
        subject=statement.subject,
        attribute=statement.attribute,
        negated=statement.negated,
        text=statement.text,
    )


def memory_id(scope: Scope, kind: str, digest: str, evidence: Evidence) -> MemoryId:
    """The id of the memory that `evidence` first gave: the same words of the same record are the same memory in every store."""
    rungs = (scope.client or "", scope.customer or "", scope.user or "")
    told = _BETWEEN.join((*rungs, kind, digest, evidence.record, str(evidence.start), str(evidence.end)))
    return MemoryId(short_id(told))


def short_id(told: str) -> str:
    """The same 16 letters and digits for the same words."""
    return b32encode(blake2b(told.encode(errors="surrogatepass"), digest_size=10).digest()).decode().lower()


def _bare(word: str) -> str:
    """The word without the punctuation around it."""
    start, end = 0, len(word)
    while start < end and not _tells(word[start]):
        start += 1
    while start < end and not _tells(word[end - 1]):
        end -= 1
    return word[start:end]


def _tells(character: str) -> bool:
    return character.isalnum() or character in _TELLING or (not character.isascii() and category(character)[0] in "MS")
