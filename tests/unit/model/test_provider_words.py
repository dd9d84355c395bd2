"""What a provider says of a failure is shown without keys, and without the prompt."""

from __future__ import annotations

import json

import pytest

from heartrule.model.provider_words import provider_words, shown_url


def said(message: str, code: str = "c") -> bytes:
    return json.dumps({"error": {"message": message, "code": code}}).encode()


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Incorrect API key: my-secret.", "Incorrect API key: [key]."),
        ("Incorrect API key: sk-abcd****wxyz.", "Incorrect API key: [key]."),
        ("Header Authorization: Bearer abc.def is wrong", "Header Authorization: [key] is wrong"),
        ("Key 0123456789abcdef0123456789 is unknown", "Key [key] is unknown"),
        ("The model `gpt-4o-mini-2024-07-18` does not exist", None),
        ("two\nlines\x1b[31m", "two lines[31m"),
    ],
)
def test_keys_are_not_shown(message: str, shown: str | None) -> None:
    """Neither the key that was sent nor what looks like one; a model's name stays."""
    words = provider_words(said(message), key="my-secret")
    assert (words.message, words.code) == (message if shown is None else shown, "c")


def test_what_repeats_the_prompt_is_left_out() -> None:
    """Some servers quote the request that they refuse."""
    prompt = "来访者说：我昨天晚上又没有睡好，心里很难过。"
    words = provider_words(said(f"bad input [{prompt}] here"), sent=[prompt])
    assert words.message == "bad input […] here"


def test_a_long_message_is_cut() -> None:
    """A screen's line is not a page."""
    assert len(provider_words(said("no " * 500)).message) == 200


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"detail": "Not Found"}', "Not Found"),
        (b'{"error": "no such route"}', "no such route"),
        (b'{"message": "forbidden", "code": 1261}', "forbidden"),
        (b"upstream is down", "upstream is down"),
        (b"<html><body>502</body></html>", ""),
        (b"[1, 2]", ""),
        (b"", ""),
    ],
)
def test_errors_of_every_form_are_read(body: bytes, message: str) -> None:
    """Servers write errors in many ways; a page of HTML says nothing."""
    assert provider_words(body).message == message


def test_an_address_is_shown_without_its_password() -> None:
    """User, password and query are no part of where a provider is."""
    assert shown_url("https://me:pw@api.example:8/v1?key=x") == "https://api.example:8/v1"
