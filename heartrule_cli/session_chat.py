"""Talks in one session, new or resumed, from the first line to the last."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from executor_service.scripts.model.findings import Located
from heartrule import __version__
from heartrule.chassis.telemetry_setup import setup_telemetry
from heartrule.domain.conversation import Audience
from heartrule.domain.position import ExecutionPosition
from heartrule.v1 import script_pb2
from heartrule_cli.chat import ChatEnd, ChatLoop, ChatOutcome
from heartrule_cli.conversation_stream import ConversationStream, Wish
from heartrule_cli.event_printer import EventPrinter
from heartrule_cli.executor_client import ExecutorClient, SessionOptions
from heartrule_cli.failure import FAILED, WRONG, Failure
from heartrule_cli.lines import Lines, StreamLines
from heartrule_cli.narration import position_text
from heartrule_cli.screen import Screen
from heartrule_cli.scripts import bundle_of, count_text, finding_line, on_disk
from heartrule_cli.style import style_for
from heartrule_cli.terminal import TerminalLines
from heartrule_cli.text import one_line

if TYPE_CHECKING:
    from heartrule.domain.conversation import Message
    from heartrule.domain.position import ExecutionState
    from heartrule.v1.session_pb2 import Session
    from heartrule_cli.invocation import Invocation
    from heartrule_cli.stopping import Stop

_RECENT = 8
"""Messages of before shown on resume."""
_MOST_LISTED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSubject:
    """What is talked about, and how."""

    script: Path | None = None
    """A script to begin anew with; None resumes `session_id`."""
    session_id: str = ""
    new: SessionOptions = field(default_factory=SessionOptions)
    debug: bool = False


@dataclass(slots=True, kw_only=True)
class Setting:
    """Who talks where."""

    executor: ExecutorClient
    invocation: Invocation
    environ: Mapping[str, str]
    stop: Stop
    session_id: str = ""
    """Known from the moment there is one."""


async def talk(topic: ChatSubject, setting: Setting) -> int:
    """Hold the conversation and return the exit code.

    Raises:
        Failure: The script is refused, the session unknown, the executor gone.
    """
    screen = Screen(sys.stdout, style_for(sys.stdout, setting.environ), live=sys.stdout.isatty())
    printer = EventPrinter(screen, debug=topic.debug)
    telemetry = setup_telemetry(
        service="heartrule-cli", version=__version__, environ=setting.environ
    )
    telemetry.use()
    try:
        chat = await _begin(topic, setting, printer)
        setting.stop.instead = chat.interrupt
        end = await chat.run(setting.stop.asked)
    except Failure as failure:
        if setting.session_id:
            failure.hint += f"\ngo on with: {setting.invocation.resume(setting.session_id)}"
        raise
    finally:
        setting.stop.instead = None
        await telemetry.close()
    for line in closing_lines(end, chat.progress.state, chat.session_id, setting.invocation):
        printer.note(line)
    refused = end.refused and not chat.lines.attended
    return FAILED if end.how is ChatOutcome.FAILED or refused else 0


async def _begin(topic: ChatSubject, setting: Setting, printer: EventPrinter) -> ChatLoop:
    """Start or find the session, show what was said before, and return a chat about to begin."""
    executor, lines = setting.executor, _lines(printer.screen)
    before: list[Message] = []
    after, waiting, position = 0, frozenset[str](), ExecutionPosition()
    if topic.script is not None:
        script = await publish(executor, topic.script)
        session = await executor.start(script, topic.new)
    else:
        session = await executor.session(topic.session_id)
        state = await executor.state(topic.session_id)
        after, waiting = state.sequence, frozenset(state.pending_client_message_ids)
        before = [m for m in await executor.messages(topic.session_id) if m.sequence <= after]
        position = state.position
    setting.session_id = session.session_id
    _tell_before(session, before, printer)
    if place := position_text(position):
        printer.note(place)
    wish = Wish(
        session_id=session.session_id,
        after_sequence=after,
        drafts=printer.screen.live,
        audiences=_audiences(debug=topic.debug or not lines.attended),
    )
    conversation = ConversationStream(executor, wish)
    conversation.adopt(m for m in before if m.client_message_id in waiting)
    return ChatLoop(
        conversation=conversation, printer=printer, lines=lines, session_id=session.session_id
    )


def _tell_before(session: Session, before: list[Message], printer: EventPrinter) -> None:
    """Show which session it is and what was said last."""
    title = f" · {one_line(session.title)}" if session.title else ""
    printer.note(f"session {one_line(session.session_id)}{title}")
    if (earlier := len(before) - _RECENT) > 0:
        printer.note(f"({earlier} earlier messages)")
    printer.screen.line()
    printer.history(before[-_RECENT:])


def _lines(screen: Screen) -> Lines:
    """Return a person at a terminal, or whatever standard input is."""
    stdin = sys.stdin
    if stdin is None:
        return StreamLines(None)
    if stdin.isatty() and sys.stdout.isatty():
        return TerminalLines(screen)
    try:
        return StreamLines(stdin.fileno())
    except (OSError, ValueError):  # replaced by something that is no file
        return StreamLines(None)


def _audiences(*, debug: bool) -> frozenset[Audience]:
    return frozenset({Audience.CLIENT, Audience.OPERATOR} if debug else {Audience.CLIENT})


def closing_lines(
    end: ChatEnd, state: ExecutionState | None, session_id: str, invocation: Invocation
) -> Iterator[str]:
    """Yield what a chat says at its end: what was not sent, where it waits, how to go on."""
    if end.how is ChatOutcome.COMPLETED:
        yield f"the script is at its end · {invocation.show(session_id)}"
        if end.unsent:
            left = count_text(len(end.unsent), "line")
            yield f"not sent, since the script had ended: {left}"
            yield from (f"  {one_line(line)}" for line in end.unsent[:_MOST_LISTED])
        if len(end.unsent) > _MOST_LISTED:
            yield "  …"
        return
    place = position_text(state.position) if state is not None else ""
    why = "the input ended; " if end.how is ChatOutcome.LINES_ENDED else ""
    yield f"{why}the session waits" + (f" at {place}" if place else "")
    yield f"go on with: {invocation.resume(session_id)}"


async def publish(executor: ExecutorClient, path: Path) -> script_pb2.Script:
    """Publish the script at `path`, its large pictures first, and return its version.

    Raises:
        Failure: It cannot be read, or the executor refuses it; every error is printed before.
    """
    bundle = bundle_of(path)
    for name in bundle.assets:
        await executor.upload(path.parent / name)
    try:
        return await executor.publish(bundle)
    except Failure as failure:
        if failure.code != WRONG:
            raise
        errors = [one for one in await executor.findings(bundle) if _is_error(one)]
        if not errors:
            raise
    for found in errors:
        located = Located(
            file=found.file, line=found.line, column=found.column, message=found.message
        )
        print(finding_line(on_disk(located, path)), file=sys.stderr)
    raise Failure(f"the script has {count_text(len(errors), 'error')}", code=WRONG)


def _is_error(found: script_pb2.ScriptFinding) -> bool:
    kinds = script_pb2.FindingSeverity
    return found.severity in {kinds.FINDING_SEVERITY_UNSPECIFIED, kinds.FINDING_SEVERITY_ERROR}
