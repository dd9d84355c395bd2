"""What the rehearsal model notes about a round: metrics in words, never in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from heartrule.domain.action_result import ProgressSuggestion
from heartrule.model.rehearsal.task import Task
from heartrule.model.rehearsal.words import is_heavy


class Mood(StrEnum):
    """How a round went."""

    ANSWERED = "answered"
    PARTIAL = "partial"
    REFUSED = "refused"
    OFF_TOPIC = "off_topic"
    EMPTY = "empty"
    CONFUSED = "confused"
    OPEN = "open"


_Phrases = Mapping[Mood, tuple[str, str]]

SUGGESTIONS: Mapping[Mood, ProgressSuggestion] = MappingProxyType(
    {
        Mood.ANSWERED: ProgressSuggestion.COMPLETED,
        Mood.REFUSED: ProgressSuggestion.BLOCKED,
        Mood.OFF_TOPIC: ProgressSuggestion.OFF_TOPIC,
    }
)
"""Every other mood means continue_needed."""

_COMPLETENESS: _Phrases = MappingProxyType(
    {
        Mood.ANSWERED: ("要了解的都有了", "all that was asked for is there"),
        Mood.PARTIAL: ("有了一部分，还差需要的那种回答", "part is there, the wanted kind is not"),
        Mood.REFUSED: ("还没有得到内容", "nothing was given yet"),
        Mood.OFF_TOPIC: ("还没有得到内容", "nothing was given yet"),
        Mood.EMPTY: ("还没有得到内容", "nothing was given yet"),
    }
)
_ENGAGEMENT: _Phrases = MappingProxyType(
    {
        Mood.REFUSED: ("不愿多说，有些回避，投入度低", "reluctant, engagement is low"),
        Mood.OFF_TOPIC: ("愿意说话，但没有谈这个问题", "talks, but not about the question"),
        Mood.EMPTY: ("没有说出内容", "said nothing yet"),
        Mood.CONFUSED: ("在听，想弄明白", "listens and wants to follow"),
    }
)
_RELEVANCE: _Phrases = MappingProxyType(
    {
        Mood.ANSWERED: ("直接回答了问题", "answers the question"),
        Mood.PARTIAL: ("与问题有关", "related to the question"),
        Mood.REFUSED: ("回应了提问，没有回答内容", "reacts without answering"),
        Mood.OFF_TOPIC: ("和问题无关", "is about something else"),
        Mood.EMPTY: ("看不出关系", "cannot be told"),
    }
)
_UNDERSTANDING: _Phrases = MappingProxyType(
    {
        Mood.ANSWERED: ("表示明白，没有别的疑问", "says it is clear"),
        Mood.CONFUSED: ("还没有听懂", "did not follow it yet"),
        Mood.REFUSED: ("看不出懂没懂", "cannot be told"),
        Mood.OPEN: ("有回应，看不出懂了多少", "reacts, how much is clear cannot be told"),
    }
)
_ASKING = frozenset({"ai_ask", "fill_form"})
"""Kinds that gather information."""
_DETAILED = 30
"""Characters from which an answer counts as detailed."""


def metrics(task: Task, mood: Mood) -> dict[str, str]:
    """Return the metrics of the action type, each a short phrase without a full stop."""
    own: dict[str, tuple[str, str]] = {}
    if task.kind in _ASKING:
        own["information_completeness"] = _COMPLETENESS[mood]
    own["user_engagement"] = _ENGAGEMENT.get(mood) or _talkative(task)
    own["emotional_intensity"] = _intensity(task)
    if task.kind in _ASKING:
        own["reply_relevance"] = _RELEVANCE[mood]
    else:
        own["understanding_level"] = _UNDERSTANDING.get(mood, _UNDERSTANDING[Mood.OPEN])
    return {name: pair[0 if task.chinese else 1] for name, pair in own.items()}


def unjudged_metrics(task: Task) -> dict[str, str]:
    """Return the metrics of an opening, which judges nothing and says so."""
    return dict.fromkeys(metrics(task, Mood.REFUSED), "尚未评估" if task.chinese else "not yet")


def suggestion(mood: Mood) -> str:
    """Return the progress suggestion of a mood."""
    return SUGGESTIONS.get(mood, ProgressSuggestion.CONTINUE_NEEDED).value


def _talkative(task: Task) -> tuple[str, str]:
    if len(task.user_input) >= _DETAILED:
        return ("说得具体，愿意展开", "detailed and willing")
    return ("愿意回应，说得简短", "willing, in few words")


def _intensity(task: Task) -> tuple[str, str]:
    if is_heavy(task.user_input):
        return ("用词沉重，情绪明显", "heavy words, the feeling is plain")
    return ("语气平稳，没有明显起伏", "calm, no strong feeling shown")
