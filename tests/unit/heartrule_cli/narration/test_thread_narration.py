"""Threads as lines that a person reads."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.conversation import Completeness, text_part
from heartrule.domain.events import Heartbeat
from heartrule.domain.run_events import Activity, ActivityKind, ActivityState
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import ThreadRole, ThreadState
from heartrule_cli.narration.thread_narration import Announced, ToldThreads, thread_lines
from tests.support.wire_samples import ASKED

OPENED = ThreadChanged(
    thread_id="t1",
    anchor_message_id="m1",
    agent="researcher",
    state=ThreadState.RUNNING,
    phase="query",
    run_id="r1",
)
ASKS = ThreadMessageAdded(
    thread_id="t1",
    message_id="s1",
    number=0,
    role=ThreadRole.USER,
    text="请查\n两件事",
    run_id="r1",
)
WAITS = replace(
    ASKS, message_id="s2", number=1, role=ThreadRole.BOT, text="在查", is_placeholder=True
)
FOUND = replace(
    WAITS, message_id="s3", text="查到了", is_placeholder=False, replaces_message_id="s2"
)
NESTED = replace(
    OPENED, thread_id="t2", parent_thread_id="t1", anchor_message_id="s2", depth=2, agent="reader"
)
PLACEHOLDER = replace(
    ASKED, parts=(text_part("正在处理\n您的请求…"),), completeness=Completeness.PLACEHOLDER
)
GOES_ON = Activity(
    activity_id="r1",
    kind=ActivityKind.SUB_THREAD,
    state=ActivityState.GOES_ON,
    label="核对",
    message_id=ASKED.message_id,
)


def test_a_thread_is_told_with_agent_state_and_phase() -> None:
    """And with what is suggested, and why it failed."""
    assert thread_lines(OPENED) == ("thread t1 of researcher: running in query",)
    suggests = replace(OPENED, suggested_phase="read")
    assert thread_lines(suggests) == ("thread t1 of researcher: running in query, read next",)
    failed = replace(OPENED, state=ThreadState.FAILED, failure_code="ENDLESS_PHASES")
    assert thread_lines(failed) == ("thread t1 of researcher: failed (ENDLESS_PHASES) in query",)


def test_a_message_of_a_thread_is_one_line() -> None:
    """Cut where it is long, whatever an agent wrote into it."""
    assert thread_lines(ASKS) == ("thread t1 user: 请查⏎两件事",)
    (line,) = thread_lines(replace(ASKS, text="a\x1b[31m" + "b" * 500))
    assert line == "thread t1 user: a[31m" + "b" * 195


def test_other_events_are_told_elsewhere() -> None:
    """A thread has no line for them."""
    assert thread_lines(Heartbeat(last_sequence=1)) == ()


def test_threads_are_indented_beneath_their_message() -> None:
    """A result stands in its placeholder's place, with what is nested in that."""
    tree = ToldThreads()
    for event in (OPENED, ASKS, WAITS, NESTED, FOUND, replace(OPENED, state=ThreadState.COMPLETED)):
        tree.add(event)
    assert list(tree.lines("m1")) == [
        "thread researcher: completed in query",
        "  user  请查",
        "        两件事",
        "  bot   查到了",
        "    thread reader: running in query",
    ]
    assert list(tree.lines("m9", replaces="m1")) == list(tree.lines("m1"))
    assert list(tree.lines("m2")) == []


def test_a_placeholder_is_a_line_with_a_label_that_changes() -> None:
    """One whose result is there, or will never come, has none."""
    announced = Announced()
    assert announced.go_on(replace(GOES_ON, label="查资料")) == ""
    assert announced.announce(PLACEHOLDER) == "正在处理⏎您的请求… (查资料)"
    assert announced.go_on(GOES_ON) == "正在处理⏎您的请求… (核对)"
    assert announced.go_on(replace(GOES_ON, label="")) == "正在处理⏎您的请求…"
    announced.settle(ASKED.message_id)
    assert announced.go_on(GOES_ON) == ""
