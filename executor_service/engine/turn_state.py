"""The working copy of one turn: its position, its plan, its variables, the steps it skipped.

Nothing here is durable; `take_plan`, `take_skipped`, `take_degradations` and
`variables.take_changes` return what changed since the last step, for one commit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from executor_service.actions.prompt_texts import script_values
from executor_service.actions.scene import Cast
from executor_service.engine.clock import local_time
from executor_service.engine.cursor import (
    TopicPlace,
    instantiate,
    next_place,
    phase_at,
    place_of,
    position_at,
    topic_at,
    topic_of,
)
from executor_service.engine.passed_over import admit, passed_over, when_known
from executor_service.engine.plan import Queue, planned, skills_around
from executor_service.engine.skills import handed_in, handed_out
from executor_service.orchestration.edited_definitions import action_of
from executor_service.scripts.model.actions import SkillConfig
from executor_service.scripts.model.script import Action, Phase, Script, Technique, Topic
from executor_service.scripts.model.settings import Condition, RoleDefinition, WhenKnown
from executor_service.variables.known import KnownValues
from executor_service.variables.lookup import SkillScope, skill_scope_id
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.errors import NotFound
from heartrule.domain.problem import Degradation
from heartrule.domain.skipping import KnownAnswer, StepSkipped
from heartrule.domain.variables import VariableScope
from session_store.records import ENDED, ActionInstance, InstanceState, Plan, TurnSnapshot


def cast_of(roles: Sequence[RoleDefinition]) -> Cast:
    """Return the names and the tone a script's roles give; a role without a name gives none."""
    by_role = {role.role: role for role in roles}
    counsellor, client = by_role.get("counsellor"), by_role.get("client")
    plain = Cast()
    return Cast(
        who=(counsellor.name if counsellor else "") or plain.who,
        user=(client.name if client else "") or plain.user,
        tone=counsellor.tone if counsellor else "",
    )


class TurnState:
    """The position of a turn in its script, and all that changes with it."""

    def __init__(
        self,
        script: Script,
        snapshot: TurnSnapshot,
        *,
        new_id: Callable[[str], str],
        clock: Callable[[], datetime],
        keyword_scope: Callable[[str], VariableScope | None],
    ) -> None:
        """Start at the snapshot's position; before the first topic, enter what may begin."""
        self._script = script
        self.known_values = KnownValues(script)
        self._new_id = new_id
        self._clock = clock
        self._time_zone = snapshot.time_zone
        self.cast = cast_of(script.roles)
        self._queue = Queue(snapshot.plan)
        self._skipped: list[StepSkipped] = []
        self.to_confirm: tuple[KnownAnswer, ...] = ()
        """Answers that the next message confirms, since their questions are not put."""
        self._degradations: list[Degradation] = []
        self.position = snapshot.position
        self._place = place_of(script, snapshot.position)
        self._skills = list(skills_around(snapshot.plan, self._queue.next_open()))
        self.variables = VariableStore(
            snapshot.variables,
            script.declarations,
            phase=self.phase if self._place else None,
            topic=self.topic if self._place else None,
            skills=tuple(self._scope(skill) for skill in self._skills),
            keyword_scope=keyword_scope,
        )
        if self._place is None:
            self._go_on()

    @property
    def place(self) -> TopicPlace | None:
        """The place of the current topic; None where none was ever entered."""
        return self._place

    @property
    def phase(self) -> Phase:
        """The current phase."""
        assert self._place is not None, "no phase was entered"
        return phase_at(self._script, self._place)

    @property
    def topic(self) -> Topic:
        """The current topic."""
        assert self._place is not None, "no topic was entered"
        return topic_at(self._script, self._place)

    @property
    def plan(self) -> Plan:
        """All action instances of the topic, in order."""
        return self._queue.plan

    def topic_for(self, instance: ActionInstance) -> Topic:
        """Return the topic whose goal and strategy an instance follows: its technique's, if any."""
        assert self._place is not None, "no topic was entered"
        return topic_of(self._script, self._place, instance)

    def current(self) -> tuple[Action, ActionInstance] | None:
        """Return the action that runs now; None at the end of the script."""
        instance = self._queue.next_open()
        if instance is None:
            return None
        return action_of(self.topic_for(instance), instance), instance

    def update(self, instance: ActionInstance) -> None:
        """Put the instance's new state into the plan; after one that ended, go to the next.

        Conditions of what comes next are evaluated now, skills are opened and closed on the way. A
        topic is left with its last action, a phase with its last topic.
        """
        self._queue.put(instance)
        self._move_to(instance)
        if instance.state in ENDED:
            self._go_on()

    def take_plan(self) -> tuple[ActionInstance, ...]:
        """Return the plan rows made or changed since the last step, once."""
        return self._queue.take()

    def take_skipped(self) -> tuple[StepSkipped, ...]:
        """Return what was skipped since the last step, once."""
        skipped, self._skipped = tuple(self._skipped), []
        return skipped

    def take_degradations(self) -> tuple[Degradation, ...]:
        """Return the degradations since the last step, once."""
        found, self._degradations = tuple(self._degradations), []
        return found

    # --- from an action to the next -------------------------------------------------------------

    def _go_on(self) -> None:
        """Move to the next instance that begins, or to the end of the script."""
        while True:
            following = self._queue.next_open()
            self._close_skills(following)
            if following is None:
                if not self._advance():
                    return
            elif following.state is InstanceState.RUNNING or self._begins(following):
                self._move_to(following)
                return

    def _begins(self, instance: ActionInstance) -> bool:
        """Evaluate an instance's condition; return True where it is the one to run now."""
        action = action_of(self.topic_for(instance), instance)
        step = StepSkipped(
            phase_id=instance.phase_id,
            topic_id=instance.topic_id,
            action_id=instance.action_id,
            action_instance_id=instance.action_instance_id,
        )
        if not self._admits(action.condition, step) or self._is_answered(action, instance, step):
            self._queue.put(replace(instance, state=InstanceState.SKIPPED))
            return False
        if isinstance(action.config, SkillConfig):
            self._open_skill(instance, action.config)
            return False
        return True

    def _admits(self, condition: Condition | None, step: StepSkipped) -> bool:
        skipped, degradation = admit(condition, step, self.variables)
        if degradation is not None:
            self._degradations.append(degradation)
        if skipped is not None:
            self._skipped.append(skipped)
        return skipped is None

    def _is_answered(self, action: Action, instance: ActionInstance, step: StepSkipped) -> bool:
        """Return whether a question is not put, since the client has answered it before."""
        rule = when_known(self._script, self.topic_for(instance), action)
        skipped = passed_over(action, rule, step, self.known_values, variables=self.variables)
        if skipped is not None:
            self._skipped.append(skipped)
            self.to_confirm += skipped.answers if rule is WhenKnown.CONFIRM else ()
        return skipped is not None

    def confirmed(self) -> None:
        """Note that a message has confirmed what was to be confirmed."""
        self.to_confirm = ()

    def _advance(self) -> bool:
        """Enter the next topic that may begin; at the end, leave every scope and return False."""
        place = next_place(self._script, self._place)
        phase = self._place.phase if self._place else None
        while place is not None and place.phase != phase:
            self.variables.leave_phase()
            entered = phase_at(self._script, place)
            if self._admits(entered.entry_condition, StepSkipped(phase_id=entered.phase_id)):
                self._enter(place, new_phase=True)
                return True
            place = next_place(self._script, TopicPlace(place.phase, len(entered.topics) - 1))
        if place is None:
            self.variables.leave_session()
            return False
        self._enter(place, new_phase=False)
        return True

    def _enter(self, place: TopicPlace, *, new_phase: bool) -> None:
        self._place = place
        self._queue.become(instantiate(self._script, place, self._new_id))
        now = self._clock()
        if new_phase:
            self.variables.enter_phase(self.phase, now)
        self.variables.enter_topic(self.topic, now)

    # --- skills ---------------------------------------------------------------------------------

    def _open_skill(self, instance: ActionInstance, config: SkillConfig) -> None:
        """Insert a technique's actions behind its use_skill, and write its inputs."""
        technique, now = self._technique(config), self._clock()
        given = handed_in(config, technique, self.variables, self._system(now))
        self._degradations.extend(given.degradations)
        running = replace(instance, state=InstanceState.RUNNING)
        self._queue.put(running)
        made = planned(
            technique.topic.actions,
            self._new_id,
            phase_id=instance.phase_id,
            topic_id=instance.topic_id,
            technique_id=technique.technique_id,
            parent_instance_id=instance.action_instance_id,
        )
        self._queue.insert(made, after=running)
        self._skills.append(running)
        self.variables.enter_skill(
            self._scope(running), given.values, action_id=instance.action_id, now=now
        )

    def _close_skills(self, following: ActionInstance | None) -> None:
        """End the skills whose actions have all ended, the innermost first."""
        while self._skills:
            skill = self._skills[-1]
            if following is not None and following.parent_instance_id == skill.action_instance_id:
                return
            self._skills.pop()
            yielded, found = handed_out(self._config(skill), self.variables.of_skill())
            self._degradations.extend(found)
            self.variables.leave_skill(yielded, action_id=skill.action_id, now=self._clock())
            self._queue.put(replace(self._queue.get(skill), state=InstanceState.COMPLETED))

    def _config(self, skill: ActionInstance) -> SkillConfig:
        config = action_of(self.topic_for(skill), skill).config
        assert isinstance(config, SkillConfig)
        return config

    def _technique(self, config: SkillConfig) -> Technique:
        technique = self._script.techniques.get(config.skill)
        if technique is None:
            raise NotFound("technique", config.skill)
        return technique

    def _scope(self, skill: ActionInstance) -> SkillScope:
        return SkillScope(
            scope_id=skill_scope_id(skill.topic_id, skill.action_instance_id),
            topic=self._technique(self._config(skill)).topic,
        )

    def _system(self, now: datetime) -> Mapping[str, str]:
        """Return the system variables a script's own texts may name."""
        return script_values(local_time(now, self._time_zone), self.cast)

    def _move_to(self, instance: ActionInstance) -> None:
        assert self._place is not None, "no topic was entered"
        action = action_of(self.topic_for(instance), instance)
        skills = [skill.action_instance_id for skill in self._skills]
        self.position = position_at(self._place, instance, action, tuple(skills))
