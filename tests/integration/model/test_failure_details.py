"""What a failed call tells of itself: cause, address, model, status and the provider's words."""

from __future__ import annotations

import pytest

from heartrule.chassis.errors import model_details
from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.model_failure import ModelFailureCause as Cause
from heartrule.domain.model_failure import ModelFailureDetails
from heartrule.model.time_limits import Timeouts
from tests.support.model_client import ModelClient
from tests.support.scripted_model import Pause, Reply

DONE = b"data: [DONE]\n\n"
PAGE = b"<!doctype html><title>Welcome</title>"


def said(status: int, message: str, code: str) -> Reply:
    return Reply(message, status=status, code=code)


async def details(client: ModelClient, *, base_url: str = "") -> ModelFailureDetails:
    limits = Timeouts(connect=10, first_token=20, between_tokens=0.5, total=30)
    with pytest.raises((ModelUnavailable, ModelRateLimited)) as caught:
        await client.ask(client.model(base_url=base_url, timeouts=limits))
    known = model_details(caught.value)
    assert known is not None
    return known


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (said(401, "Incorrect API key provided: sk-test.", "invalid_api_key"), Cause.KEY_REJECTED),
        (said(404, "The model `big` does not exist.", "model_not_found"), Cause.UNKNOWN_MODEL),
        (said(429, "You exceeded your current quota.", "insufficient_quota"), Cause.QUOTA),
        (said(429, "Slow down.", "rate_limit_exceeded"), Cause.RATE_LIMITED),
        (said(503, "Overloaded.", "overloaded"), Cause.SERVER_ERROR),
    ],
)
async def test_a_refusal_keeps_the_provider_s_words(
    client: ModelClient, reply: Reply, cause: Cause
) -> None:
    """Status, message, code, model and address are kept; the key is not, though it is echoed."""
    client.server.say(reply)
    known = await details(client)
    assert (known.cause, known.provider, known.model) == (cause, "p", "big")
    assert (known.base_url, known.status) == (client.server.base_url, reply.status)
    assert known.message
    assert known.code
    assert "sk-test" not in str(known)


@pytest.mark.parametrize(
    ("reply", "cause"),
    [
        (Reply(raw=[DONE]), Cause.EMPTY),
        (Reply("{", finish_reason=""), Cause.CUT),
    ],
)
async def test_an_answer_that_is_none_has_its_cause(
    client: ModelClient, reply: Reply, cause: Cause
) -> None:
    """A stream that is empty or broken off is told apart."""
    client.server.say(reply)
    assert (await details(client)).cause is cause


async def test_an_answer_that_falls_silent_has_stalled(client: ModelClient) -> None:
    """It is told apart from a server that never answered."""
    client.server.say(Reply("{" * 9, pauses={1: Pause()}))
    assert (await details(client)).cause is Cause.STALLED


async def test_a_page_is_unreadable(client: ModelClient) -> None:
    """HTML in the place of an answer is named as such."""
    client.server.say(Reply(raw=[PAGE]))
    known = await details(client)
    assert known.cause is (Cause.EMPTY if client.sdk_objects else Cause.UNREADABLE)


async def test_connections_that_cannot_be_made(client: ModelClient) -> None:
    """A refused connection, an unknown name and a server without TLS are told apart."""
    secure = client.server.base_url.replace("http:", "https:")
    addresses = {
        "http://127.0.0.1:9/v1": Cause.CONNECTION_REFUSED,
        "http://provider.invalid/v1": Cause.DNS,
        secure: Cause.TLS,
    }
    assert {each: (await details(client, base_url=each)).cause for each in addresses} == addresses
