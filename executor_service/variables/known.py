"""Which values the client gave in this session: by their words, or by their answers in a form.

What a declaration, an import, another session or the input of a skill gave is none of these, nor
what a thought of the engine inferred. Who wrote a value says which it is; nothing else is stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cached_property

from executor_service.scripts.model.actions import AskConfig, FormConfig, SkillConfig, ThinkConfig
from executor_service.scripts.model.script import Action, Script
from executor_service.variables.declared import DECLARED
from executor_service.variables.lookup import counting_values
from executor_service.variables.migration import MIGRATED
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.variables import VariableScope, VariableValue

_BROUGHT = frozenset({DECLARED, MIGRATED})


class KnownValues:
    """Tells the values that the client gave from others, by the actions of one script."""

    def __init__(
        self,
        script: Script | None = None,
        *,
        globals_of_others: frozenset[tuple[str, datetime]] = frozenset(),
    ) -> None:
        """Look at no action yet; without a script every action counts as one that hears."""
        self._script = script
        self._of_others = globals_of_others

    def known(self, name: str, variables: VariableStore, *, asking: str = "") -> bool:
        """Return whether a name has a value here that the client gave in this session.

        Args:
            name: A variable.
            variables: The variables at this place.
            asking: The action that asks for it, if any; the answer to another question for the same
                output is no answer to this one.
        """
        value = counting_values(variables.named(name), variables.place).get(name)
        if value is None or value.value is None or not self._given(value):
            return False
        return not (asking and self._asked_before(value, asking))

    def _given(self, value: VariableValue) -> bool:
        is_global = value.scope is VariableScope.GLOBAL
        if is_global and (value.name, value.last_updated) in self._of_others:
            return False
        writer = (value.source, value.name)
        in_skill = "/" in value.scope_id
        return (
            value.source not in _BROUGHT
            and writer not in self._inferred
            and not (in_skill and writer in self._handed_in)
        )

    def _asked_before(self, value: VariableValue, action_id: str) -> bool:
        """Return whether an earlier question for the same output, not this one, gave the value.

        A scale that is rated before and after an exercise has a value at the second question, and
        not its answer. The same holds for an earlier run of the technique that asks it.
        """
        if value.source == action_id:
            return value.archived
        return (value.source, value.name) in self._asked

    @cached_property
    def _inferred(self) -> frozenset[tuple[str, str]]:
        """Thoughts, and what of a thought a skill yields, each with its variable."""
        thoughts = {
            (action.action_id, output.get)
            for action in self._actions()
            if isinstance(action.config, ThinkConfig)
            for output in action.config.output
        }
        return frozenset(thoughts | set(self._yielded_thoughts()))

    def _yielded_thoughts(self) -> Iterator[tuple[str, str]]:
        """Yield what a skill hands out that no question of its technique asks for."""
        for action, config in self._skills():
            technique = self._script.techniques.get(config.skill) if self._script else None
            inside = technique.topic.actions if technique else ()
            names = {name for _, name in _asked(inside)}
            for each in config.outputs:
                if each.source not in names:
                    yield action.action_id, each.get

    @cached_property
    def _handed_in(self) -> frozenset[tuple[str, str]]:
        return frozenset(
            (action.action_id, given.name)
            for action, config in self._skills()
            for given in config.input
        )

    @cached_property
    def _asked(self) -> frozenset[tuple[str, str]]:
        return frozenset(_asked(self._actions()))

    def _skills(self) -> Iterator[tuple[Action, SkillConfig]]:
        for action in self._actions():
            if isinstance(action.config, SkillConfig):
                yield action, action.config

    def _actions(self) -> Iterator[Action]:
        if self._script is None:
            return
        yield from (action for *_, action in self._script.walk())
        for technique in self._script.techniques.values():
            yield from technique.topic.actions


def _asked(actions: Iterable[Action]) -> Iterator[tuple[str, str]]:
    """Yield every output that a question or a form asks the client for, with its action."""
    for action in actions:
        if isinstance(action.config, AskConfig | FormConfig):
            yield from ((action.action_id, output.get) for output in action.config.output)
