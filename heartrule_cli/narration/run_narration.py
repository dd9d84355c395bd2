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
from heartrule.words.words import Words, say
from heartrule_cli.text import one_line


def run_lines(
    body: EventBody, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> tuple[str, ...]:
    """Return the line of `--debug` for an event of a run; none for other kinds."""
    match body:
        case RunChanged():
            return (say("cli.debug.run", text=run_text(body, language)).told(language),)
        case NodeChanged():
            place = {"run": one_line(body.run_id), "path": one_line(body.path)}
            return (say("cli.debug.node", **place, state=_node_state(body)).told(language),)
        case NodeExecutionFailed():
            return (node_failed_text(body, language),)
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


def run_text(changed: RunChanged, language: ReaderLanguage = ReaderLanguage.ENGLISH) -> str:
    """Return a run with its workflow, or its agent, and the state it has come to."""
    what = revision_words(changed.workflow_id, changed.revision)
    if changed.agent:
        what = say("cli.run.of_agent", agent=one_line(changed.agent))
    told = say(
        "cli.run.line",
        run=one_line(changed.run_id),
        what=what,
        state=say(f"cli.state.{changed.state}"),
        why=say("cli.exit.kind", kind=changed.code) if changed.code else "",
    )
    return told.told(language)


def revision_words(workflow_id: str, revision: int) -> Words:
    """Return which revision of a workflow it is."""
    return say("cli.run.revision", workflow=one_line(workflow_id), number=revision)


def node_failed_text(
    failed: NodeExecutionFailed, language: ReaderLanguage = ReaderLanguage.ENGLISH
) -> str:
    """Return a node whose own retries are spent, and why it failed."""
    why = NodeFailure(code=failed.code, message=failed.message, is_retryable=failed.is_retryable)
    told = say(
        "cli.debug.node_failed",
        run=one_line(failed.run_id),
        path=one_line(failed.path),
        attempt=failed.attempt,
        why=failure_text(why),
    )
    return told.told(language)


def failure_text(failure: NodeFailure) -> str:
    """Return the code and the sentence of a failure."""
    return f"{failure.code}: {one_line(failure.message)}"


def seconds_words(began: datetime, ended: datetime) -> Words:
    """Return how long something took: `0.04 s`, `2.1 s`, `75 s`."""
    seconds = (ended - began).total_seconds()
    digits = 2 if seconds < 1 else 1 if seconds < 10 else 0
    return say("cli.seconds", seconds=f"{seconds:.{digits}f}")


def _node_state(changed: NodeChanged) -> Words:
    reason = say(f"cli.skip.{changed.skip_reason}") if changed.skip_reason else changed.code
    is_first = changed.attempt <= 1
    return say(
        "cli.debug.node_state",
        state=say(f"cli.state.{changed.state}"),
        attempt="" if is_first else say("cli.debug.attempt", attempt=changed.attempt),
        why=say("cli.exit.kind", kind=reason) if reason else "",
    )
