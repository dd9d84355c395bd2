"""Requests that a chat front end makes for itself: for a title, for tags, for follow-up questions.

They come over the same route as a client's words, and hold the conversation so far. A session would
take them for an answer, so they never reach one: they are answered here, without a model.
"""

from __future__ import annotations

import re

import orjson
from starlette.requests import Request

from gateway_service.chat_completions import Completion
from gateway_service.settings import RequestSettings

# How requests for a title begin; they are answered with the script's name.
TITLES = (
    "Create a concise, 3-5 word title",  # Open WebUI, older
    "Provide a concise, 5-word-or-less title",  # LibreChat
    "Please generate a concise, 5-word-or-less title",  # LibreChat
    "Analyze this conversation and provide:\n1.",  # LibreChat, with a schema
    "Please generate a four to five word title summarizing our conversation",  # NextChat
    "使用四到五个字直接返回这句话的简要主题",  # NextChat
    "Based on the chat history, give this conversation a name",  # Chatbox
    "你是一名擅长会话的助理，你需要将用户的会话总结为",  # LobeChat, older; Cherry Studio
    "You are a professional conversation summarizer. Generate a concise title",  # LobeChat
)
# What else they ask for; it is answered with nothing, in the form that is asked for.
OTHERS = (
    "Your task is to reflect the speaker's likely facial expression",  # Open WebUI: an emoji
    "You have been provided with a set of responses from various models",  # Open WebUI: merging
    "Available Tools: [",  # Open WebUI: which tools to call
    "Hold on, before you continue I need you to write me a checkpoint",  # LibreChat: a summary
    "Hold on again, update your checkpoint",  # LibreChat
    "You're an assistant who's good at extracting key takeaways",  # LobeChat: a summary
    "You are a professional translator. Translate the input text to",  # LobeChat
    "你是一名精通全世界语言的语言专家，你需要识别用户输入的内容",  # LobeChat: the language
    "Given the following conversation and a follow-up question, rephrase",  # LobeChat: a query
)
# Open WebUI's title, tags, follow-ups, queries, completion and summary begin with a task and hold
# the conversation. So begins a client's message to which a file was attached, without one.
TASK = "### Task:"
PASTS = ("<chat_history>", "### Messages Being Compacted:")
# Behind this stand files, which hold anything, and the client's words.
FILES = "<context>"
# The JSON that Open WebUI asks for, by the field that it names first.
_ASKED = re.compile(
    r'JSON[^{J]*\{\s*"(?P<field>title|text|prompt|tags|follow_ups|queries|tool_calls)"'
)
_TEXTS = ("title", "text", "prompt")


def task_of(request: Request, sent: Completion, settings: RequestSettings) -> str | None:
    """Return the text of a request that no client said anything in; None for any other."""
    newest = sent.messages[-1].plain_text()
    if any(request.headers.get(name) for name in settings.task_headers):
        return newest
    told = [m.plain_text() for m in sent.messages if m.role in {"system", "developer"}]
    own = settings.task_prompts
    known = (*TITLES, *OTHERS) if settings.known_task_prompts else ()
    for text in (newest, *told):
        if _begins(text, own + known) or (settings.known_task_prompts and _holds_past(text)):
            return text
    return None


def answer_to(task: str, title: str) -> str:
    """Return what a front end can use: the script's name as title, and nothing where it wants more.

    It is JSON with the field that the task names first, else the text alone.
    """
    asked = _ASKED.search(task)
    if asked is None:
        return "" if _begins(task, (TASK, *OTHERS)) else title
    field = asked["field"]
    value: str | list[str] = "" if field in _TEXTS else []
    return orjson.dumps({field: title if field == "title" else value}).decode()


def _holds_past(text: str) -> bool:
    frame, _, _ = text.partition(FILES)
    return _begins(frame, (TASK,)) and any(mark in frame for mark in PASTS)


def _begins(text: str, beginnings: tuple[str, ...]) -> bool:
    return text.lstrip().casefold().startswith(tuple(each.casefold() for each in beginnings))
