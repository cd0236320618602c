"""The text of a key, and what is kept in its place.

Rule of this file: pure. The digest covers all that a key allows, so that a kept key whose row was altered is no key any more.
"""

from __future__ import annotations

import hmac
import json
import re
from base64 import b32encode
from hashlib import blake2b

from muniment.knowledge.credentials import AccessKey, Credential

ID_BYTES = 10
SECRET_BYTES = 32
_TEXT = re.compile(r"mun_([a-z2-7]{16})_([a-z2-7]{52})")
_LONGEST = 80
_NOBODY = AccessKey(credential=Credential(ceiling=None, permissions=["read"]), digest=bytes(32))
"""What a text that names no key is compared with, so that it costs what another costs."""


def word(random: bytes) -> str:
    """Random bytes as letters and digits that survive any copying."""
    return b32encode(random).decode().rstrip("=").lower()


def key_text(id: str, secret: str) -> str:  # noqa: A002  # the id of a key, as everywhere
    """A key as its holder shows it."""
    return f"mun_{id}_{secret}"


def parts_of(text: object) -> tuple[str, str]:
    """The id and the secret of a key's text; two empty ones of what is none."""
    match = _TEXT.fullmatch(text) if isinstance(text, str) and len(text) <= _LONGEST else None
    return (match[1], match[2]) if match else ("", "")


def digest(secret: str, credential: Credential) -> bytes:
    """What is kept of a secret, bound to what its key allows."""
    ceiling = [list(rung) for rung in credential.ceiling.rungs] if credential.ceiling else None
    expires = credential.expires_at.isoformat() if credential.expires_at else None
    terms = json.dumps([credential.id, ceiling, list(credential.permissions), expires])
    return blake2b(f"{secret} {terms}".encode(), digest_size=32, person=b"muniment key").digest()


def is_of(secret: str, kept: AccessKey | None) -> bool:
    """True when this secret belongs to the key that is kept. Takes as long for any other, and for none."""
    against = kept or _NOBODY
    return hmac.compare_digest(digest(secret, against.credential), against.digest) and kept is not None
