"""`heartrule sessions`: lists conversations, names first, the newest on top."""

from __future__ import annotations

import asyncio
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from google.protobuf.json_format import MessageToDict

from heartrule.domain.labels import LABEL_NAME
from heartrule.v1 import execution_pb2, session_pb2
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import Words, say
from heartrule_cli.arguments.command_parser import meant
from heartrule_cli.arguments.invocation import Invocation, program_name
from heartrule_cli.executor_client import ExecutorClient
from heartrule_cli.failure import WRONG, Failure
from heartrule_cli.services.own_executor import ask_executor
from heartrule_cli.style import Style, style_for
from heartrule_cli.text import clean, json_text, one_line, table_lines

_FIRST = 20
_TITLES = (
    say("cli.sessions.name"),
    say("cli.sessions.script"),
    say("cli.sessions.status"),
    say("cli.sessions.begun"),
    say("cli.sessions.changed"),
    say("cli.sessions.id"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFilter:
    """Which sessions are listed."""

    script: str = ""
    """Its id, or a part of the name for people."""
    status: str = ""
    since: date | None = None
    until: date | None = None

    def takes(self, session: session_pb2.Session) -> bool:
        """Return whether a session is one of these; days are those of this machine."""
        begun = _local(session.create_time.ToDatetime(tzinfo=UTC)).date()
        return (
            self.names(session)
            and self.status in {"", status_of(session)}
            and (self.since is None or begun >= self.since)
            and (self.until is None or begun <= self.until)
        )

    def names(self, session: session_pb2.Session) -> bool:
        """Return whether a session is of the script that is asked for."""
        asked = self.script.casefold().removesuffix(".yaml")
        return asked == session.script_id.casefold() or asked in session.title.casefold()


def sessions(args: Namespace, environ: Mapping[str, str]) -> int:
    """Print a line for each session, or their JSON."""
    wanted = SessionFilter(
        script=args.script,
        status=args.status or "",
        since=_day(args.since, "--since"),
        until=_day(args.until, "--until"),
    )

    labelled = label_filter(args.label)

    async def reading(executor: ExecutorClient) -> list[session_pb2.Session]:
        return [each async for each in all_sessions(executor, args.user, labelled)]

    found = asyncio.run(ask_executor(args.address, environ, reading))
    taken = [each for each in found if wanted.takes(each)]
    shown = taken if args.all or args.format == "json" else taken[:_FIRST]
    if args.format == "json":
        print(json_text([MessageToDict(each) for each in shown]))
        return 0
    language = language_in(environ)
    for line in session_lines(shown, style_for(sys.stdout, environ), language):
        print(line)
    if taken:
        is_cut = len(shown) < len(taken)
        left = say("cli.sessions.left", total=len(taken)) if is_cut else ""
        command = Invocation(program=program_name(), address=args.address or "")
        read = command.show(shown[0].session_id)
        print(say("cli.sessions.shown", number=len(shown), left=left, command=read).told(language))
    elif labelled and not found:
        print(say("cli.sessions.no_labels").told(language), file=sys.stderr)
    else:
        print(clean(_none_of(found, wanted).told(language)), file=sys.stderr)
    return 0


async def all_sessions(
    executor: ExecutorClient, user_id: str = "", labelled: str = ""
) -> AsyncIterator[session_pb2.Session]:
    """Yield every session of an executor that a filter takes, the newest first."""
    request = session_pb2.ListSessionsRequest(page_size=500, user_id=user_id, filter=labelled)
    while True:
        page = await executor.call(executor.stubs.session.ListSessions, request)
        for session in page.sessions:
            yield session
        if not page.next_page_token:
            return
        request.page_token = page.next_page_token


def label_filter(asked: Sequence[str]) -> str:
    """Return the filter of the contract for labels such as `study=autumn`, or `study` alone.

    Raises:
        Failure: One of them has no name.
    """
    return " AND ".join(map(_comparison, asked))


def _comparison(asked: str) -> str:
    name, has_value, value = asked.partition("=")
    if not LABEL_NAME.fullmatch(name):
        raise Failure(say("cli.sessions.no_label", text=clean(asked)), code=WRONG)
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'labels.{name} = "{quoted}"' if has_value else f"labels:{name}"


def session_lines(
    found: Sequence[session_pb2.Session],
    style: Style,
    language: ReaderLanguage = ReaderLanguage.ENGLISH,
) -> Iterator[str]:
    """Yield a heading and a line for each session; nothing where there are none."""
    rows = [
        (
            one_line(each.title) or "–",
            one_line(each.script_id),
            say(f"cli.status.{status_of(each)}").told(language),
            _time(each.create_time.ToDatetime(tzinfo=UTC)),
            _time(each.update_time.ToDatetime(tzinfo=UTC)),
            one_line(each.session_id),
        )
        for each in found
    ]
    if rows:
        titles = [title.told(language) for title in _TITLES]
        heading, *lines = table_lines([titles, *rows])
        yield style.dim(heading)
        yield from lines


def status_of(session: session_pb2.Session) -> str:
    """Return the word for a session's status, as `--status` takes it."""
    name = execution_pb2.ExecutionStatus.Name(session.status)
    return name.removeprefix("EXECUTION_STATUS_").lower()


def _none_of(found: Sequence[session_pb2.Session], wanted: SessionFilter) -> Words:
    """Return why nothing is listed."""
    if not found:
        return say("cli.sessions.none_yet", command=f"{program_name()} run greeting")
    scripts = {each.script_id for each in found}
    guess = "" if any(map(wanted.names, found)) else meant(wanted.script, scripts)
    return say("cli.sessions.none_like_that", count=len(found), guess=guess)


def _day(text: str | None, option: str) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        no_date = say("cli.sessions.no_date", option=option, text=clean(text or ""))
        raise Failure(no_date, code=WRONG) from None


def _local(when: datetime) -> datetime:
    return when.astimezone()


def _time(when: datetime) -> str:
    return _local(when).strftime("%Y-%m-%d %H:%M")
