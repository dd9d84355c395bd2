"""What the bot's side says while an article is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from article_creation.prompts import prompt
from executor_service.threads.ai_adapter import AIAdapter
from executor_service.threads.handlers import StateHandler
from executor_service.threads.nested_threads import NestedTask, NestedThreadsHandler
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.written_values import request_of
from heartrule.domain.threads import ThreadRole


class OutlineHandler(StateHandler):
    """Writes the outline, a chapter a line."""

    def __init__(self, *, adapter: AIAdapter) -> None:
        """Ask by an adapter."""
        super().__init__()
        self._adapter = adapter

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the outline."""
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        answer = await self._adapter.chat(messages, prompt("outline", {}))
        return Response(answer.choices[0].message.content)


class ChaptersHandler(NestedThreadsHandler):
    """Has each chapter written in a thread of its own."""

    def nested(self, task: Task, thread: Thread, agent: ThreadAgent) -> Sequence[NestedTask]:
        """Return a thread for each line of the outline."""
        asked = requirements(task, thread)
        lines = [line.strip() for line in answer_of("outline", task, thread).splitlines()]
        return tuple(
            NestedTask(
                text=line,
                request={"text": line, "input": {"chapter": line, "requirements": asked}},
            )
            for line in lines
            if line
        )


class CheckHandler(StateHandler):
    """Looks over the whole, and writes it in its last form."""

    def __init__(self, *, adapter: AIAdapter) -> None:
        """Ask by an adapter."""
        super().__init__()
        self._adapter = adapter

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the article."""
        known = {
            "requirements": requirements(task, thread),
            "outline": answer_of("outline", task, thread),
            "draft": answer_of("chapters", task, thread),
        }
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        answer = await self._adapter.chat(messages, prompt("check", known))
        return Response(answer.choices[0].message.content)


def requirements(task: Task, thread: Thread) -> str:
    """Return what the article is to be."""
    given = request_of(task, thread).get("input")
    return str(given.get("requirements", "")) if isinstance(given, Mapping) else ""


def answer_of(phase: str, task: Task, thread: Thread) -> str:
    """Return the last answer of a phase; chapters hang on messages that are none."""
    messages = thread.resolve(task.path, task.meta.thread_id).messages
    said = [each for each in messages if each.phase == phase and each.unit]
    return "".join([each.text for each in said if each.role is ThreadRole.BOT][-1:]).strip()
