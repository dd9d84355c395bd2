"""Events of a run as lines for a person, while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from heartrule.domain.decision_events import DecisionMade, DecisionRejected
from heartrule.domain.decisions import DecisionAuthor
from heartrule.domain.events import SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.run_events import NodeChanged, NodeExecutionFailed
from heartrule.domain.runs import NodeState
from heartrule.domain.workflows import Workflow
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import Words, say
from heartrule_cli.narration.decision_narration import judged_text
from heartrule_cli.narration.run_narration import seconds_words
from heartrule_cli.narration.session_texts import value_text
from heartrule_cli.text import one_line, width

_RECOVERY = "recovery_plan"


class RunNarrator:
    """Remembers which nodes run, and since when."""

    def __init__(
        self, workflow: Workflow, language: ReaderLanguage = ReaderLanguage.ENGLISH
    ) -> None:
        """Nodes are called by their ids and names."""
        self._language = language
        self._names = {node.node_id: one_line(node.name) for node in workflow.nodes}
        self._width = max((width(self._plain(each)) for each in self._names), default=0)
        self._began: dict[str, datetime] = {}
        self._spent: set[tuple[str, int]] = set()

    @property
    def running(self) -> tuple[str, ...]:
        """Return the paths of the nodes that run now."""
        return tuple(map(one_line, self._began))

    def lines(self, event: SessionEvent) -> tuple[str, ...]:
        """Return what an event tells; most tell nothing."""
        match event.body:
            case NodeChanged():
                told = self._changed(event.body, event.create_time)
                return (self._of(event.body.path, told),) if told else ()
            case NodeExecutionFailed() as failed:
                self._spent.add((failed.path, failed.attempt))
                why = f"{failed.code}: {one_line(failed.message)}"
                told = say("cli.node.attempt_failed", attempt=failed.attempt, why=why)
                return (self._of(failed.path, told),)
            case DecisionMade(author=DecisionAuthor.COORDINATOR, payload=payload):
                decided = say("cli.node.decided", what=_recovery(payload))
                return (f"  {decided.told(self._language)}",)
            case DecisionRejected():
                return (f"  {judged_text(event.body, self._language)}",)
            case _:
                return ()

    def _changed(self, changed: NodeChanged, at: datetime | None) -> Words | None:
        path, state = changed.path, changed.state
        if state is NodeState.RUNNING:
            if at is not None:
                self._began[path] = at
            return None
        began = self._began.pop(path, None)
        took = say("cli.node.took", took=seconds_words(began, at)) if began and at else ""
        named = say(f"cli.state.{state}")
        if state is NodeState.SKIPPED:
            if not changed.skip_reason:
                return named
            return say("cli.node.skipped", why=say(f"cli.skip.{changed.skip_reason}"))
        if state is NodeState.RETRYING:
            if changed.code is None or (path, changed.attempt) in self._spent:
                return None
            attempt = changed.attempt
            return say("cli.node.again", attempt=attempt, code=changed.code, took=took)
        if state is NodeState.WAITING_DECISION:
            return None
        code = changed.code if state is NodeState.FAILED else None
        why = say("cli.exit.why", why=code) if code else ""
        return say("cli.node.state", state=named, why=why, took=took)

    def _of(self, path: str, told: Words) -> str:
        label = self._plain(path)
        return f"  {label}{' ' * max(0, self._width - width(label))}  {told.told(self._language)}"

    def _plain(self, path: str) -> str:
        name = self._names.get(path, "")
        return f"{one_line(path)}  {name}" if name and name != path else one_line(path)


def _recovery(payload: JsonValue) -> Words | str:
    """Return what a decision of the coordinator does about a failed node."""
    if not isinstance(payload, Mapping):
        return say("cli.node.unreadable")
    plan = payload.get(_RECOVERY)
    if not isinstance(plan, Mapping):
        return one_line(str(payload.get("action_type")))
    rest = {name: each for name, each in plan.items() if name != "action" and each is not None}
    return f"{one_line(str(plan.get('action')))} {value_text(rest) if rest else ''}".rstrip()
