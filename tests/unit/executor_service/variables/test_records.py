"""A list of records grows by one a round, and holds nothing twice."""

from __future__ import annotations

from executor_service.scripts.model.fields import Collect, RecordField
from executor_service.variables.outputs import convert_outputs
from executor_service.variables.records import gather
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType

COLLECT = Collect(
    into="情境",
    fields=(RecordField(get="时候"), RecordField(get="紧张", type=OutputType.INTEGER)),
)
ONE: dict[str, JsonValue] = {"时候": "开会", "紧张": 7}


def after(before: JsonValue, **raw: JsonValue) -> JsonValue:
    """Return the list a round makes; what it held where the round adds nothing."""
    record = convert_outputs(raw, COLLECT.outputs).values
    return gather(COLLECT, before, record).get("情境", before)


def test_a_round_adds_its_record_in_the_types_of_its_fields() -> None:
    """What is no list counts as an empty one; other names are left out."""
    assert after(None, 时候="开会", 紧张="7 分", 别的="x") == [ONE]
    assert after("一个词", 时候="开会", 紧张=7) == [ONE]
    assert after([ONE], 时候="夜里") == [ONE, {"时候": "夜里"}]


def test_nothing_is_held_twice() -> None:
    """A model that gives every value each round adds no record."""
    assert after([ONE, {"时候": "夜里"}], 时候="开会", 紧张=7) == [ONE, {"时候": "夜里"}]
    assert after([ONE], 时候="开会") == [ONE]
    assert after([ONE]) == [ONE]


def test_a_record_that_completes_the_last_takes_its_place() -> None:
    """A client tells of one thing in two answers."""
    assert after([{"时候": "开会"}], 时候="开会", 紧张=7) == [ONE]
    assert after([{"时候": "开会"}, {"时候": "夜里"}], 时候="开会", 紧张=7) == [
        {"时候": "开会"},
        {"时候": "夜里"},
        ONE,
    ]


def test_a_value_that_does_not_convert_stays_out_of_its_record() -> None:
    """The record is added without it."""
    assert after([], 时候="开会", 紧张="很高") == [{"时候": "开会"}]
