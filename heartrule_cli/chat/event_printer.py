"""Prints a session's events on a screen as they come."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from heartrule.domain.conversation import Completeness, Role
from heartrule.domain.events import (
    DraftDelta,
    DraftVoided,
    EventBody,
    HistoryRewound,
    InputAccepted,
    InputRejected,
    MessageCommitted,
    Outcome,
    TurnEnded,
    TurnStarted,
)
from heartrule.domain.run_events import Activity, ActivityKind, ActivityState
from heartrule.domain.safety import SafetyFallback
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Said, say, told
from heartrule_cli.chat.conversation_stream import LinkChanged
from heartrule_cli.narration.debug_narration import debug_lines
from heartrule_cli.narration.decision_narration import decision_lines
from heartrule_cli.narration.run_narration import activity_text, run_lines
from heartrule_cli.narration.session_texts import incompleteness, position_text, spoken_text
from heartrule_cli.narration.thread_narration import Announced, thread_lines
from heartrule_cli.text import clean

if TYPE_CHECKING:
    from heartrule.domain.conversation import Message
    from heartrule.domain.events import SessionEvent
    from heartrule_cli.chat.conversation_stream import Update
    from heartrule_cli.chat.screen import Screen

PROMPT = "> "
# The line below which nothing has come of a turn yet; no message has this id.
_THINKING = "thinking"
# The line of a failed turn that is tried again.
_RETRYING = "retrying"
_EVERY_ATTEMPT = 1 << 31
_SHOWN_INSTEAD = (DraftDelta, DraftVoided, MessageCommitted, TurnEnded, HistoryRewound)


class EventPrinter:
    """Shows messages, the session's position and, with `debug`, its other events."""

    def __init__(
        self,
        screen: Screen,
        *,
        debug: bool,
        language: ReaderLanguage = ReaderLanguage.ENGLISH,
    ) -> None:
        """`debug` adds metrics, exits, advice, analyses, decisions, variables and degradations."""
        self.screen = screen
        self.language = language
        self._debug = debug
        self._own: set[str] = set()
        self._announced = Announced()

    def show(self, update: Update) -> None:
        """Show an event, or a change of the connection."""
        if isinstance(update, LinkChanged):
            self._link(update)
            return
        self._think(update.body)
        self._body(update)
        if self._debug:
            kinds = (decision_lines, run_lines, thread_lines)
            of_agents = (line for lines in kinds for line in lines(update.body, self.language))
            for line in (*debug_lines(update.body, self.language), *of_agents):
                self.note(f"· {line}")

    def sent(self, message_id: str, text: str, *, echo: bool) -> None:
        """Remember a message of this client, and show it with `echo`."""
        self._own.add(message_id)
        if echo:
            self.client_message(text)

    def client_message(self, text: str) -> None:
        """Show a client's message behind the prompt's sign."""
        marked = PROMPT + clean(text).replace("\n", "\n  ")
        self.screen.line(self.screen.style.bold(marked))

    def note(self, said: Said) -> None:
        """Show a discreet line."""
        self.screen.line(self.screen.style.dim(f"  {told(said, self.language)}"))

    def warn(self, said: Said) -> None:
        """Show a line that calls for attention."""
        self.screen.line(self.screen.style.warn(f"  {told(said, self.language)}"))

    def retrying(self, attempt: int, most: int) -> None:
        """Say that a failed turn is tried again; every attempt changes the same line.

        What cannot take back is told once how many attempts there will be.
        """
        trying = say("cli.chat.trying_again", attempt=attempt, most=most)
        if not self.screen.live:
            trying = say("cli.chat.tried_up_to", most=most)
        self._pending(_RETRYING, f"  {trying.told(self.language)}")

    def retried(self) -> None:
        """Take the line of the attempts away."""
        self.screen.settle(_RETRYING)

    def _think(self, body: EventBody) -> None:
        """Show that a turn has begun, until something of it has come."""
        if isinstance(body, TurnStarted) and self.screen.live:
            self._pending(_THINKING, f"  {say('cli.chat.thinking').told(self.language)}")
        elif isinstance(body, _SHOWN_INSTEAD):
            self.screen.settle(_THINKING)

    def _body(self, event: SessionEvent) -> None:
        match event.body:
            case DraftDelta(at=at, text=text):
                self.screen.draft(at.message_id, attempt=event.attempt, offset=at.offset, text=text)
            case DraftVoided(up_to_attempt=attempt):
                self.screen.void(attempt)
            case MessageCommitted(message=message):
                self.message(message)
            case InputAccepted(messages=messages):
                self._others(messages)
            case HistoryRewound(removed_message_ids=removed):
                self.screen.void(_EVERY_ATTEMPT)
                for message_id in removed:
                    self._settle(message_id)
                self.note(say("cli.chat.taken_back"))
            case TurnEnded():
                self._turn_ended(event.body)
            case Activity():
                self._goes_on(event.body)
            case InputRejected(fallback=SafetyFallback(card=card)):
                self.screen.end()  # it waits for no draft: the model may have died in it
                self.screen.line(self.screen.style.bold(clean(card.text)))
            case _:
                pass

    def _others(self, messages: Iterable[Message]) -> None:
        """Show what the client said elsewhere."""
        for message in messages:
            if message.client_message_id not in self._own:
                self.client_message(message.plain_text())

    def message(self, message: Message) -> None:
        """Show a whole message, whoever wrote it."""
        if message.role is Role.CLIENT:
            self.client_message(message.plain_text())
            return
        if message.completeness is Completeness.PLACEHOLDER:
            self._pending(message.message_id, self._announced.announce(message))
            return
        self._settle(message.replaces_message_id)
        text = spoken_text(message, self.language)
        strong = message.role is Role.SYSTEM  # such as where to find help in a crisis
        shown_as = self.screen.style.bold(clean(text)) if strong else None
        self.screen.commit(message.message_id, text, shown_as=shown_as)
        if note := incompleteness(message, self.language):
            self.note(f"({note})")

    def _goes_on(self, activity: Activity) -> None:
        """Tell what goes on beside; of a thread by its message's line, which its result ends."""
        if activity.kind is not ActivityKind.SUB_THREAD or not activity.message_id:
            self.note(activity_text(activity, self.language))
            return
        is_over = activity.state is ActivityState.ENDED
        if line := "" if is_over else self._announced.go_on(activity):
            self._pending(activity.message_id, line)

    def _pending(self, message_id: str, line: str) -> None:
        self.screen.pending(message_id, self.screen.style.dim(line))

    def _settle(self, message_id: str) -> None:
        self._announced.settle(message_id)
        self.screen.settle(message_id)

    def _turn_ended(self, ended: TurnEnded) -> None:
        self.screen.end()
        if ended.outcome is Outcome.INTERRUPTED:
            self.note(say("cli.chat.stopped"))
        if ended.outcome is Outcome.WAITING and ended.state is not None:
            self.note(position_text(ended.state.position, self.language))

    def _link(self, link: LinkChanged) -> None:
        if link.up:
            self.note(say("cli.chat.connected"))
            return
        self.screen.void(_EVERY_ATTEMPT)
        self.screen.settle(_THINKING)
        self.note(say("cli.chat.connection_lost"))
