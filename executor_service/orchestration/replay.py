"""Rebuilds a topic's queue from the rows of its edits; pure."""

from __future__ import annotations

from collections.abc import Iterable

from heartrule.domain.orchestration import PlanEdit, QueuedAction


def replay(first: Iterable[QueuedAction], edits: Iterable[PlanEdit]) -> tuple[QueuedAction, ...]:
    """Return a topic's queue after the edits that were applied to it.

    Args:
        first: The queue as the script gave it; the actions of skills that were opened since come
            with the edits that saw them.
        edits: Rows of the topic in any order; those never applied change nothing.
    """
    queue = list(first)
    for edit in sorted((each for each in edits if each.plan_revision), key=_revision):
        seen = {each.action_instance_id for each in edit.before}
        started = [each for each in queue if each.action_instance_id not in seen]
        queue = [*started, *edit.after]
    return tuple(queue)


def _revision(edit: PlanEdit) -> int:
    return edit.plan_revision
