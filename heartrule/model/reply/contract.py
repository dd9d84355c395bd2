"""What a reply may hold; shared by parser and scanner, so that both see the same text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContract:
    """The fields of one kind of reply."""

    fields: tuple[str, ...]
    """Top-level fields the template asks for, in order."""
    required: tuple[str, ...] = ("content",)
    """Fields that must hold text, or the reply counts as unreadable (RESOLUTIONS C2)."""
    required_objects: tuple[str, ...] = ()
    """Fields that must hold an object, or a list with at least one, or the reply is unreadable."""
    metrics: tuple[str, ...] = ()
    """Names inside `metrics`."""
    outputs: tuple[str, ...] = ()
    """The script's output names: the only variables that count (RESOLUTIONS C26)."""
    judges: bool = True
    """False for an opening: there is nothing to judge, so no field but those required is missed."""
    content_hint: str = ""
    """The template's description of `content`; a reply that repeats it has no text."""

    def known_names(self) -> frozenset[str]:
        """Return every name that a reply of this kind may have at its top level."""
        return frozenset((*self.fields, *self.required, *self.required_objects, *self.outputs))


# What ai_ask and ai_say answer at least.
TALK_FIELDS = ("EXIT", "content", "variables", "metrics", "progress_suggestion", "BRIEF")
# What a template may ask for besides.
TALK_OPTIONS = ("assessment", "should_exit", "exit_reason")
# Metrics of ai_ask (document 000, ActionMetrics).
ASK_METRICS = (
    "information_completeness",
    "user_engagement",
    "emotional_intensity",
    "reply_relevance",
)
# Metrics of ai_say (RESOLUTIONS C25).
SAY_METRICS = ("user_engagement", "emotional_intensity", "understanding_level")

# What an ai_agent answers.
AGENT_FIELDS = ("intent", "decisions", "variables", "metrics", "progress_suggestion")

# What ai_think answers; add the outputs with `dataclasses.replace`.
THINK_CONTRACT = ReplyContract(fields=("variables", "BRIEF"), required=())
# What the monitor of ai_ask answers (document 000).
ASK_MONITOR_CONTRACT = ReplyContract(
    fields=(
        "intervention_needed",
        "intervention_reason",
        "intervention_level",
        "strategy_suggestion",
        "feedback_for_action",
        "modified_approach",
        "orchestration_needed",
        "orchestration_reason",
        "suggested_orchestration",
    ),
    required=(),
)
# What the monitor of ai_say answers; it may use ai_ask's keys too (RESOLUTIONS C17).
SAY_MONITOR_CONTRACT = ReplyContract(
    fields=(
        "understanding_issue",
        "issue_type",
        "feedback_for_action",
        "example_suggestion",
        *ASK_MONITOR_CONTRACT.fields,
    ),
    required=(),
)

# What the orchestrator of a topic answers (document 000, OrchestrationPlan).
ORCHESTRATOR_CONTRACT = ReplyContract(
    fields=(
        "action",
        "target_position",
        "new_action",
        "target_instance",
        "modifications",
        "order",
        "reason",
    ),
    required=(),
)


def talk_contract(
    *, metrics: tuple[str, ...], outputs: tuple[str, ...] = (), judges: bool = True
) -> ReplyContract:
    """Return the contract of an action that talks with the client."""
    return ReplyContract(
        fields=TALK_FIELDS + TALK_OPTIONS, metrics=metrics, outputs=outputs, judges=judges
    )


def agent_contract(
    *, metrics: tuple[str, ...], outputs: tuple[str, ...] = (), judges: bool = True
) -> ReplyContract:
    """Return the contract of an agent: it has decisions in the place of a text for the client."""
    return ReplyContract(
        fields=AGENT_FIELDS,
        required=(),
        required_objects=("decisions",),
        metrics=metrics,
        outputs=outputs,
        judges=judges,
    )
