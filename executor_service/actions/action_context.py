"""What an action is given for one round, and what it returns."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from executor_service.actions.reply_streamer import ReplyStreamer
from executor_service.actions.round_ports import (
    NO_CHANGES,
    AgentJudging,
    AgentReading,
    PictureSource,
    RoundRuns,
    RunChanges,
)
from executor_service.actions.scene import Scene
from executor_service.scripts.model.actions import ActionType
from executor_service.scripts.model.script import Action
from executor_service.strategy.adviser import StrategyAdviser
from executor_service.variables.known import NOTHING_BESIDE, KnownValues, OutputsBeside
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import (
    Completeness,
    Media,
    Message,
    Part,
    QuickReplies,
    text_part,
)
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import Advice
from heartrule.domain.problem import Degradation
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.summary import NO_SUMMARY, Summary
from heartrule.domain.variables import NO_PROVENANCE, Provenance
from heartrule.model.ports import ChatMessage
from heartrule.model.template_store import TemplateStore
from session_store.records import ActionInstance, DecisionChange, NewRevision


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundContext:
    """State, dependencies and inputs of one round of one action."""

    action: Action
    instance: ActionInstance
    reply: str | None
    """The client's text that this round judges; None where the action opens."""
    history: tuple[ChatMessage, ...]
    """All messages before, without the reply and without what the summary covers."""
    recent_texts: tuple[str, ...]
    """The latest messages of the assistant, to notice repetition (RESOLUTIONS C37)."""
    variables: VariableStore
    """Working copy; what the round writes is committed with it."""
    known_values: KnownValues
    """Tells which of them the client gave in this session."""
    scene: Scene
    templates: TemplateStore
    streamer: ReplyStreamer
    summary: Summary = NO_SUMMARY
    """Of what comes before the history; a model wrote it."""
    advice: Advice | None = None
    signals: tuple[str, ...] = ()
    """What code saw in the round before, a line each (ADR 64)."""
    exit_hint: str = ""
    """One line for an opening: how the action before it ended (document 000, scene 5)."""
    just_spoke: bool = False
    """Whether another action spoke to the client in this turn."""
    wrong_language: bool = False
    """True where the last reply was not in the session's language."""
    resumes: bool = False
    """True where the script resumes behind a safety text."""
    beside: OutputsBeside = NOTHING_BESIDE
    """What the reply may give and confirm besides the action's own outputs."""
    inputs: tuple[Message, ...] = ()
    """The messages `reply` is made of; a form keeps its values here."""
    make_id: Callable[[str], str]
    """Makes the ids of what the round asks for."""
    strategy: StrategyAdviser | None = None
    """Recommends a strategy; None where the engine is off for this action."""
    writes: bool = True
    """False where values are read and not kept."""
    picture: PictureSource
    """Finds a picture of the script by its path."""
    agent_reading: AgentReading
    """Reads what an agent knows of its session; called in rounds of an ai_agent alone."""
    judging: AgentJudging
    """Judges what an agent decides."""
    runs: RoundRuns
    """Runs of the session, and who makes the agents of its threads."""

    @property
    def round(self) -> int:
        """The number of the round that a model call makes (SCRIPT-LANGUAGE, What a round is).

        For ai_say the number of the utterance to send, for others that of the answer to judge.
        """
        if self.reply is None:
            return 1
        is_utterance = self.action.action_type is ActionType.AI_SAY
        return self.instance.round + 1 if is_utterance else max(self.instance.round, 1)

    def known(self, name: str) -> bool:
        """Return whether the client gave an output of this action in this session."""
        return self.known_values.known(name, self.variables, asking=self.action.action_id)

    def trying(self) -> RoundContext:
        """Return the same round, which writes nothing: what a reply would give is read early."""
        return replace(self, writes=False)

    def write(self, values: Mapping[str, JsonValue], provenance: Mapping[str, Provenance]) -> None:
        """Set variables in the name of this action; one that is unchanged is not written again."""
        if not self.writes:
            return
        action_id, now = self.action.action_id, self.scene.now
        for name, value in values.items():
            rests_on = provenance.get(name, NO_PROVENANCE)
            if self.variables.holds(name, value) and (self.known(name) or not rests_on.known):
                continue
            self.variables.write(name, value, action_id=action_id, now=now, provenance=rests_on)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingMessage:
    """One message to the client."""

    message_id: str
    text: str
    """Its text; beside a picture the picture's fallback text."""
    completeness: Completeness = Completeness.COMPLETE
    media: Media | None = None
    """A picture to be shown."""
    options: tuple[str, ...] = ()
    """Answers the client may choose from."""
    options_in_words: str = ""
    """The same for a client that shows text alone."""
    spare: bool = False
    """True: not worth its time where another action speaks in the same turn."""

    def parts(self) -> tuple[Part, ...]:
        """Return the parts of a message that hold it."""
        if self.media is not None:
            return (Part(media=self.media, fallback_text=self.text),)
        if not self.options:
            return (text_part(self.text),)
        replies = QuickReplies(texts=self.options)
        return text_part(self.text), Part(
            quick_replies=replies, fallback_text=self.options_in_words
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOutcome:
    """What one round gave; the engine commits it as one step."""

    result: ActionResult
    """Without the ids of action and instance, which the engine adds."""
    messages: tuple[OutgoingMessage, ...] = ()
    next_round: int = 0
    """The round the client answers next; that of the action's end when it completed."""
    memory: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the instance keeps until its next round."""
    advice_used: bool = False
    """True when the prompt held the pending advice."""
    analyze: bool = False
    """True when the monitor is to be asked (RESOLUTIONS C13)."""
    degradations: tuple[Degradation, ...] = ()
    strategy: StrategyDecision | None = None
    """What the strategy engine recommended in this round."""
    requested: InputRequested | None = None
    """A form the client is asked to fill in."""
    open_request: str = ""
    """Id of the request that stays open while the action goes on; empty: none."""
    goes_on: bool = False
    """True: the round takes another step at once, so this one leaves no result: a round gives one.
    The next step finds the memory, and no reply."""
    decisions: tuple[DecisionChange, ...] = ()
    """Decisions made, judged or taken further, in order."""
    workflows: tuple[NewRevision, ...] = ()
    """Revisions that they made."""
    of_runs: RunChanges = NO_CHANGES
    """What they changed of runs, and ends of runs that the round took up."""


ActionRunner: TypeAlias = Callable[[RoundContext], Awaitable[RoundOutcome]]
"""Runs one round of an action type: the opening one without a reply, a judging one with it.

It raises ModelUnavailable, ModelRateLimited and ModelStreamCut: the turn fails and may be repeated.
"""
