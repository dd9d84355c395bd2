"""An agent that asks what an article is to be, and has it written in a thread of its own."""

from article_creation.article_creation_agent import ArticleCreationAgent
from executor_service.scripts.model.agent_file import AgentKind
from executor_service.threads.agent_registry import RegisteredAgent

ARTICLE_CREATION = RegisteredAgent(
    name="article_creation",
    kind=AgentKind.MAIN,
    make=ArticleCreationAgent.create,
    first_phase=ArticleCreationAgent.initial_phase,
    description="先问清楚要写什么，再写出一篇文章。",
    labels={"clarify": "正在了解要求", "write_article": "正在写文章"},
    nested=frozenset({"article_writing"}),
)
