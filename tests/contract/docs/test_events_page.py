"""docs/reference/events.md tells every kind of event, whether it is kept and for whom it is."""

from __future__ import annotations

from heartrule.domain.conversation import Audience
from heartrule.v1 import event_pb2
from heartrule.wire.event_messages import FIELDS
from session_store.event_drafts import AUDIENCES
from tests.support.documents import page

PAGE = page("docs/reference/events.md")
BODIES = {field: body for body, field in FIELDS.items()}


def expected(field: str) -> list[str]:
    """Return the first three cells of an event's row."""
    audience = AUDIENCES.get(BODIES[field])
    return [f"`{field}`", "yes" if audience else "no", (audience or Audience.CLIENT).name]


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
