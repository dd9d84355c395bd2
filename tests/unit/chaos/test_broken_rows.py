"""What the report says of a row that broke: enough to find the place without running it again."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos.processes import ROOT, Process, Processes
from tests.chaos.result import explained
from tests.chaos.services import NotServing, Replica


def caught(broken: Callable[[], None]) -> Exception:
    """Return what a function raises, as a fault's run catches it."""
    with pytest.raises(Exception) as raised:
        broken()
    return raised.value


def wordless() -> None:
    """Fail as an assertion without words does."""
    found: list[str] = []
    assert found


def unreadable() -> None:
    """Fail with a cause, which failed with one of its own."""
    try:
        try:
            int("x")
        except ValueError as error:
            raise LookupError("no port") from error
    except LookupError as error:
        raise OSError("not started") from error


def of_several() -> None:
    """Fail as a group of tasks does, one of them in the same way as another."""
    raise ExceptionGroup("tasks", [caught(wordless), caught(wordless), OSError("gone")])


def test_the_place_of_a_failure_is_named() -> None:
    """An assertion without words is found by its file and line."""
    line = wordless.__code__.co_firstlineno + 3
    assert explained(caught(wordless)).endswith(
        f"(tests/unit/chaos/test_broken_rows.py:{line} in wordless)"
    )


def test_causes_follow_in_order() -> None:
    """What led to a failure is told, each cause with its own place."""
    found = explained(caught(unreadable))
    places = [found.index(each) for each in ("OSError: not", "LookupError: no", "ValueError: inv")]
    assert places == sorted(places)
    assert found.count("test_broken_rows.py:") == 3


def test_a_failure_inside_a_library_names_our_line_too() -> None:
    """The last frame may be a library's; the line of ours that called it is the one to look at."""
    found = explained(caught(lambda: __import__("json").loads("{")))
    assert "json/decoder.py:" in found
    assert "tests/unit/chaos/test_broken_rows.py:" in found


def test_failures_of_a_group_are_told_once_each() -> None:
    """A group of tasks fails as its tasks did."""
    found = explained(caught(of_several))
    assert found.count("AssertionError") == 1
    assert "OSError: gone" in found


def test_every_assertion_of_the_harness_has_words() -> None:
    """What was expected and what was found stands in the report, not only where it broke."""
    harness = (ROOT / "tests" / "chaos").rglob("*.py")
    asserts = ((path, node) for path in harness for node in ast.walk(ast.parse(path.read_text())))
    found = [
        f"{path}:{node.lineno}"
        for path, node in asserts
        if isinstance(node, ast.Assert) and node.msg is None
    ]
    assert found == []


async def test_a_service_that_ended_too_early_is_named_with_its_log(tmp_path: Path) -> None:
    """A fault that finds its executor down says how it ended and what it wrote last."""
    log, ended = tmp_path / "executor-1.log", asyncio.get_running_loop().create_future()
    log.write_text("the port is taken")
    ended.set_result(1)
    executor = Replica(
        name="executor1", module="", folder=tmp_path, processes=Processes(), environ={}
    )
    executor.process = Process(name="executor-1", pid=4711, log=log, ended=ended)
    with pytest.raises(NotServing, match=r"executor1 .* \(pid 4711\) ended with 1; .*is taken"):
        executor.needed_stubs()
