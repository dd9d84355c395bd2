"""The agent of the conversation."""

from __future__ import annotations

from article_creation.article_creation_state_handlers import (
    ArticleExecutionHandler,
    ArticlePreparationHandler,
    RequirementClarificationHandler,
)
from article_creation.article_writing.article_writing_agent import ArticleWritingAgent
from executor_service.threads.agent_host import adapter_of, host_of
from executor_service.threads.agents import BaseAgent


class ArticleCreationAgent(BaseAgent):
    """Clarifies, prepares and has the article written."""

    initial_phase = "clarify"
    terminal_phases = frozenset({"done"})

    async def _initialize_state_handlers(self) -> None:
        self.state_handlers = {
            "clarify": await RequirementClarificationHandler.create(
                adapter=adapter_of(self), next_phase="prepare_article"
            ),
            "prepare_article": await ArticlePreparationHandler.create(
                placeholder_text="正在写文章，请稍等……", next_phase="write_article"
            ),
            "write_article": await ArticleExecutionHandler.create(
                agent_name="article_writing",
                make_agent=ArticleWritingAgent.create,
                failure_text="这次没有写成，请再说一声，我重新写。",
                next_phase="done",
                work=host_of(self).work,
            ),
        }
