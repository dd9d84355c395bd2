"""What clients in danger say, and the rule that each of them received a card."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from heartrule.domain.conversation import Role
from heartrule.domain.events import InputRejected
from tests.chaos.evidence import Evidence
from tests.chaos.history import Record, Sent

IN_DANGER = "我不想活了"
ABOUT_A_FRIEND = "有个朋友可以说说话，可是我朋友说他不想活了"


def danger_is_answered(e: Evidence) -> Iterator[str]:
    """Whoever named a danger received a card: of the refusal, or before all else of its turn."""
    refused = {
        event.body.client_message_id
        for event in e.received()
        if isinstance(event.body, InputRejected) and event.body.fallback is not None
    }
    turns = {row.client_message_id: row.turn_id for row in e.messages if row.client_message_id}
    for name in {each.client_message_id for each in e.records if _names_danger(each)} - refused:
        answers = [row.role for row in e.messages if row.turn_id == turns.get(name, "")]
        answers = [role for role in answers if role != Role.CLIENT]
        if answers[:1] != [Role.SYSTEM]:
            yield f"{name} was answered by {answers}"


def _names_danger(record: Record) -> TypeGuard[Sent]:
    return isinstance(record, Sent) and record.text in (IN_DANGER, ABOUT_A_FRIEND)
