"""A model provider that speaks OpenAI's chat completions over HTTP on loopback.

https://platform.openai.com/docs/api-reference/chat
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.e2e.server import Hit, Server, Step

PATH = "/v1/chat/completions"
KEY = "sk-test-0123456789abcdef"
Reply = Callable[[str], str]
"""From the page text that a model sees to what it says."""


class Provider:
    """Answers with what *reply* makes of the user's message; counts what it was asked."""

    def __init__(self, server: Server, reply: Reply, *, delay: float = 0.0) -> None:
        self.server = server
        self.reply = reply
        self.delay = delay
        self.usage: dict[str, Any] | None = {
            "prompt_tokens": 900,
            "completion_tokens": 40,
            "total_tokens": 940,
        }
        server.compute(PATH, self._answer)

    @property
    def base_url(self) -> str:
        return self.server.url("/v1")

    @property
    def environment(self) -> dict[str, str]:
        return {"OPENAI_BASE_URL": self.base_url, "OPENAI_API_KEY": KEY}

    @property
    def calls(self) -> list[dict[str, Any]]:
        """The bodies of all requests."""
        return [json.loads(hit.body) for hit in self.server.log if hit.path == PATH]

    def _answer(self, hit: Hit) -> Step:
        return completion(
            self.reply(page_in(json.loads(hit.body))), usage=self.usage, delay=self.delay
        )


def page_in(call: dict[str, Any]) -> str:
    """Return the text of the user's message."""
    [message] = [each for each in call["messages"] if each["role"] == "user"]
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def instructions_in(call: dict[str, Any]) -> str:
    return "\n".join(
        str(each["content"]) for each in call["messages"] if each["role"] in {"system", "developer"}
    )


def completion(text: str, *, usage: dict[str, Any] | None, delay: float = 0.0) -> Step:
    body = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_790_000_000,
        "model": "test-model",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
        ],
    }
    if usage is not None:
        body["usage"] = usage
    headers = (("Content-Type", "application/json"),)
    return Step(json.dumps(body).encode(), headers=headers, delay=delay)


def failure(status: int, **headers: str) -> Step:
    """Return an error that repeats the key, as providers have been seen to do."""
    error = {"error": {"message": f"bad key {KEY}", "type": "invalid_request_error", "code": None}}
    pairs = tuple((name.replace("_", "-").title(), value) for name, value in headers.items())
    return Step(json.dumps(error).encode(), status, (("Content-Type", "application/json"), *pairs))


@contextmanager
def provider_of(reply: Reply, **options: Any) -> Iterator[Provider]:
    with Server() as server:
        yield Provider(server, reply, **options)
