"""What failed calls mean, and what is asked of a provider."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from heartrule.domain.decisions import Intent
from heartrule.domain.errors import ModelRateLimited, ModelUnavailable, PromptTooLong
from heartrule.model import model_failures as failures
from heartrule.model.response_format import ResponseFormat, response_format

NOW = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (400, failures.REJECTED),
        (401, failures.REJECTED),
        (404, failures.REJECTED),
        (408, failures.SERVER_ERROR),
        (500, failures.SERVER_ERROR),
        (503, failures.SERVER_ERROR),
    ],
)
def test_status(status: int, reason: str) -> None:
    """A provider in trouble may be asked again, one that refuses may not."""
    error = failures.status_failure(status, {}, provider="p", now=NOW)
    assert isinstance(error, ModelUnavailable)
    assert (error.reason, error.metadata) == (reason, {"provider": "p", "status": str(status)})


@pytest.mark.parametrize(
    "reason",
    [failures.TIMEOUT, failures.CONNECTION, failures.STREAM_ERROR, failures.STREAM_CUT],
)
def test_a_call_without_an_answer_names_its_cause_in_words(reason: str) -> None:
    """The reason stands beside the message wherever both are shown."""
    error = failures.unavailable(reason, provider="p")
    assert error.message.startswith("provider p ")
    assert (error.reason, reason in error.message) == (reason, False)


def test_too_many_requests() -> None:
    """429 is a pause of the asked length."""
    error = failures.status_failure(429, {"retry-after": "3"}, provider="p", now=NOW)
    assert isinstance(error, ModelRateLimited)
    assert error.retry_after == timedelta(seconds=3)


def test_more_than_an_account_may_send_in_a_minute() -> None:
    """A 429 that no pause helps is a prompt that is too long."""
    said = b"Request too large for m on tokens per min (TPM): Limit 30000, Requested 43215."
    error = failures.status_failure(429, {}, provider="p", now=NOW, body=said)
    assert (type(error), error.metadata["limit_tokens"]) == (PromptTooLong, "30000")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Sat, 21 Nov 2026 10:00:07 GMT"}, 7.0),
        ({"retry-after": "Sat, 21 Nov 2026 09:00:00 GMT"}, 0.0),
        ({"retry-after": "99999999"}, 86400.0),
        ({"retry-after": "9" * 5000}, 86400.0),
        ({"retry-after": "Fri, 01 Jan 9999 00:00:00 GMT"}, 86400.0),
        ({"retry-after": "Fri, 01 Jan 9999 00:00:00 -2300"}, 86400.0),
        ({"retry-after": "Mon, 01 Jan 2024 00:00:00 +99999999999999999999"}, None),
    ],
)
def test_retry_after(headers: dict[str, str], seconds: float | None) -> None:
    """Milliseconds, seconds and dates are understood."""
    waited = failures.retry_after(headers, now=NOW)
    assert (waited.total_seconds() if waited is not None else None) == seconds


def test_no_format() -> None:
    """A profile without a format asks for none."""
    assert response_format(ResponseFormat.NONE, ["EXIT"]) == {}


def test_json_object() -> None:
    """Without field names a schema is only an object."""
    plain = {"response_format": {"type": "json_object"}}
    assert response_format(ResponseFormat.JSON_OBJECT, ["EXIT"]) == plain
    assert response_format(ResponseFormat.JSON_SCHEMA, []) == plain


def test_a_schema_of_quotes() -> None:
    """Where quotes are asked for, each variable has its value and its quote, under any name."""
    asked = str(response_format(ResponseFormat.JSON_SCHEMA, ["variables"], quotes=True))
    assert "'required': ['value', 'quote']" in asked
    assert "quote" not in str(response_format(ResponseFormat.JSON_SCHEMA, ["variables"]))


def test_json_schema_keeps_the_order() -> None:
    """The schema lists the fields in the order in which they shall be written."""
    asked = response_format(ResponseFormat.JSON_SCHEMA, ["EXIT", "content", "own"])
    text = str(asked)
    assert text.index("'EXIT': {") < text.index("'content': {") < text.index("'own': {}")
    assert "['EXIT', 'content', 'own']" in text


def test_a_schema_of_decisions_leaves_payloads_open() -> None:
    """Intents are those of the table, and a decision has a type and a payload of any shape."""
    asked = str(response_format(ResponseFormat.JSON_SCHEMA, ["intent", "decisions"]))
    assert str([intent.value for intent in Intent]) in asked
    assert "'required': ['decision_type', 'payload']" in asked
    assert "'payload': {'type': 'object'}" in asked
