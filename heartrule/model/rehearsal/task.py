"""The task card of a prompt, read into typed values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Annotated, Literal

from pydantic import AliasPath, BaseModel, BeforeValidator, ConfigDict, Field

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.task_card import read_task_card

# The end of a monitor's kind; a monitor without a rule of its own answers as ai_ask's does.
MONITOR = "_monitor"


def _text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip() if isinstance(value, str | int | float) else ""


Text = Annotated[str, BeforeValidator(_text)]


class _Card(BaseModel):
    """Base of what a card holds; unknown keys are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Refusal(_Card):
    """Why there is no answer; the server sends it as HTTP 400."""

    code: str
    """Stable, such as `no_task_card`."""
    message: str
    """One sentence for a person."""


class OutputSpec(_Card):
    """One variable the task asks for."""

    name: Text
    type: str = "text"
    """text, number, integer, boolean, choice or date."""
    options: tuple[Text, ...] = ()


class FieldSpec(OutputSpec):
    """One field of a form; its type may also be scale."""

    label: Text = ""
    min: float | None = None
    max: float | None = None
    required: bool = True
    state: str = "open"
    """open, filled, or what is wrong with the last answer."""


class ToldSpec(_Card):
    """What an agent is told of: a decision, a workflow, one of its nodes, a run or a sub-agent."""

    decision_type: Text = ""
    state: Text = ""
    """Of a decision or a run, such as rejected or completed."""
    workflow_id: Text = ""
    node_id: Text = ""
    type: Text = ""
    """Of a node."""
    nodes: tuple[ToldSpec, ...] = ()
    name: Text = ""
    takes: tuple[Text, ...] = ()
    """The names of what the task of a sub-agent may have."""


class PromptTask(_Card):
    """What one prompt asks for; absent fields have their empty value."""

    kind: Text
    stage: Literal["opening", "turn"] = "turn"
    task: Text = ""
    outputs: tuple[OutputSpec, ...] = ()
    user_input: Text = ""
    round: int = 1
    max_rounds: int = 0
    """0 when the card does not say."""
    collects: bool = False
    """Whether each answer is one record of a list."""
    advice: bool = False
    """Whether the prompt carries a monitor's advice."""
    asks: tuple[str, ...] | None = None
    """Optional reply groups; None when the card does not say, which asks for all of them."""
    reply: tuple[str, ...] | None = None
    """Top-level fields asked for; None when the card does not say, which asks for all of them."""
    inputs: dict[str, Text] = Field(default_factory=dict)
    metrics: dict[str, Text] = Field(default_factory=dict)
    fields: tuple[FieldSpec, ...] = Field(default=(), validation_alias=AliasPath("form", "fields"))
    progress_suggestion: Text = ""
    allowed: tuple[Text, ...] = ()
    """The decisions an agent may make; none: any."""
    node_types: tuple[Text, ...] = ()
    """The types of nodes it may draft; none: any."""
    decided: tuple[ToldSpec, ...] = ()
    """What it decided in this turn, in order; its `user_input` stays the turn's."""
    workflows: tuple[ToldSpec, ...] = ()
    """The session's, the newest last."""
    subagents: tuple[ToldSpec, ...] = ()
    system: Text = ""
    """Of a thread's unit: how its prompt begins."""
    runs: tuple[ToldSpec, ...] = ()
    """Those that it is told of, the newest last."""

    @property
    def chinese(self) -> bool:
        """Return whether to answer in Chinese: the task is Chinese, or says nothing at all."""
        sample = self.task or self.user_input or "".join(self.metrics.values())
        return not sample or any("\u3400" <= char <= "\u9fff" for char in sample)

    def in_language(self, pair: str) -> str:
        """Return the Chinese or the English half of `Chinese|English`."""
        return pair.split("|")[0 if self.chinese else 1]

    @property
    def last_round(self) -> bool:
        """Return whether the action ends with the reply to this prompt, whatever it says."""
        last = self.max_rounds - 1 if self.kind == "ai_say" else self.max_rounds
        return self.stage == "turn" and self.max_rounds > 0 and self.round >= last


def read_task(messages: Sequence[ChatMessage], kinds: Collection[str]) -> PromptTask | Refusal:
    """Return the task of the last card of the last message, or why there is none.

    Args:
        messages: The prompt.
        kinds: Kinds of tasks with a rule of their own.
    """
    card = read_task_card(messages[-1].content) if messages else None
    if card is None:
        return Refusal(
            code="no_task_card",
            message="The rehearsal model answers only requests whose last message has a "
            "<heartrule-task> card: set HEARTRULE_PROVIDER_KIND=rehearsal, or `kind: rehearsal` in "
            "the providers file.",
        )
    task = PromptTask.model_validate({"kind": "", **card})
    if task.kind not in kinds and not task.kind.endswith(MONITOR):
        return Refusal(
            code="unknown_task_kind",
            message=f"The task card names the kind {task.kind!r}; known: {', '.join(kinds)}.",
        )
    return task
