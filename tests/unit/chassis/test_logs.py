"""What a line of the log holds, and what it never holds."""

from __future__ import annotations

import io
import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from typing import Literal

import pytest
from pydantic import BaseModel

from heartrule.chassis import telemetry
from heartrule.chassis.log_context import bind
from heartrule.chassis.logs import (
    LONGEST_LINE,
    OF_A_LIBRARY,
    OURS,
    LogSettings,
    setup_logs,
)

log = logging.getLogger("heartrule.example")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers = root.handlers[:]
    levels = {name: logging.getLogger(name).level for name in ("", *OURS)}
    yield io.StringIO()
    root.handlers[:] = handlers
    for name, level in levels.items():
        logging.getLogger(name).setLevel(level)


def last(stream: io.StringIO) -> dict[str, object]:
    line: dict[str, object] = json.loads(stream.getvalue().splitlines()[-1])
    return line


def test_a_line_is_json_with_the_ids_of_the_task(stream: io.StringIO) -> None:
    """Session, turn and trace are on every line without being passed."""
    setup_logs(LogSettings(), service="executor", stream=stream)
    with bind(session_id="s-1", turn_id="t-1"), telemetry.span("turn"):
        log.info("turn ended", extra={"took_ms": 12})
        trace_id = telemetry.trace_id()
    line = last(stream)
    assert {"event": "turn ended", "took_ms": 12, "service": "executor"}.items() <= line.items()
    assert (line["session_id"], line["turn_id"], line["trace_id"]) == ("s-1", "t-1", trace_id)


def test_a_clients_words_are_withheld(stream: io.StringIO) -> None:
    """A fact named like text is logged by its length alone."""
    setup_logs(LogSettings(), service="executor", stream=stream)
    log.info("input", extra={"content": "我叫小明"})
    assert last(stream)["content"] == "<4 characters>"


def test_an_error_is_logged_with_its_cause_and_places(stream: io.StringIO) -> None:
    """An exception is data: class, text and the lines of code, for each cause."""
    setup_logs(LogSettings(), service="executor", stream=stream)
    try:
        try:
            raise KeyError("inner")
        except KeyError as error:
            raise RuntimeError("outer") from error
    except RuntimeError:
        log.exception("failed")
    errors = last(stream)["errors"]
    assert isinstance(errors, list)
    assert [error["class"] for error in errors] == ["RuntimeError", "KeyError"]
    assert "test_logs.py" in errors[0]["at"][0]


def test_a_validation_error_does_not_quote_its_input(stream: io.StringIO) -> None:
    """Pydantic's own text would print what the client said."""

    class Shape(BaseModel):
        age: int

    setup_logs(LogSettings(), service="executor", stream=stream)
    try:
        Shape.model_validate({"age": "我不想说"})
    except ValueError:
        log.exception("failed")
    assert "我不想说" not in stream.getvalue()
    assert "age" in stream.getvalue()


def test_a_line_break_in_data_does_not_begin_a_new_line(stream: io.StringIO) -> None:
    """Nobody can forge a line of the readable log."""
    setup_logs(LogSettings(log_format="text"), service="executor", stream=stream)
    log.info("hello\nworld", extra={"name_given": "a b\nc"})
    assert len(stream.getvalue().splitlines()) == 1
    assert 'name_given="a b\\nc"' in stream.getvalue()


def test_libraries_are_heard_from_warning_on(stream: io.StringIO) -> None:
    """A library's DEBUG lines may hold whole requests."""
    setup_logs(LogSettings(log_level="DEBUG"), service="executor", stream=stream)
    logging.getLogger("openai").debug("request body")
    log.debug("ours")
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["ours"]


def test_what_a_library_says_is_a_fact(stream: io.StringIO) -> None:
    """Its sentences vary, and an event never does."""
    setup_logs(LogSettings(), service="executor", stream=stream)
    logging.getLogger("aiohttp.client").warning("gave up %s", "127.0.0.1:9")
    assert (last(stream)["event"], last(stream)["message"]) == (
        OF_A_LIBRARY, "gave up 127.0.0.1:9",
    )  # fmt: skip


def test_the_event_of_a_filled_message_is_its_pattern(stream: io.StringIO) -> None:
    """The one message that a document words with values in it can be counted too."""
    setup_logs(LogSettings(), service="executor", stream=stream)
    log.info("Auto-registered variable %s", "名字")
    assert last(stream)["event"] == "Auto-registered variable %s"


def test_warnings_and_uncaught_errors_are_lines_of_json() -> None:
    """Of a process's output every line can be read by a machine."""
    program = """
import threading, warnings
from heartrule.chassis.logs import LogSettings, setup_logs, take_strays
setup_logs(LogSettings(), service="executor")
take_strays()
warnings.warn("old")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start(); thread.join()
raise RuntimeError("gone")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert "old" in lines[0]["message"]
    assert [line["errors"][0]["class"] for line in lines[1:]] == [
        "ZeroDivisionError", "RuntimeError",
    ]  # fmt: skip


@pytest.mark.parametrize("log_format", ["json", "text"])
@pytest.mark.parametrize("sign", ["x", "好", "\x01", '"'])
def test_a_line_has_at_most_8_kilobytes(
    stream: io.StringIO, log_format: Literal["json", "text"], sign: str
) -> None:
    """Whatever a caller sends, a line stays short and says how much of it was cut."""
    setup_logs(LogSettings(log_format=log_format), service="executor", stream=stream)
    log.info("a" * 5_000, extra={"where": sign * 1_000_000, "all": [sign * 3_000] * 4})
    (line,) = stream.getvalue().splitlines()
    assert len(line.encode()) <= LONGEST_LINE
    assert "characters cut)" in line


def test_a_long_chain_of_errors_is_one_short_line(stream: io.StringIO) -> None:
    """An error with forty causes is cut like any other fact; the event itself stays."""
    setup_logs(LogSettings(), service="executor", stream=stream)
    error = ValueError("x" * 600)
    for _ in range(40):
        outer = ValueError("x" * 600)
        outer.__cause__ = error
        error = outer
    log.error("failed", exc_info=error)
    assert len(stream.getvalue().encode()) <= LONGEST_LINE + 1
    assert last(stream)["event"] == "failed"
