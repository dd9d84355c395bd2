"""A script as a tree for a console: made in a worker process, as the bytes of its message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.scripts.loading.replaced import replaced_files
from executor_service.scripts.model.actions import SkillConfig, yielded
from executor_service.scripts.model.script import Action, Phase, Technique, Topic
from heartrule.domain.errors import NotReady
from heartrule.domain.json_value import texts_in
from heartrule.domain.replacement import ActionReplacement
from heartrule.model.template_filling import placeholders
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
    made = outline_pb2.ScriptOutline(
        phases=map(_phase, loaded.script.phases),
        techniques=map(_technique, loaded.script.techniques.values()),
    )
    return made.SerializeToString()


def _phase(phase: Phase) -> outline_pb2.PhaseOutline:
    return outline_pb2.PhaseOutline(
        phase_id=phase.phase_id,
        phase_name=phase.phase_name,
        entry_condition=phase.entry_condition.source if phase.entry_condition else None,
        topics=map(_topic, phase.topics),
    )


def _technique(technique: Technique) -> outline_pb2.TechniqueOutline:
    return outline_pb2.TechniqueOutline(
        technique_id=technique.technique_id,
        technique_name=technique.technique_name,
        topic=_topic(technique.topic),
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
        file=action.place.file,
        line=action.place.line,
        reads=sorted(set(_reads(action))),
        writes=(each.get for each in yielded(action.config)),
        technique_id=action.config.skill if isinstance(action.config, SkillConfig) else None,
    )
    fill_struct(action.written, outline.config)
    return outline


def _reads(action: Action) -> Iterator[str]:
    """Yield the variables of the script that an action's texts and its condition read."""
    if action.condition is not None:
        yield from action.condition.expression.names
    for text in texts_in(action.written):
        for found in placeholders(text):
            if not found.system_only:
                yield found.name
