"""Models of many makers through pydantic-ai, an extra. One agent without tools, whose answer is a JSON object of a schema.

Rule of this file: one try per question and no instrumentation, whatever the process has switched on; what a maker says about a
failure stays out of messages, since it may repeat the key or a text.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from muniment.errors import InputError, MissingExtra, ProviderError, install
from muniment.ports import Answer
from muniment.providers.service import RETRIED, advice

if TYPE_CHECKING:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import Model as TheirModel

FORM: Final = "Write ai:PROVIDER:NAME, for example ai:anthropic:NAME, ai:google:NAME or ai:ollama:NAME."
_ATTEMPTS: Final = 3
_TIMEOUT: Final = 60.0
_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 20.0


class AgentModel:
    """The model that pydantic-ai knows as `model` ("anthropic:NAME"), or one of its models as an object.

    `key` goes to that provider alone; without one, pydantic-ai looks where that provider keeps its own (such as
    ANTHROPIC_API_KEY). Times are seconds: one try takes `timeout` at most, and what fails in passing is tried `attempts` times.
    Raises MissingExtra without the extra `models` or the provider's own package, and InputError for a name it does not know.
    """

    def __init__(
        self,
        model: str | TheirModel,
        *,
        key: str | None = None,
        attempts: int = _ATTEMPTS,
        timeout: float = _TIMEOUT,
        pause: float = _PAUSE,
    ) -> None:
        if find_spec("pydantic_ai") is None:
            raise MissingExtra("models of this kind need pydantic-ai, which is not installed.", hint=f"Run: {install('models')}.")
        self._model = _opened(model, key) if isinstance(model, str) else model
        self.name = f"ai:{model}" if isinstance(model, str) else f"ai:{model.system}:{model.model_name}"
        self._attempts = attempts
        self._timeout = timeout
        self._pause = pause
        self._closed = False

    def __repr__(self) -> str:
        return f"AgentModel({self.name!r})"

    async def ask(self, instructions: str, prompt: str, *, schema: str, max_tokens: int) -> Answer:
        """One answer. A model that answers in words instead of the schema is not asked again; its words are the answer."""
        from pydantic_ai import Agent, StructuredDict  # noqa: PLC0415  # comes with the extra `models`

        if self._closed:
            raise ProviderError("this model is closed.", code="closed", hint="Open it again.")
        agent: Agent[object, dict[str, Any]] = Agent(
            self._model, output_type=StructuredDict(json.loads(schema), name="answer"), instructions=instructions, retries=0
        )
        agent.instrument = False
        number = 0
        while True:
            answer, wait = await self._once(agent, prompt, max_tokens)
            number += 1
            if isinstance(answer, Answer):
                return answer
            if wait is None or number >= self._attempts:
                raise answer
            await asyncio.sleep(min(_LONGEST_PAUSE, max(wait, self._pause * 2.0 ** (number - 1))))

    async def close(self) -> None:
        """Later calls of `ask` raise ProviderError."""
        self._closed = True

    async def _once(
        self, agent: Agent[object, dict[str, Any]], prompt: str, max_tokens: int
    ) -> tuple[Answer | ProviderError, float | None]:
        """An answer, or an error and the seconds after which another try may help (None: no use)."""
        from pydantic_ai import capture_run_messages  # noqa: PLC0415  # comes with the extra `models`
        from pydantic_ai.exceptions import (  # noqa: PLC0415  # comes with the extra `models`
            AgentRunError,
            ModelAPIError,
            ModelHTTPError,
            UnexpectedModelBehavior,
            UserError,
        )

        with capture_run_messages() as messages:
            try:
                async with asyncio.timeout(self._timeout):
                    done = await agent.run(prompt, model_settings={"max_tokens": max_tokens, "max_retries": 0})
                usage = done.usage
                text = json.dumps(done.output, ensure_ascii=False)
                return Answer(text=text, prompt_tokens=usage.input_tokens, completion_tokens=usage.output_tokens), None
            except UnexpectedModelBehavior:
                return _words(messages), None
            except TimeoutError:
                return self._fault("did not answer in time.", "timeout", "Try later, or ask for less."), 0.0
            except ModelHTTPError as error:
                status = error.status_code
                told = self._fault(f"refused with status {status}.", "service_refused", advice(status, {}, "Check its name."))
                return told, (error.retry_after or 0.0) if status in RETRIED else None
            except ModelAPIError:
                return self._fault("cannot be reached.", "unreachable", "Check the network and its name."), 0.0
            except (AgentRunError, UserError) as error:
                return self._fault(f"failed ({type(error).__name__}).", "model_failed", "Check its name and its settings."), None

    def _fault(self, what: str, code: str, hint: str) -> ProviderError:
        return ProviderError(f"the model {self.name} {what}", code=code, hint=hint)


def _words(messages: Sequence[ModelMessage]) -> Answer:
    """What the model wrote where it should have kept to the schema, and the tokens that took."""
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart  # noqa: PLC0415  # comes with the extra `models`

    answers = [message for message in messages if isinstance(message, ModelResponse)]
    parts = [part for answer in answers for part in answer.parts]
    said = [part.content for part in parts if isinstance(part, TextPart)]
    said += [part.args_as_json_str() for part in parts if isinstance(part, ToolCallPart)]
    return Answer(
        text="\n".join(said),
        prompt_tokens=sum(answer.usage.input_tokens for answer in answers),
        completion_tokens=sum(answer.usage.output_tokens for answer in answers),
    )


def _opened(name: str, key: str | None) -> TheirModel:
    """pydantic-ai's model of this name, with `key` where one is given."""
    from pydantic_ai.exceptions import UserError  # noqa: PLC0415  # comes with the extra `models`
    from pydantic_ai.models import infer_model  # noqa: PLC0415  # comes with the extra `models`
    from pydantic_ai.providers import Provider, infer_provider, infer_provider_class  # noqa: PLC0415  # the same

    def provider(named: str) -> Provider[Any]:
        if key is None:
            return infer_provider(named)
        kind: Any = infer_provider_class(named)  # each has its own parameters; all of those with a key call it so
        made: Provider[Any] = kind(api_key=key)
        return made

    maker, _, rest = name.partition(":")
    if not maker or not rest:
        raise InputError("this names no model of a provider.", place="model", code="model_invalid", hint=FORM)
    try:
        return infer_model(name, provider)
    except ImportError as error:
        raise MissingExtra(
            f"models of {maker[:40]!r} need a package that is not installed.",
            hint=f"Run: {install('models')}, or pip install 'pydantic-ai-slim[{maker[:40]}]'.",
        ) from error
    except (UserError, ValueError, TypeError):
        # Their message may hold what was given, so it is not passed on.
        raise InputError(
            f"pydantic-ai cannot open a model of {maker[:40]!r}: the name, the key or an address is missing or wrong.",
            place="model",
            code="model_invalid",
            hint=f"{FORM} Set MUNIMENT_MODEL_KEY or what that provider reads.",
        ) from None
