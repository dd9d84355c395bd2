"""Fits a prompt into a number of tokens: what gives way, and in which order. Pure.

1. The message that is answered, and any other, takes at most half of the prompt.
2. Earlier messages are left out, oldest first, down to the last ones.
3. Those that are left are cut in the middle, the longest first.
4. Variables that nothing reads here are left out.
5. What the prompt quotes besides is cut in the middle; at last the message that is answered too.

The system text, the task, advice and texts about safety are never touched. Where all that is not
enough, the prompt is what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from heartrule.domain.problem import Degradation
from heartrule.model.ports import ChatMessage, ChatRequest, GivesWay, PromptText
from heartrule.model.token_counting import TextCounter, tokens_of

# Messages that are cut before they are left out: the last two exchanges.
_LAST_MESSAGES = 4
# Tokens that are left of a text, where it is cut.
_LEAST_TEXT = 60
# A cut text is tried again with this much less of it.
_LESS = 0.85
STAGE = "prompt"


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedPrompt:
    """A prompt as it is sent."""

    messages: tuple[ChatMessage, ...]
    tokens: int
    """As they are counted; above the limit where the prompt could not give way further."""
    cuts: tuple[Degradation, ...] = ()
    """What gave way, one for each kind."""


def fit(request: ChatRequest, tokens: int, count: TextCounter) -> FittedPrompt:
    """Return a request's messages within that many tokens, and what gave way for it."""
    prompt = _Prompt(request, count)
    prompt.cap(GivesWay.REPLY, tokens // 2)
    for step in (
        prompt.cap_messages,
        prompt.leave_out_messages,
        prompt.cut_messages,
        prompt.leave_out_variables,
        prompt.cut_texts,
    ):
        if prompt.tokens <= tokens:
            break
        step(tokens)
    cuts = (*request.cuts, *prompt.cuts())
    return FittedPrompt(messages=prompt.messages, tokens=prompt.tokens, cuts=cuts)


def cut_middle(text: str, tokens: int, count: TextCounter) -> str:
    """Return a text of about that many tokens: its beginning, a mark of what is missing, its end.

    A text that fits is returned as it is, also where the mark would make it longer.
    """
    size = count(text)
    if size <= tokens:
        return text
    kept = len(text) * tokens // size
    shorter = _without_middle(text, kept)
    while count(shorter) > tokens and kept > 1:
        kept = int(kept * _LESS)
        shorter = _without_middle(text, kept)
    return shorter if len(shorter) < len(text) else text


def _without_middle(text: str, kept: int) -> str:
    half = kept // 2
    head, tail = text[:half].rstrip("\n> "), text[len(text) - half :]
    missing = len(text) - len(head) - len(tail)
    return f"{head}……〔此处略去{missing}个字〕……{tail}"


class _Prompt:
    """A prompt that becomes shorter."""

    def __init__(self, request: ChatRequest, count: TextCounter) -> None:
        self.messages = request.messages
        self.tokens = tokens_of(request.messages, count)
        self._texts = list(request.yielding)
        self._count = count
        self._cuts: dict[str, dict[str, int]] = {}

    def cuts(self) -> tuple[Degradation, ...]:
        """Return what gave way."""
        return tuple(
            Degradation.of(STAGE, reason, **{name: str(n) for name, n in facts.items()})
            for reason, facts in self._cuts.items()
        )

    def cap(self, kind: GivesWay, tokens: int) -> None:
        """Cut the texts of a kind in the last message to that many tokens each."""
        for index, text in enumerate(self._texts):
            if text.kind is kind:
                self._texts[index] = self._cut_text(text, tokens)

    def cap_messages(self, tokens: int) -> None:
        """Cut every earlier message to half of the prompt."""
        for index in self._earlier():
            self._cut_message(index, tokens // 2)

    def leave_out_messages(self, tokens: int) -> None:
        """Leave out earlier messages, oldest first, but for the last ones."""
        self._leave_out(tokens, most=len(self._earlier()) - _LAST_MESSAGES)

    def cut_messages(self, tokens: int) -> None:
        """Cut the earlier messages that are left, so that the longest lose most."""
        places = self._earlier()
        room = tokens - self.tokens + sum(self._size(each) for each in places)
        for number, index in enumerate(sorted(places, key=self._size)):
            self._cut_message(index, max(_LEAST_TEXT, room // (len(places) - number)))
            room -= self._size(index)

    def leave_out_variables(self, tokens: int) -> None:
        """Leave out variables that nothing reads here."""
        for text in [each for each in self._texts if each.kind is GivesWay.VARIABLE]:
            if self.tokens > tokens and self._replace(text.text, ""):
                self._note("VARIABLES_LEFT_OUT", variables=1)

    def cut_texts(self, tokens: int) -> None:
        """Cut what the last message quotes, longest first, then all that came before it."""
        for kind in (GivesWay.VALUE, GivesWay.REPLY):
            texts = [each for each in self._texts if each.kind is kind]
            for text in sorted(texts, key=lambda each: -self._count(each.text)):
                excess = self.tokens - tokens
                if excess > 0:
                    left = max(_LEAST_TEXT, self._count(text.text) - excess)
                    self._texts[self._texts.index(text)] = self._cut_text(text, left)
        if self.tokens > tokens:
            self._leave_out(tokens, most=len(self._earlier()))

    def _leave_out(self, tokens: int, *, most: int) -> None:
        number = 0
        while number < most and (self.tokens > tokens or self._has_neighbours_of_one_role()):
            index = self._earlier()[0]
            self.messages = (*self.messages[:index], *self.messages[index + 1 :])
            self._recount()
            number += 1
        if number:
            self._note("HISTORY_LEFT_OUT", messages=number)

    def _earlier(self) -> Sequence[int]:
        """Return the places of the messages between the system text and the last one."""
        inner = range(len(self.messages) - 1)
        return [
            i for i in inner if self.messages[i].role != "system" and not self.messages[i].pinned
        ]

    def _has_neighbours_of_one_role(self) -> bool:
        """Return whether the oldest message left follows one of its own role: servers refuse it."""
        index = self._earlier()[0]
        return self.messages[index].role == self.messages[index - 1].role

    def _size(self, index: int) -> int:
        return self._count(self.messages[index].content)

    def _cut_message(self, index: int, tokens: int) -> None:
        message = self.messages[index]
        shorter = cut_middle(message.content, tokens, self._count)
        if shorter != message.content:
            self._put(index, shorter)
            missing = len(message.content) - len(shorter)
            self._note("MESSAGE_CUT", messages=1, characters=missing)

    def _cut_text(self, text: PromptText, tokens: int) -> PromptText:
        shorter = cut_middle(text.text, tokens, self._count)
        if shorter != text.text and self._replace(text.text, shorter):
            reason = "REPLY_CUT" if text.kind is GivesWay.REPLY else "VALUE_CUT"
            self._note(reason, texts=1, characters=len(text.text) - len(shorter))
        return replace(text, text=shorter)

    def _replace(self, old: str, new: str) -> bool:
        """Replace a text in the last message, wherever it stands; return whether it does."""
        last = len(self.messages) - 1
        before = self.messages[last].content
        after = before.replace(old, new) if old else before
        self._put(last, after)
        return after != before

    def _put(self, index: int, content: str) -> None:
        message = replace(self.messages[index], content=content)
        self.messages = (*self.messages[:index], message, *self.messages[index + 1 :])
        self._recount()

    def _recount(self) -> None:
        self.tokens = tokens_of(self.messages, self._count)

    def _note(self, reason: str, **facts: int) -> None:
        known = self._cuts.setdefault(reason, dict.fromkeys(facts, 0))
        for name, number in facts.items():
            known[name] += number
