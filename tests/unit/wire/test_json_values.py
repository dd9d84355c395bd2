"""JSON values survive the way through google.protobuf.Value."""

from __future__ import annotations

import json

import pytest
from google.protobuf.struct_pb2 import Struct, Value
from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.action_result import ActionResult
from heartrule.domain.events import ActionResultRecorded, SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import conversation_pb2
from heartrule.wire.event_messages import event_response
from heartrule.wire.json_values import EXACT, fill_struct, fill_value, read_struct, read_value

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-EXACT, EXACT)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def there_and_back(value: JsonValue) -> JsonValue:
    message = Value()
    fill_value(value, message)
    return read_value(Value.FromString(message.SerializeToString()))


def nested(levels: int) -> JsonValue:
    value: JsonValue = "core"
    for _ in range(levels):
        value = {"in": value}
    return value


@given(json_values)
def test_a_value_comes_back_equal(value: JsonValue) -> None:
    """Whatever JSON can say is said and understood."""
    assert there_and_back(value) == value


@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_an_object_comes_back_equal(entries: dict[str, JsonValue]) -> None:
    """A Struct holds the same entries."""
    message = Struct()
    fill_struct(entries, message)
    assert read_struct(message) == entries


@pytest.mark.parametrize("value", [True, False, 0, 1, 0.5, "", "1", None, [], {}])
def test_a_value_keeps_its_type(value: JsonValue) -> None:
    """False is not 0, and nothing is not an empty text."""
    assert type(there_and_back(value)) is type(value)


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (EXACT + 1, "9007199254740993"),
        (-(10**400), "-1" + "0" * 400),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_a_number_no_double_holds_is_told_as_text(value: float, told: str) -> None:
    """Nothing is rounded in silence, and no event breaks over it."""
    assert there_and_back(value) == told


def test_a_number_that_is_none_is_read_as_text() -> None:
    """NaN inside a client's form does not get any further as a number."""
    assert read_value(Value(number_value=float("inf"))) == "Infinity"


def test_deep_json_arrives() -> None:
    """A whole response with deep JSON stays within the nesting every reader allows."""
    result = ActionResult(success=True, completed=False, metadata={"deep": nested(200)})
    event = SessionEvent(session_id="s", body=ActionResultRecorded(action_result=result))
    sent = event_response(event, conversation_pb2.ConverseResponse).SerializeToString()
    metadata = conversation_pb2.ConverseResponse.FromString(sent).event.action_result.metadata
    value, levels = read_struct(metadata)["deep"], 0
    while isinstance(value, dict):
        value, levels = value["in"], levels + 1
    assert json.loads(str(value)) == nested(200 - levels)


def test_what_json_has_no_word_for_is_refused() -> None:
    """A set in a script's data is a mistake of ours, told at once."""
    with pytest.raises(TypeError, match="set"):
        fill_value({1}, Value())  # type: ignore[arg-type]
