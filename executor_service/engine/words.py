"""What the client said in a turn, and what is said to the client."""

from __future__ import annotations

from collections.abc import Iterator

from executor_service.actions.context import Said
from heartrule.domain.conversation import Message, Part, Role, text_part
from session_store.records import ActionInstance, TurnSnapshot


def reply_of(snapshot: TurnSnapshot) -> str | None:
    """Return what the client said in this turn and no step has judged, fragments on lines."""
    if snapshot.inputs_consumed or not snapshot.inputs:
        return None
    return "\n".join(message.spoken() for message in snapshot.inputs)


def written_in(snapshot: TurnSnapshot) -> Iterator[str]:
    """Yield what the client wrote into forms: the reply holds only what stands for them."""
    for message in snapshot.inputs:
        for part in message.parts:
            if part.form is not None:
                yield from (text for text in part.form.values.values() if isinstance(text, str))


def message_of(said: Said, instance: ActionInstance | None, turn_id: str) -> Message:
    """Return a message of an action, or of HeartRule itself, such as a crisis resource."""
    return Message(
        message_id=said.message_id,
        role=Role.ASSISTANT if instance else Role.SYSTEM,
        parts=(_part(said),),
        action_instance_id=instance.action_instance_id if instance else "",
        action_id=instance.action_id if instance else "",
        completeness=said.completeness,
        turn_id=turn_id,
    )


def spoken_of(said: Said) -> str:
    """Return the words of a message, with those said to its picture."""
    return _part(said).spoken()


def _part(said: Said) -> Part:
    return Part(media=said.media, fallback_text=said.text) if said.media else text_part(said.text)
