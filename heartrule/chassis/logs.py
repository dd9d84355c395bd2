"""Logs: one JSON object a line, with session, turn and trace ids, and never a client's words.

Modules call `logging.getLogger(__name__)`. The message is a key that never varies, `event` in the
line; what varies is a fact, passed as `extra`:

    log.info("turn ended", extra={"outcome": "waiting", "took_ms": 812})
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Literal, TextIO

from pydantic import ValidationError

from heartrule.chassis import telemetry
from heartrule.chassis.log_context import bound
from heartrule.chassis.settings import Settings

OURS = ("heartrule", "executor_service", "monitor_service", "session_store", "gateway_service")
# Facts of these names would be a client's or a model's words: their length is logged instead.
WITHHELD = frozenset(
    {"text", "content", "input", "output", "prompt", "reply", "raw_response", "user_input", "body"}
)
# The event of a line that a library wrote: its words are a fact, for they vary.
OF_A_LIBRARY = "a library's message"
_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "color_message"}
# An error may quote what caused it; its type and beginning are enough to find it.
_LONGEST_ERROR = 500
# Bytes of one line: collectors cut longer ones, and what a caller sends must not fill a disk.
LONGEST_LINE = 8_192


class LogSettings(Settings):
    """How a process writes its log."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """Least severity written; libraries log from WARNING on."""
    log_format: Literal["json", "text"] = "json"
    """`json` for machines, `text` for a person at a terminal."""


def setup_logs(settings: LogSettings, *, service: str, stream: TextIO | None = None) -> None:
    """Send all logging of this process to `stream` (standard error) in the form asked for."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(service) if settings.log_format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    # Libraries may log whole requests at DEBUG, and with them clients' words.
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(settings.log_level)


def take_strays() -> None:
    """Send warnings, and errors that nothing caught, to the log, as lines like any other."""
    logging.captureWarnings(capture=True)
    sys.excepthook = _uncaught
    threading.excepthook = lambda told: _log.critical(_UNCAUGHT, exc_info=told.exc_value)
    sys.unraisablehook = lambda told: _log.error(_UNCAUGHT, exc_info=told.exc_value)


_UNCAUGHT = "an error was not caught"
_log = logging.getLogger(__name__)


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):  # somebody at a terminal, who knows
        _log.critical(_UNCAUGHT, exc_info=(kind, error, trace))


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON."""

    def __init__(self, service: str) -> None:
        """`service` names the process in every line."""
        super().__init__()
        self._service = service

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON; line breaks and control characters are escaped."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "service": self._service,
            "logger": record.name,
            **_event(record),
            **facts(record),
        }
        if record.exc_info and record.exc_info[1]:
            line["errors"] = list(describe(record.exc_info[1]))
        return _fitted(line)


class TextLines(logging.Formatter):
    """Formats a record for a person: time, level, event, key=value."""

    def format(self, record: logging.LogRecord) -> str:
        """Return one line, and the errors on lines of their own."""
        clock = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        pairs = (f"{key}={_plain(value)}" for key, value in facts(record).items())
        event = json.dumps(record.getMessage(), ensure_ascii=False)[1:-1]
        lines = [" ".join((clock, f"{record.levelname:<7}", event, *pairs))]
        if record.exc_info and record.exc_info[1]:
            lines += [f"  {_plain(error)}" for error in describe(record.exc_info[1])]
        return "\n".join(map(_cut, lines))


def _event(record: logging.LogRecord) -> dict[str, object]:
    """Return the event, the same for all lines of one kind, and the words where they vary."""
    if record.name.partition(".")[0] not in OURS:
        return {"event": OF_A_LIBRARY, "message": record.getMessage()}
    if record.args:
        return {"event": record.msg, "message": record.getMessage()}
    return {"event": record.getMessage()}


def facts(record: logging.LogRecord) -> dict[str, object]:
    """Return the ids of the task and the record's own facts, the client's words withheld."""
    own = {key: value for key, value in vars(record).items() if key not in _STANDARD}
    withheld = {key: f"<{len(str(own[key]))} characters>" for key in own.keys() & WITHHELD}
    ids = {**bound(), "trace_id": telemetry.trace_id()}
    return {**{key: value for key, value in ids.items() if value}, **own, **withheld}


def describe(error: BaseException) -> Iterator[Mapping[str, object]]:
    """Yield an error and its causes as data: class, text, and the lines of code passed through."""
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = traceback.extract_tb(current.__traceback__)
        yield {
            "class": type(current).__qualname__,
            "text": _error_text(current)[:_LONGEST_ERROR],
            "at": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames[-12:]],
        }
        hidden = None if current.__suppress_context__ else current.__context__
        current = current.__cause__ or hidden


def _error_text(error: BaseException) -> str:
    if isinstance(error, ValidationError):  # its own text quotes the input
        places = error.errors(include_input=False, include_url=False, include_context=False)
        return "; ".join(f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in places)
    return str(error)


def _fitted(line: dict[str, object]) -> str:
    """Return the line as JSON; where it is too long, its longest facts are cut and say so."""
    text = _json(line)
    for _ in line:
        over = len(text.encode(errors="replace")) - LONGEST_LINE
        if over <= 0:
            break
        longest = max(line, key=lambda name: len(_json(line[name])))
        line[longest] = _shortened(line[longest], over)
        text = _json(line)
    return text


def _shortened(value: object, over: int) -> str:
    """Return a text that is at least `over` bytes shorter, if the value has as many."""
    text = value if isinstance(value, str) else _json(value)
    kept = text[: max(0, len(text) - over - len(_json(_CUT.format(len(text)))))]
    return kept + _CUT.format(len(text) - len(kept))


_CUT = "… ({} characters cut)"


def _cut(line: str) -> str:
    """Return a line for a person, or its beginning and how much was cut."""
    data = line.encode(errors="replace")
    if len(data) <= LONGEST_LINE:
        return line
    kept = data[: LONGEST_LINE - len(_CUT.format(len(line)).encode())].decode(errors="ignore")
    return kept + _CUT.format(len(line) - len(kept))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _plain(value: object) -> str:
    text = value if isinstance(value, str) else _json(value)
    if text and text.isprintable() and " " not in text:
        return text
    return json.dumps(text, ensure_ascii=False)
