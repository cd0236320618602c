"""What every command is given: where to print, whose memory is meant, and the engine, opened as settings say.

Rule of this file: these options mean the same in every command. Flags win over the environment, which wins over the config file.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

import muniment
from muniment import plugins, settings
from muniment.cli.output import Screen
from muniment.errors import FormatError, InputError, QueryError, ScopeError, StoreUnusable
from muniment.ingest.times import read_time
from muniment.knowledge.credentials import Credential
from muniment.ports import Embedder, Reranker
from muniment.providers.clock import SystemClock
from muniment.scope import resolve
from muniment.settings import Settings
from muniment.text import strict_json
from muniment.text.filters import check_filter
from muniment.types import RUNGS, Kind, Role, Scope, check_id

if TYPE_CHECKING:
    from muniment.engine import Engine

T = TypeVar("T")

NO_SCOPE = (
    "Give one as a flag (--user ana, and --customer or --client where you have them), in the environment (MUNIMENT_USER=ana), "
    'or in muniment.toml (user = "ana").'
)
ALL_SCOPES = " To mean every scope of the store, say --all-scopes."
NO_STORE = (
    "Begin with muniment ingest FILE, or name the store that is meant: --store sqlite:///FILE, MUNIMENT_STORE, "
    'or store = "sqlite:///FILE" in muniment.toml.'
)


class Call:
    """One run of one command."""

    def __init__(self, given: Mapping[str, str | None], *, config: str | None, as_json: bool) -> None:
        self.screen = Screen(as_json=as_json)
        self._given = given
        self._config = config

    @cached_property
    def settings(self) -> Settings:
        """Flags over environment over config file. Raises InputError when one of them cannot be used."""
        return settings.load(self._given, config=self._config)

    @cached_property
    def scope(self) -> Scope:
        """The scope asked for, where rungs left out are those of the key. Raises ScopeError, with every way to give one."""
        rungs, ceiling = asked_rungs(self.settings), self.credential and self.credential.ceiling
        if not rungs and ceiling is None:
            raise ScopeError(
                "no scope was given, so it is not known whose memory is meant.", code="scope_required", hint=NO_SCOPE
            )
        return resolve({**dict(ceiling.rungs if ceiling else ()), **rungs})

    @cached_property
    def credential(self) -> Credential | None:
        """What the key that was given allows; None without a key. Raises AccessError for one that does not hold."""
        if (key := self.settings.key) is None:
            return None
        return asyncio.run(self._check(key))

    @cached_property
    def now(self) -> datetime:
        """The moment this command reckons ages from."""
        return SystemClock().now()

    @property
    def reach(self) -> Scope | None:
        """The scope asked for, or all that there is to reach: the key's whole ceiling, or the whole store."""
        bounded = self.credential is not None and self.credential.ceiling is not None
        return self.scope if bounded or asked_rungs(self.settings) else None

    def scope_or_all(self, *, all_scopes: bool) -> Scope | None:
        """The scope asked for, or None for every one. Raises ScopeError when neither was said, or both."""
        if all_scopes and any(self._given.get(rung) for rung in RUNGS):
            raise ScopeError("a scope and --all-scopes contradict each other.", code="scope_invalid", hint="Give one of them.")
        if all_scopes:
            return None
        try:
            return self.scope
        except ScopeError as error:
            if error.reason == "scope_required":
                error.hint += ALL_SCOPES
            raise

    @asynccontextmanager
    async def open(
        self, *, create: bool = False, embeds: bool = True, reembed: bool = False, counts: bool = False
    ) -> AsyncIterator[Engine]:
        """The engine that settings name; with a key, as much of it as the key allows. The rest as in `_open`."""
        async with self._open(create=create, embeds=embeds, reembed=reembed, counts=counts) as opened:
            key = self.settings.key
            yield opened if key is None else cast("Engine", opened.acting(await opened.keys.check(key)))

    async def _check(self, key: str) -> Credential:
        async with self._open(embeds=False) as opened:
            return await opened.keys.check(key)

    @asynccontextmanager
    async def _open(
        self, *, create: bool = False, embeds: bool = True, reembed: bool = False, counts: bool = False
    ) -> AsyncIterator[Engine]:
        """The engine that settings name; without an embedder or a counter for work that wants none: it would stand in the way.

        Only with `create` is a store made where there is none. Raises StoreUnusable, with every way to name another, otherwise.
        """
        chosen = self.settings
        embedder = await asyncio.to_thread(plugins.open_embedder, chosen.embedder, key=chosen.embedder_key) if embeds else None
        tokens = chosen.tokens if counts else "estimate"
        model = await asyncio.to_thread(plugins.open_model, chosen.model, key=settings.model_key(chosen.model))
        judge = await asyncio.to_thread(self._reranker, embedder) if counts else None
        try:
            async with muniment.open(
                chosen.store, embedder=embedder, tokens=tokens, model=model, reranker=judge, reembed=reembed, create=create
            ) as opened:
                yield opened
        except StoreUnusable as error:
            if error.reason == "store_missing":
                error.hint = NO_STORE
            raise
        finally:
            for one in (model, judge):
                if one is not None:
                    await one.close()

    def _reranker(self, embedder: Embedder | None) -> Reranker | None:
        name = self.settings.reranker
        return plugins.open_reranker(name, embedder=embedder, key=settings.model_key(name.removeprefix("model:")))

    def run(
        self, work: Callable[[Engine], Awaitable[T]], *, create: bool = False, embeds: bool = True, counts: bool = False
    ) -> T:
        """What `work` gives when done with the engine, which is closed afterwards."""

        async def opened() -> T:
            async with self.open(create=create, embeds=embeds, counts=counts) as engine:
                return await work(engine)

        return asyncio.run(opened())


def asked_rungs(chosen: Settings) -> dict[str, str]:
    """The rungs that are meant: one given more directly drops the narrower ones given less directly.

    So `--customer acme` means the customer itself, also where the environment or the file names a user.
    """
    meant: dict[str, str] = {}
    strongest = 0
    for rung in reversed(RUNGS):
        value = getattr(chosen, rung)
        if value is None:
            continue
        strength = _strength(rung, chosen.sources.get(rung, rung))
        if strength > strongest:
            meant.clear()
            strongest = strength
        meant[rung] = value
    return meant


def _strength(rung: str, source: str) -> int:
    """3 for a flag, 2 for the environment, 1 for the file."""
    return 3 if source == rung else 2 if source.startswith("MUNIMENT_") else 1


def _id(value: str | None, option: str) -> str | None:
    return None if value is None else check_id(value, option)


def read_time_option(value: str | None, option: str) -> datetime | None:
    """A moment as typed; UTC without an offset. Raises InputError that names the option."""
    if value is None:
        return None
    try:
        return read_time(value, zone=UTC)
    except InputError as error:
        raise InputError(error.message, place=option, code=error.reason, hint=error.hint) from error


Command = Callable[..., int]
tokens_option = click.option("--tokens", metavar="NAME", help="What counts tokens. [default: auto]")


def shared_options(command: Command) -> Callable[..., int]:
    """Add the options every command has, and pass them on as one `Call`."""
    called = _called(command)
    for option in (
        click.option("--key", metavar="KEY", help="Do only what this key allows; better set as MUNIMENT_KEY."),
        click.option("--store", metavar="URL", help="Where memory is kept. [default: sqlite:///muniment.db]"),
    ):
        called = option(called)
    return called


def local_options(command: Command) -> Callable[..., int]:
    """Add the options of a command that knows files and no store, and pass them on as one `Call`."""
    return tokens_option(_called(command))


def plain_options(command: Command) -> Callable[..., int]:
    """Add the options of a command that names its stores by options of its own, and pass them on as one `Call`."""
    return _called(command)


def _called(command: Command) -> Callable[..., int]:
    """A command given its settings, config file and form of output as one `Call`."""

    @click.option("--config", metavar="FILE", help="Settings file. [default: muniment.toml, if there is one]")
    @click.option("--json", "as_json", is_flag=True, help="Print one JSON document, and errors as JSON too.")
    @wraps(command)
    def with_call(**options: Any) -> int:
        given = {name: options.pop(name, None) for name in settings.GIVEN}
        call = Call(given, config=options.pop("config"), as_json=options.pop("as_json"))
        return command(call, **options)

    return with_call


embedder_option = click.option(
    "--embedder", metavar="NAME", help="What turns text into vectors; none for words alone. [default: auto]"
)
reranker_option = click.option(
    "--reranker", metavar="NAME", help="What judges the best candidates anew: late, onnx:…, model:… [default: none]"
)
all_scopes_option = click.option("--all-scopes", is_flag=True, help="Every scope of the store.")
agent_option = click.option("--agent", metavar="ID", help="Who acts; kept with what is written. [default: default]")


def scope_options(command: Command) -> Callable[..., int]:
    """Add the rungs of a scope."""
    for option in (
        click.option("--user", metavar="ID", help="The user whose memory is meant."),
        click.option("--customer", metavar="ID", help="The customer: a company, a team, a household."),
        click.option("--client", metavar="ID", help="The client: the whole deployment's owner."),
    ):
        command = option(command)
    return command


where_option = click.option("--where", "asked", metavar="JSON", help="A filter as JSON: one of several values, metadata, times.")


def read_where_option(asked: str | None, options: Mapping[str, object]) -> object:
    """What `--where` and the options beside it ask for together. Raises QueryError, and InputError for what both say."""
    given = {key: value for key, value in options.items() if value is not None and value != ()}
    if asked is None:
        return given
    try:
        where = strict_json.loads(asked, place="--where")
    except FormatError as error:
        raise QueryError(error.message, place="--where", code="type", hint='Give JSON: \'{"speaker": "Ana"}\'.') from error
    if not isinstance(where, dict):
        return where if where is not None and where != [] else given
    if both := sorted(where.keys() & given.keys()):
        hint = "Say it in one of them."
        raise InputError(f"--where and an option both say {both[0]}.", place="--where", code="usage", hint=hint)
    return {**where, **given}


def filter_options(command: Command) -> Callable[..., int]:
    """Add the filters of a read, and pass them on as one `Filter` named `where`."""

    @click.option("--conversation", metavar="ID", help="Only this conversation.")
    @click.option("--speaker", metavar="NAME", help="Only what this speaker said.")
    @click.option("--role", type=click.Choice([role.value for role in Role]), help="Only this role.")
    @click.option("--kind", type=click.Choice([kind.value for kind in Kind]), help="Only this kind of record.")
    @click.option("--by-agent", metavar="ID", help="Only what was recorded by this agent.")
    @click.option(
        "--since", metavar="TIME", help="Said at this time or later: 2026-03-01 or 2026-03-01T12:00+01:00; UTC without offset."
    )
    @click.option("--until", metavar="TIME", help="Said before this time.")
    @click.option("--as-of", metavar="TIME", help="What held in the world at this time.")
    @click.option("--known-at", metavar="TIME", help="What had come in by this time, as it stood then.")
    @where_option
    @wraps(command)
    def with_filter(**options: Any) -> int:
        asked = {
            "conversation": _id(options.pop("conversation"), "--conversation"),
            "speaker": options.pop("speaker"),
            "agent": _id(options.pop("by_agent"), "--by-agent"),
            "role": options.pop("role"),
            "kind": options.pop("kind"),
            "since": read_time_option(options.pop("since"), "--since"),
            "until": read_time_option(options.pop("until"), "--until"),
            "valid_at": read_time_option(options.pop("as_of"), "--as-of"),
            "known_at": read_time_option(options.pop("known_at"), "--known-at"),
        }
        return command(where=check_filter(read_where_option(options.pop("asked"), asked)), **options)

    return with_filter
