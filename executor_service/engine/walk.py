"""The working copy of one turn: where it stands, its plan, its variables, what was said.

Nothing here is durable; `take_plan` and `variables.take_changes` give what changed since the last
step, for one commit.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from executor_service.engine.cursor import (
    Place,
    action_of,
    first_open,
    instantiate,
    next_place,
    phase_at,
    place_of,
    position_at,
    topic_at,
)
from executor_service.scripts.configs import PictureConfig, SkillConfig, ThinkConfig
from executor_service.scripts.model import Action, Phase, Script, Topic
from executor_service.variables.store import VariableStore
from session_store.records import ActionInstance, InstanceState, TurnSnapshot


class Walk:
    """A turn's way through its script."""

    def __init__(
        self,
        script: Script,
        snapshot: TurnSnapshot,
        *,
        new_id: Callable[[str], str],
        clock: Callable[[], datetime],
    ) -> None:
        """Stand where the snapshot stands; before the first topic, enter it."""
        self._script = script
        self._new_id = new_id
        self._clock = clock
        self._plan = snapshot.plan
        self._changed: dict[str, ActionInstance] = {}
        self.position = snapshot.position
        place = place_of(script, snapshot.position)
        self._place = place or Place(0, 0)
        self.variables = VariableStore(
            snapshot.variables,
            script.declarations,
            phase=self.phase if place else None,
            topic=self.topic if place else None,
        )
        if place is None:
            self._enter(self._place, new_phase=True)

    @property
    def phase(self) -> Phase:
        """The phase the turn stands in."""
        return phase_at(self._script, self._place)

    @property
    def topic(self) -> Topic:
        """The topic the turn stands in."""
        return topic_at(self._script, self._place)

    def current(self) -> tuple[Action, ActionInstance] | None:
        """Return the action that runs now; None at the end of the script."""
        instance = first_open(self._plan)
        if instance is None:
            return None
        return action_of(self.topic, instance), instance

    def update(self, instance: ActionInstance) -> None:
        """Put the instance's new state into the plan; after a completed one, stand at the next.

        A topic is left with its last action, a phase with its last topic.
        """
        self._put(instance)
        self._stand_at(instance)
        if instance.state is not InstanceState.COMPLETED:
            return
        following = first_open(self._plan)
        if following is None:
            self._advance()
        else:
            self._stand_at(following)

    def take_plan(self) -> tuple[ActionInstance, ...]:
        """Return the plan rows made or changed since the last step, once."""
        changed = tuple(self._changed.values())
        self._changed.clear()
        return changed

    def _advance(self) -> None:
        """Leave the topic, and its phase with the last one, and enter what comes next."""
        following = next_place(self._script, self._place)
        if following is None:
            self.variables.leave_session()
            return
        new_phase = following.phase != self._place.phase
        self._place = following
        self._enter(following, new_phase=new_phase)

    def _enter(self, place: Place, *, new_phase: bool) -> None:
        self._plan = instantiate(self._script, place, self._new_id)
        for instance in self._plan:
            self._changed[instance.action_instance_id] = instance
        now = self._clock()
        if new_phase:
            self.variables.enter_phase(self.phase, now)
        self.variables.enter_topic(self.topic, now)
        self._stand_at(self._plan[0])

    def _put(self, instance: ActionInstance) -> None:
        self._plan = tuple(
            instance if known.action_instance_id == instance.action_instance_id else known
            for known in self._plan
        )
        self._changed[instance.action_instance_id] = instance

    def _stand_at(self, instance: ActionInstance) -> None:
        action = action_of(self.topic, instance)
        self.position = position_at(
            self._script, self._place, instance, max_rounds=max_rounds_of(action)
        )


def max_rounds_of(action: Action) -> int:
    """Return how many rounds an action may take; 0 for one that has none."""
    if isinstance(action.config, ThinkConfig | SkillConfig | PictureConfig):
        return 0
    return action.config.max_rounds
