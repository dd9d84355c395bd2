"""Which values the client gave in this session: by their words, or by their answers in a form.

What a declaration, an import, another session or the input of a skill gave is none of these, nor
what a model inferred. What a value rests on says which it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from executor_service.scripts.model.actions import AskConfig, FormConfig
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.script import Action, Script
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.skipping import KnownAnswer
from heartrule.domain.variables import VariableValue


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputsBeside:
    """What a round may hear and confirm besides the outputs of its own action."""

    later: tuple[Output, ...] = ()
    """Of questions to come, without a value yet, the nearest first."""
    known: tuple[Output, ...] = ()
    """Of the topic, with a value that the client may correct."""
    unjudged: str = ""
    """The client's words before an opening that no round has judged."""
    to_confirm: tuple[KnownAnswer, ...] = ()
    """Answers to questions that were not put: this opening confirms them in half a sentence."""


NOTHING_BESIDE = OutputsBeside()


class KnownValues:
    """Tells which values the client gave, and to which question of a script."""

    def __init__(self, script: Script) -> None:
        """Look at no action yet."""
        self._script = script

    def known(self, name: str, variables: VariableStore, *, asking: str = "") -> bool:
        """Return whether a name has a value here that the client gave in this session.

        Args:
            name: A variable.
            variables: The variables at this place.
            asking: The action that asks for it, if any; the answer to another question for the same
                output is no answer to this one.
        """
        value = variables.in_force(name)
        if value is None or value.value is None:
            return False
        return self.answers(value, asking) if asking else value.known

    def answers(self, value: VariableValue, asking: str) -> bool:
        """Return whether the client gave a value here, not to another question than `asking`."""
        return value.known and not self._asked_before(value, asking)

    def _asked_before(self, value: VariableValue, action_id: str) -> bool:
        """Return whether an earlier question for the same output, not this one, gave the value.

        A scale that is rated before and after an exercise has a value at the second question, and
        not its answer. The same holds for an earlier run of the technique that asks it.
        """
        if value.source == action_id:
            return value.archived
        return (value.source, value.name) in self._asked

    @cached_property
    def _asked(self) -> frozenset[tuple[str, str]]:
        return frozenset(_asked(self._actions()))

    def _actions(self) -> Iterator[Action]:
        yield from (action for *_, action in self._script.walk())
        for technique in self._script.techniques.values():
            yield from technique.topic.actions


def _asked(actions: Iterable[Action]) -> Iterator[tuple[str, str]]:
    """Yield every output that a question or a form asks the client for, with its action."""
    for action in actions:
        if isinstance(action.config, AskConfig | FormConfig):
            yield from ((action.action_id, output.get) for output in action.config.output)
