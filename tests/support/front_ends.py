"""What chat front ends send to `/v1/chat/completions` for themselves, as their releases do it.

Read from the sources of Open WebUI 0.12.4 (`config.py`, `routers/tasks.py`,
`utils/context_compaction.py`, `utils/middleware.py`), LibreChat's agents 3.2.21 (`utils/title.ts`,
`summarization/node.ts`) and LobeChat 1.143.3 (`packages/prompts`): the openings of their prompts,
the marks and the JSON that they ask for. What stands between is in words of our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

SAID = "我睡了 3 小时"
_TALK = f'USER: {SAID}，"title"、"tags"\nASSISTANT: 慢慢说。'
_CHAT = f"### Chat History:\n<chat_history>\n{_TALK}\n</chat_history>"
_CHECKPOINT = (
    "Hold on, before you continue I need you to write me a checkpoint of everything so far."
)
_TOOLS = '[{"name": "search", "parameters": {"properties": {"text": {"type": "string"}}}}]'

# A client's message, with the passages of a file that was sent along in front of it.
WITH_A_FILE = (
    "### Task:\nRespond to the user query using the provided context, with citations.\n\n"
    '<context>\n<source id="1">一周的睡眠记录</source>\n</context>\n\n'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRequest:
    """One request of a front end, and what it is answered."""

    name: str
    messages: tuple[tuple[str, str], ...]
    """Of each its role and its text."""
    answer: str

    def body(self, model: str, user: str) -> dict[str, Any]:
        """Return the request's JSON."""
        told = [{"role": role, "content": text} for role, text in self.messages]
        return {"model": model, "user": user, "messages": told, "stream": False}


def _web_ui(name: str, wanted: str, output: str, answer: str) -> OwnRequest:
    text = f"### Task:\n{wanted}\n### Guidelines:\n- Be brief.\n### Output:\n{output}\n{_CHAT}"
    return OwnRequest(name=name, messages=(("user", text),), answer=answer)


def own_requests(title: str) -> tuple[OwnRequest, ...]:
    """Return what the front ends send for themselves with a script of this title."""
    return (*_open_web_ui(title), *_libre_chat(title), *_lobe_chat(title))


def _open_web_ui(title: str) -> tuple[OwnRequest, ...]:
    completed = (
        "### Task:\nYou are an autocompletion system. Continue the text in `<text>`.\n"
        '- Respond only in JSON format: `{ "text": "<your_completion>" }`.\n### Context:\n'
        f"<chat_history>\n{_TALK}\n</chat_history>\n<type>General</type>\n<text>我</text>"
    )
    compacted = (
        "### Task:\nSummarize the conversation history that will be compacted.\n"
        f"### Previous Summary:\n\n### Messages Being Compacted:\n{_TALK}"
    )
    choosing = (
        f"Available Tools: {_TOOLS}\n\nYour task is to choose and return the correct tool(s).\n"
        'Return only the JSON object; if no tools match, {\n "tool_calls": []\n}'
    )
    merged = f'You have been provided with a set of responses from various models to "{SAID}"'
    facing = "Your task is to reflect the speaker's likely facial expression through an emoji."
    return (
        _web_ui(
            "title", "Generate a concise title summarizing the chat history.",
            'JSON format: { "title": "your title" }', f'{{"title":"{title}"}}',
        ),
        _web_ui(
            "tags", "Generate 1-3 broad tags categorizing the main themes.",
            'JSON format: { "tags": ["tag1", "tag2"] }', '{"tags":[]}',
        ),
        _web_ui(
            "follow-ups", "Predict 3-5 useful messages this user might naturally send next.",
            'JSON format: { "follow_ups": ["Message 1"] }', '{"follow_ups":[]}',
        ),
        _web_ui(
            "queries", "Analyze the chat history to determine the necessity of search queries.",
            'Strictly return in JSON format:\n{\n  "queries": ["query1"]\n}', '{"queries":[]}',
        ),
        _web_ui(
            "image", "Generate a detailed prompt for am image generation task.",
            'Strictly return in JSON format:\n{\n  "prompt": "Your description."\n}',
            '{"prompt":""}',
        ),
        OwnRequest(name="completion", messages=(("user", completed),), answer='{"text":""}'),
        OwnRequest(name="compaction", messages=(("user", compacted),), answer=""),
        OwnRequest(
            name="tools", answer='{"tool_calls":[]}',
            messages=(("system", choosing), ("user", f"Query: {SAID}")),
        ),
        OwnRequest(name="merging", messages=(("user", merged),), answer=""),
        OwnRequest(name="emoji", messages=(("user", f"{facing}\nMessage: {SAID}"),), answer=""),
    )  # fmt: skip


def _libre_chat(title: str) -> tuple[OwnRequest, ...]:
    completed = "Provide a concise, 5-word-or-less title for the conversation. Only the title."
    structured = "Analyze this conversation and provide:\n1. Its language\n2. A concise title"
    return (
        OwnRequest(name="completed title", messages=(("user", completed),), answer=title),
        OwnRequest(name="structured title", messages=(("user", structured),), answer=title),
        OwnRequest(
            name="checkpoint", answer="",
            messages=(("user", SAID), ("assistant", "慢慢说。"), ("user", _CHECKPOINT)),
        ),
    )  # fmt: skip


def _lobe_chat(title: str) -> tuple[OwnRequest, ...]:
    asked = {
        "You are a professional conversation summarizer. Generate a concise title.": title,
        "You're an assistant who's good at extracting key takeaways from conversations.": "",
        "You are a professional translator. Translate the input text to en-US.": "",
        "你是一名精通全世界语言的语言专家，你需要识别用户输入的内容": "",
        "Given the following conversation and a follow-up question, rephrase it.": "",
    }
    return tuple(
        OwnRequest(name=told[:40], messages=(("system", told), ("user", _TALK)), answer=answer)
        for told, answer in asked.items()
    )
