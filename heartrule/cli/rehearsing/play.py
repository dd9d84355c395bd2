"""Plays a conversation with a script, turn by turn, and says where it is not as expected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from executor_service.scripts.findings import Spot
from heartrule.cli.rehearsing.comparing import Mismatch, Path, mismatches
from heartrule.cli.rehearsing.conversation import Conversation, Turn
from heartrule.cli.rehearsing.models import PlayedModel, RehearsalModel, WrittenModel
from heartrule.cli.rehearsing.monitors import JudgingMonitor, PlayedMonitor, WrittenMonitor
from heartrule.cli.rehearsing.piece import Piece
from heartrule.cli.rehearsing.seen import Happened, kept_by, requested_rounds, told_by
from heartrule.cli.rehearsing.stage import Installation, Stage
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatRequest
from session_store.memory.store import InMemoryStore
from session_store.records import Page

_ALL = Page(size=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something that is not as the conversation says, and where it says so."""

    spot: Spot
    turn: int
    """Counted from 1; 0 where it is no turn's."""
    path: Path
    """Keys and numbers of items below `expect`; empty where something else is wrong."""
    expected: str
    got: JsonValue
    word: str = ""
    """The text that has to be in it, or must not."""
    message: str = ""
    """Instead of expected and got, where these are no values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A turn that was played."""

    number: int
    turn: Turn
    events: Sequence[SessionEvent]
    """What was told, in order; drafts are left out."""
    seen: Mapping[str, JsonValue]


class Play:
    """One conversation while it is played."""

    def __init__(self, conversation: Conversation, installation: Installation) -> None:
        """Set the models; `prepare` sets the rest."""
        self._conversation = conversation
        self._templates = installation.templates
        self.model = _model(conversation)
        self.judge = _judge(conversation)
        self.monitor = self._monitor()
        self.stage = Stage(
            installation=installation,
            model=self.model,
            monitor=self.monitor,
            beginning=conversation,
            store=InMemoryStore(conversation.now.timestamp),
        )
        self._asked = self._paid = self._told = self._inputs = self._played = 0

    async def prepare(self, piece: Piece) -> None:
        """Publish the script and create the session.

        Raises:
            InvalidRequest: The state the session is to begin with has another shape.
        """
        await self.stage.set(piece)

    async def turn(self, turn: Turn) -> Played:
        """Play one turn, let the analyses end unless they are held, and return what was seen."""
        told = await self._act(turn)
        await self.stage.turns_over()
        if self.monitor.is_held:
            await self.monitor.told_of(requested_rounds(told))
        if turn.release:
            self.monitor.release()
        if not self.monitor.is_held:
            await self.stage.analyses_over()
        self._played += 1
        return await self._seen(turn, told)

    def differences(self, played: Played) -> list[Difference]:
        """Return where the turn is not as expected; where answers were lacking, that alone."""
        found = _unanswered(played, self.model) + _unanswered(played, self.judge)
        expected = played.turn.expected
        if found or expected is None:  # what follows a missing answer only follows from it
            return found
        return [
            _difference(each, played.number)
            for key, entry in expected.entries.items()
            for each in mismatches(entry.value, played.seen.get(key), (key,))
        ]

    def left_over(self) -> list[Difference]:
        """Return the answers nobody asked for, once all turns are played."""
        lists = (
            ("model", getattr(self.model, "left", ())),
            ("monitor", getattr(self.monitor, "left", ())),
            ("monitor_model", getattr(self.judge, "left", ())),
        )
        return [
            _nobody_asked(key, answers[0].spot, len(answers)) for key, answers in lists if answers
        ]

    async def aclose(self) -> None:
        """End what still runs."""
        await self.stage.aclose()

    def _monitor(self) -> PlayedMonitor:
        if self.judge is not None:
            return JudgingMonitor(self.judge, self._templates, held=self._conversation.held)
        return WrittenMonitor(self._conversation.monitor or (), held=self._conversation.held)

    async def _act(self, turn: Turn) -> list[SessionEvent]:
        if turn.opens:
            return await self.stage.initialize()
        self._inputs += 1
        name = turn.message_id or f"m{self._inputs}"
        if turn.form is None:
            return await self.stage.send(name, turn.client or "")
        record = await self.stage.store.get_session(self.stage.key)
        opened = record.open_request.input_request_id if record.open_request else "none"
        request = turn.request or opened
        return await self.stage.submit(name, turn.form, request, text=turn.client or "")

    async def _seen(self, turn: Turn, told: list[SessionEvent]) -> Played:
        store, key = self.stage.store, self.stage.key
        ledger, _ = await store.list_calls(key, _ALL)
        events = await store.read_events(key, self._told)
        happened = Happened(
            told=told,
            events=events,
            asked=self.model.requests[self._asked :],
            paid=ledger[self._paid :],
        )
        self._asked, self._paid = len(self.model.requests), len(ledger)
        self._told = events[-1].sequence if events else self._told
        judged = self.judge.requests if self.judge else []
        seen = {
            **told_by(happened),
            **await kept_by(store, key),
            "reports": len(self.monitor.reports),
            "monitor_prompt": _whole(judged[-1]) if judged else "",
        }
        return Played(number=self._played, turn=turn, events=happened.events, seen=seen)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A conversation that was played, as far as it was as expected."""

    conversation: Conversation
    played: tuple[Played, ...]
    differences: tuple[Difference, ...]
    """Of the first turn that differs, or of the answers left over at the end."""


async def rehearse(
    piece: Piece, conversation: Conversation, installation: Installation
) -> Rehearsal:
    """Play a conversation up to its first turn that is not as expected.

    Raises:
        InvalidRequest: The state the session is to begin with has another shape.
    """
    play = Play(conversation, installation)
    played: list[Played] = []
    found: list[Difference] = []
    await play.prepare(piece)
    try:
        for turn in conversation.turns:
            played.append(await play.turn(turn))
            found = play.differences(played[-1])
            if found:
                break
        found = found or play.left_over()
    finally:
        await play.aclose()
    return Rehearsal(conversation=conversation, played=tuple(played), differences=tuple(found))


def _model(conversation: Conversation) -> PlayedModel:
    return RehearsalModel() if conversation.model is None else WrittenModel(conversation.model)


def _judge(conversation: Conversation) -> PlayedModel | None:
    """Return the model of the real handlers; None where the second mind is written, or silent."""
    if conversation.monitor_model is not None:
        return WrittenModel(conversation.monitor_model)
    rehearsed = conversation.model is None and conversation.monitor is None
    return RehearsalModel() if rehearsed else None


def _whole(request: ChatRequest) -> str:
    return "\n".join(message.content for message in request.messages)


def _difference(found: Mismatch, turn: int) -> Difference:
    return Difference(
        spot=found.spot,
        turn=turn,
        path=found.path,
        expected=found.expected,
        got=found.got,
        word=found.word,
    )


def _unanswered(played: Played, model: PlayedModel | None) -> list[Difference]:
    """Return that a list of answers is too short; told once, in the turn that found out."""
    if not isinstance(model, WrittenModel) or not model.unanswered:
        return []
    first = model.unanswered[0]
    count = len(model.requests) - len(model.unanswered)
    model.unanswered.clear()
    message = (
        f"the model is asked once more ({first.prompt_type}), and its {count} "
        f"{'answer is' if count == 1 else 'answers are'} used up"
    )
    return [
        Difference(
            spot=played.turn.spot,
            turn=played.number,
            path=(),
            expected="an answer",
            got=None,
            message=message,
        )
    ]


def _nobody_asked(key: str, spot: Spot, count: int) -> Difference:
    rest = "" if count == 1 else f", nor for the {count - 1} after it"
    return Difference(
        spot=spot,
        turn=0,
        path=(),
        expected="to be asked for",
        got=None,
        message=f"nobody asked for this answer of `{key}`{rest}",
    )
