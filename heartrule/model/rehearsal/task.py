"""The task a prompt carries, as typed values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage
from heartrule.model.task_card import read_task_card

KINDS = (
    *("ai_ask", "ai_say", "ai_think", "fill_form", "strategy_generation"),
    *("ai_ask_monitor", "ai_say_monitor", "fill_form_monitor", "generic_monitor"),
    "topic_orchestrator",
)
"""The tasks this model has a rule for."""
MONITOR = "_monitor"
"""How the kind of a monitor's task ends; one without a rule is watched as ai_ask's is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why there is no answer; the server sends it as HTTP 400."""

    code: str
    """Stable, such as `no_task_card`."""
    message: str
    """One sentence for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSpec:
    """One variable the task asks for."""

    name: str
    type: str = "text"
    """text, number, integer, boolean, choice or date."""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpec:
    """One field of a form."""

    name: str
    label: str
    type: str = "text"
    """text, number, integer, boolean, choice, scale or date."""
    options: tuple[str, ...] = ()
    min: float | None = None
    max: float | None = None
    required: bool = True
    state: str = "open"
    """open, filled, or what is wrong with the last answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What one prompt asks for; absent fields have their empty value."""

    kind: str
    stage: str = "turn"
    task: str = ""
    outputs: tuple[OutputSpec, ...] = ()
    user_input: str = ""
    round: int = 1
    max_rounds: int = 0
    """0 when the card does not say."""
    advice: bool = False
    """Whether the prompt carries a monitor's advice."""
    asks: tuple[str, ...] | None = None
    """Optional reply groups; None when the card does not say."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    metrics: Mapping[str, str] = field(default_factory=dict)
    fields: tuple[FieldSpec, ...] = ()
    """Those of the form, in order."""
    progress_suggestion: str = ""

    @property
    def chinese(self) -> bool:
        """Whether to answer in Chinese: the task is Chinese, or says nothing at all."""
        sample = self.task or self.user_input or "".join(self.metrics.values())
        return not sample or any("\u3400" <= char <= "\u9fff" for char in sample)

    @property
    def last_round(self) -> bool:
        """Whether the action ends with the reply to this prompt, whatever it says."""
        last = self.max_rounds - 1 if self.kind == "ai_say" else self.max_rounds
        return self.stage == "turn" and self.max_rounds > 0 and self.round >= last

    def wants(self, group: str) -> bool:
        """Say whether the reply should hold an optional group such as `assessment`.

        Where the card does not say, it holds every group: one too many is ignored.
        """
        return self.asks is None or group in self.asks


def read_task(messages: Sequence[ChatMessage]) -> Task | Refusal:
    """Return the task of the last card of the last message, or why there is none."""
    card = read_task_card(messages[-1].content) if messages else None
    if card is None:
        return Refusal(
            code="no_task_card",
            message="The rehearsal model answers only prompts made from HeartRule's templates: "
            "the last message must hold a <heartrule-task> card.",
        )
    kind = _text(card.get("kind"))
    if kind not in KINDS and not kind.endswith(MONITOR):
        return Refusal(
            code="unknown_task_kind",
            message=f"The task card names the kind {kind!r}; known: {', '.join(KINDS)}.",
        )
    return Task(
        kind=kind,
        stage=_text(card.get("stage")) or "turn",
        task=_text(card.get("task")).strip(),
        outputs=_outputs(card.get("outputs")),
        user_input=_text(card.get("user_input")).strip(),
        round=_number(card.get("round"), default=1),
        max_rounds=_number(card.get("max_rounds"), default=0),
        advice=card.get("advice") is True,
        asks=_names(card["asks"]) if "asks" in card else None,
        inputs=_texts(card.get("inputs")),
        metrics=_texts(card.get("metrics")),
        fields=_fields(card.get("form")),
        progress_suggestion=_text(card.get("progress_suggestion")),
    )


def _text(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, str | int | float) else ""


def _number(value: JsonValue, *, default: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def _names(value: JsonValue) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(_text(item) for item in value)


def _texts(value: JsonValue) -> dict[str, str]:
    if not isinstance(value, Mapping):
        return {}
    return {name: _text(item) for name, item in value.items()}


def _outputs(value: JsonValue) -> tuple[OutputSpec, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(
        OutputSpec(
            name=_text(item.get("name")),
            type=_text(item.get("type")) or "text",
            options=_names(item.get("options") or ()),
        )
        for item in value
        if isinstance(item, Mapping)
    )


def _fields(form: JsonValue) -> tuple[FieldSpec, ...]:
    listed = form.get("fields") if isinstance(form, Mapping) else ()
    if isinstance(listed, str) or not isinstance(listed, Sequence):
        return ()
    return tuple(
        FieldSpec(
            name=_text(item.get("name")),
            label=_text(item.get("label")) or _text(item.get("name")),
            type=_text(item.get("type")) or "text",
            options=_names(item.get("options") or ()),
            min=_bound(item.get("min")),
            max=_bound(item.get("max")),
            required=item.get("required") is not False,
            state=_text(item.get("state")) or "open",
        )
        for item in listed
        if isinstance(item, Mapping)
    )


def _bound(value: JsonValue) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None
