"""Asking the model whether an answer is the last of its phase."""

from __future__ import annotations

from dataclasses import replace

from executor_service.threads.ai_adapter import AIAdapter
from executor_service.threads.task import Task
from executor_service.threads.thread import Thread
from heartrule.domain.threads import ThreadMessage, ThreadRole
from heartrule.model.reply.flags import read_flag

_YES_OR_NO = "只回答 YES 或 NO，不写别的。Answer with YES or NO alone."


async def is_right(
    adapter: AIAdapter, task: Task, thread: Thread, answer: ThreadMessage, question: str
) -> bool:
    """Return whether the model says yes to a question about an answer."""
    messages = thread.resolve(task.path, task.meta.thread_id).messages
    before = tuple(each for each in messages if each.message_id != answer.message_id)
    asked = replace(answer, role=ThreadRole.USER, text=question)
    judged = await adapter.chat((*before, answer, asked), _YES_OR_NO)
    return read_flag(judged.choices[0].message.content.strip(" \n。.")) is True
