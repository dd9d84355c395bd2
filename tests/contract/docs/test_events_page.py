"""docs/reference/events.md tells every kind of event, whether it is kept and for whom it is."""

from __future__ import annotations

from heartrule.domain.conversation import Audience
from heartrule.v1 import event_pb2
from heartrule.wire.events import FIELDS
from session_store.event_drafts import FOR_OPERATORS, EventKind
from tests.support.documents import page

PAGE = page("docs/reference/events.md")
KIND_OF_FIELD = {
    "action_result": EventKind.ACTION_RESULT_RECORDED,
    "variable_operation": EventKind.VARIABLE_CHANGED,
}
"""Durable kinds whose field in the contract bears another name."""


def kind_of(field: str) -> EventKind | None:
    """Return what the store calls the event in this field; None for a transient one."""
    by_name = {kind.value: kind for kind in EventKind}
    return KIND_OF_FIELD.get(field, by_name.get(field))


def expected(field: str) -> list[str]:
    """Return the first three cells of an event's row."""
    kind = kind_of(field)
    audience = Audience.OPERATOR if kind in FOR_OPERATORS else Audience.CLIENT
    return [f"`{field}`", "yes" if kind else "no", audience.name]


def test_the_table_is_that_of_the_code() -> None:
    """Every event has its row, in the contract's order, and nothing else has one."""
    order = [
        field.name for field in event_pb2.SessionEvent.DESCRIPTOR.oneofs_by_name["event"].fields
    ]
    assert set(order) == set(FIELDS.values())
    assert [expected(name) for name in order] == [row[:3] for row in PAGE.table("Kinds")]


def test_every_event_has_its_advice_to_clients() -> None:
    """A client's author finds what to do with each."""
    _, _, told = PAGE.text.partition("## What a client does")
    assert [name for name in FIELDS.values() if f"`{name}`" not in told] == []
