"""A run as it is told while it goes on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from heartrule.domain.decision_events import DecisionMade
from heartrule.domain.decisions import DecisionAuthor, DecisionType
from heartrule.domain.events import EventBody
from heartrule.domain.json_value import JsonValue
from heartrule.domain.run_events import NodeChanged, NodeExecutionFailed
from heartrule.domain.runs import NodeState, RunErrorCode, SkipReason
from heartrule_cli.runs.run_narrator import RunNarrator
from tests.support.wire_samples import event_of
from tests.support.workflow_builders import a_node, a_plan

PLAN = a_plan(replace(a_node("a"), name="取数据"), a_node("b"))


def node(path: str, state: NodeState, attempt: int = 1, **changes: object) -> NodeChanged:
    return replace(NodeChanged(run_id="r", path=path, state=state, attempt=attempt), **changes)  # type: ignore[arg-type]


def told(*bodies: EventBody) -> list[str]:
    """Return what events tell that come half a second after one another."""
    narrator, lines = RunNarrator(PLAN), list[str]()
    for number, body in enumerate(bodies):
        event = event_of(body)
        assert event.create_time is not None
        later = event.create_time + timedelta(seconds=number / 2)
        lines += narrator.lines(replace(event, create_time=later))
    return lines


def test_a_node_has_a_line_when_it_ends() -> None:
    """With its name and how long it ran; a name that is its id is not repeated."""
    ran = [node(each, state) for each in "ab" for state in (NodeState.RUNNING, NodeState.COMPLETED)]
    assert told(*ran) == ["  a  取数据  completed  0.50 s", "  b          completed  0.50 s"]


def test_a_node_that_does_not_run_has_its_reason() -> None:
    """A condition, nothing before it, or a recovery."""
    skipped = node("b", NodeState.SKIPPED, 0, skip_reason=SkipReason.UPSTREAM)
    assert told(skipped) == ["  b          skipped (upstream)"]


def test_an_attempt_that_failed_is_told_once() -> None:
    """By its code where the node's own retries go on, by its sentence where they are spent."""
    late = RunErrorCode.TIMEOUT
    spent = NodeExecutionFailed(run_id="r", path="b", attempt=2, code=late, message="late\nly")
    lines = told(
        node("b", NodeState.RUNNING),
        node("b", NodeState.RETRYING, code=late),
        node("b", NodeState.RUNNING, 2),
        node("b", NodeState.WAITING_DECISION, 2, code=late),
        spent,
        node("b", NodeState.RETRYING, 2, code=late),
    )
    assert [line.split(maxsplit=1)[1] for line in lines] == [
        "attempt 1 failed: TIMEOUT  0.50 s; it is tried again",
        "attempt 2 failed: TIMEOUT: late⏎ly",
    ]


def test_the_coordinators_recovery_is_told() -> None:
    """What it does, and how often; the decision that began the run is not."""
    plan: dict[str, JsonValue] = {
        "action": "RETRY",
        "max_attempts": 3,
        "delay": 1.0,
        "modifications": None,
    }
    made = DecisionMade(
        decision_id="d",
        correlation_id="d",
        decision_type=DecisionType.ERROR_RECOVERY,
        payload={"recovery_plan": plan},
        author=DecisionAuthor.COORDINATOR,
    )
    begun = replace(made, author=DecisionAuthor.OPERATOR)
    assert told(begun, made) == ['  decided: RETRY {"max_attempts": 3, "delay": 1.0}']


def test_what_runs_now_is_known() -> None:
    """Between its beginning and its end."""
    narrator = RunNarrator(PLAN)
    narrator.lines(event_of(node("a", NodeState.RUNNING)))
    began = narrator.running
    narrator.lines(event_of(node("a", NodeState.COMPLETED)))
    assert (began, narrator.running) == (("a",), ())
