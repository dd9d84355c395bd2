"""An agent in YAML: phases, each with a handler of the main thread or a unit of a sub-thread."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, TypeAlias

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import AfterValidator, StringConstraints, WithJsonSchema

from executor_service.scripts.model.fields import MAX_OUTPUTS
from executor_service.scripts.model.kinds import (
    MAX_NAME,
    WORD,
    FilledText,
    Free,
    FreeMapping,
    FreeVariable,
    Identifier,
    Metadata,
    Option,
    Text,
    Variable,
    refusal,
)
from executor_service.scripts.model.mapping import AtLeastOne, Once, Wanted, mapping
from executor_service.scripts.model.wording import quoted
from heartrule.domain.output_type import OutputType
from heartrule.domain.threads import MOST_UNITS
from heartrule.domain.workflows import WorkflowInput
from heartrule.words.words import say

MOST_PHASES = 100
"""Most phases of an agent."""
MOST_FEEDBACK = 20
"""Most answers to one phase."""
LONGEST_TIMEOUT = 3_600
"""Seconds that a sub-agent may be given."""
REQUEST = "request"
"""The name under which texts read what the thread was opened for, as it was said."""
ITEM = "item"
"""The name under which the input of a nested thread reads its line."""
MATERIAL = "material"
"""The name under which texts read the agent's own sources."""
SNAPSHOT_NAMES = frozenset({"goal", "conversation"})
"""The names under which texts read what a decision's sub-agent is told of the talk."""
OWN_NAMES = frozenset({REQUEST, ITEM, MATERIAL}) | SNAPSHOT_NAMES
_PHASE = rf"[a-z][a-z0-9_]{{0,{MAX_NAME - 1}}}"
_PROMPT = r"[A-Za-z0-9_-]{1,200}\.md"


class AgentKind(StrEnum):
    """Which thread an agent works on."""

    MAIN = "main"
    """The conversation: it holds handlers."""
    SUB_THREAD = "sub_thread"
    """A thread nested in a message: it holds units."""


class HandlerKind(StrEnum):
    """What a handler of the main thread does."""

    REPLY = "reply"
    """Says something to the client."""
    PREPARE = "prepare"
    """Says the placeholder that a sub-thread will hang on."""
    EXECUTE = "execute"
    """Opens that sub-thread, and has an agent work on it."""


class UnitKind(StrEnum):
    """What a unit of a sub-thread does."""

    STARTER = "starter"
    """Asks first, then does what a responsor does."""
    RESPONSOR = "responsor"
    """Answers, and has its answers answered."""
    REQUESTER = "requester"
    """Asks, and is answered once."""


class FeedbackRule(StrEnum):
    """When an answer of a phase is not its last."""

    ALWAYS = "always"
    UNTIL = "until"
    """Until an answer has a phrase."""
    JUDGED = "judged"
    """Until the model says yes to a question about the answer."""


class InputType(StrEnum):
    """The JSON type of an input."""

    STRING = "string"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    ARRAY = "array"
    OBJECT = "object"


def _phase_name(name: str) -> str:
    if name and not re.fullmatch(_PHASE, name):
        raise refusal("bad_phase_id", name=quoted(name))
    return name


PhaseName: TypeAlias = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1),
    AfterValidator(_phase_name),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": rf"^\s*{_PHASE}\s*$",
            "patternErrorMessage": "小写字母、数字和 _，字母开头。"
            "Lower case letters, digits and _, a letter first.",
        }
    ),
]


def _prompt_name(name: str) -> str:
    if name and not re.fullmatch(_PROMPT, name):
        raise refusal("prompt_outside", name=quoted(name))
    return name


PromptName: TypeAlias = Annotated[
    str,
    StringConstraints(strip_whitespace=True),
    AfterValidator(_prompt_name),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": rf"^\s*(?:{_PROMPT})?\s*$",
            "patternErrorMessage": "prompt 文件夹里的一个 .md 文件。A file of the folder prompt.",
        }
    ),
]


@mapping(
    say("what.agent_input"),
    item="- name: {}",
    definition="agent_input",
    aliases={"get": "name", "var": "name"},
)
class AgentInput:
    """What whoever asks for the agent hands it."""

    name: Variable
    define: Text = ""
    type: Annotated[InputType, WORD] = InputType.STRING
    required: bool = True
    default: Free = None


@mapping(
    say("what.output"),
    item="- get: {}",
    definition="agent_output",
    aliases={"name": "get", "var": "get", "description": "define"},
)
class AgentOutput:
    """A value that a phase yields."""

    get: FreeVariable
    define: Text = ""
    type: Annotated[OutputType, WORD] = OutputType.TEXT
    options: Annotated[
        tuple[Option, ...], Once(say("noun.option"), text="freely_twice"), AtLeastOne()
    ] = ()


@mapping("`feedback`", definition="phase_feedback")
class PhaseFeedback:
    """How a phase's answers are answered, until one of them is its last."""

    rule: Annotated[FeedbackRule, WORD] = FeedbackRule.ALWAYS
    text: FilledText = ""
    """The answer; in the main thread the client answers."""
    phrase: Text = ""
    """What the last answer has in it."""
    question: FilledText = ""
    """What the model says yes to; a yes ends the phase."""
    then: FilledText = ""
    """What is said to the last answer, where the next phase is no terminal one."""
    most: Annotated[int, Ge(1), Le(MOST_FEEDBACK)] = 3
    """After so many, the next answer is the last."""


@mapping(say("what.agent_phase"), definition="agent_phase", aliases={"id": "phase_id"})
class AgentPhase:
    """One phase of an agent: who speaks in it, and which one follows."""

    phase_id: PhaseName
    label: Text = ""
    """What the client is told of it."""
    handler: Annotated[HandlerKind, WORD] | None = None
    unit: Annotated[UnitKind, WORD] | None = None
    terminal: bool = False
    """The thread is complete; nobody speaks."""
    opening: FilledText = ""
    """What a starter or a requester asks."""
    text: FilledText = ""
    """What is said, without a model."""
    prompt: PromptName = ""
    """A file of the folder `prompt`; empty: that of the phase's name, unless there is a text."""
    feedback: PhaseFeedback | None = None
    agent: Identifier | None = None
    """The agent that works on a nested thread."""
    each: Variable | None = None
    """A value of several lines; each line has a nested thread of its own."""
    input: Annotated[FreeMapping, Wanted(say("wanted.agent_inputs"))] = field(default_factory=dict)
    """What the nested thread's agent is handed; texts in it are filled."""
    output: Annotated[tuple[AgentOutput, ...], MaxLen(MAX_OUTPUTS), Once("output", "get")] = ()
    failure: FilledText = ""
    """What takes the placeholder's place where the thread fails."""
    next: PhaseName | None = None

    @property
    def asks_model(self) -> bool:
        """Whether a prompt says what its handler is to do."""
        return not (self.text or self.terminal or self.agent)

    @property
    def prompt_file(self) -> str:
        """The file of its prompt, in the folder `prompt`."""
        return self.prompt or f"{self.phase_id}_system_prompt.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownAgent:
    """What others that name an agent are checked against."""

    kind: AgentKind = AgentKind.SUB_THREAD
    input_schema: Mapping[str, WorkflowInput] = field(default_factory=dict)
    nested: frozenset[str] = frozenset()
    """The agents that it has work on nested threads."""


@mapping(say("what.agent"), aliases={"id": "agent_id", "name": "title", "inputs": "input"})
class AgentFile:
    """The keys of an agent.yaml."""

    agent_id: Identifier
    title: Text = ""
    description: Text = ""
    """What it is for, in words for the model that may ask for it."""
    kind: Annotated[AgentKind, WORD] = AgentKind.SUB_THREAD
    metadata: Metadata = field(default_factory=dict)
    input: Annotated[
        tuple[AgentInput, ...], MaxLen(MAX_OUTPUTS), Once(say("noun.input"), "name")
    ] = ()
    priority: Annotated[int, Ge(0), Le(10)] = 5
    """10 is the most urgent."""
    timeout: Annotated[int, Ge(1), Le(LONGEST_TIMEOUT)] | None = None
    """Seconds, where whoever asks for it names none."""
    max_units: Annotated[int, Ge(1), Le(MOST_UNITS)] = MOST_UNITS
    """Units of one run."""
    phases: Annotated[
        tuple[AgentPhase, ...], MinLen(1), MaxLen(MOST_PHASES), Once("phase", "phase_id")
    ]
    """The first one is where a thread begins."""

    @property
    def input_schema(self) -> Mapping[str, WorkflowInput]:
        """What it takes, by name, as a decision's task is judged by."""
        return {
            each.name: WorkflowInput(
                type=each.type.value, is_required=each.required, default=each.default
            )
            for each in self.input
        }

    def outputs(self) -> Iterator[AgentOutput]:
        """Yield what its phases yield, in their order."""
        for phase in self.phases:
            yield from phase.output

    def phase(self, phase_id: str) -> AgentPhase | None:
        """Return a phase; None without one of this name."""
        return next((each for each in self.phases if each.phase_id == phase_id), None)

    def known(self) -> KnownAgent:
        """Return what others are checked against."""
        nested = frozenset(each.agent for each in self.phases if each.agent)
        return KnownAgent(kind=self.kind, input_schema=self.input_schema, nested=nested)
