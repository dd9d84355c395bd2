"""A topic's plan during one turn, and which of its rows the next commit has to write."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.engine.plan import Plan, inserted, next_open, put
from session_store.records import ActionInstance


class Queue:
    """The plan of the topic the turn stands in; rows of topics left since count as changed too."""

    def __init__(self, plan: Plan) -> None:
        """Take up a plan as it is stored."""
        self.plan = plan
        self._changed: dict[str, ActionInstance] = {}

    def next_open(self) -> ActionInstance | None:
        """Return the instance that runs now or is next to start."""
        return next_open(self.plan)

    def get(self, instance: ActionInstance) -> ActionInstance:
        """Return an instance as the plan has it now."""
        name = instance.action_instance_id
        return next(one for one in self.plan if one.action_instance_id == name)

    def begin(self, plan: Plan) -> None:
        """Go over to the plan of another topic, none of which is stored yet."""
        self.plan = ()
        self._become(plan)

    def put(self, instance: ActionInstance) -> None:
        """Give an instance its new state."""
        self.plan = put(self.plan, instance)
        self._changed[instance.action_instance_id] = instance

    def insert(self, made: Sequence[ActionInstance], *, after: ActionInstance) -> None:
        """Put instances behind another; those after them move on."""
        self._become(inserted(self.plan, made, after=after))

    def take(self) -> tuple[ActionInstance, ...]:
        """Return the rows made or changed since this was last asked."""
        changed = tuple(self._changed.values())
        self._changed.clear()
        return changed

    def _become(self, plan: Plan) -> None:
        known = {one.action_instance_id: one for one in self.plan}
        for one in plan:
            if known.get(one.action_instance_id) is not one:
                self._changed[one.action_instance_id] = one
        self.plan = plan
