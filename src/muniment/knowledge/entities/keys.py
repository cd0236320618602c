"""What an entity is looked up by: the exact form of numbers and addresses, the words of names, and what may stand for them.

Rule of this file: keys find candidates, they decide nothing. Two mentions that may be one thing's share at least one key.
"""

from __future__ import annotations

from collections.abc import Sequence

from muniment.knowledge.entities.compare import EXACT, company, exact_form
from muniment.knowledge.entities.marks import MARK
from muniment.knowledge.entities.names import PersonName, person_name
from muniment.knowledge.entities.spelling import forms, normal, words
from muniment.knowledge.entities.words import NICKNAMES, SMALL_WORDS, TITLES
from muniment.knowledge.values import Alias, Mention

MOST_KEYS = 64
"""Keys kept of one entity."""

_LONGEST_ACRONYM = 7
_HEAD = 3


def keys_of(mention: Mention) -> tuple[str, ...]:
    """Lookup keys of a mention, the most telling first; the same for every spelling that means the same."""
    return keys_of_text(mention.text, mention.kind)


def keys_of_text(text: str, kind: str) -> tuple[str, ...]:
    """Lookup keys of a name of this kind ("" for any)."""
    if kind == MARK:
        return ()
    if kind in EXACT:
        own = f"{kind}:{exact_form(kind, text)}"
        return (own, *_address_keys(text)) if kind == "email" else (own,)
    parts = words(text)
    if not parts:
        plain = normal(text)
        return (f"name:{plain}",) if plain else ()
    keys = [f"name:{form}" for form in forms(text)]
    if kind in ("person", ""):
        keys += _person_keys(person_name(text))
    if kind != "person":
        keys += _thing_keys(text)
    return tuple(dict.fromkeys(keys))


def _person_keys(name: PersonName) -> list[str]:
    """Given name, with the full forms it may stand for, surname and initials."""
    keys = []
    given = name.given[0] if name.given else name.single
    if len(given) > 1:
        keys += [f"given:{given}", *(f"given:{full}" for full in sorted(NICKNAMES.get(given, ())))]
        keys += [f"begins:{given[:_HEAD]}"] if len(given) >= _HEAD else []
    if surname := name.surname or name.single:
        keys.append(f"surname:{surname}")
        if given and name.given:
            keys += [f"short:{given[0]}{surname.split()[-1][0]}"]
            letters = "".join(part[0] for part in (*name.given, surname.split()[-1]))
            keys += [f"short:{letters}"]
    if name.capitals:
        keys.append(f"short:{name.capitals}")
    return keys


def _thing_keys(text: str) -> list[str]:
    """The name without its legal form, its first place ("Paris" of "Paris, Texas"), its letters and its acronym."""
    core, _ = company(text)
    if not core:
        return []
    keys = [f"name:{' '.join(core)}", f"joined:{''.join(core)}", f"name:{' '.join(words(text.partition(',')[0]))}"]
    keys.append(f"set:{' '.join(sorted(core))}")
    if len(core) > 1:
        keys.append(f"head:{core[0]}")
        keys += [f"short:{''.join(p[0] for p in core if p not in SMALL_WORDS)}", f"short:{''.join(p[0] for p in core)}"]
    elif len(core[0]) <= _LONGEST_ACRONYM and text.replace(".", "").isupper():
        keys.append(f"short:{''.join(core)}")
    return keys


def _address_keys(text: str) -> list[str]:
    local = words(text.partition("@")[0].replace("_", " "))
    if len(local) > 1:
        return [f"surname:{local[-1]}", f"surname:{local[0]}"]
    return [f"joined:{''.join(local)}"] if local else []


def keys_of_aliases(aliases: Sequence[Alias], kind: str) -> tuple[str, ...]:
    """The keys of all these names of one entity of this kind, each once, at most `MOST_KEYS`."""
    found: dict[str, None] = {}
    for alias in aliases:
        found.update(dict.fromkeys(keys_of_text(alias.text, alias.kind if alias.kind != "name" else kind)))
    return tuple(found)[:MOST_KEYS]


def chosen_name(aliases: Sequence[Alias], kind: str) -> str:
    """The name an entity goes by: the fullest of its aliases, among equals the one said most, then the first."""
    ranked = sorted(enumerate(aliases), key=lambda pair: (*_fullness(pair[1], kind), -pair[1].count, pair[0]))
    return ranked[0][1].text if ranked else ""


def _fullness(alias: Alias, kind: str) -> tuple[bool, int, bool]:
    """Sort key: names before addresses, more words first (titles do not count), mixed case before all capitals or small."""
    parts = words(alias.text)
    count = len([p for p in parts if p not in TITLES and len(p) > 1]) if kind in ("person", "") else len(parts)
    shouted = alias.text.isupper() or alias.text.islower()
    return alias.kind != "name", -count, shouted
