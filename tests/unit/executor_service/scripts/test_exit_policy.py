"""`exit_policy`, `strategy_engine` and `roles`: what is read, and what is refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.actions import INTERACTIVE, ActionType
from executor_service.scripts.model.script import Action
from executor_service.scripts.model.settings import RoleDefinition
from heartrule.domain.exits import DecisionSource

Load = Callable[..., LoadResult]

CRITERIA = "exit_criteria: {custom_conditions: [{variable: 甲, operator: '==', value: 1}]}"


def ask(policy: str, rest: str = "") -> str:
    """Return an action whose policy begins in line 8, column 22."""
    return f"- exit_policy: {policy}\n  action_type: ai_ask\n  action_id: a\n  content: x\n{rest}"


def only(result: LoadResult) -> Action:
    """Return the only action of a script that loaded."""
    assert result.script is not None, result.findings
    return result.script.phases[0].topics[0].actions[0]


def test_the_sources_an_author_enables_are_kept(load_actions: Load) -> None:
    """Without a policy those of the action type count."""
    action = only(load_actions(ask("{enabled_sources: [max_rounds, exit_flag]}")))
    sources = frozenset({DecisionSource.MAX_ROUNDS, DecisionSource.EXIT_FLAG})
    assert action.exit_sources == sources
    plain = "- {action_type: ai_ask, action_id: a, content: x}"
    assert only(load_actions(plain)).exit_sources is None


MISTAKES = [
    ("{enabled_sources: []}", 18, "nothing could ever end this action: no source is left"),
    ("{enabled_sources: [exit_criteria]}", 18, "no exit_criteria that could be met"),
    ("{enabled_sources: [exit_flags]}", 19, "did you mean `exit_flag`?"),
    ("{enabled_sources: [3]}", 19, "known: max_rounds"),
    ("{enabled_sources: exit_flag}", 18, "write a list"),
    ("{enabledSources: [exit_flag]}", 1, "write `enabled_sources`"),
    ("{}", 0, "needs `enabled_sources`"),
    ("[exit_flag]", 0, "write a mapping with enabled_sources"),
]


@pytest.mark.parametrize(("policy", "offset", "said"), MISTAKES)
def test_a_policy_that_is_wrong_is_told_at_its_place(
    load_actions: Load, policy: str, offset: int, said: str
) -> None:
    """An action must be able to end (document 001 section 3.2.1)."""
    (error,) = load_actions(ask(policy)).errors
    assert error.where == f"s.yaml:8:{22 + offset}"
    assert said in error.message


def test_criteria_that_can_hold_may_be_the_only_source(load_actions: Load) -> None:
    """min_rounds alone ends nothing."""
    policy = "{enabled_sources: [exit_criteria]}"
    assert not load_actions(ask(policy, f"  {CRITERIA}")).errors
    assert load_actions(ask(policy, "  exit_criteria: {min_rounds: 2}")).errors


def test_known_outputs_may_be_the_only_end(load_actions: Load) -> None:
    """An ask that requires something and names no other end ends when it is known."""
    policy = "{enabled_sources: [exit_criteria]}"
    assert not load_actions(ask(policy, "  output: [{get: 甲}]")).errors
    assert load_actions(ask(policy, "  output: [{get: 甲}]\n  exit: 说完了")).errors


def test_nothing_required_is_never_known(load_actions: Load) -> None:
    """The criterion is named, and could not hold; on an ai_say it is no criterion at all."""
    action = (
        "- {action_type: ai_ask, action_id: a, content: x, exit_criteria: {outputs_known: true}}"
    )
    (warning,) = load_actions(action).warnings
    assert "`outputs_known` never holds here" in warning.message
    (error,) = load_actions(action.replace("ai_ask", "ai_say")).errors
    assert "it gathers nothing" in error.message


UNUSED = [("exit: 说完了", "its `exit` decides nothing"), (CRITERIA, "its exit_criteria decide")]


@pytest.mark.parametrize(("written", "said"), UNUSED)
def test_an_end_that_the_policy_leaves_out_is_told(
    load_actions: Load, written: str, said: str
) -> None:
    """The author wrote when to stop, and then that it does not count."""
    declared = "- {action_type: ai_ask, action_id: b, content: x, output: [{get: 甲}]}\n"
    policy = ask("{enabled_sources: [max_rounds]}", f"  {written}\n")
    (warning,) = load_actions(declared + policy).warnings
    assert warning.where == "s.yaml:9:40"
    assert said in warning.message


def test_a_complete_form_is_an_end_of_its_own(load_actions: Load) -> None:
    """It counts as exit_criteria (RESOLUTIONS C21)."""
    form = ask("{enabled_sources: [exit_criteria]}").replace("ai_ask", "fill_form")
    form = form.replace("content: x", "form: {title: x, fields: [{name: 甲}]}")
    assert not load_actions(form).errors


INNER = {
    ActionType.AI_THINK: "goal: x",
    ActionType.USE_SKILL: "skill: none",
    ActionType.SHOW_PIC: "source: https://a.b/c",
    ActionType.SAY: "content: x",
}
"""The shortest configuration of each type that ends by itself."""


@pytest.mark.parametrize("kind", sorted(set(ActionType) - INTERACTIVE))
@pytest.mark.parametrize("key", ["exit_policy: {enabled_sources: [max_rounds]}", CRITERIA])
def test_actions_that_end_by_themselves_have_no_exit(
    load_actions: Load, kind: ActionType, key: str
) -> None:
    """The error stands at the key and says why."""
    name = key.partition(":")[0]
    written = f"- action_type: {kind}\n  action_id: a\n  {INNER[kind]}\n  {key}\n"
    errors = load_actions(written).errors
    (error,) = (found for found in errors if f"`{name}`" in found.message)
    assert (error.line, error.column) == (11, 9)
    assert "belongs to ai_ask, ai_say, fill_form" in error.message


def test_an_action_that_waits_for_a_variable_nobody_sets_never_ends(load_actions: Load) -> None:
    """It is told, and so is what can never be reached behind it."""
    endless = ask("{enabled_sources: [exit_criteria]}", f"  {CRITERIA}\n")
    behind = "- {action_type: ai_say, action_id: b, content: x}\n"
    messages = [found.message for found in load_actions(endless + behind * 1).warnings]
    assert any("never ends" in message and "`甲`" in message for message in messages)
    assert any("unreachable: the action in line 8" in message for message in messages)


@pytest.mark.parametrize(("written", "value"), [("on", True), ("off", False), ("'on'", True)])
def test_the_strategy_engine_is_switched_by_text(
    load_actions: Load, load_session: Load, written: str, *, value: bool
) -> None:
    """`on` and `off` are text in YAML 1.2; an action may say other than its session."""
    action = f"- {{action_type: ai_say, action_id: a, content: x, strategy_engine: {written}}}"
    assert only(load_actions(action)).strategy_engine is value
    script = load_session(f"strategy_engine: {written}").script
    assert script is not None
    assert script.strategy_engine is value
    assert script.phases[0].topics[0].actions[0].strategy_engine is None


def test_roles_are_kept_in_order(load_session: Load) -> None:
    """Who speaks, with a name and a tone."""
    script = load_session("roles: [{role: counsellor, name: 小林, tone: 温和}]").script
    assert script is not None
    assert script.roles == (RoleDefinition(role="counsellor", name="小林", tone="温和"),)


def test_a_role_that_nearly_names_a_speaker_is_asked_about(load_session: Load) -> None:
    """The American spelling would leave {who} unfilled."""
    (warning,) = load_session("roles: [{role: counselor, name: 小林}]").warnings
    assert "did you mean `counsellor`?" in warning.message
