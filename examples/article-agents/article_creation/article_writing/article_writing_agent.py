"""The agent of the thread in which an article is written."""

from __future__ import annotations

from collections.abc import Mapping

from article_creation.article_writing.article_writing_interaction_units import (
    ChaptersRequester,
    CheckResponsor,
    CheckStarter,
    OutlineResponsor,
    OutlineStarter,
)
from article_creation.article_writing.article_writing_state_handlers import (
    ChaptersHandler,
    CheckHandler,
    OutlineHandler,
    answer_of,
)
from article_creation.article_writing.chapter_writing.chapter_writing_agent import (
    ChapterWritingAgent,
)
from executor_service.threads.agent_host import adapter_of
from executor_service.threads.agents import SubThreadAgent
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from heartrule.domain.json_value import JsonValue


class ArticleWritingAgent(SubThreadAgent):
    """Outlines, has the chapters written, and checks the whole."""

    initial_phase = "outline"
    terminal_phases = frozenset({"done"})

    async def _initialize_interaction_units(self) -> None:
        adapter = adapter_of(self)
        outline = await OutlineHandler.create(adapter=adapter)
        chapters = await ChaptersHandler.create(
            agent_name="chapter_writing",
            make_agent=ChapterWritingAgent.create,
            failure_text="……",
        )
        check = await CheckHandler.create(adapter=adapter)
        self.interaction_units = {
            "outline": await OutlineStarter.create(
                responsor=await OutlineResponsor.create(state_handler=outline),
                next_phase="chapters",
            ),
            "chapters": await ChaptersRequester.create(state_handler=chapters, next_phase="check"),
            "check": await CheckStarter.create(
                responsor=await CheckResponsor.create(state_handler=check), next_phase="done"
            ),
        }

    def result_values(self, task: Task, thread: Thread) -> Mapping[str, JsonValue]:
        """Return the article, and what it was made of."""
        phases = {"outline": "outline", "draft": "chapters", "article": "check"}
        return {name: answer_of(phase, task, thread) for name, phase in phases.items()}
