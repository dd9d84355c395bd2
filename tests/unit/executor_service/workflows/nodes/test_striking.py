from __future__ import annotations

import base64
import html
import json
from urllib.parse import quote, quote_plus

import orjson
import pytest

from executor_service.workflows.nodes.node_access import NodeAccess
from executor_service.workflows.nodes.striking import (
    MARK,
    forms_of,
    struck,
    struck_end,
    struck_text,
)
from heartrule.domain.json_value import JsonValue

SECRET = 's3cr et/"1+北'
FORMS = forms_of((SECRET,))


@pytest.mark.parametrize(
    "echo",
    [
        SECRET,
        f"key={SECRET}!",
        quote(SECRET, safe=""),
        quote_plus(SECRET),
        quote(SECRET),
        quote(SECRET, safe="!'()*"),
        quote(SECRET, safe="/").replace("%2B%E5%8C%97", "%2b%e5%8c%97"),
        json.dumps(SECRET),
        json.dumps(SECRET).replace("/", "\\/"),
        html.escape(SECRET),
        orjson.dumps(SECRET).decode(),
        *(base64.b64encode(f"{'u' * n}{SECRET}{'x' * n}".encode()).decode() for n in range(4)),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
    ],
)
def test_a_secret_is_struck_out_as_servers_echo_it(echo: str) -> None:
    """As it is, percent-encoded, escaped for JSON or HTML, or within base64 as credentials are."""
    text = struck_text(f"you sent {echo}", FORMS)
    assert MARK in text
    assert echo not in text


def test_a_secret_of_several_lines_is_found_on_one() -> None:
    """What a server says of a refusal is shown with single blanks."""
    assert struck_text("got: line one line two", forms_of(("line one\n\tline two",))) == "got: ***"


def test_blanks_are_no_spelling() -> None:
    """What would strike words of every text is looked for nowhere."""
    assert struck_text("a b", forms_of((" " * 8, "a       b"))) == "a b"


@pytest.mark.parametrize("form", FORMS)
def test_a_text_that_is_cut_within_a_secret_ends_before_it(form: str) -> None:
    """The beginning of a secret is struck out as well, from four characters on."""
    for size in range(4, len(form)):
        assert struck_end(f"you sent {form[:size]}", FORMS) == f"you sent {MARK}"
    assert struck_end("北 you sent s3c", FORMS) == "北 you sent s3c"


def test_a_secret_is_struck_out_of_every_place() -> None:
    """Of keys, texts and numbers, at every depth; what is beside it stays."""
    value: JsonValue = {f"a-{SECRET}": [{"b": SECRET}, 12345678, 1234567, True, None, 1.5]}
    found = struck(value, forms_of((SECRET, "12345678")))
    assert found == {f"a-{MARK}": [{"b": MARK}, MARK, 1234567, True, None, 1.5]}


def test_a_password_of_an_address_is_hidden_alone_too() -> None:
    """A database that names only the password in its error shows it no more than the address."""
    access = NodeAccess(
        connections={"db": "postgresql://me:p%40ssword@h/d"}, secrets={"A": "abcdefgh"}
    )
    assert set(access.hidden) == {"abcdefgh", "postgresql://me:p%40ssword@h/d", "p@ssword"}
    assert "ssword" not in repr(access)
    assert "abcdefgh" not in repr(access)


def test_a_short_password_is_not_looked_for() -> None:
    """It would be struck out of words that have nothing to do with it."""
    assert NodeAccess(connections={"db": "postgresql://me:a@h/d"}).hidden == (
        "postgresql://me:a@h/d",
    )
