"""What the bot's side says while a chapter is written."""

from __future__ import annotations

from collections.abc import Mapping

from article_creation.prompts import prompt
from executor_service.threads.ai_adapter import AIAdapter
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.written_values import request_of


class DraftHandler(StateHandler):
    """Writes the chapter."""

    def __init__(self, *, adapter: AIAdapter) -> None:
        """Ask by an adapter."""
        super().__init__()
        self._adapter = adapter

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return its text."""
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        known = {"requirements": given("requirements", task, thread)}
        answer = await self._adapter.chat(messages, prompt("draft", known))
        return Response(answer.choices[0].message.content)


def given(name: str, task: Task, thread: Thread) -> str:
    """Return what the thread was handed under a name."""
    inputs = request_of(task, thread).get("input")
    return str(inputs.get(name, "")) if isinstance(inputs, Mapping) else ""
