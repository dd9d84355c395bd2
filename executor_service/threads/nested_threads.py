"""Several threads nested in one phase of a sub-thread: one after the other, each in its message."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from executor_service.threads.handlers import write_message
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import SubThreadExecutionHandler
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadMessage, ThreadRole

MOST_NESTED = 20
"""Most nested threads of one phase; what is beyond has none."""
UNSAID = "……"
"""What stands where nothing else is to be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NestedTask:
    """What a nested thread is opened for."""

    text: str
    """Stands in its message until the result is there."""
    request: Mapping[str, JsonValue]


class NestedThreadsHandler(SubThreadExecutionHandler):
    """Opens a thread for each of several tasks, and says their results; a Requester holds it.

    Each hangs on a message of its own, which counts as no unit's answer; done again after a crash,
    it goes on in the last one.
    """

    @abstractmethod
    def nested(self, task: Task, thread: Thread, agent: ThreadAgent) -> Sequence[NestedTask]:
        """Return what each thread is opened for, the same whenever it is asked in this phase."""

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the results together; ThreadFault SUB_THREAD_FAILED where one has none."""
        beside = replace(task, meta=replace(task.meta, unit=0, original_query=None))
        results: list[str] = []
        values: dict[str, JsonValue] = {}
        for number, each in enumerate(self.nested(task, thread, agent)[:MOST_NESTED]):
            opened = _messages_beside(beside, thread)
            if number < len(opened) - 1:
                results.append(opened[number].text)
                continue
            if number == len(opened):
                await _announce(beside, thread, each)
            response = await super().handle(beside, thread, agent)
            results.append(response.text)
            values |= response.values
        return Response("\n\n".join(results), values=values)


async def _announce(task: Task, thread: Thread, nested: NestedTask) -> None:
    """Write the message that a nested thread hangs on."""
    meta: dict[str, JsonValue] = {"originalQuery": nested.request}
    placeholder = Response(nested.text.strip() or UNSAID, meta=meta, is_placeholder=True)
    await write_message(task, thread, ThreadRole.BOT, placeholder)


def _messages_beside(task: Task, thread: Thread) -> tuple[ThreadMessage, ...]:
    """Return the messages of the phase that nested threads hang on."""
    current = thread.resolve(task.path, task.meta.thread_id)
    return tuple(
        each for each in current.messages if not each.unit and each.phase == current.settings.phase
    )
