"""A script as a tree for a console: made in a worker process, as the bytes of its message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.replaced import replaced_files
from executor_service.scripts.model.script import Action, Phase, Topic
from heartrule.domain.errors import NotReady
from heartrule.domain.replacement import ActionReplacement
from heartrule.v1 import outline_pb2
from heartrule.wire.json_values import fill_struct


def outline(
    files: Mapping[str, bytes], main: str, replacements: Sequence[ActionReplacement]
) -> bytes:
    """Return a ScriptOutline, without the script's id and version, of a published script.

    Raises:
        InvalidRequest: It has no action that is replaced.
        NotReady: This release can no longer read it.
    """
    chosen = replaced_files(files, main, replacements) if replacements else files
    loaded = load_script(chosen, main=main, environment=trusting())
    if loaded.script is None:
        raise NotReady(
            f"the script no longer loads: {loaded.errors[0]}", reason="SCRIPT_NO_LONGER_LOADS"
        )
    made = outline_pb2.ScriptOutline(phases=map(_phase, loaded.script.phases))
    return made.SerializeToString()


def _phase(phase: Phase) -> outline_pb2.PhaseOutline:
    return outline_pb2.PhaseOutline(
        phase_id=phase.phase_id,
        phase_name=phase.phase_name,
        entry_condition=phase.entry_condition.source if phase.entry_condition else None,
        topics=map(_topic, phase.topics),
    )


def _topic(topic: Topic) -> outline_pb2.TopicOutline:
    return outline_pb2.TopicOutline(
        topic_id=topic.topic_id,
        topic_name=topic.topic_name,
        actions=map(_action, topic.actions),
    )


def _action(action: Action) -> outline_pb2.ActionOutline:
    outline = outline_pb2.ActionOutline(
        action_id=action.action_id,
        action_type=action.action_type.value,
        condition=action.condition.source if action.condition else None,
    )
    fill_struct(action.written, outline.config)
    return outline
