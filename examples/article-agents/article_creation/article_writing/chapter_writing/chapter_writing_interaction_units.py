"""The exchange in which a chapter is written."""

from __future__ import annotations

from article_creation.article_writing.chapter_writing.chapter_writing_state_handlers import given
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.units import Requester
from heartrule.domain.threads import ThreadMessage


class DraftRequester(Requester):
    """Asks for the chapter."""

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the request."""
        return f"请写这一章：{given('chapter', task, thread)}"
