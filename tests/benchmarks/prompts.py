"""The prompt of a turn and the reader of its reply, as the floor and the peers use them."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TypeAlias

import orjson

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "_system" / "config" / "default" / "ai_ask_v1.md"
SHAPE = (
    '{"EXIT":"…","content":"…","variables":{"…":{"value":"…","quote":"…"}},"metrics":'
    '{"information_completeness":"…","user_engagement":"…","emotional_intensity":"…",'
    '"reply_relevance":"…"},"progress_suggestion":"…"}'
)
Window: TypeAlias = "list[tuple[str, str]]"
"""Role and text of former messages, oldest first."""


def window_turns(turn: int) -> int:
    """Return how many former turns a prompt holds: ten to 39, moved on by thirty, as ours."""
    return turn - max(0, (turn - 10) // 30 * 30)


class Prompt:
    """Builds the same prompt as ours, with one substitution a turn."""

    def __init__(self) -> None:
        """Split the template of ai_ask, and fill once what never changes."""
        template = TEMPLATE.read_text(encoding="utf-8")
        head, *parts = re.split(r"(?m)^<!-- section: (\w+) -->\n", template)
        self._sections = dict(zip(parts[::2], parts[1::2], strict=True))
        fields = head.partition("fields:\n")[2].removesuffix("---\n")
        constant = {"who": "咨询助手", "user": "来访者", "field_list": fields}
        self.system = _fill(self._sections["system"], constant)

    def body(self, section: str, window: Window, words: str, round_: int) -> bytes:
        """Return the request to the model."""
        options = {"include_usage": True}
        messages = self.messages(section, window, words, round_)
        return orjson.dumps(
            {"model": "bench", "messages": messages, "stream": True, "stream_options": options}
        )

    def last(self, section: str, words: str, round_: int) -> str:
        """Return the last message, which is filled anew each turn."""
        task = "最近睡得怎么样？早上醒来的时候心里在想什么？"
        values = {
            "topic_name": "睡眠", "topic_goal": "了解来访者最近的睡眠", "task": task,
            "output_list": "- 醒来时的想法（text）：早上刚醒时心里想的事", "tone": "温和、不催促",
            "exit": "来访者说清了醒来时的想法", "user_input": words, "current_round": str(round_),
            "time": time.strftime("%Y-%m-%d %H:%M"), "max_rounds": "1000000000", "shape": SHAPE,
        }  # fmt: skip
        return _fill(self._sections[section], values)

    def messages(
        self, section: str, window: Window, words: str, round_: int
    ) -> list[dict[str, str]]:
        """Return all messages of a request."""
        messages = [{"role": "system", "content": self.system}]
        messages += [{"role": role, "content": text} for role, text in window]
        messages.append({"role": "user", "content": self.last(section, words, round_)})
        return messages


def _fill(text: str, values: dict[str, str]) -> str:
    return re.sub(r"\{%(\w+)%\}", lambda found: values.get(found[1], ""), text)


class Content:
    """Reads the string `content` out of a JSON object while it is written."""

    _CHARACTERS = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')

    def __init__(self) -> None:
        """Begin before the first character."""
        self.raw = ""
        self.shown = ""
        self._at = -1

    def feed(self, piece: str) -> str:
        """Return what a piece adds to the client's text."""
        self.raw += piece
        if self._at < 0:
            begins = self.raw.find('"content":"')
            if begins < 0:
                return ""
            self._at = begins + len('"content":"')
        found = self._CHARACTERS.match(self.raw, self._at)
        assert found is not None
        self._at = found.end()
        text: str = orjson.loads(f'"{found.group()}"')
        self.shown += text
        return text
