"""OpenAI's and Anthropic's models through pydantic-ai, and whatever speaks OpenAI's protocol.

Keys and addresses come from the environment alone: OPENAI_API_KEY, OPENAI_BASE_URL,
ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL. Neither ever stands in an error.
"""

from __future__ import annotations

import asyncio
import importlib
import importlib.util
import logging
import os
from typing import TYPE_CHECKING, Any

from crawler.contracts.model import AskState, ModelReply, ModelRequest, ProviderFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from pydantic_ai.exceptions import ModelAPIError
    from pydantic_ai.messages import ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

    Opened = tuple[Model[Any], Callable[[], Awaitable[None]]]
    """A model, and what closes its connections."""

PACKAGES = {"openai": "openai", "anthropic": "anthropic"}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
TRANSIENT = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
MAX_WAIT = 600.0


class HostedProvider:
    """A ``contracts.ports.ModelProvider``; imports the SDK when it is opened."""

    def __init__(self, name: str) -> None:
        """*name* is ``provider:model``."""
        self._provider, _, self._model_name = name.partition(":")
        self._opened: Opened | None = None
        self._opening = asyncio.Lock()

    async def open(self) -> None:
        await self._ready()

    async def ask(self, request: ModelRequest) -> ModelReply:
        model, _ = await self._ready()
        from pydantic_ai import ModelRequest as Messages
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import AgentRunError, ModelAPIError

        try:
            response = await model_request(
                model,
                [Messages.user_text_prompt(request.page, instructions=request.instructions)],
                model_settings={"max_tokens": request.max_tokens, "timeout": request.seconds},
                model_request_parameters=_parameters(model, request),
            )
        except ModelAPIError as error:
            raise _failure(error) from None
        except AgentRunError as error:  # an answer that is none of the protocol
            detail = f"the provider broke its protocol ({type(error).__name__})"
            raise ProviderFailed(AskState.UNAVAILABLE, detail, is_transient=True) from None
        return _reply(response)

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened[1]()

    async def _ready(self) -> Opened:
        async with self._opening:
            if self._opened is None:
                # The SDK takes a second to import, in which the crawl goes on.
                self._opened = await asyncio.to_thread(self._open)
            return self._opened

    def _open(self) -> Opened:
        package, key = PACKAGES[self._provider], KEYS[self._provider]
        if not all(map(importlib.util.find_spec, ("pydantic_ai", package))):
            detail = "the extra is not installed: pip install crawler[authoring]"
            raise ProviderFailed(AskState.NOT_CONFIGURED, detail)
        if not os.environ.get(key):
            raise ProviderFailed(AskState.NOT_CONFIGURED, f"{key} is not set in the environment")
        importlib.import_module("pydantic_ai.direct")
        logging.getLogger("httpx2").setLevel(logging.WARNING)  # else a line for every call
        return OPENERS[self._provider](self._model_name)


def _open_openai(name: str) -> Opened:
    from openai import AsyncOpenAI, DefaultAsyncHttpxClient
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    client = AsyncOpenAI(max_retries=0, http_client=DefaultAsyncHttpxClient(**_connection()))
    return OpenAIChatModel(name, provider=OpenAIProvider(openai_client=client)), client.close


def _open_anthropic(name: str) -> Opened:
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(max_retries=0, http_client=DefaultAsyncHttpxClient(**_connection()))
    return AnthropicModel(name, provider=AnthropicProvider(anthropic_client=client)), client.close


def _connection() -> dict[str, Any]:
    """Tries are counted and charged by whoever asks; a key is not carried on to another address."""
    from crawler.authoring.providers.bounded import PLAIN, BoundedTransport

    return {"follow_redirects": False, "headers": PLAIN, "transport": BoundedTransport()}


OPENERS: Mapping[str, Callable[[str], Opened]] = {
    "openai": _open_openai,
    "anthropic": _open_anthropic,
}


def _parameters(model: Model[Any], request: ModelRequest) -> ModelRequestParameters:
    """No tools in any case; the schema where the model can be held to one."""
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition

    if not model.profile.get("supports_json_schema_output"):
        return ModelRequestParameters()
    schema = OutputObjectDefinition(json_schema=request.schema, name="passages", strict=True)
    return ModelRequestParameters(output_mode="native", output_object=schema)


def _reply(response: ModelResponse) -> ModelReply:
    usage = response.usage
    return ModelReply(response.text or "", usage.input_tokens, usage.output_tokens)


def _failure(error: ModelAPIError) -> ProviderFailed:
    """Say what happened without the provider's words, which may repeat a key."""
    from pydantic_ai.exceptions import ModelHTTPError, ModelTimeoutError

    if isinstance(error, ModelTimeoutError):
        return ProviderFailed(AskState.TIMEOUT, "the provider did not answer", is_transient=True)
    if not isinstance(error, ModelHTTPError):
        detail = f"the provider cannot be reached ({type(error).__name__})"
        return ProviderFailed(AskState.UNAVAILABLE, detail, is_transient=True)
    is_transient = error.status_code in TRANSIENT
    return ProviderFailed(
        AskState.UNAVAILABLE if is_transient else AskState.REFUSED,
        f"the provider answered with status {error.status_code}",
        is_transient=is_transient,
        wait=_wait(error.headers or {}),
    )


def _wait(headers: Mapping[str, str]) -> float | None:
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None
    return min(seconds, MAX_WAIT) if seconds >= 0 else None
