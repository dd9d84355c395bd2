"""One reply's text on its way to the client, through every check in one order."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from executor_service.actions.outgoing.claims import SelfClaims
from executor_service.actions.outgoing.known_question import (
    NOTHING_ASKED,
    AskedOutputs,
    KnownQuestion,
)
from executor_service.actions.outgoing.late_question import LateQuestion
from executor_service.actions.outgoing.same_text import NO_TEXTS, EarlierTexts, SameText
from executor_service.actions.outgoing.text_fault import TextFault
from heartrule.domain.problem import Degradation
from heartrule.model.reply.flags import read_flag

_EXIT = re.compile(r'"EXIT"\s*:\s*"?(\w+)')


class TextGuard(Protocol):
    """Lets a text pass piece by piece, and changes what may not leave."""

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come."""

    def finish(self) -> str:
        """Return what is left at the text's end."""


def not_yet(_raw: str, *, whole: bool) -> bool | None:
    """Return that the action goes on, once the reply is whole."""
    return False if whole else None


def asks_nothing(_raw: str) -> tuple[AskedOutputs, str]:
    """Return that no question is looked at."""
    return NOTHING_ASKED, ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingRules:
    """What one message is held against."""

    earlier: EarlierTexts = NO_TEXTS
    role: str = ""
    """The speaker's name; empty: what it says of itself is not looked at."""
    own: str = ""
    """The script's own text for the client."""
    lead: str = ""
    """A sentence of the engine's that the message begins with."""
    asks: Callable[[str], tuple[AskedOutputs, str]] = asks_nothing
    """Called with the raw reply, empty before it has come: what the action asks for, and the
    question that is put where one for a known output would be."""
    judges: bool = False
    """Whether the reply may end its action."""
    may_end: bool = False
    """Whether it may end it although its EXIT says no."""
    ends: Callable[..., bool | None] = not_yet
    """Called with the raw reply and `whole`: whether the action ends; None while it is open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedText:
    """What became of a text."""

    text: str
    """What of it leaves, or has left."""
    fault: TextFault | None = None
    """Why nothing of it leaves, or nothing from some point on."""
    late_question: str = ""
    """Questions at its end that do not leave, since it ends its action."""
    known_question: str = ""
    """The question for a known output in whose place another one leaves."""

    @property
    def caught(self) -> bool:
        """Whether a fault left nothing of it."""
        return self.fault is not None and not self.text

    def degradations(self) -> tuple[Degradation, ...]:
        """Return what was wrong with it."""
        found = []
        if self.fault is not None:
            found.append(not_sent(self.fault, "replaced" if self.caught else "cut"))
        for reason, question in (
            ("LATE_QUESTION", self.late_question),
            ("KNOWN_QUESTION", self.known_question),
        ):
            if question:
                found.append(Degradation.of("outgoing", reason, characters=str(len(question))))
        return tuple(found)


def not_sent(fault: TextFault, done: str) -> Degradation:
    """Return that a text was not sent, and what was done instead."""
    return Degradation.of("outgoing", "TEXT_NOT_SENT", fault=fault.value, done=done)


class OutgoingText:
    """Lets one text pass; what it has returned is never taken back."""

    def __init__(self, rules: OutgoingRules, guard: TextGuard | None = None) -> None:
        """Begin a text."""
        self._rules, self._guard = rules, guard
        self._same = SameText(rules.earlier)
        self._claims = SelfClaims(role=rules.role, own=rules.own) if rules.role else None
        self._late = self._late_question(may_end=rules.judges)
        self._known = KnownQuestion(*rules.asks(""))
        self._left, self._finished = False, False
        self.fault: TextFault | None = None
        """Why nothing of the text may leave, or from where on."""

    def begin(self, head: str) -> None:
        """Read what the reply says before its text: an EXIT of no frees the questions."""
        found = _EXIT.search(head)
        stays = found is not None and read_flag(found.group(1)) is False
        if stays and not self._rules.may_end:
            self._late = self._late_question(may_end=False)

    @property
    def waits(self) -> bool:
        """Whether something is held until it is known if the action ends."""
        return self._finished and self._late.waits

    @property
    def caught(self) -> bool:
        """Whether nothing has left and nothing will."""
        return self.fault is not None and not self._left

    def feed(self, piece: str) -> str:
        """Return what may leave once a piece has come."""
        if self.fault is not None:
            return ""
        return self._out(self._claimless(self._same.feed(piece)))

    def finish(self) -> str:
        """Return what may leave at the text's end; `waits` says whether something is held."""
        self._finished = True
        if self.fault is None:
            text, self.fault = self._same.finish()
            text = self._claimless(text)
            if self._claims is not None and self.fault is None:
                text += self._claims.finish()
                self.fault = TextFault.CLAIM if self._claims.claimed else None
            text = self._out(text, self._late.finish)
        else:
            text = ""
        return text if self.waits else text + self.settle(ends=False)

    def settle(self, *, ends: bool, raw: str = "") -> str:
        """Return the rest, now that it is known whether the action ends, and what was told."""
        if self.caught:
            return ""
        if raw and not ends:
            self._known.learn(*self._rules.asks(raw))
        text = self._known.feed(self._late.settle(ends=ends))
        text = self._guarded(text + self._known.finish())
        rest = self._guard.finish() if self._guard else ""
        return self._leaves(text + rest)

    def found(self, text: str) -> CheckedText:
        """Return what became of the text, of which `text` was let pass."""
        return CheckedText(
            text=text,
            fault=self.fault,
            late_question=self._late.cut,
            known_question=self._known.replaced,
        )

    def _claimless(self, text: str) -> str:
        if self._claims is None or not text:
            return text
        text = self._claims.feed(text)
        if self._claims.claimed:
            self.fault = TextFault.CLAIM
        return text

    def _out(self, text: str, more: Callable[[], str] = str) -> str:
        # Where nothing has left, what came before a claim does not leave either.
        if self.caught:
            return ""
        text = self._late.feed(text) if text else ""
        return self._leaves(self._guarded(self._known.feed(text + more())))

    def _late_question(self, *, may_end: bool) -> LateQuestion:
        return LateQuestion(may_end=may_end, said_before=self._rules.earlier.holds)

    def _guarded(self, text: str) -> str:
        return self._guard.feed(text) if self._guard and text else text

    def _leaves(self, text: str) -> str:
        if not text or self._left:
            return text
        self._left = True
        return self._rules.lead + text


def checked(text: str, rules: OutgoingRules, *, ends: bool, raw: str = "") -> CheckedText:
    """Return what may leave of a text of the reply `raw` that was not streamed."""
    outgoing = OutgoingText(rules)
    passed = outgoing.feed(text) + outgoing.finish()
    if outgoing.waits:
        passed += outgoing.settle(ends=ends, raw=raw)
    return outgoing.found(passed)
