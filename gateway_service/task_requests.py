"""Requests that a chat front end makes for itself: for a title, for tags, for follow-up questions.

They come over the same route as a client's words, and hold the conversation so far. A session would
take them for an answer, so they never reach one: they are answered here, without a model.
"""

from __future__ import annotations

import orjson
from starlette.requests import Request

from gateway_service.chat_completions import Completion
from gateway_service.settings import RequestSettings

# How such requests of known front ends begin.
KNOWN = (
    "### Task:",  # Open WebUI: title, tags, follow-ups, queries, autocompletion
    "Create a concise, 3-5 word title",  # Open WebUI, older
    "Provide a concise, 5-word-or-less title",  # LibreChat
    "Please generate a concise, 5-word-or-less title",  # LibreChat
    "Please generate a four to five word title summarizing our conversation",  # NextChat
    "使用四到五个字直接返回这句话的简要主题",  # NextChat
    "Based on the chat history, give this conversation a name",  # Chatbox
    "你是一名擅长会话的助理，你需要将用户的会话总结为",  # LobeChat, Cherry Studio
)
# Fields of the JSON that Open WebUI asks for.
_LISTS = ("tags", "follow_ups", "queries")
_TEXTS = ("title", "text")


def task_of(request: Request, sent: Completion, settings: RequestSettings) -> str | None:
    """Return the text of a request that no client said anything in; None for any other."""
    newest = sent.messages[-1].plain_text()
    if any(request.headers.get(name) for name in settings.task_headers):
        return newest
    beginnings = settings.task_prompts + (KNOWN if settings.known_task_prompts else ())
    told = [m.plain_text() for m in sent.messages if m.role in {"system", "developer"}]
    return next((text for text in (newest, *told) if _begins(text, beginnings)), None)


def answer_to(task: str, title: str) -> str:
    """Return what a front end can use: the script's name as title, and nothing where it wants more.

    It is JSON with the field that the task names first, else the title alone.
    """
    asked = {name: task.find(f'"{name}"') for name in (*_TEXTS, *_LISTS)}
    named = [name for name, place in asked.items() if place >= 0]
    if not named:
        return title
    first = min(named, key=asked.__getitem__)
    value: str | list[str] = [] if first in _LISTS else title if first == "title" else ""
    return orjson.dumps({first: value}).decode()


def _begins(text: str, beginnings: tuple[str, ...]) -> bool:
    return text.lstrip().casefold().startswith(tuple(each.casefold() for each in beginnings))
