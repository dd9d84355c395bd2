"""The agent of the thread in which a chapter is written."""

from __future__ import annotations

from collections.abc import Mapping

from article_creation.article_writing.chapter_writing.chapter_writing_interaction_units import (
    DraftRequester,
)
from article_creation.article_writing.chapter_writing.chapter_writing_state_handlers import (
    DraftHandler,
)
from executor_service.threads.agent_host import adapter_of
from executor_service.threads.agents import SubThreadAgent
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from heartrule.domain.json_value import JsonValue
from heartrule.domain.threads import ThreadRole


class ChapterWritingAgent(SubThreadAgent):
    """Writes one chapter."""

    initial_phase = "draft"
    terminal_phases = frozenset({"done"})

    async def _initialize_interaction_units(self) -> None:
        draft = await DraftHandler.create(adapter=adapter_of(self))
        self.interaction_units = {
            "draft": await DraftRequester.create(state_handler=draft, next_phase="done"),
        }

    def result_values(self, task: Task, thread: Thread) -> Mapping[str, JsonValue]:
        """Return the chapter."""
        messages = thread.resolve(task.path, task.meta.thread_id).messages
        said = [each.text for each in messages if each.role is ThreadRole.BOT]
        return {"chapter_text": "".join(said[-1:]).strip()}
