"""Each mistake in an action's config, and where and how it is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.checking.environment import LintEnvironment
from executor_service.scripts.loading.loader import LoadResult

Load = Callable[..., LoadResult]

CONFIG_MISTAKES = [
    # action type, lines of its config (from line 11, column 11), place, what is said
    ("ai_ask", "tone: 温和", "11:11", "ai_ask needs `content`"),
    ("ai_ask", "content:", "11:11", "`content` is empty"),
    ("ai_ask", "content: '  '", "11:11", "`content` is empty"),
    ("ai_ask", "content: 3", "11:20", "`content` is the number 3; write text, in quotes: '3'"),
    ("ai_ask", "content: true", "11:20", "truth value true; write text"),
    ("ai_ask", "content: [a]", "11:20", "what begins with [ must stand in quotes"),
    ("ai_ask", "content: {称呼}", "11:20", "what begins with { must stand in quotes"),
    ("ai_ask", "content: {{称呼}}", "11:20", "begins with { or [ must stand in quotes"),
    (
        "ai_ask",
        "content: x\ngoal: y",
        "12:11",
        "belongs to ai_say, ai_think, ai_agent, not to ai_ask",
    ),
    ("ai_ask", "content: x\nmaxRounds: 3", "12:11", "write `max_rounds`"),
    ("ai_ask", "content: x\nquestionTemplate: y", "12:11", "write `content`"),
    ("ai_ask", "content: x\nmax-rounds: 3", "12:11", "write `max_rounds`"),
    ("ai_ask", "content: x\nmax_round: 3", "12:11", "did you mean `max_rounds`?"),
    ("ai_ask", "content: x\n语气: 温和", "12:11", "known here: content, brief, tone"),
    ("ai_ask", "content: x\nmax_rounds: 0", "12:23", "whole number of at least 1"),
    ("ai_ask", "content: x\nmax_rounds: '3'", "12:23", "is the text '3'"),
    ("ai_ask", "content: x\nmax_rounds: 2.5", "12:23", "is the number 2.5"),
    ("ai_ask", "content: x\nmax_rounds: true", "12:23", "is the truth value true"),
    ("ai_ask", "content: x\noutput: 年龄", "12:19", "write a list whose items begin with `- `"),
    ("ai_ask", "content: x\noutput: [年龄]", "12:20", "write - get: 年龄"),
    ("ai_ask", "content: x\noutput: [{define: 年龄}]", "12:20", "an output needs `get`"),
    ("ai_ask", "content: x\noutput: [{get: 3岁}]", "12:26", "cannot name a variable"),
    ("ai_ask", "content: x\noutput: [{get: PHQ-9}]", "12:26", "cannot name a variable"),
    ("ai_ask", "content: x\noutput: [{name: 年龄}]", "12:21", "write `get`"),
    ("ai_ask", "content: x\noutput: [{get: a}, {get: a}]", "12:30", "stands here twice"),
    ("ai_ask", "content: x\noutput: [{get: a, type: int}]", "12:35", "write one of text, number"),
    ("ai_ask", "content: x\noutput: [{get: a, type: choice}]", "12:20", "needs `options`"),
    ("ai_ask", "content: x\noutput: [{get: a, options: [b]}]", "12:38", "write `type: choice` too"),
    (
        "ai_ask",
        "content: x\noutput: [{get: a, type: choice, options: [b, b]}]",
        "12:56",
        "the option 'b' stands here twice",
    ),
    ("ai_ask", "content: x\noutput: [{get: a, sensitive: 是}]", "12:40", "write true or false"),
    ("ai_ask", "content: x\nrequired: yes", "12:21", "write true or false"),
    (
        "ai_ask",
        "content: x\nrequired: [年级]\noutput: [{get: 年纪}]",
        "12:22",
        "did you mean `年纪`?",
    ),
    ("ai_ask", "content: x\nexit_criteria: {}", "12:11", "`exit_criteria` is empty"),
    ("ai_ask", "content: x\nexit_criteria: 3", "12:26", "write a mapping with"),
    ("ai_ask", "content: x\nexit_criteria: {min_rounds: 0}", "12:39", "at least 1"),
    ("ai_ask", "content: x\nexit_criteria: {minRounds: 2}", "12:27", "write `min_rounds`"),
    (
        "ai_ask",
        "content: x\nexit_criteria: {understanding_threshold: 80}",
        "12:27",
        "needs a template that asks for `assessment`",
    ),
    ("ai_ask", "content: x\nexit_criteria: {has_questions: false}", "12:27", "`assessment`"),
    ("ai_say", "tone: x", "11:11", "ai_say needs `content` or `goal`"),
    ("ai_say", "content: x\nrequire_acknowledgement: false", "12:11", "`require_acknowledgment`?"),
    ("ai_say", "content: x\noutput: [{get: a}]", "12:11", "belongs to ai_ask, ai_think"),
    ("ai_say", "content: x\nexit_criteria: {understanding_threshold: 101}", "12:52", "0 to 100"),
    ("ai_think", "output: [{get: a}]", "11:11", "ai_think needs `content` or `goal`"),
    pytest.param(
        *("ai_ask", f"content: x\noptions: {[f'o{n}' for n in range(500)]}"),
        *("12:95", "more than 12"),
        id="options of 500",
    ),
    ("ai_ask", "content: x\noptions: [a, a]", "12:24", "stands here twice"),
    ("ai_ask", "content: x\noptions: ['']", "12:21", "an option is empty"),
    ("ai_ask", "content: x\ncollect: {into: l}", "12:20", "`collect` needs `fields`"),
    ("ai_ask", "content: x\ncollect: {into: l, fields: []}", "12:30", "`fields` is empty"),
    ("ai_ask", "content: x\ncollect: {fields: [{get: a}]}", "12:20", "`collect` needs `into`"),
    ("ai_ask", "content: x\ncollect: [a]", "12:20", "a mapping with into, fields"),
    (
        "ai_think",
        "goal: x\noutput: [{get: a}]\ncollect: {into: l, fields: [{get: a}]}",
        *("13:11", "keep one of them"),
    ),
    (
        "ai_ask",
        "content: x\ncollect: {into: l, fields: [{get: a}], until: '{l} > 2'}",
        *("12:62", "> does not go with a list"),
    ),
    (
        "ai_ask",
        "content: x\ncollect: {into: l, fields: [{get: a, options: [b]}]}",
        "12:57",
        "choice",
    ),
    ("say", "text: x", "11:11", "say has no `text`; write `content`"),
    ("say", "content: ' '", "11:11", "`content` is empty"),
    ("say", "content: x\nmax_rounds: 3", "12:11", "it is over when it is said"),
    ("ai_think", "goal: x\nexit_criteria: {min_rounds: 1}", "12:11", "belongs to ai_ask, ai_say"),
    ("ai_think", "goal: x\nmax_rounds: 3", "12:11", "belongs to ai_ask, ai_say"),
    ("ai_think", "goal: x\ninput_variables: [a-b]", "12:29", "cannot name a variable"),
    ("ai_think", "goal: x\ninput_variables: a", "12:28", "write a list"),
    ("ai_ask", "content: x\ncondition: '{a} == 1'", "12:11", "`condition` belongs to an action"),
    ("ai_ask", "content: x\nexitPolicy: {}", "12:11", "belongs to an action, not to ai_ask"),
]


@pytest.mark.parametrize(("action_type", "config", "place", "said"), CONFIG_MISTAKES)
def test_a_mistake_in_a_config_is_told_at_its_place(
    load_config: Load, action_type: str, config: str, place: str, said: str
) -> None:
    """One mistake makes one error, at its line and column, that says what would be right."""
    result = load_config(action_type, config)
    assert result.script is None
    assert [f"s.yaml:{place}"] == [found.where for found in result.errors]
    assert said in result.errors[0].message


CONDITIONS = [
    ("{operator: '==', value: 1}", "13:33", "needs `variable`"),
    ("{variable: a, value: 1}", "13:33", "`operator`; write it in quotes"),
    ("{variable: a, operator: '=', value: 1}", "13:57", "none of ==, !=, >, <, >=, <=, contains"),
    ("{variable: a, operator: '=='}", "13:33", "needs `value`"),
    ("{variable: a, operator: '==', value: [1]}", "13:70", "is a list"),
    ("{variable: a, operator: '>', value: false}", "13:69", "write a number, or a date"),
    ("{variable: a, operator: '>=', value: 轻度}", "13:70", "write a number, or a date"),
    ("{variable: a, operator: '==', values: 1}", "13:63", "did you mean `value`?"),
    ("年龄", "13:33", "write - {variable"),
]


@pytest.mark.parametrize(("condition", "place", "said"), CONDITIONS)
def test_a_mistake_in_a_custom_condition_is_told_at_its_place(
    load_config: Load, condition: str, place: str, said: str
) -> None:
    """A custom condition that could never be compared is refused when it is loaded."""
    config = f"content: x\nexit_criteria:\n  custom_conditions: [{condition}]"
    errors = load_config("ai_ask", config).errors
    assert [f"s.yaml:{place}"] == [found.where for found in errors]
    assert said in errors[0].message


def test_an_operator_that_yaml_reads_as_block_text_is_explained(load_config: Load) -> None:
    """`operator: >` begins a block of text in YAML, so the author is told to quote it."""
    condition = "- variable: a\n      operator: >\n      value: 3"
    config = f"content: x\nexit_criteria:\n  custom_conditions:\n    {condition}"
    (error,) = load_config("ai_ask", config).errors
    assert error.where == "s.yaml:15:17"
    assert "write it in quotes" in error.message


def test_a_misspelled_key_is_checked_as_if_it_were_right(load_config: Load) -> None:
    """The value under a camelCase key is read too, so that both mistakes come at once."""
    errors = load_config("ai_ask", "content: x\nmaxRounds: 0").errors
    assert [found.where for found in errors] == ["s.yaml:12:11", "s.yaml:12:22"]


def test_an_ask_may_judge_understanding_where_its_template_asks_for_it(
    load_config: Load,
) -> None:
    """understanding_threshold on ai_ask needs `assessment` among what its template asks for."""
    environment = LintEnvironment(
        asks=lambda _scheme, template: frozenset({"assessment"} if template == "ai_ask" else ())
    )
    config = "content: x\nexit_criteria: {understanding_threshold: 80, has_questions: false}"
    assert not load_config("ai_ask", config, environment).errors


def test_the_template_of_the_scripts_own_scheme_is_asked(load: Load) -> None:
    """A scheme whose ai_ask template asks for an assessment allows what the default refuses."""

    def asks(scheme: str, _template: str) -> frozenset[str]:
        return frozenset({"assessment"} if scheme == "cbt_anxiety" else ())

    text = """\
        session:
          session_id: s
          template_scheme: cbt_anxiety
          phases:
          - phase_id: p
            topics:
            - topic_id: t
              actions:
              - {action_type: ai_ask, action_id: a, content: x,
                 exit_criteria: {has_questions: false}}
        """
    environment = LintEnvironment(schemes=frozenset({"cbt_anxiety"}), asks=asks)
    assert not load(text, environment=environment).errors
