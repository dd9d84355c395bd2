from __future__ import annotations

import pytest

from executor_service.workflows.node_failed import NodeFailed, failed
from executor_service.workflows.sandbox.answers import read_answer, read_value
from executor_service.workflows.sandbox.sandbox_port import (
    MOST_RESULT_BYTES,
    MOST_RESULT_VALUES,
)
from heartrule.domain.runs import LONGEST_FAILURE, RunErrorCode

WRONG = {
    "nothing": b"",
    "no JSON": b"{",
    "not a number": b'{"value": NaN}',
    "half a letter": b'{"value": "\xed\xa0\x80"}',
    "a list": b"[]",
    "two things": b'{"value": 1, "failure": 2}',
    "a made-up code": b'{"failure": {"code": "FINE"}}',
    "a code of another type": b'{"failure": {"code": ["LIMIT"]}}',
    "deep": b"[" * 100_000,
}


def code_of(answer: bytes) -> RunErrorCode:
    with pytest.raises(NodeFailed) as caught:
        read_answer(answer)
    return caught.value.failure.code


def test_an_answer_holds_a_value() -> None:
    """Any JSON may be the value, null too."""
    assert read_answer(b'{"value": {"a": [1, null]}}') == {"a": [1, None]}
    assert read_answer(b'{"value": null}') is None


def test_an_answer_tells_why_there_is_none() -> None:
    """Code and message of the process are those of the failure."""
    with pytest.raises(NodeFailed) as caught:
        read_answer(b'{"failure": {"code": "LIMIT", "message": "too much"}}')
    failure = caught.value.failure
    assert (failure.code, failure.message) == (RunErrorCode.LIMIT, "too much")


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG.keys())
def test_an_answer_of_another_form_is_unreadable(answer: bytes) -> None:
    """Code may have written it itself."""
    assert code_of(answer) is RunErrorCode.UNREADABLE


def test_a_message_has_an_end() -> None:
    """A stranger's text goes no further than a failure's may."""
    assert len(failed(RunErrorCode.CODE_ERROR, "x" * 10_000).failure.message) == LONGEST_FAILURE


@pytest.mark.parametrize(
    "text",
    [b'"' + b"x" * MOST_RESULT_BYTES + b'"', b"[" + b"0," * MOST_RESULT_VALUES + b"0]"],
    ids=["bytes", "values"],
)
def test_a_value_has_limits(text: bytes) -> None:
    """Reading it never takes long, however it is made."""
    with pytest.raises(NodeFailed) as caught:
        read_value(text)
    assert caught.value.failure.code is RunErrorCode.LIMIT
