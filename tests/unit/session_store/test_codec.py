"""Domain values as compact JSON and back."""

from __future__ import annotations

import json
from contextlib import nullcontext
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from heartrule.domain import (
    action_result,
    conversation,
    events,
    exits,
    model_call,
    monitoring,
    position,
    problem,
    variables,
)
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Media, Message, Part, Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice, MonitorAnalysis, Severity
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.problem import Problem
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from session_store import records
from session_store.codec import dump, load, load_tuple, storable

MODULES = (
    action_result,
    conversation,
    events,
    exits,
    model_call,
    monitoring,
    position,
    problem,
    variables,
    records,
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    name: str
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    colour: Colour
    at: datetime | None = None
    span: timedelta = timedelta(0)
    data: bytes = b""
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    free: JsonValue = None
    by_name: dict[str, Inner] = field(default_factory=dict)


FULL = Outer(
    colour=Colour.RED,
    at=datetime(2026, 11, 21, 12, 0, 0, 123456, UTC),
    span=timedelta(seconds=1, microseconds=5),
    data=b"\x00\xff",
    inner=Inner(name="a"),
    many=(Inner(name="b", size=2), Inner(name="c")),
    free={"x": [1, None, {"y": False}]},
    by_name={"k": Inner(name="d")},
)


def test_every_kind_of_field_comes_back() -> None:
    """Enums, times, spans, bytes, nested values, tuples, mappings and free JSON survive."""
    assert load(Outer, dump(FULL)) == FULL


def test_defaults_are_left_out() -> None:
    """What a field has by default takes no room."""
    assert json.loads(dump(Outer(colour=Colour.RED))) == {"colour": "red"}


@pytest.mark.parametrize("value", [0, False, "", [], {}])
def test_empty_values_are_values(value: Any) -> None:
    """A variable that is 0, false or empty is not a variable that has none (RESOLUTIONS C19)."""
    operation = VariableOperation(
        action_id="a",
        operation=VariableOperationKind.UPDATE,
        variable_name="x",
        scope=VariableScope.TOPIC,
        value=value,
    )
    assert load(VariableOperation, dump(operation)).value == value


def test_old_rows_are_read() -> None:
    """A field added since takes its default."""
    assert load(Inner, '{"name":"a"}') == Inner(name="a", size=0)


def test_rows_of_a_later_release_are_read() -> None:
    """A field this release does not know is passed over, nested ones too."""
    assert load(Outer, '{"colour":"red","new":1,"inner":{"name":"a","new":2}}').inner == Inner(
        name="a"
    )


def test_tuples_of_values_come_back() -> None:
    """A tuple is a list in JSON."""
    parts = (Part(text="a"), Part(media=Media(mime_type="image/png", data=b"\x01")))
    assert load_tuple(Part, dump(parts)) == parts


@given(JSON)
def test_free_json_comes_back(value: Any) -> None:
    """Whatever JSON can hold is read as it was written."""
    assert load(ExecutionState, dump(state_with(value))).variables["x"] == value


def state_with(value: Any) -> ExecutionState:
    """Return a state in which one variable has that value."""
    return ExecutionState(status=ExecutionStatus.RUNNING, variables={"x": value})


@given(st.text())
def test_no_text_is_refused(text: str) -> None:
    """Half of a surrogate pair becomes U+FFFD; all else stays."""
    message = Message(message_id="m", role=Role.CLIENT, parts=(Part(text=text),))
    found = load(Message, dump(message)).plain_text()
    assert found == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def test_half_a_character_spoils_nothing_beside_it() -> None:
    """A name with half of a surrogate pair is mended; times and bytes next to it stay."""
    media = Part(media=Media(mime_type="image/png", data=b"\x00\xff", caption="\ud800"))
    mended = Part(media=Media(mime_type="image/png", data=b"\x00\xff", caption="\ufffd"))
    assert load_tuple(Part, dump((media,))) == (mended,)
    assert load(dict, dump({"\ud800": 1})) == {"\ufffd": 1}


def test_large_numbers_are_kept_as_numbers() -> None:
    """An integer above 64 bits does not stop a turn."""
    found = load(ExecutionState, dump(state_with(2**70))).variables["x"]
    assert float(found) == float(2**70)  # type: ignore[arg-type]


def test_what_json_cannot_say_is_refused() -> None:
    """A value of a foreign class is a mistake of ours, told at once."""
    with pytest.raises(PydanticSerializationError, match="object"):
        dump({"x": object()})


def test_free_text_is_made_storable() -> None:
    """PostgreSQL takes neither NUL nor half a surrogate pair."""
    assert storable("a\0b\ud800c") == "a\ufffdb\ufffdc"
    assert storable("内心") == "内心"


def all_dataclasses() -> list[type]:
    """Return every record the store may be given."""
    found = {
        each
        for module in MODULES
        for each in vars(module).values()
        if isinstance(each, type) and is_dataclass(each)
    }
    return sorted(found, key=lambda each: each.__qualname__)


@pytest.mark.parametrize("kind", all_dataclasses(), ids=lambda kind: kind.__name__)
def test_every_record_has_a_reader(kind: type) -> None:
    """Each dataclass of the domain can be read: its annotations are of kinds the codec knows."""
    wanting = pytest.raises(ValidationError, match="required")
    with wanting if has_required_fields(kind) else nullcontext():
        load(kind, "{}")


def has_required_fields(kind: Any) -> bool:
    """Return True where a field has no default."""
    return any(each.default is MISSING and each.default_factory is MISSING for each in fields(kind))


def test_an_advice_comes_back() -> None:
    """A nested record of the monitor survives whole."""
    advice = Advice(
        advice_id="a",
        session_id="s",
        action_id="x",
        action_instance_id="i",
        about_round=2,
        analysis=MonitorAnalysis(intervention_needed=True, metadata={"warnings": ["w"]}),
        feedback_text="f",
        severity=Severity.CONCERN,
        made_at=datetime(2026, 11, 21, tzinfo=UTC),
    )
    assert load(Advice, dump(advice)) == advice


def test_a_result_comes_back() -> None:
    """A result with an error and free metadata survives whole."""
    result = ActionResult(
        success=False,
        completed=False,
        error=Problem(code=14, reason="R", message="m", retry_after=timedelta(seconds=2)),
        metadata={"parseError": {"retryCount": 3}},
    )
    assert load(ActionResult, dump(result)) == result
