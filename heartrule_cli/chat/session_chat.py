"""Talks in one session, new or resumed, until the chat ends."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from heartrule import __version__
from heartrule.chassis.telemetry_setup import setup_telemetry
from heartrule.domain.conversation import Audience
from heartrule.domain.position import ExecutionPosition
from heartrule.words.words import Words, say
from heartrule_cli.chat.chat_end import ChatOutcome, closing_lines
from heartrule_cli.chat.chat_loop import ChatLoop
from heartrule_cli.chat.conversation_stream import ConversationStream, Wish
from heartrule_cli.chat.event_printer import EventPrinter
from heartrule_cli.chat.screen import Screen
from heartrule_cli.chat.terminal import standard_lines
from heartrule_cli.executor_client import ExecutorClient, SessionOptions
from heartrule_cli.failure import FAILED, Failure
from heartrule_cli.narration.session_texts import position_text
from heartrule_cli.script_publishing import publish
from heartrule_cli.style import style_for
from heartrule_cli.text import one_line

if TYPE_CHECKING:
    from argparse import Namespace

    from heartrule.domain.conversation import Message
    from heartrule_cli.arguments.invocation import Invocation
    from heartrule_cli.stopping import Stop

# Earlier messages shown on resume.
_RECENT = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSubject:
    """Which session is talked in: a new one of `script`, or that of `session_id`."""

    script: Path | None
    session_id: str
    new: SessionOptions
    debug: bool

    @classmethod
    def from_arguments(cls, args: Namespace, script: Path | None) -> ChatSubject:
        """Return the subject that a command line names."""
        return cls(
            script=script,
            session_id=args.session or "",
            new=SessionOptions(user_id=args.user, locale=args.locale),
            debug=args.debug,
        )


@dataclass(slots=True, kw_only=True)
class Setting:
    """The executor of a chat, and the command that runs it."""

    executor: ExecutorClient
    invocation: Invocation
    environ: Mapping[str, str]
    stop: Stop
    session_id: str = ""
    """Set once the session is known."""

    @property
    def going_on(self) -> Words:
        """How to go on with the session."""
        return say("cli.chat.go_on", command=self.invocation.resume(self.session_id))


async def talk(topic: ChatSubject, setting: Setting) -> int:
    """Talk until the chat ends, and return the exit code.

    Raises:
        Failure: The script is refused, the session unknown, the executor gone.
    """
    language = setting.executor.language
    style = style_for(sys.stdout, setting.environ)
    screen = Screen(sys.stdout, style, live=sys.stdout.isatty(), language=language)
    printer = EventPrinter(screen, debug=topic.debug, language=language)
    name, environ = "heartrule-cli", setting.environ
    telemetry = setup_telemetry(service=name, version=__version__, environ=environ)
    telemetry.use()
    try:
        chat = await _begin(topic, setting, printer)
        setting.stop.instead = chat.interrupt
        end = await chat.run(setting.stop.asked)
    except Failure as failure:
        if setting.session_id:
            failure.also(setting.going_on)
        raise
    finally:
        setting.stop.instead = None
        await telemetry.close()
    state, session_id = chat.progress.state, chat.session_id
    for line in closing_lines(end, state, session_id, setting.invocation, language=language):
        printer.note(line)
    refused = end.refused and not chat.lines.attended
    return FAILED if end.how is ChatOutcome.FAILED or refused else 0


async def _begin(topic: ChatSubject, setting: Setting, printer: EventPrinter) -> ChatLoop:
    """Start or find the session, print its last messages, and return its chat."""
    executor, lines = setting.executor, standard_lines(printer.screen)
    before: list[Message] = []
    after, waiting, position = 0, frozenset[str](), ExecutionPosition()
    if topic.script is not None:
        script = await publish(executor, topic.script, setting.environ)
        session = await executor.start(script, topic.new)
    else:
        session = await executor.session(topic.session_id)
        state = await executor.state(topic.session_id)
        after, waiting = state.sequence, frozenset(state.pending_client_message_ids)
        before = [m for m in await executor.messages(topic.session_id) if m.sequence <= after]
        position = state.position
    setting.session_id = session.session_id
    title = f" · {one_line(session.title)}" if session.title else ""
    printer.note(say("cli.chat.session", id=one_line(session.session_id), title=title))
    if (earlier := len(before) - _RECENT) > 0:
        printer.note(say("cli.chat.earlier", count=earlier))
    printer.screen.line()
    for message in before[-_RECENT:]:
        printer.message(message)
    if place := position_text(position, printer.language):
        printer.note(place)
    wish = Wish(
        session_id=session.session_id,
        after_sequence=after,
        drafts=printer.screen.live,
        # For the details of failures; an unattended chat waits for the analyses' ends, too.
        audiences=frozenset({Audience.CLIENT, Audience.OPERATOR}),
    )
    conversation = ConversationStream(executor, wish)
    conversation.adopt(m for m in before if m.client_message_id in waiting)
    return ChatLoop(
        conversation=conversation,
        printer=printer,
        lines=lines,
        session_id=session.session_id,
    )
