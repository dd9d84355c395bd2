"""Who answers in a conversation that is played: what is written, the rehearsal model, or others."""

from __future__ import annotations

from dataclasses import dataclass, field

from executor_service.bootstrap import Switches
from heartrule.model.template_store import TemplateStore
from heartrule_cli.rehearsal.harness import PATIENCE_S
from heartrule_cli.rehearsal.models import PlayedModel, RehearsalModel, WrittenModel
from heartrule_cli.rehearsal.monitors import JudgingMonitor, PlayedMonitor, WrittenMonitor
from heartrule_cli.rehearsal.written_conversation import WrittenConversation


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubles:
    """The models and the second mind of one conversation."""

    model: PlayedModel
    """Talks and thinks."""
    monitor: PlayedMonitor
    judge: PlayedModel | None = None
    """What the monitor asks; None where its answers are written."""
    switches: Switches = field(default_factory=Switches)
    patience_s: float = PATIENCE_S
    """How long a turn may take."""


def doubles_of(conversation: WrittenConversation, templates: TemplateStore) -> Doubles:
    """Return those a conversation names: its answers, else the rehearsal model, or silence."""
    held = conversation.held
    model = _model(conversation)
    judge = _judge(conversation)
    if judge is None:
        written = WrittenMonitor(conversation.monitor or (), held=held)
        return Doubles(model=model, monitor=written)
    monitor = JudgingMonitor(judge, templates, held=held)
    return Doubles(model=model, monitor=monitor, judge=judge)


def _model(conversation: WrittenConversation) -> PlayedModel:
    return RehearsalModel() if conversation.model is None else WrittenModel(conversation.model)


def _judge(conversation: WrittenConversation) -> PlayedModel | None:
    """Return the model of the real handlers; None where the second mind is written, or silent."""
    if conversation.monitor_model is not None:
        return WrittenModel(conversation.monitor_model)
    rehearsed = conversation.model is None and conversation.monitor is None
    return RehearsalModel() if rehearsed else None
