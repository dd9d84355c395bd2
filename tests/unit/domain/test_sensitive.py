"""What is masked of sensitive variables."""

from __future__ import annotations

from dataclasses import replace

from heartrule.domain.action_result import ActionResult
from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.decisions import Correction, FindingCode, RuleFinding
from heartrule.domain.events import ActionResultRecorded
from heartrule.domain.json_value import JsonValue
from heartrule.domain.run_events import (
    Activity,
    ActivityKind,
    ActivityState,
    NodeExecutionFailed,
)
from heartrule.domain.runs import RunErrorCode
from heartrule.domain.sensitive import MASK, UNSUPPORTED, SensitiveVariables, all_values
from heartrule.domain.strategy import StrategyContext, StrategyDecision, StrategyRecommendation
from heartrule.domain.thread_events import ThreadMessageAdded
from heartrule.domain.threads import ThreadRole
from heartrule.domain.variables import (
    ValueSupport,
    VariableHistoryEntry,
    VariableOperation,
    VariableOperationKind,
    VariableScope,
    VariableValue,
)

HIDDEN = SensitiveVariables(frozenset({"诊所"}))
VALUE = VariableValue(
    name="诊所", value="仁爱", type="string", scope=VariableScope.SESSION,
    history=(VariableHistoryEntry(value="旧址"), VariableHistoryEntry(value=None)),
)  # fmt: skip


def test_earlier_values_are_masked_like_the_newest() -> None:
    """What is unset stays unset."""
    shown = HIDDEN.in_variable(VALUE)
    assert (shown.value, [each.value for each in shown.history]) == (MASK, [MASK, None])


def test_other_variables_are_shown() -> None:
    """Only what is named is masked."""
    assert HIDDEN.in_mapping({"诊所": "仁爱", "年龄": 30}) == {"诊所": MASK, "年龄": 30}


def test_a_script_that_cannot_be_read_hides_everything() -> None:
    """Nobody can say then what is sensitive."""
    assert SensitiveVariables(unknown=True).in_mapping({"年龄": 30}) == {"年龄": MASK}


def test_words_are_masked_where_a_sensitive_value_says_them() -> None:
    """The longest first; a value of one character would take words apart."""
    values: dict[str, JsonValue] = {"诊所": "仁爱诊所", "年龄": "30"}
    assert HIDDEN.in_text("我30岁，在仁爱诊所", values) == f"我30岁，在{MASK}"
    assert HIDDEN.in_text("是的", {"诊所": "的"}) == "是的"
    records: dict[str, JsonValue] = {"诊所": [{"名": "仁爱"}, "旧址"]}
    assert HIDDEN.in_text("在仁爱，以前在旧址", records) == f"在{MASK}，以前在{MASK}"


def test_one_name_in_several_scopes_hides_all_it_held() -> None:
    """What was corrected, too."""
    again = replace(VALUE, value="康宁", history=(), archived=True)
    held = all_values([VALUE, again])
    assert held == {"诊所": ["仁爱", "旧址", None, "康宁"]}
    assert HIDDEN.in_text("仁爱、旧址、康宁", held) == f"{MASK}、{MASK}、{MASK}"


def test_the_profile_of_a_strategy_is_masked() -> None:
    """Its fields have names of their own, so none is shown where the script has a secret."""
    decision = StrategyDecision(
        action_id="a",
        context=StrategyContext(user_profile={"age": "30"}),
        recommendation=StrategyRecommendation(strategy_prompt="慢一点"),
    )
    assert HIDDEN.in_decision(decision).context.user_profile == {"age": MASK}
    assert SensitiveVariables().in_decision(decision) == decision


def test_quotes_are_masked_like_values() -> None:
    """The client's words for a sensitive value, stored or not, are hidden with it."""
    quoted = replace(VALUE, quote="在仁爱", support=ValueSupport.CLIENT_WORDS)
    assert HIDDEN.in_variable(quoted).quote == MASK
    assert HIDDEN.in_variable(VALUE).quote == ""
    operation = VariableOperation(
        action_id="a",
        operation=VariableOperationKind.EXTRACT,
        variable_name="诊所",
        scope=VariableScope.SESSION,
        value="仁爱",
        quote="在仁爱",
    )
    assert HIDDEN.in_operation(operation).quote == MASK
    unsupported: JsonValue = {
        "诊所": {"value": "仁爱", "quote": "x"},
        "年龄": {"value": 3, "quote": "y"},
    }
    result = ActionResult(success=True, completed=False, metadata={UNSUPPORTED: unsupported})
    shown = HIDDEN.in_body(ActionResultRecorded(action_result=result))
    assert isinstance(shown, ActionResultRecorded)
    expected = {"诊所": MASK, "年龄": {"value": 3, "quote": "y"}}
    assert shown.action_result.metadata == {UNSUPPORTED: expected}


def test_what_a_model_wrote_into_a_decision_is_masked() -> None:
    """Any text or number of it may repeat a value; names of fields, codes and paths stay."""
    made = DecisionMade(
        decision_id="dec_1",
        correlation_id="cor_1",
        written_type="仁爱",
        payload={"to": ["仁爱", 7, None, True]},
    )
    shown = HIDDEN.in_body(made)
    assert isinstance(shown, DecisionMade)
    assert (shown.payload, shown.written_type) == ({"to": [MASK, MASK, None, True]}, MASK)
    assert SensitiveVariables().in_body(made) == made


def test_verdicts_and_names_are_masked_too() -> None:
    """What a verdict quotes is hidden with the payload."""
    correction = Correction(path="to.0", before="仁爱", after=3)
    valid = DecisionValidated(
        decision_id="d", correlation_id="c", payload="仁爱", corrections=(correction,)
    )
    hidden = Correction(path="to.0", before=MASK, after=MASK)
    assert HIDDEN.in_body(valid) == replace(valid, payload=MASK, corrections=(hidden,))
    error = RuleFinding(
        code=FindingCode.BAD_ENUM, path="to", message="no 仁爱", correction=correction
    )
    rejected = DecisionRejected(decision_id="d", correlation_id="c", errors=(error,))
    told = replace(error, message=MASK, correction=hidden)
    assert HIDDEN.in_body(rejected) == replace(rejected, errors=(told,))
    changed = WorkflowChanged(workflow_id="w", revision=1, name="仁爱")
    assert HIDDEN.in_body(changed) == replace(changed, name=MASK)


def test_what_is_told_of_a_run_is_masked_where_it_is_text() -> None:
    """A workflow's name and a failure's sentence may repeat a value; codes and paths do not."""
    activity = Activity(activity_id="run_1", state=ActivityState.BEGAN, name="仁爱")
    assert HIDDEN.in_body(activity) == replace(activity, name=MASK)
    code = RunErrorCode.CODE_ERROR
    spent = NodeExecutionFailed(run_id="r", path="n", attempt=1, code=code, message="no 仁爱")
    assert HIDDEN.in_body(spent) == replace(spent, message=MASK)
    assert SensitiveVariables().in_body(spent) == spent


def test_what_is_said_in_a_thread_is_masked() -> None:
    """Any word may be a value; the names of agents and phases are their authors'."""
    said = ThreadMessageAdded(
        thread_id="t", message_id="m", number=0, role=ThreadRole.BOT, text="仁爱", run_id="r"
    )
    assert HIDDEN.in_body(said) == replace(said, text=MASK)
    activity = Activity(
        activity_id="r", kind=ActivityKind.SUB_THREAD, state=ActivityState.BEGAN, name="researcher"
    )
    assert HIDDEN.in_body(activity) == activity
