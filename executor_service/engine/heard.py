"""What the client said in a turn."""

from __future__ import annotations

from collections.abc import Iterator

from session_store.records import TurnSnapshot


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
