"""What of an action's prompt may give way where it is too long for its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from executor_service.actions.action_context import RoundContext
from executor_service.scripts.model.script import words_of
from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import GivesWay, PromptText
from heartrule.model.prompts import LEAST_GIVING_WAY
from heartrule.model.quoting import continued
from heartrule.model.template_filling import value_in_text

# Below this many characters in all it does not pay to look who reads the variables.
_FEW = 1_000


def variable_line(name: str, value: JsonValue, colon: str) -> str:
    """Return a variable's line of a prompt; the further lines of its value are quoted."""
    return f"- {name}{colon}{continued(value_in_text(value))}"


def variables_giving_way(context: RoundContext) -> tuple[PromptText, ...]:
    """Return the lines of variables that no action of the topic reads, and all long values."""
    visible = context.variables.visible()
    written = {name: continued(value_in_text(value)) for name, value in visible.items()}
    if sum(map(len, written.values())) < _FEW:
        return ()
    return (*_unread(context, written), *_long(written))


def _unread(context: RoundContext, written: Mapping[str, str]) -> Iterator[PromptText]:
    # An edit of the plan may have given the action texts that its topic has not.
    words = context.scene.topic.words | words_of(context.action)
    colon = context.scene.words.colon
    for name, value in written.items():
        if name not in words:
            yield PromptText(kind=GivesWay.VARIABLE, text=f"\n- {name}{colon}{value}")


def _long(written: Mapping[str, str]) -> Iterator[PromptText]:
    for value in dict.fromkeys(written.values()):
        if len(value) >= LEAST_GIVING_WAY:
            yield PromptText(kind=GivesWay.VALUE, text=value)
