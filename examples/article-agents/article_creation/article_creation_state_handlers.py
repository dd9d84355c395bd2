"""What is said in the conversation itself."""

from __future__ import annotations

from collections.abc import Mapping

from article_creation.judging import is_right
from article_creation.prompts import prompt
from executor_service.threads.ai_adapter import AIAdapter
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Response, Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.two_step import (
    SubThreadExecutionHandler,
    SubThreadPreparationHandler,
)
from executor_service.threads.written_values import count_answer
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadMessage, ThreadRole

_IS_CLEAR, _MOST = "读者、主题和篇幅都清楚了吗？", 5


class RequirementClarificationHandler(StateHandler):
    """Asks for what is not clear yet, and sums it up when it is."""

    def __init__(self, *, adapter: AIAdapter, next_phase: str) -> None:
        """Ask by an adapter."""
        super().__init__(next_phase=next_phase)
        self._adapter = adapter

    async def handle(self, task: Task, thread: Thread, agent: ThreadAgent) -> Response:
        """Return the question, or the summary, which ends the phase."""
        pieces = await self._adapter.chat(thread.messages, prompt("clarify", {}), stream=True)
        text = "".join([piece async for piece in pieces])
        said = ThreadMessage(
            message_id="",
            number=len(thread.messages),
            role=ThreadRole.BOT,
            text=text,
            phase=thread.settings_of("").phase,
        )
        given = count_answer(task, thread)
        if given >= _MOST or await is_right(self._adapter, task, thread, said, _IS_CLEAR):
            self._suggest_phase_update(task, thread)
        return Response(text)


class ArticlePreparationHandler(SubThreadPreparationHandler):
    """Says that the article is being written."""

    def request(self, task: Task, thread: Thread, agent: ThreadAgent) -> Mapping[str, JsonValue]:
        """Return the whole request, with the summary as what the article is to be."""
        summary = [each.text for each in thread.messages if each.role is ThreadRole.BOT][-1:]
        inputs: dict[str, JsonValue] = {"requirements": "".join(summary).strip()}
        return {**super().request(task, thread, agent), "input": inputs}


class ArticleExecutionHandler(SubThreadExecutionHandler):
    """Has the article written in the thread of that message."""
