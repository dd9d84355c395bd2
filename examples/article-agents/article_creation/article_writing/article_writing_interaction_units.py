"""The exchanges in which an article is written."""

from __future__ import annotations

from article_creation.article_writing.article_writing_state_handlers import requirements
from article_creation.judging import is_right
from executor_service.threads.agent_host import adapter_of
from executor_service.threads.handlers import StateHandler
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from executor_service.threads.thread_agent import ThreadAgent
from executor_service.threads.units import Requester, Responsor, Starter
from executor_service.threads.written_handlers import answers_before
from heartrule.domain.threads import ThreadMessage, ThreadRole

_IS_RIGHT, _MOST = "定稿前后一致，也合乎要求吗？", 2


class OutlineStarter(Starter):
    """Asks for the outline."""

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the request."""
        return f"请按这些要求列出文章的提纲，一行一章：{requirements(task, thread)}"


class OutlineResponsor(Responsor):
    """Takes the outline as it is."""


class ChaptersRequester(Requester):
    """Asks for the chapters."""

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the request; nothing where chapters have begun already."""
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        asked = any(each.role is ThreadRole.USER and each.phase == "chapters" for each in messages)
        return "" if asked else "请按提纲逐章写。"


class CheckStarter(Starter):
    """Asks for the article in its last form."""

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return the request."""
        return "请检查全文，写出定稿。"


class CheckResponsor(Responsor):
    """Sends it back where something is not right."""

    def __init__(self, *, state_handler: StateHandler) -> None:
        """Hold the handler that writes the article."""
        super().__init__(state_handler=state_handler)

    async def analyse_bot_message(
        self, bot_message: ThreadMessage, task: Task, thread: Thread, agent: ThreadAgent
    ) -> bool:
        """Return whether the model finds it right."""
        if answers_before(bot_message, task, thread) >= _MOST:
            return True
        return await is_right(adapter_of(agent), task, thread, bot_message, _IS_RIGHT)

    async def generate_user_message(
        self, bot_message: ThreadMessage | None, task: Task, thread: Thread, agent: ThreadAgent
    ) -> str:
        """Return what is asked for then."""
        return "还有不一致或不合要求的地方，请改好，再写出全文。"
