"""A session as it is shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from heartrule.domain import events as body
from heartrule.domain.conversation import Completeness, text_part
from heartrule.domain.decision_events import DecisionMade, DecisionValidated, WorkflowChanged
from heartrule.domain.decisions import DecisionType
from heartrule.domain.monitoring import AdviceState
from heartrule.domain.orchestration import PlanEditState
from heartrule.domain.position import ExecutionState, ExecutionStatus
from heartrule.domain.problem import Degradation
from heartrule.domain.run_events import NodeExecutionFailed, RunChanged
from heartrule.domain.runs import RunErrorCode, RunState
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.threads import ThreadRole, ThreadState
from heartrule.domain.variables import ValueSupport, VariableScope, VariableValue
from heartrule_cli.commands.show import Heading, transcript_lines
from heartrule_cli.narration.session_record import Record
from heartrule_cli.style import Style
from tests.support.store_builders import problem
from tests.support.strategies import decision
from tests.support.wire_samples import ADVICE, ASKED, BODIES, NOW, RESULT, STATE, event_of

HEADING = Heading(session_id="ses_1", title="问候", started=NOW)
CLOCK = NOW.astimezone().strftime("%H:%M:%S")


def variable(name: str, scope: VariableScope, *, archived: bool = False) -> VariableValue:
    return VariableValue(
        name=name, value=name, type="string", scope=scope, scope_id="", source="ask",
        archived=archived,
    )  # fmt: skip


def page(
    *bodies: body.EventBody,
    variables: tuple[VariableValue, ...] = (),
    state: ExecutionState = STATE,
) -> list[str]:
    record = Record()
    for said in bodies:
        record.add(event_of(said))
    style = Style(colours=False)
    return list(transcript_lines(HEADING, state, record, variables, style=style))


def section(lines: list[str], title: str) -> list[str]:
    start = lines.index(title) + 1
    end = lines.index("", start) if "" in lines[start:] else len(lines)
    return lines[start:end]


def test_the_heading_says_which_session_and_where_it_stands() -> None:
    """Script, version, start, status, place."""
    head = page()[:5]
    assert head[0] == "Session ses_1"
    assert "问候 (greeting, version v-1)" in head[1]
    assert head[3:] == [
        "  status   waiting input",
        "  stands   rapport › names › ask_name · round 1 of 3",
    ]


def test_a_session_at_its_end_stands_nowhere() -> None:
    """The last position would mislead."""
    done = replace(STATE, status=ExecutionStatus.COMPLETED)
    assert not [line for line in page(state=done) if "stands" in line]


def test_a_result_stands_in_its_placeholders_place_with_its_thread() -> None:
    """What an agent said in the thread is indented beneath it."""
    announced = replace(
        ASKED, message_id="m1", parts=(text_part("在查"),), completeness=Completeness.PLACEHOLDER
    )
    result = replace(ASKED, message_id="m2", parts=(text_part("查到了"),), replaces_message_id="m1")
    opened = ThreadChanged(
        thread_id="t1",
        anchor_message_id="m1",
        agent="researcher",
        state=ThreadState.RUNNING,
        run_id="r1",
    )
    asks = ThreadMessageAdded(
        thread_id="t1", message_id="s1", number=0, role=ThreadRole.USER, text="请查", run_id="r1"
    )
    waits = page(body.MessageCommitted(message=announced), opened, asks)
    done = page(
        body.MessageCommitted(message=announced),
        opened,
        asks,
        body.MessageCommitted(message=ASKED),
        replace(opened, state=ThreadState.COMPLETED),
        body.MessageCommitted(message=result),
    )
    indent = " " * 23
    assert section(waits, "Transcript") == [
        f"  {CLOCK}  assistant  在查",
        f"{indent}(its result is still to come)",
        f"{indent}thread researcher: running",
        f"{indent}  user  请查",
    ]
    assert section(done, "Transcript") == [
        f"  {CLOCK}  assistant  查到了",
        f"{indent}thread researcher: completed",
        f"{indent}  user  请查",
        f"  {CLOCK}  assistant  {ASKED.plain_text()}",
    ]


def test_every_message_has_its_time_and_speaker() -> None:
    """The client's and the assistant's, in the order of their events."""
    assert section(page(*BODIES), "Transcript") == [
        f"  {CLOCK}  client     我叫小明",
        f"  {CLOCK}  assistant  很高兴认识您,小明。",
    ]


def test_what_was_taken_back_is_not_shown() -> None:
    """A retry takes the messages and decisions of its turn off the page."""
    rewound = body.HistoryRewound(
        removed_message_ids=(ASKED.message_id,), state=STATE, turn_ids=("turn_1",)
    )
    judged = body.ActionResultRecorded(action_result=RESULT)
    shown = page(body.MessageCommitted(message=ASKED), judged, rewound)
    assert section(shown, "Transcript") == section(shown, "Exits") == ["  none"]


def test_further_lines_of_a_message_are_indented() -> None:
    """A reader sees where one message ends."""
    long = replace(ASKED, parts=(text_part("一\n二"),), completeness=Completeness.TRUNCATED)
    lines = section(page(body.MessageCommitted(message=long)), "Transcript")
    assert lines[1:] == [" " * 23 + "二", " " * 23 + "(the model's answer broke off here)"]


def test_a_new_day_is_said_between_messages() -> None:
    """A conversation may be taken up days later."""
    later = replace(ASKED, create_time=NOW + timedelta(days=2))
    told = [body.MessageCommitted(message=one) for one in (ASKED, later)]
    day = (NOW + timedelta(days=2)).astimezone().strftime("%Y-%m-%d")
    assert section(page(*told), "Transcript")[1] == f"  {day}"


def test_variables_stand_under_their_scopes_archived_ones_last() -> None:
    """Living ones from wide to narrow; the archive is marked."""
    values = (
        variable("丙", VariableScope.TOPIC, archived=True),
        variable("乙", VariableScope.PHASE),
        replace(variable("甲", VariableScope.GLOBAL), support=ValueSupport.UNQUOTED),
    )
    assert section(page(variables=values), "Variables") == [
        "  global", '    甲 = "甲" · unquoted  from ask', "  phase", '    乙 = "乙"  from ask',
        "  topic (archived)", '    丙 = "丙"  from ask',
    ]  # fmt: skip


def test_exits_are_listed_with_source_and_reason() -> None:
    """One line for each judged round; openings judge nothing."""
    opening = replace(RESULT, exit_decision=None)
    told = [body.ActionResultRecorded(action_result=one) for one in (opening, RESULT)]
    assert section(page(*told), "Exits") == [
        f"  {CLOCK}  ask_name round 1 ends by exit_flag (exit_criteria_met): 姓名已知"
    ]


def test_an_advice_is_listed_once_with_what_became_of_it() -> None:
    """The last word on each advice, its text, and how many analyses there were."""
    used = replace(ADVICE, state=AdviceState.CONSUMED)
    ended = [said for said in BODIES if isinstance(said, body.AnalysisEnded)]
    told = [body.AdviceChanged(advice=one) for one in (ADVICE, used)]
    assert section(page(*told, *ended), "Advice") == [
        "  ask_name round 1: concern, consumed",
        "    【Topic层策略建议】",
        "    先安抚,再追问",
        "  analyses: 1 advice",
    ]


def test_skips_and_recommendations_are_listed_where_there_are_any() -> None:
    """A supervisor sees what was passed over and why; most sessions have neither."""
    decided = body.StrategyDecided(strategy_decision=decision())
    skipped = next(each for each in BODIES if isinstance(each, StepSkipped))
    shown = page(skipped, decided)
    assert section(shown, "Skipped")[0].startswith(f"  {CLOCK}  skipped ")
    assert section(shown, "Strategy")[0].startswith(f"  {CLOCK}  recommendation for ")
    assert not {"Skipped", "Strategy"} & set(page())
    taken_back = body.HistoryRewound(state=STATE, turn_ids=("turn_1",))
    assert not {"Skipped", "Strategy"} & set(page(skipped, decided, taken_back))


def test_edits_of_the_plan_are_listed_where_there_are_any() -> None:
    """Each once, with what became of it and why."""
    (told,) = (each for each in BODIES if isinstance(each, body.PlanEdited))
    undone = body.PlanEdited(edit=replace(told.edit, state=PlanEditState.UNDONE))
    refused = replace(
        told.edit, edit_id="edit_9", state=PlanEditState.REJECTED, rule="MANDATORY", problem="must"
    )
    shown = section(page(told, undone, body.PlanEdited(edit=refused)), "Plan")
    assert [line.removeprefix(f"  {CLOCK}  plan edit ")[:8] for line in shown] == [
        "undone: ",
        "rejected",
    ]
    assert shown[1].endswith("(MANDATORY: must)")
    assert "Plan" not in page()


def test_an_empty_section_says_none() -> None:
    """Nothing there is different from not looked."""
    assert section(page(), "Advice") == ["  none"]


def test_degradations_and_failures_are_shown() -> None:
    """What the ledger knows of a turn: a reply nobody could read, and why an attempt failed."""
    unread = Degradation(stage="parse", reason="UNREADABLE_REPLY")
    failed = body.TurnEnded(outcome=body.Outcome.FAILED, problem=problem())
    degraded = body.TurnEnded(outcome=body.Outcome.WAITING, degradations=(unread,))
    told = section(page(failed, degraded), "Troubles")
    assert told[0].startswith(f"  {CLOCK}")
    assert "failed: " in told[0]
    assert told[1] == f"  {CLOCK}  degraded: parse UNREADABLE_REPLY"


def test_decisions_stand_with_their_verdicts() -> None:
    """One line for each, whenever it was judged; its workflows stand below."""
    made = DecisionMade(
        decision_id="dec_1",
        correlation_id="cor_1",
        decision_type=DecisionType.CREATE_NODE,
        payload={"node_name": "写"},
    )
    valid = DecisionValidated(decision_id="dec_1", correlation_id="cor_1")
    changed = WorkflowChanged(workflow_id="wf_1", revision=1)
    lines = page(made, valid, changed)
    assert section(lines, "Decisions") == [
        f'  {CLOCK}  create_node by agent (dec_1) {{"node_name": "写"}}; valid'
    ]
    assert section(lines, "Workflows") == [f"  {CLOCK}  workflow (wf_1) revision 1: draft"]


def test_decisions_of_a_turn_taken_back_are_not_shown() -> None:
    """Nor is the section where there are no others."""
    made = DecisionMade(decision_id="dec_1", correlation_id="cor_1")
    rewound = body.HistoryRewound(removed_message_ids=(), state=STATE, turn_ids=("turn_1",))
    assert "Decisions" in page(made)
    assert "Decisions" not in page(made, rewound)


def test_a_run_is_a_line_in_its_last_state() -> None:
    """With its workflow; a node whose retries are spent stands among the troubles."""
    queued = RunChanged(
        run_id="run_1", workflow_id="wf_1", revision=2, state=RunState.QUEUED, decision_id="dec_1"
    )
    ended = replace(queued, state=RunState.FAILED, code=RunErrorCode.ABORTED)
    spent = NodeExecutionFailed(
        run_id="run_1", path="a", attempt=3, code=RunErrorCode.TIMEOUT, message="late"
    )
    lines = page(queued, spent, ended)
    assert section(lines, "Runs") == [f"  {CLOCK}  run_1 of wf_1 revision 2: failed (ABORTED)"]
    assert section(lines, "Troubles") == [
        f"  {CLOCK}  run run_1 node a failed in attempt 3: TIMEOUT: late"
    ]


def test_a_note_stands_above_its_turn() -> None:
    """Once, and without control characters."""
    record = Record()
    for kind in BODIES:
        record.add(event_of(kind))
    turn_id = record.messages[0].turn_id
    heading = replace(HEADING, notes={turn_id: "well\x1b[2J put"})
    lines = list(transcript_lines(heading, STATE, record, (), style=Style(colours=False)))
    noted = [line for line in lines if line.startswith("  (note)")]
    assert len(noted) == 1
    assert "\x1b" not in noted[0]
