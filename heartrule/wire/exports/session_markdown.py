"""A session as a transcript in Markdown: what a supervisor reads, in the reader's language."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import cast

from google.protobuf.timestamp_pb2 import Timestamp

from heartrule.domain.conversation import Completeness, Message, Role
from heartrule.domain.json_value import JsonValue
from heartrule.domain.time_zones import zone_of
from heartrule.v1 import execution_pb2, message_pb2, session_pb2, variable_pb2
from heartrule.wire.exports.session_pieces import SessionPiece
from heartrule.wire.json_values import read_value
from heartrule.wire.message_mapping import from_message
from heartrule.wire.times import read_timestamp
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Words, say

_MARKS = re.compile(r"([\\`*\[\]<>#|~&]|(?<!\w)_|_(?!\w))")
# Blanks of one line: over line breaks the search would be quadratic.
_FIRST = re.compile(r"^([^\S\n]*(?=[-+=])|[^\S\n]*\d+(?=[.)]))", re.MULTILINE)
_ROLES = {
    Role.CLIENT: "transcript.client",
    Role.ASSISTANT: "transcript.assistant",
    Role.COUNSELLOR: "transcript.counsellor",
    Role.SYSTEM: "transcript.system",
}
_STATUSES = {
    execution_pb2.EXECUTION_STATUS_RUNNING: "transcript.running",
    execution_pb2.EXECUTION_STATUS_WAITING_INPUT: "transcript.waiting",
    execution_pb2.EXECUTION_STATUS_COMPLETED: "transcript.completed",
    execution_pb2.EXECUTION_STATUS_ERROR: "transcript.failed",
}
_INCOMPLETE = {
    Completeness.INTERRUPTED: "transcript.interrupted",
    Completeness.TRUNCATED: "transcript.truncated",
    Completeness.PLACEHOLDER: "transcript.placeholder",
}


async def markdown_of(
    pieces: AsyncIterator[SessionPiece], language: ReaderLanguage
) -> AsyncIterator[str]:
    """Yield the transcript as it is read: heading, turns with what was said, values at the end.

    Texts of clients, models and scripts are shown as they are and format nothing.
    """
    page = _Page(language=language)
    async for piece in pieces:
        match piece.section:
            case "session":
                yield page.heading(cast("session_pb2.Session", piece.message))
            case "messages":
                yield page.message(cast("message_pb2.Message", piece.message))
            case "variables":
                page.keep(cast("variable_pb2.VariableValue", piece.message))
            case "events":
                break  # all that was said and learned came before them
    yield page.learned()


@dataclass(slots=True, kw_only=True)
class _Page:
    """What a transcript knows while it is written."""

    language: ReaderLanguage
    zone: tzinfo | None = None
    turn: str | None = None
    turns: int = -1
    values: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    """Those that are not told yet, by turn."""

    def heading(self, session: session_pb2.Session) -> str:
        """Return the title and the facts about the session."""
        self.zone = _zone(session.time_zone)
        self.notes = dict(session.notes)
        facts: list[tuple[Words, str]] = [
            (say("transcript.script"), f"{session.script_id} ({session.script_version[:12]})"),
            (say("transcript.session"), session.session_id),
            (say("transcript.status"), self._told(say(_STATUSES[session.status]))),
            (say("transcript.began"), self._moment(session.create_time, date=True)),
            (say("transcript.changed"), self._moment(session.update_time, date=True)),
        ]
        if session.user_id:
            facts.append((say("transcript.person"), session.user_id))
        facts += [
            (say("transcript.label"), f"{name}: {session.labels[name]}".removesuffix(": "))
            for name in sorted(session.labels)
        ]
        lines = [f"- {self._told(name)}: {shown(value)}" for name, value in facts]
        title = shown(session.title or session.script_id).replace("\n", " ")
        return "\n".join([f"# {title}", "", *lines, ""])

    def message(self, wire: message_pb2.Message) -> str:
        """Return one message, under the heading of its turn where that is a new one."""
        said = from_message(wire, Message, lenient=True)
        head = ""
        if said.turn_id != self.turn:
            self.turn = said.turn_id
            self.turns += 1
            head = f"\n## {self._told(self._turn_words())}\n{self._note(said.turn_id)}"
        clock = self._moment(wire.create_time)
        speaker = f"**{self._told(say(_ROLES[said.role]))}** {clock}"
        if said.completeness in _INCOMPLETE:
            speaker += f" ({self._told(say(_INCOMPLETE[said.completeness]))})"
        text = "\n".join(f"> {line}" for line in shown(said.plain_text()).split("\n"))
        return f"{head}\n{speaker}\n\n{text}\n"

    def keep(self, variable: variable_pb2.VariableValue) -> None:
        """Keep a value for the end; one that lives comes before one that is archived."""
        if not variable.archived or variable.name not in self.values:
            self.values[variable.name] = _text(read_value(variable.value)).replace("\n", " ")

    def learned(self) -> str:
        """Return the values that the session has, or had when it left their scopes.

        Notes at turns in which nothing was said stand before them.
        """
        rest = "".join(map(self._note, sorted(self.notes)))
        return rest + self._values()

    def _note(self, turn_id: str) -> str:
        note = self.notes.pop(turn_id, "")
        name = self._told(say("transcript.note"))
        return f"\n**{name}**\n\n{shown(note)}\n" if note else ""

    def _values(self) -> str:
        if not self.values:
            return ""
        title = self._told(say("transcript.values"))
        lines = [f"- {shown(name)}: {shown(value)}" for name, value in self.values.items()]
        return "\n".join(["", f"## {title}", "", *lines, ""])

    def _turn_words(self) -> Words:
        if self.turns == 0:
            return say("transcript.opening")
        if not self.turn:
            return say("transcript.untaken")
        return say("transcript.turn", number=self.turns)

    def _moment(self, instant: Timestamp, *, date: bool = False) -> str:
        moment: datetime = read_timestamp(instant).astimezone(self.zone)
        return f"{moment:%Y-%m-%d %H:%M %Z}" if date else f"{moment:%H:%M:%S}"

    def _told(self, words: Words) -> str:
        return words.told(self.language)


def shown(text: str) -> str:
    """Return a text as Markdown that shows it and does nothing."""
    return _FIRST.sub(r"\1\\", _MARKS.sub(r"\\\1", text))


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _zone(name: str) -> tzinfo:
    return zone_of(name) or UTC
