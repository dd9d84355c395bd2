"""A long script with mistakes put in at random places by a seed, each with its line."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

ACTIONS = 245
"""Actions of the script, a dozen lines each: three thousand lines."""
ACTIONS_PER_TOPIC = 12

_HEAD = """\
metadata: {name: 很长的脚本, version: "1"}
session:
  session_id: long_script
  declare:
    - {var: 称呼, define: 怎样称呼来访者, value: 朋友}
    - {var: 得分, type: integer, value: 0}
  phases:
    - phase_id: phase_1
      topics:
"""
_TOPIC = """\
        - topic_id: topic_%d
          topic_goal: 了解第%d件事
          strategy: 慢一点
          actions:
"""
_ACTION = """\
            - action_type: ai_ask
              action_id: ask_%d
              condition: "{得分} >= %d"
              config:
                content: "{称呼}，%s"
                tone: 温和
                exit: 来访者说出了答案
                output:
                  - get: 答案%d
                    define: 照原话
                    type: text
                max_rounds: 3
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to get an action wrong: one of its lines begins otherwise."""

    line: str
    """The key whose line is replaced."""
    written: str
    """What stands there instead; `%d` is the action's number."""
    said: str
    """Part of the finding's message."""
    at: str = ""
    """The key at whose line it is reported, where that is another."""


ERRORS = (
    Kind("- action_type", "- action_type: ai_aks", "did you mean `ai_ask`?"),
    Kind("action_id", "action_id: ask %d", "letters, digits, _ and -"),
    Kind("action_id", "id: ask_%d", "write `action_id`"),
    Kind("condition", 'condition: "{得分} >= "', "the condition"),
    Kind("condition", 'condition: "{称呼} >= 3"', "`type: number`"),
    Kind("condition", "condition: \"{得分} = 3 && {称呼} == 'a'\"", "write == instead of ="),
    Kind("condition", 'condition: "{得分}"', "true or false"),
    Kind("condition", "monitor: {cadence: of}", "did you mean `off`?"),
    Kind("condition", "mandatory: 1", "write true or false"),
    Kind("condition", "exit_policy: {enabled_sources: []}", "nothing could ever end"),
    Kind("condition", "on_error: skip", "belongs to a `condition`"),
    Kind("condition", "strategy_engine: true", "write one of on, off"),
    Kind("content", "content: %d", "write text, in quotes"),
    Kind("content", "content:", "`content` is empty"),
    Kind("content", "content: {称呼}", "must stand in quotes"),
    Kind("tone", "tone: true", "truth value true"),
    Kind("tone", "tonne: 温和", "did you mean `tone`?"),
    Kind("tone", "goal: 了解", "belongs to ai_say"),
    Kind("tone", "tone: *warm", "aliases"),
    Kind("tone", "question_template: 你好", "older name of `content`"),
    Kind("exit", "exit: [说完]", "must stand in quotes"),
    Kind("exit", "exit: &done 说完", "anchors"),
    Kind("exit", "exit: !!str 说完", "tags are not supported"),
    Kind("exit", "exit_criteria: {min_rounds: 0}", "at least 1"),
    Kind("exit", "exit_criteria: {understanding_threshold: 80}", "needs a template"),
    Kind("exit", "exit_criteria: {}", "is empty"),
    Kind(
        "exit",
        'exit_criteria: {custom_conditions: [{variable: 得分, operator: "=>", value: 1}]}',
        "`operator` is none of",
    ),
    Kind("- get", "- get: 3岁", "cannot name a variable"),
    Kind("- get", "- get: EXIT", "the model's own reply"),
    Kind("- get", "- name: 答案%d", "write `get`"),
    Kind("define", "get: 又一个", "stands here twice"),
    Kind("define", "options: [甲]", "`options` belong to a choice"),
    Kind("define", "sensitive: 是", "write true or false"),
    Kind("type", "type: txet", "did you mean `text`?"),
    Kind("type", "type: choice", "needs `options`", at="- get"),
    Kind("max_rounds", "max_rounds: 0", "at least 1"),
    Kind("max_rounds", "max_rounds: '3'", "is the text '3'"),
    Kind("max_rounds", "maxRounds: 3", "write `max_rounds`"),
    Kind("max_rounds", "max_rounds: 99999999999999999999", "too large to be kept exactly"),
    Kind("max_rounds", "required: [不存在]", "which is no output"),
)
"""Mistakes a script cannot run with, each found by a rule of its own."""

WARNINGS = (
    Kind("content", 'content: "{称乎}，你好"', "did you mean `称呼`?"),
    Kind("content", 'content: "{天气}怎么样？"', "nothing declares or yields it"),
    Kind("content", 'content: "{%%称呼%%}，你好"', "always a system variable"),
    Kind("content", "question_template: 你好", "is an older name; write `content`"),
    Kind("tone", 'tone: "{语气}"', "stays empty"),
    Kind("exit", "exit_criteria: {min_rounds: 4}", "never reached"),
    Kind(
        "exit",
        "exit_criteria: {custom_conditions: [{variable: 天气, operator: '==', value: 晴}]}",
        "stays empty",
    ),
    Kind("condition", "condition: 1 > 2", "unreachable"),
    Kind("condition", "condition: 1 < 2", "always true"),
    Kind("condition", "condition: \"{天气} == '晴'\"", "stays empty"),
)
"""Mistakes a script can run with, which the linter tells."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake that was made."""

    line: int
    """Where it is to be reported, from 1."""
    said: str


def script_with(
    kinds: Sequence[Kind], count: int, seed: int, *, actions: int = ACTIONS
) -> tuple[bytes, tuple[Mistake, ...]]:
    """Return a script, by default of three thousand lines, with a mistake in `count` actions.

    Every kind comes about equally often; with no kinds and 0 the script has nothing to find.
    """
    dice = random.Random(seed)
    spoiled = dice.sample(range(actions), count)
    chosen = {index: kinds[n % len(kinds)] for n, index in enumerate(spoiled)}
    lines, mistakes = _HEAD.splitlines(), list[Mistake]()
    for index in range(actions):
        if index % ACTIONS_PER_TOPIC == 0:
            topic = index // ACTIONS_PER_TOPIC
            lines += (_TOPIC % (topic, topic)).splitlines()
        action = _action(index, dice)
        if index in chosen:
            kind = chosen[index]
            mistakes.append(Mistake(len(lines) + _spoil(action, kind, index), kind.said))
        lines += action
    return ("\n".join(lines) + "\n").encode(), tuple(mistakes)


def _action(index: int, dice: random.Random) -> list[str]:
    words = f"第{index}个问题是什么？" + "请慢慢说，" * dice.randint(0, 3)
    written = _ACTION % (index, dice.randint(0, 9), words, index)
    return written.splitlines()


def _spoil(action: list[str], kind: Kind, index: int) -> int:
    """Replace the line of a kind, and return the number of the line to be told, from 1."""
    at = _find(action, kind.line)
    indent = action[at][: len(action[at]) - len(action[at].lstrip())]
    written = kind.written % index if "%d" in kind.written else kind.written.replace("%%", "%")
    action[at] = indent + written
    return 1 + (_find(action, kind.at) if kind.at else at)


def _find(action: Sequence[str], key: str) -> int:
    return next(n for n, line in enumerate(action) if line.strip().startswith(f"{key}:"))
