"""An agent that writes one chapter of an article."""

from article_creation.article_writing.chapter_writing.chapter_writing_agent import (
    ChapterWritingAgent,
)
from executor_service.threads.agent_registry import RegisteredAgent
from heartrule.domain.output_type import OutputType
from heartrule.domain.workflows import WorkflowInput

CHAPTER_WRITING = RegisteredAgent(
    name="chapter_writing",
    make=ChapterWritingAgent.create,
    first_phase=ChapterWritingAgent.initial_phase,
    description="写出文章的一章。",
    input_schema={
        "chapter": WorkflowInput(type="string"),
        "requirements": WorkflowInput(type="string", is_required=False, default=""),
    },
    outputs={"chapter_text": OutputType.TEXT},
    timeout=120,
    labels={"draft": "正在写一章"},
)
