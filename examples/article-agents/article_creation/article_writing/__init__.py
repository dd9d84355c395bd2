"""An agent that writes an article: an outline, its chapters, a check of the whole."""

from article_creation.article_writing.article_writing_agent import ArticleWritingAgent
from executor_service.threads.agent_registry import RegisteredAgent
from heartrule.domain.output_type import OutputType
from heartrule.domain.workflows import WorkflowInput

ARTICLE_WRITING = RegisteredAgent(
    name="article_writing",
    make=ArticleWritingAgent.create,
    first_phase=ArticleWritingAgent.initial_phase,
    description="按要求写出一篇文章：提纲、逐章、检查。",
    input_schema={"requirements": WorkflowInput(type="string")},
    outputs=dict.fromkeys(("outline", "draft", "article"), OutputType.TEXT),
    timeout=600,
    labels={"outline": "正在列提纲", "chapters": "正在逐章写", "check": "正在检查全文"},
    nested=frozenset({"chapter_writing"}),
)
