"""How much a script may hold of what takes time to check; one more is refused where it stands."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from executor_service.scripts.loading.loader import LoadResult
from executor_service.scripts.model.fields import MAX_OUTPUTS
from executor_service.scripts.model.limits import MAX_ACTIONS, MAX_PLACEHOLDERS, MOST, Counted
from executor_service.scripts.model.rules import CheckRule
from tests.support.largest_script import largest_script

Load = Callable[..., LoadResult]
HEAD = """\
session:
  session_id: s
  declare: [{var: v, value: 1}]
  phases:
  - phase_id: p
    topics:
    - topic_id: t
      actions:
"""
SAY = "      - {action_type: ai_say, action_id: a%d, content: %s}\n"


def says(count: int, content: str = "x", more: str = "") -> str:
    """Return a script of so many actions, each in a line of its own from line 9 on."""
    return HEAD + "".join(SAY % (n, f'"{content}"{more}') for n in range(count))


def asks(outputs: list[int]) -> str:
    """Return a script with one ai_ask for each number of outputs."""
    return HEAD + "".join(
        f"      - {{action_type: ai_ask, action_id: a{n}, content: x, output: "
        f"[{','.join(f'{{get: o{n}_{k}}}' for k in range(count))}]}}\n"
        for n, count in enumerate(outputs)
    )


def compares(count: int) -> str:
    """Return a script with so many custom conditions."""
    each = "{variable: v, operator: '>', value: 1}"
    criteria = f"exit_criteria: {{custom_conditions: [{','.join([each] * count)}]}}"
    return (
        f"{HEAD}      - {{action_type: ai_ask, action_id: a, content: x, "
        f"output: [{{get: o}}], {criteria}}}\n"
    )


def declares(count: int) -> str:
    """Return a script with so many declarations behind its actions."""
    listed = "".join(f"  - {{var: w{n}, value: 1}}\n" for n in range(count))
    return says(1).replace("  declare: [{var: v, value: 1}]\n", "") + f"  declare:\n{listed}"


FULL = MOST[Counted.READS] // MAX_PLACEHOLDERS
LIMITS = {
    "placeholders of a text": (
        says(1, "{v}" * MAX_PLACEHOLDERS),
        says(1, "{v}" * (MAX_PLACEHOLDERS + 1)),
        "reads variables at more than 200 places",
    ),
    "reads": (
        says(FULL, "{v}" * MAX_PLACEHOLDERS),
        says(FULL + 1, "{v}" * MAX_PLACEHOLDERS),
        "more than 20,000 variables read",
    ),
    "actions": (says(MAX_ACTIONS), says(MAX_ACTIONS + 1), "more than 5,000 actions"),
    "conditions": (
        says(MOST[Counted.CONDITIONS], more=", condition: '{v} > 1'"),
        compares(MOST[Counted.CONDITIONS] + 1),
        "more than 5,000 conditions in all",
    ),
    "outputs of an action": (
        asks([MAX_OUTPUTS]),
        asks([MAX_OUTPUTS + 1]),
        "more than 100 output",
    ),
    "outputs": (
        asks([MAX_OUTPUTS] * (MOST[Counted.OUTPUTS] // MAX_OUTPUTS)),
        asks([MAX_OUTPUTS] * (MOST[Counted.OUTPUTS] // MAX_OUTPUTS) + [1]),
        "more than 5,000 outputs and fields in all",
    ),
    "declarations": (
        declares(MOST[Counted.DECLARATIONS]),
        declares(MOST[Counted.DECLARATIONS] + 1),
        "more than 1,000 declarations in all",
    ),
}


@pytest.mark.parametrize("what", LIMITS)
def test_as_many_as_may_be_pass_and_one_more_is_refused(load: Load, what: str) -> None:
    """The finding stands where the limit is passed, and nothing is read beyond it."""
    legal, illegal, said = LIMITS[what]
    assert load(legal).errors == ()
    first = load(illegal).errors[0]
    assert (first.rule, said in first.message) == (CheckRule.TOO_LARGE, True)
    assert first.line >= len(HEAD.splitlines()) + 1


SKILL = """\
technique_id: k%d
input_parameters: [{name: v}]
topic:
  topic_id: t
  actions:
  - {action_type: ai_say, action_id: a, content: "%s"}
"""


def test_a_bundles_files_are_counted_together(load: Load) -> None:
    """A hundred small technique files are no way around a limit."""
    skills = {f"skills/k{n}.yaml": SKILL % (n, "{v}" * MAX_PLACEHOLDERS) for n in range(FULL + 1)}
    (found,) = load(says(1), skills).errors
    assert "more than 20,000 variables read" in found.message
    assert (found.file in skills, found.line) == (True, 6)


def test_the_largest_script_is_legal(load: Load) -> None:
    """What benchmarks and tests of the server check passes every limit."""
    assert load(largest_script()).errors == ()
