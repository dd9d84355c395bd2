"""Fits a prompt into a number of tokens: what gives way, and in which order. Pure.

1. The message that is answered, and any other, takes at most half of the prompt.
2. Earlier messages are left out, oldest first, down to the last ones.
3. Those that are left are cut in the middle, the longest first.
4. Variables that nothing reads here are left out.
5. What the prompt quotes besides is cut in the middle, then the message that is answered.
6. All earlier messages are left out, at last the summary.

The system text, the task, advice and texts about safety are never touched. Where all that is not
enough, the prompt is what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from heartrule.domain.problem import Degradation
from heartrule.model.ports import ChatMessage, ChatRequest, GivesWay
from heartrule.model.prompt_words import PromptWords, base_words
from heartrule.model.quoting import last_speaker
from heartrule.model.token_counting import PER_MESSAGE, PER_PROMPT, TextCounter

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
    prompt.cap_reply(tokens)
    for step in (
        prompt.cap_messages,
        prompt.leave_out_messages,
        prompt.cut_messages,
        prompt.leave_out_variables,
        prompt.cut_texts,
        prompt.leave_out_summary,
    ):
        if prompt.tokens <= tokens:
            break
        step(tokens)
    cuts = (*request.cuts, *prompt.cuts())
    return FittedPrompt(messages=prompt.messages, tokens=prompt.tokens, cuts=cuts)


def cut_middle(text: str, tokens: int, count: TextCounter, words: PromptWords) -> str:
    """Return a text of about that many tokens: its beginning, a mark of what is missing, its end.

    A text that fits is returned as it is, also where the mark would make it longer.
    """
    size = count(text)
    if size <= tokens:
        return text
    kept = len(text) * tokens // size
    shorter = _without_middle(text, kept, words)
    while count(shorter) > tokens and kept > 1:
        kept = int(kept * _LESS)
        shorter = _without_middle(text, kept, words)
    return shorter if len(shorter) < len(text) else text


def _without_middle(text: str, kept: int, words: PromptWords) -> str:
    half = kept // 2
    # The mark stands in a line of the head, behind whatever quotes it.
    head, start = text[:half].rstrip("\n"), len(text) - half
    mark = words.left_out_count.format(count=start - len(head))
    speaker = last_speaker(text, half, start, words)
    return f"{head}{mark}\n{speaker}……{text[start:]}" if speaker else f"{head}{mark}{text[start:]}"


def _replaced(content: str, old: str, new: str, *, kept: Sequence[str]) -> str:
    """Replace a text wherever it stands, but for where it is part of one that is kept."""
    if not kept:
        return content.replace(old, new)
    parts = content.split(kept[0])
    return kept[0].join(_replaced(each, old, new, kept=kept[1:]) for each in parts)


@dataclass(slots=True)
class _Text:
    """A text of the last message as it was, and what is left of it."""

    kind: GivesWay
    whole: str
    left: str

    @property
    def missing(self) -> int:
        """How many characters are missing."""
        return len(self.whole) - len(self.left)


class _Prompt:
    """A prompt that becomes shorter."""

    def __init__(self, request: ChatRequest, count: TextCounter) -> None:
        self._messages = list(request.messages)
        self._whole = [each.content for each in request.messages]
        self._texts = [_Text(each.kind, each.text, each.text) for each in request.yielding]
        self._count = count
        self._words = request.words or base_words()
        self._left_out = 0
        self._unpinned = False
        self._sizes = [count(each.content) for each in request.messages]

    @property
    def tokens(self) -> int:
        """Its tokens, with those that a server adds."""
        return PER_PROMPT + PER_MESSAGE * len(self._sizes) + sum(self._sizes)

    @property
    def messages(self) -> tuple[ChatMessage, ...]:
        """What is left of it."""
        return tuple(self._messages)

    def cuts(self) -> Iterator[Degradation]:
        """Yield what gave way."""
        if self._left_out:
            yield Degradation.of(STAGE, "HISTORY_LEFT_OUT", messages=str(self._left_out))
        if self._unpinned:
            yield Degradation.of(STAGE, "SUMMARY_LEFT_OUT")
        cut = [len(self._whole[i]) - len(self._messages[i].content) for i in self._earlier()]
        if any(cut):
            number = str(sum(map(bool, cut)))
            yield Degradation.of(STAGE, "MESSAGE_CUT", messages=number, characters=str(sum(cut)))
        for kind, reason in ((GivesWay.REPLY, "REPLY_CUT"), (GivesWay.VALUE, "VALUE_CUT")):
            texts = [each.missing for each in self._texts if each.kind is kind and each.missing]
            if texts:
                characters = str(sum(texts))
                yield Degradation.of(STAGE, reason, texts=str(len(texts)), characters=characters)
        gone = sum(each.kind is GivesWay.VARIABLE and each.missing > 0 for each in self._texts)
        if gone:
            yield Degradation.of(STAGE, "VARIABLES_LEFT_OUT", variables=str(gone))

    def cap_reply(self, tokens: int) -> None:
        """Cut the client's words that are answered to half of the prompt."""
        for text in self._texts:
            if text.kind is GivesWay.REPLY:
                self._cut_text(text, tokens // 2)

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
        room = tokens - self.tokens + sum(self._sizes[each] for each in places)
        for number, index in enumerate(sorted(places, key=self._sizes.__getitem__)):
            self._cut_message(index, max(_LEAST_TEXT, room // (len(places) - number)))
            room -= self._sizes[index]

    def leave_out_variables(self, tokens: int) -> None:
        """Leave out variables that nothing reads here, as many as it takes."""
        # The tokens of a text are not the sum of its parts': what is left is counted again.
        while self.tokens > tokens and self._leave_out_lines(self.tokens - tokens):
            pass

    def _leave_out_lines(self, excess: int) -> bool:
        """Leave out lines of about that many tokens in one pass; False where there are none."""
        last, kept, cursor = self._messages[-1].content, [], 0
        for text in self._texts:
            if text.kind is not GivesWay.VARIABLE or not text.left or excess <= 0:
                continue
            at = last.find(text.left, cursor)
            if at >= 0:
                kept.append(last[cursor:at])
                cursor = at + len(text.left)
                text.left = ""
                excess -= self._count(text.whole)
        self._put(-1, "".join((*kept, last[cursor:])))
        return bool(kept)

    def cut_texts(self, tokens: int) -> None:
        """Cut what the last message quotes, longest first, then leave out all before it."""
        for kind in (GivesWay.VALUE, GivesWay.REPLY):
            texts = [each for each in self._texts if each.kind is kind]
            for text in sorted(texts, key=lambda each: -self._count(each.left)):
                excess = self.tokens - tokens
                if excess > 0:
                    self._cut_text(text, max(_LEAST_TEXT, self._count(text.left) - excess))
        if self.tokens > tokens:
            self._leave_out(tokens, most=len(self._earlier()))

    def leave_out_summary(self, tokens: int) -> None:
        """Leave out what was pinned: a prompt that is refused would say less."""
        del tokens  # all of it is left out or nothing
        for index in [i for i, each in enumerate(self._messages) if each.pinned][::-1]:
            del self._messages[index], self._whole[index], self._sizes[index]
            self._unpinned = True

    def _leave_out(self, tokens: int, *, most: int) -> None:
        for _ in range(most):
            index = self._earlier()[0]
            # Servers refuse two messages of one role in a row.
            alone = self._messages[index].role != self._messages[index - 1].role
            if alone and self.tokens <= tokens:
                return
            del self._messages[index], self._whole[index], self._sizes[index]
            self._left_out += 1

    def _earlier(self) -> list[int]:
        """Return the places of the messages between the system text and the last one."""
        inner = enumerate(self._messages[:-1])
        return [index for index, each in inner if each.role != "system" and not each.pinned]

    # What is cut again is cut from the whole, so that its one mark counts all that is missing.
    def _cut_message(self, index: int, tokens: int) -> None:
        if self._sizes[index] > tokens:
            self._put(index, cut_middle(self._whole[index], tokens, self._count, self._words))

    def _cut_text(self, text: _Text, tokens: int) -> None:
        shorter = cut_middle(text.whole, tokens, self._count, self._words)
        # A client's words that a variable repeats are cut as what they are, and not before it.
        kept = () if text.kind is GivesWay.REPLY else self._replies()
        before = self._messages[-1].content
        after = _replaced(before, text.left, shorter, kept=kept)
        if after != before:
            text.left = shorter
            self._put(-1, after)

    def _replies(self) -> tuple[str, ...]:
        return tuple(t.left for t in self._texts if t.kind is GivesWay.REPLY and t.left)

    def _put(self, index: int, content: str) -> None:
        self._messages[index] = replace(self._messages[index], content=content)
        self._sizes[index] = self._count(content)
