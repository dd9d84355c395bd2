"""Builders for the engine's inputs: small scripts, snapshots, rounds, and a sink that remembers."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from executor_service.actions.action_context import RoundContext
from executor_service.actions.registry import action_runners
from executor_service.actions.reply_streamer import ReplyStreamer
from executor_service.actions.scene import Scene
from executor_service.decisions.judging_beside import JudgingBeside
from executor_service.engine.cursor import TopicPlace, instantiate, position_at
from executor_service.engine.engine_deps import EngineDeps
from executor_service.hook_order import hooks_without_script, step_hooks
from executor_service.scripts.model.actions import (
    ActionConfig,
    ActionType,
    AskConfig,
    SayConfig,
    ThinkConfig,
)
from executor_service.scripts.model.fields import Output
from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.script import Action, Phase, Script, Topic, with_words
from executor_service.turn_stopping import StopToken
from executor_service.variables.known import KnownValues
from executor_service.variables.variable_store import VariableStore
from heartrule.domain.conversation import Message, Role, text_part
from heartrule.domain.events import DraftDelta
from heartrule.domain.ids import new_id
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import DialogueLine
from heartrule.domain.position import ExecutionPosition
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.records import (
    ActionInstance,
    CommittedStep,
    InstanceState,
    Lease,
    StepCommit,
    TurnKind,
    TurnSnapshot,
)
from tests.support.nothing_wired import engine_alone, hooks_alone, round_alone
from tests.support.written_templates import written_templates

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
KEY = SessionKey("default", "ses_1")
PLACE = SourcePlace(file="script.yaml", line=1, column=1)


def counting_ids() -> Callable[[str], str]:
    """Return a maker of ids that count: msg_1, msg_2, act_1."""
    counts: Counter[str] = Counter()

    def make(prefix: str) -> str:
        counts[prefix] += 1
        return f"{prefix}_{counts[prefix]}"

    return make


def ask(action_id: str = "ask", *, content: str = "怎么称呼你", **config: Any) -> Action:
    """Return an ai_ask; `get` names its outputs."""
    names = config.pop("get", ("称呼",))
    outputs = config.pop("output", tuple(Output(get=name) for name in names))
    return action_of_type(
        ActionType.AI_ASK, action_id, AskConfig(content=content, output=outputs, **config)
    )


def say(action_id: str = "say", *, content: str = "欢迎你", **config: Any) -> Action:
    """Return an ai_say."""
    return action_of_type(ActionType.AI_SAY, action_id, SayConfig(content=content, **config))


def think(action_id: str = "think", *, content: str = "想一想", **config: Any) -> Action:
    """Return an ai_think; `get` names its outputs."""
    outputs = config.pop("output", tuple(Output(get=n) for n in config.pop("get", ("看法",))))
    return action_of_type(
        ActionType.AI_THINK, action_id, ThinkConfig(content=content, output=outputs, **config)
    )


def action_of_type(action_type: ActionType, action_id: str, config: ActionConfig) -> Action:
    """Return an action of any config."""
    return Action(action_type=action_type, action_id=action_id, config=config, place=PLACE)


def topic(*actions: Action, topic_id: str = "t1", **changes: Any) -> Topic:
    """Return a topic of actions."""
    return with_words(Topic(topic_id=topic_id, actions=actions, **changes))


def phase(*topics: Topic, phase_id: str = "p1", **changes: Any) -> Phase:
    """Return a phase of topics."""
    return Phase(phase_id=phase_id, topics=topics, **changes)


def script(*actions: Action, **changes: Any) -> Script:
    """Return a script of one topic with these actions."""
    return script_of(phase(topic(*actions)), **changes)


def script_of(*phases: Phase, **changes: Any) -> Script:
    """Return a script of phases."""
    return Script(session_id="s", phases=phases, **changes)


def heard(text: str, client_message_id: str = "m1") -> Message:
    """Return a message of the client."""
    return Message(
        message_id=f"in_{client_message_id}",
        role=Role.CLIENT,
        parts=(text_part(text),),
        client_message_id=client_message_id,
    )


def told(text: str) -> DialogueLine:
    """Return a line of the window that the assistant said."""
    return DialogueLine(role=Role.ASSISTANT, text=text)


def answered(text: str) -> DialogueLine:
    """Return a line of the window that the client said."""
    return DialogueLine(role=Role.CLIENT, text=text)


def before_the_script(**changes: Any) -> TurnSnapshot:
    """Return the snapshot of an opening turn: no topic is entered yet."""
    plain = TurnSnapshot(
        lease=Lease(key=KEY, owner="me", token=1),
        turn_id="turn_1",
        turn_no=0,
        attempt=1,
        kind=TurnKind.OPENING,
        script_id="s",
        script_version="v1",
        user_id="",
        locale="zh-CN",
        time_zone="Asia/Shanghai",
        position=ExecutionPosition(),
        plan_revision=0,
        plan=(),
        variables=(),
        inputs=(),
        inputs_consumed=False,
        steps=0,
        window=(),
        advice=None,
    )
    made = replace(plain, **changes)
    return made if made.steps else replace(made, new_inputs=made.inputs)


def waiting_at(
    running: Script, *, place: tuple[int, int, int] = (0, 0, 0), round_: int = 1, **changes: Any
) -> TurnSnapshot:
    """Return the snapshot of a turn that answers: the action at `place` waits in that round.

    `round_` 0 means that the action has not opened yet. Actions before it are completed.
    """
    phase_idx, topic_idx, action_idx = place
    here = TopicPlace(phase_idx, topic_idx)
    plan = list(instantiate(running, here, counting_ids()))
    for done in range(action_idx):
        plan[done] = replace(plan[done], state=InstanceState.COMPLETED, round=1)
    state = InstanceState.RUNNING if round_ else InstanceState.PENDING
    current = replace(plan[action_idx], state=state, round=round_)
    plan[action_idx] = current
    action = running.phases[phase_idx].topics[topic_idx].actions[action_idx]
    position = position_at(here, current, action)
    answering: dict[str, Any] = {"kind": TurnKind.INPUT, "turn_no": 1, "turn_id": "turn_2"}
    return before_the_script(plan=tuple(plan), position=position, **{**answering, **changes})


@dataclass(slots=True)
class RecordingSink:
    """Keeps drafts and steps in the order in which they came."""

    drafts: list[DraftDelta] = field(default_factory=list)
    steps: list[StepCommit] = field(default_factory=list)
    calls: list[LLMDebugInfo] = field(default_factory=list)
    stop: StopToken = field(default_factory=StopToken)
    reply_deadline: float | None = None

    def emit(self, draft: DraftDelta) -> None:
        """Keep a draft."""
        self.drafts.append(draft)

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Keep a step."""
        self.steps.append(step)
        return CommittedStep(events=(), inputs_waiting=False)

    def texts(self) -> list[str]:
        """Return what was said, in order."""
        return [message.plain_text() for step in self.steps for message in step.messages]

    def drafted(self) -> str:
        """Return the text of all drafts."""
        return "".join(draft.text for draft in self.drafts)


def engine_deps(model: ChatModel, **changes: Any) -> EngineDeps:
    """Return what the engine needs; names of `step_hooks` change its hooks."""
    names = inspect.signature(step_hooks).parameters
    wired = hooks_alone() | {name: changes.pop(name) for name in names if name in changes}
    plain = EngineDeps(
        model=model,
        templates=written_templates(),
        actions=action_runners(),
        clock=lambda: NOW,
        new_id=counting_ids(),
        judging=JudgingBeside(InlinePool()),
        read_session=wired["read_session"],
        runs=wired["runs"],
        without_script=hooks_without_script(
            rules=wired["rules"], opt_outs=wired["opt_outs"], read_session=wired["read_session"]
        ),
        hooks=step_hooks(model, **wired),
        **engine_alone(),
    )
    return replace(plain, **changes)


def reply_streamer(model: ChatModel, sink: RecordingSink | None = None) -> ReplyStreamer:
    """Return a streamer that emits into a sink."""
    return ReplyStreamer(model=model, sink=sink or RecordingSink(), new_id=counting_ids())


def round_context(
    action: Action,
    model: ChatModel,
    *,
    reply: str | None = None,
    round_: int | None = None,
    variables: Mapping[str, Any] | None = None,
    within: Topic | None = None,
    scheme: str = "",
    memory: Mapping[str, Any] | None = None,
    templates: TemplateStore | None = None,
    **changes: Any,
) -> RoundContext:
    """Return one round of an action: the opening without a reply, a judging one with it."""
    inside = within or topic(action)
    running = 0 if reply is None else 1
    plain = RoundContext(
        action=action,
        instance=ActionInstance(
            action_instance_id="act_1",
            phase_id="p1",
            topic_id=inside.topic_id,
            action_id=action.action_id,
            action_type=action.action_type.value,
            ordinal=0,
            round=running if round_ is None else round_,
            memory=memory or {},
        ),
        reply=reply,
        history=(),
        recent_texts=(),
        variables=known(variables or {}, inside),
        known_values=KnownValues(script_of(phase(inside))),
        scene=Scene(phase=phase(inside), topic=inside, scheme=scheme, now=NOW),
        templates=templates or written_templates(),
        streamer=reply_streamer(model),
        make_id=new_id,
        judging=JudgingBeside(InlinePool()).judged,
        **round_alone(KEY),
    )
    return replace(plain, **changes)


def known(values: Mapping[str, Any], inside: Topic | None = None) -> VariableStore:
    """Return variables of the topic, nothing of them left to commit."""
    here = inside or topic()
    store = VariableStore((), phase=phase(here), topic=here)
    for name, value in values.items():
        store.write(name, value, action_id="earlier", now=NOW)
    store.take_changes()
    return store


def reasons(degradations: Sequence[Any]) -> list[str]:
    """Return the reasons of degradations, in order."""
    return [degradation.reason for degradation in degradations]
