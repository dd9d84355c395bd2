"""Each mistake an author can make, and where and how it is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult

Load = Callable[..., LoadResult]

ACTION_MISTAKES = [
    ("- {action_id: a, content: x}", "8:9", "an action needs `action_type`"),
    ("- {action_type: ai_ask, content: x}", "8:9", "an action needs `action_id`"),
    ("- {action_type: ai_aks, action_id: a}", "8:23", "did you mean `ai_ask`?"),
    ("- {action_type: ask, action_id: a}", "8:23", "did you mean `ai_ask`?"),
    ("- {action_type: form, action_id: a}", "8:23", "did you mean `fill_form`?"),
    ("- {action_type: skill, action_id: a}", "8:23", "did you mean `use_skill`?"),
    ("- {action_type: 提问, action_id: a}", "8:23", "known: ai_ask, ai_say, ai_think"),
    ("- {action_type: use_skill, action_id: a, skill: b}", "8:55", "there is no skill 'b'"),
    ("- {action_type: agent, action_id: a, goal: b}", "8:23", "did you mean `ai_agent`?"),
    ("- {type: ai_say, action_id: a, content: x}", "8:10", "write `action_type`"),
    ("- {actionType: ai_say, action_id: a, content: x}", "8:10", "write `action_type`"),
    ("- {action_type: ai_say, action_id: a b, content: x}", "8:42", "letters, digits, _ and -"),
    ("- {action_type: ai_say, action_id: 问候, content: x}", "8:42", "letters, digits, _ and -"),
    ("- {action_type: ai_say, action_id: a, content: x, mandatory: 1}", "8:68", "true or false"),
    (
        "- {action_type: ai_say, action_id: a, content: x, on_error: run}",
        "8:57",
        "`on_error` belongs to a `condition`",
    ),
    ("- {action_type: ai_say, action_id: a, content: x, monitor: on}", "8:66", "a mapping with"),
    (
        "- {action_type: ai_say, action_id: a, content: x, monitor: {cadence: every_n}}",
        "8:66",
        "needs `n`",
    ),
    (
        "- {action_type: ai_say, action_id: a, content: x, strategy_engine: true}",
        "8:74",
        "write one of on, off",
    ),
    (
        "- {action_type: ai_say, action_id: a, content: x, exit_policy: {}}",
        "8:70",
        "`enabled_sources`",
    ),
    ("- {action_type: ai_say, action_id: a, config: 你好}", "8:53", "write a mapping"),
    (
        "- {action_type: ai_say, action_id: a, content: x, config: {content: y}}",
        "8:45",
        "`content` stands in `config` already",
    ),
    (
        "- {action_type: ai_say, action_id: a, config: {action_id: b, content: x}}",
        "8:54",
        "belongs",
    ),
    ("- 你好", "8:9", "an action is the text '你好'"),
    ("-", "8:8", "an action is nothing"),
    (
        "- {action_type: ai_say, action_id: a, content: x}\n" * 2,
        "9:42",
        "the action_id 'a' is taken in line 8",
    ),
]


@pytest.mark.parametrize(("actions", "place", "said"), ACTION_MISTAKES)
def test_a_mistake_in_an_action_is_told_at_its_place(
    load_actions: Load, actions: str, place: str, said: str
) -> None:
    """Action types, ids and keys beside `config` are checked, one error for each mistake."""
    errors = load_actions(actions).errors
    assert [f"s.yaml:{place}"] == [found.where for found in errors]
    assert said in errors[0].message


SESSION_MISTAKES = [
    ("session_name: 3", "10:17", "write text, in quotes: '3'"),
    ("sessionName: x", "10:3", "write `session_name`"),
    ("roles: [我]", "10:11", "write - {role: counsellor"),
    ("roles: [{role: client}]", "10:11", "a role needs `name`"),
    ("roles: [{name: 小心}]", "10:11", "a role needs `role`"),
    ("roles: [{role: a, name: b}, {role: a, name: c}]", "10:31", "stands here twice"),
    ("monitor: {cadence: of}", "10:22", "did you mean `off`?"),
    ("monitor: {cadence: every_n, n: 1}", "10:34", "of at least 2"),
    ("monitor: {wait_for_advice_ms: 30001}", "10:33", "at most 30000"),
    ("monitor: {candence: off}", "10:13", "did you mean `cadence`?"),
    ("strategy_engine: yes", "10:20", "write one of on, off"),
    ("strategy_engine: true", "10:20", "write one of on, off"),
    ("template_scheme: cbt_anxeity", "10:20", "did you mean `cbt_anxiety`?"),
    ("template_scheme: ../secret", "10:20", "letters, digits, _ and -"),
    ("template_scheme: 焦虑", "10:20", "letters, digits, _ and -"),
    ("input: {if_busy: wait}", "10:20", "write one of merge, queue, interrupt, restart, reject"),
    ("input: {merge_window_ms: -1}", "10:28", "at least 0"),
    ("input: {merge_window_ms: 60001}", "10:28", "at most 60000"),
    ("input: {max_input_chars: 262145}", "10:28", "at most 262144"),
    ("topics: []", "10:3", "`topics` belongs to a phase, not to the session"),
    ("declare: {var: a}", "10:12", "write a list"),
    ("declare: [a]", "10:13", "a declaration is the text 'a'"),
    ("declare: [{value: 1}]", "10:13", "a declaration needs `var`"),
    ("declare: [{var: 1a}]", "10:19", "cannot name a variable"),
    ("declare: [{name: a}]", "10:14", "write `var`"),
    ("declare: [{var: a, scope: sesion}]", "10:29", "did you mean `session`?"),
    ("declare: [{var: a, type: number, value: 无}]", "10:43", "write a number"),
    ("declare: [{var: a, type: integer, value: 1.5}]", "10:44", "write a whole number"),
    ("declare: [{var: a, type: boolean, value: yes}]", "10:44", "write true or false"),
    ("declare: [{var: a, type: text, value: 1}]", "10:41", "write text"),
    ("declare: [{var: a, type: date, value: 2026-02-30}]", "10:41", "a date such as"),
    ("declare: [{var: a}, {var: a}]", "10:23", "declared for the session scope in s.yaml, line 10"),
]


@pytest.mark.parametrize(("keys", "place", "said"), SESSION_MISTAKES)
def test_a_mistake_in_the_session_is_told_at_its_place(
    load_session: Load, keys: str, place: str, said: str
) -> None:
    """The session's own keys, its declarations and its input settings are checked."""
    errors = load_session(keys).errors
    assert [f"s.yaml:{place}"] == [found.where for found in errors]
    assert said in errors[0].message


TREE_MISTAKES = [
    ("metadata: {}", "1:1", "a script needs `session`"),
    ("session:", "1:1", "`session` is empty"),
    ("session: 你好", "1:10", "write a mapping with session_id"),
    ("session: {session_id: s}", "1:10", "the session needs `phases`"),
    ("session: {session_id: s, phases: []}", "1:26", "`phases` is empty"),
    ("session: {session_id: s, phases: {a: b}}", "1:34", "write a list"),
    ("session: {session_id: s, phases: [3]}", "1:35", "a phase is the number 3"),
    ("session: {session_id: s, phases: [{phase_id: p}]}", "1:35", "a phase needs `topics`"),
    (
        "session: {session_id: s, phases: [{phase_id: p, topics: [{topic_id: t}]}]}",
        "1:58",
        "a topic needs `actions`",
    ),
    (
        "session: {session_id: s, phases: [{phase_id: p, topics: [{topic_id: t, actions: []}]}]}",
        "1:72",
        "`actions` is empty",
    ),
    ("technique_id: t\ntopic: {}", "1:1", "a technique file; name a script"),
    ("你好", "1:1", "the file holds text; write a mapping with `session:`"),
    ("---\n", "2:1", "the file holds nothing"),
    ("", "1:1", "the file is empty"),
    ("# nothing but a remark\n", "1:1", "the file is empty"),
]


@pytest.mark.parametrize(("text", "place", "said"), TREE_MISTAKES)
def test_a_broken_tree_is_told_at_its_place(load: Load, text: str, place: str, said: str) -> None:
    """A level that is missing, empty or of the wrong kind makes one error."""
    errors = load(text).errors
    assert [f"s.yaml:{place}"] == [found.where for found in errors]
    assert said in errors[0].message


@pytest.mark.parametrize("written", ["-1", "1.5", "viele", "true"])
def test_an_edit_budget_is_a_number(load: Load, written: str) -> None:
    """A topic's `edit_budget` is a whole number, 0 included."""
    text = """\
        session:
          session_id: s
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              edit_budget: {}
              actions: [{{action_type: ai_say, action_id: a, content: x}}]
        """
    (error,) = load(text.format(written)).errors
    assert (error.line, "edit_budget" in error.message) == (7, True)
    loaded = load(text.format(0)).script
    assert loaded is not None
    assert loaded.phases[0].topics[0].edit_budget == 0


def test_ids_are_unique_within_their_parent_only(load: Load) -> None:
    """Two topics of one phase need two ids; topics of different phases may share one."""
    action = "actions: [{action_type: ai_say, action_id: a, content: x}]"
    result = load(f"""\
        session:
          session_id: s
          phases:
          - {{phase_id: p, topics: [{{topic_id: t, {action}}}]}}
          - {{phase_id: q, topics: [{{topic_id: t, {action}}}, {{topic_id: t, {action}}}]}}
        """)
    (error,) = result.errors
    assert error.line == 5
    assert "the topic_id 't' is taken" in error.message


def test_all_errors_of_a_file_come_at_once_from_top_to_bottom(load: Load) -> None:
    """Mistakes on every level, and in global.yaml, are reported by one load."""
    text = """\
        session:
          session_id: a b
          roles: 咨询师
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions:
              - {action_type: ai_agent, action_id: a}
              - {action_type: ai_ask, action_id: b, content: x, max_rounds: 0}
              - {action_type: ai_say, action_id: b, tone: y}
        """
    result = load(text, {"global.yaml": "global: [{var: 1x}]\nlocal: 1\n"})
    assert result.script is None
    places = [(found.file, found.line) for found in result.findings]
    lines = [("s.yaml", line) for line in (2, 3, 9, 10, 11, 11)]
    assert [*lines, ("global.yaml", 1), ("global.yaml", 2)] == places
