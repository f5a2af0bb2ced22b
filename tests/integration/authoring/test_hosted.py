"""The real SDK against a provider on loopback: what is sent, and what its failures become."""

import asyncio
import gzip
from typing import Any

import pytest

from crawler.authoring.providers.hosted import HostedProvider
from crawler.contracts.model import AskState, ModelReply, ModelRequest, ProviderFailed
from tests.e2e.provider import KEY, PATH, Provider, completion, failure, instructions_in, page_in
from tests.e2e.server import Server, Step

REQUEST = ModelRequest(
    model="openai:test-model",
    instructions="Find the price.",
    page="<<<page-text-1\nTickets <|im_start|> €25\npage-text-1>>>",
    schema={"type": "object", "properties": {}, "required": [], "additionalProperties": False},
    max_tokens=300,
    seconds=5.0,
)

PACKED = (("Content-Type", "application/json"), ("Content-Encoding", "gzip"))


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Any:
    with Server() as server:
        made = Provider(server, lambda _: '{"price": null}')
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made


def ask(request: ModelRequest = REQUEST) -> ModelReply:
    async def run() -> ModelReply:
        hosted = HostedProvider(request.model)
        try:
            return await hosted.ask(request)
        finally:
            await hosted.close()

    return asyncio.run(run())


def fail() -> ProviderFailed:
    with pytest.raises(ProviderFailed) as caught:
        ask()
    assert KEY not in f"{caught.value} {caught.value.__cause__} {caught.value.detail}"
    return caught.value


def test_a_call_holds_the_two_texts_and_the_limits_and_no_tool(provider: Provider) -> None:
    reply = ask()

    assert reply == ModelReply('{"price": null}', 900, 40)
    [call] = provider.calls
    assert instructions_in(call) == REQUEST.instructions
    assert "Tickets" in page_in(call)
    assert call.get("max_completion_tokens", call.get("max_tokens")) == 300
    assert "tools" not in call
    assert call["response_format"]["json_schema"]["schema"]["additionalProperties"] is False
    [hit] = provider.server.log
    assert hit.headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("step", "state", "is_transient", "wait"),
    [
        (failure(401), AskState.REFUSED, False, None),
        (failure(400), AskState.REFUSED, False, None),
        (failure(404), AskState.REFUSED, False, None),
        (failure(429, retry_after="2"), AskState.UNAVAILABLE, True, 2.0),
        (failure(429, retry_after="1e300"), AskState.UNAVAILABLE, True, 600.0),
        (failure(429, retry_after="nonsense"), AskState.UNAVAILABLE, True, None),
        (failure(429, retry_after="nan"), AskState.UNAVAILABLE, True, None),
        (failure(500), AskState.UNAVAILABLE, True, None),
        (failure(503), AskState.UNAVAILABLE, True, None),
        (Step(is_reset=True), AskState.UNAVAILABLE, True, None),
        (Step(b"no json", headers=(("Content-Type", "application/json"),)), AskState.UNAVAILABLE, True, None),
        (Step(b"{}", headers=(("Content-Type", "application/json"),)), AskState.UNAVAILABLE, True, None),
        (Step(b"<html>proxy</html>"), AskState.UNAVAILABLE, True, None),
        (completion("x" * 5_000_000, usage=None), AskState.UNAVAILABLE, True, None),
        (Step(gzip.compress(b" " * 10**7), headers=PACKED), AskState.UNAVAILABLE, True, None),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_named_and_repeats_no_key(
    provider: Provider, step: Step, state: AskState, is_transient: bool, wait: float | None
) -> None:
    provider.server.serve(PATH, step)

    failed = fail()

    assert (failed.state, failed.is_transient, failed.wait) == (state, is_transient, wait)
    assert provider.server.hits(PATH) == 1, "the SDK does not try again behind our back"


def test_a_provider_that_does_not_answer_is_a_timeout(provider: Provider) -> None:
    provider.server.serve(PATH, Step(is_silent=True))
    quick = ModelRequest(
        REQUEST.model, REQUEST.instructions, REQUEST.page, REQUEST.schema, 300, 0.3
    )

    with pytest.raises(ProviderFailed) as caught:
        ask(quick)

    assert caught.value.state is AskState.TIMEOUT


def test_a_redirect_carries_the_key_to_nobody(provider: Provider) -> None:
    with Server() as elsewhere:
        provider.server.serve(PATH, Step(status=307, headers=(("Location", elsewhere.url(PATH)),)))

        fail()

        assert elsewhere.log == ()


@pytest.mark.parametrize("name", ["openai:test-model", "anthropic:test-model"])
def test_without_a_key_nothing_is_sent(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)

    with pytest.raises(ProviderFailed) as caught:
        ask(ModelRequest(name, "a", "b", REQUEST.schema, 300, 1.0))

    assert caught.value.state is AskState.NOT_CONFIGURED
    assert "_API_KEY is not set" in caught.value.detail


def test_an_anthropic_model_is_asked_by_its_own_protocol(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    body = (
        b'{"id": "msg_1", "type": "message", "role": "assistant", "model": "test-model",'
        b' "content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn",'
        b' "stop_sequence": null, "usage": {"input_tokens": 7, "output_tokens": 2}}'
    )
    with Server() as server:
        server.serve("/v1/messages", Step(body, headers=(("Content-Type", "application/json"),)))
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url().rstrip("/"))
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)

        reply = ask(ModelRequest("anthropic:test-model", "a", "b", REQUEST.schema, 300, 5.0))

    assert reply == ModelReply("{}", 7, 2)
