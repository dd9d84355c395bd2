"""Runs of workflows as text for a person. Pure."""

from __future__ import annotations

from datetime import datetime

from heartrule.domain.events import EventBody
from heartrule.domain.run_events import (
    Activity,
    ActivityState,
    NodeChanged,
    NodeExecutionFailed,
    RunChanged,
)
from heartrule.domain.runs import NodeFailure
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.text import one_line


def run_lines(body: EventBody) -> tuple[str, ...]:
    """Return the line of `--debug` for an event of a run; none for other kinds."""
    match body:
        case RunChanged():
            return (f"run {run_text(body)}",)
        case NodeChanged():
            return (f"run {one_line(body.run_id)} node {one_line(body.path)}: {_node_state(body)}",)
        case NodeExecutionFailed():
            return (node_failed_text(body),)
        case _:
            return ()


def activity_text(activity: Activity, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return the line by which a client reads that a run goes on, or is over."""
    name = one_line(activity.name)
    if activity.state is not ActivityState.ENDED:
        label = one_line(activity.label)
        doing = say("cli.activity.doing", name=name, label=label)
        return (doing if label else say("cli.activity.goes_on", name=name)).told(language)
    code = "cli.activity.done" if activity.is_completed else "cli.activity.no_result"
    return say(code, name=name).told(language)


def run_text(changed: RunChanged) -> str:
    """Return a run with its workflow, or its agent, and the state it has come to."""
    of = f"{one_line(changed.workflow_id)} revision {changed.revision}"
    if changed.agent:
        of = f"agent {one_line(changed.agent)}"
    why = f" ({changed.code})" if changed.code else ""
    return f"{one_line(changed.run_id)} of {of}: {changed.state}{why}"


def node_failed_text(failed: NodeExecutionFailed) -> str:
    """Return a node whose own retries are spent, and why it failed."""
    node = f"run {one_line(failed.run_id)} node {one_line(failed.path)}"
    why = NodeFailure(code=failed.code, message=failed.message, is_retryable=failed.is_retryable)
    return f"{node} failed in attempt {failed.attempt}: {failure_text(why)}"


def failure_text(failure: NodeFailure) -> str:
    """Return the code and the sentence of a failure."""
    return f"{failure.code}: {one_line(failure.message)}"


def seconds_text(began: datetime, ended: datetime) -> str:
    """Return how long something took: `0.04 s`, `2.1 s`, `75 s`."""
    seconds = (ended - began).total_seconds()
    digits = 2 if seconds < 1 else 1 if seconds < 10 else 0
    return f"{seconds:.{digits}f} s"


def _node_state(changed: NodeChanged) -> str:
    reason = changed.skip_reason or changed.code
    attempt = f" attempt {changed.attempt}" if changed.attempt > 1 else ""
    return f"{changed.state}{attempt}" + (f" ({reason})" if reason else "")
