"""How a stream is asked for, and the small checks of unary requests."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import Audience, Feature
from heartrule.domain.errors import InvalidRequest
from heartrule.v1 import conversation_pb2, event_pb2, feature_pb2, session_pb2
from heartrule.wire.request_parsing import (
    StreamRequest,
    WatchOptions,
    allow,
    page_size,
    parse_stream_options,
    require,
)


def violations(message: StreamRequest, at: str = "") -> set[str]:
    with pytest.raises(InvalidRequest) as refused:
        parse_stream_options(message, at=at)
    return {violation.field for violation in refused.value.violations}


def test_a_stream_is_live_and_for_the_client_unless_asked() -> None:
    """Nothing but the session need be named."""
    message = conversation_pb2.OpenConversation(session_id="s")
    assert parse_stream_options(message) == WatchOptions(session_id="s")


def test_options_are_understood() -> None:
    """CLIENT stays among the audiences; features nobody knows are dropped."""
    message = conversation_pb2.WatchSessionRequest(
        session_id="s",
        after_sequence=0,
        accepts=[feature_pb2.FEATURE_FORM, 99],  # type: ignore[list-item]
        whole_messages_only=True,
        audiences=[event_pb2.AUDIENCE_OPERATOR],
    )
    assert parse_stream_options(message) == WatchOptions(
        session_id="s",
        after_sequence=0,
        accepts=frozenset({Feature.FORM}),
        whole_messages_only=True,
        audiences=frozenset({Audience.CLIENT, Audience.OPERATOR}),
    )


@pytest.mark.parametrize(
    "request_class",
    [conversation_pb2.SendMessageRequest, session_pb2.InitializeSessionRequest],
    ids=lambda kind: kind.__name__,
)
def test_a_stream_of_one_turn_has_no_place_to_resume_from(
    request_class: type[conversation_pb2.SendMessageRequest],
) -> None:
    """It shares the other options."""
    message = request_class(session_id="s", whole_messages_only=True)
    expected = WatchOptions(session_id="s", whole_messages_only=True)
    assert parse_stream_options(message) == expected


def test_everything_wrong_with_open_is_named() -> None:
    """UNSPECIFIED is no audience, and neither is a number nobody knows."""
    message = conversation_pb2.OpenConversation(
        after_sequence=-1,
        audiences=[1, 0, 99],  # type: ignore[list-item]
    )
    assert violations(message, "open") == {
        "open.session_id",
        "open.after_sequence",
        "open.audiences[1]",
        "open.audiences[2]",
    }


@pytest.mark.parametrize(("asked", "given"), [(0, 50), (1, 1), (500, 500), (501, 500)])
def test_a_page_has_a_size(asked: int, given: int) -> None:
    """50 where nothing is asked for, 500 at most."""
    assert page_size(asked) == given


def test_a_page_below_zero_is_refused() -> None:
    """The field is named."""
    with pytest.raises(InvalidRequest, match="page_size: must be 0 or more"):
        page_size(-1)


def test_required_names_are_all_checked() -> None:
    """Empty, too long and unstorable names are told together."""
    with pytest.raises(InvalidRequest) as refused:
        require(session_id="", user_id="x" * 257, script_id="a\0b", other="fine")
    found = [violation.field for violation in refused.value.violations]
    assert found == ["session_id", "user_id", "script_id"]


def test_an_optional_name_may_be_empty() -> None:
    """It is checked only where it is given."""
    allow(request_id="", user_id="someone")
    with pytest.raises(InvalidRequest, match="request_id: must have at most 256 bytes"):
        allow(request_id="x" * 257)
