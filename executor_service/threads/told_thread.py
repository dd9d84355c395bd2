"""The main thread as an agent is told of it: what was said, and the placeholder that waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from executor_service.threads.thread import Thread
from heartrule.domain.threads import SubThread, ThreadMessage, ThreadRole, ThreadSettings


def told_thread(
    said: Iterable[tuple[str, str]],
    settings: ThreadSettings,
    *,
    placeholder: str | None = None,
    phase: str = "",
    nested: Sequence[tuple[SubThread, Sequence[ThreadMessage]]] = (),
) -> Thread:
    """Return a main thread without an id, whose messages have ids of no store.

    Args:
        said: Role, `user` or another, and text of each message, oldest first.
        settings: Those of the thread.
        placeholder: Id of the message that waits behind them; None: none does.
        phase: The phase in which that was said.
        nested: The threads in it, the outermost among them.
    """
    messages = [
        ThreadMessage(
            message_id=f"told_{number}",
            number=number,
            role=ThreadRole.USER if role == "user" else ThreadRole.BOT,
            text=text,
        )
        for number, (role, text) in enumerate(said)
    ]
    if placeholder is not None:
        waiting = ThreadMessage(
            message_id=placeholder,
            number=len(messages),
            role=ThreadRole.BOT,
            text="",
            phase=phase,
            is_placeholder=True,
        )
        messages.append(waiting)
    return Thread.restored("", settings, messages, nested)
