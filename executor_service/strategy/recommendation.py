"""A model's answer read into a recommendation; whatever is amiss is warned of, never guessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import ParseDiagnosis
from heartrule.domain.strategy import StrategyReasoning, StrategyRecommendation
from heartrule.model.reply.contract import ReplyContract
from heartrule.model.reply.parser import parse_object
from heartrule.model.reply.skeleton import Skeleton
from heartrule.model.template_filling import render_value

CONTRACT = ReplyContract(fields=("reasoning", "strategyPrompt"), required=())
"""What the strategy engine's model answers, spelled as document 001 prints it."""
HEADING = "【沟通策略建议】"
LONGEST_PROMPT = 1_500
"""Characters of a recommendation: it enters a prompt, and must not crowd it out."""
LONGEST_REASON = 600
"""Characters of each part of the reasoning."""
MOST_CONSIDERATIONS = 8


def read_recommendation(
    text: str, *, described: Mapping[str, str], client_text: str
) -> tuple[StrategyRecommendation | None, ParseDiagnosis]:
    """Read one answer with the three strategies of the shared parser.

    Args:
        text: The model's whole answer.
        described: The template's description of each field; a text that copies its own
            description is absent (RESOLUTIONS C36).
        client_text: The client's last message; an object quoted from it is no answer.

    Returns:
        None for the recommendation where the answer cannot be read or recommends nothing.
    """
    parsed = parse_object(text, contract=CONTRACT, client_text=client_text)
    if parsed.value is None:
        return None, parsed.diagnosis
    fields = _Fields(parsed.value, described)
    prompt = fields.text("strategyPrompt", LONGEST_PROMPT)
    reasoning = StrategyReasoning(
        user_state_analysis=fields.text("reasoning.userStateAnalysis", LONGEST_REASON),
        key_considerations=fields.texts("reasoning.keyConsiderations"),
        strategy_rationale=fields.text("reasoning.strategyRationale", LONGEST_REASON),
    )
    warnings = (*parsed.diagnosis.warnings, *fields.warnings)
    diagnosis = replace(parsed.diagnosis, warnings=warnings)
    if not prompt:
        return None, diagnosis
    return StrategyRecommendation(strategy_prompt=_headed(prompt), reasoning=reasoning), diagnosis


def _headed(prompt: str) -> str:
    return prompt if prompt.startswith("【") else f"{HEADING}\n{prompt}"


class _Fields:
    """Typed access to a reply's object that notes what it could not take."""

    def __init__(self, value: Mapping[str, JsonValue], described: Mapping[str, str]) -> None:
        self.warnings: list[str] = []
        self._value = value
        self._skeleton = Skeleton(described)

    def text(self, name: str, longest: int) -> str:
        """Return a text without white space around it; empty where there is none."""
        value = self._find(name)
        if isinstance(value, Mapping):  # four parts instead of one text: each on a line
            value = "\n".join(f"{part}：{render_value(each)}" for part, each in value.items())
        elif isinstance(value, Sequence) and not isinstance(value, str):
            value = "\n".join(render_value(each) for each in value)
        return self._plain(name, value, longest)

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a list; one text alone is a list of one."""
        value = self._find(name)
        if value is None:
            return ()
        several = value if isinstance(value, Sequence) and not isinstance(value, str) else [value]
        if len(several) > MOST_CONSIDERATIONS:
            self._warn(name, f"was cut after {MOST_CONSIDERATIONS} items")
        found = [self._plain(name, one, LONGEST_REASON) for one in several[:MOST_CONSIDERATIONS]]
        return tuple(text for text in found if text)

    def _find(self, name: str) -> JsonValue:
        found: JsonValue = self._value
        for part in name.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        if found is None:
            self._warn(name, "is absent")
        return found

    def _plain(self, name: str, value: JsonValue, longest: int) -> str:
        text = render_value(value).strip()
        if self._skeleton.copied(name, text):
            self._warn(name, "copies the template")
            return ""
        if len(text) > longest:
            self._warn(name, f"was cut after {longest} characters")
        return text[:longest]

    def _warn(self, name: str, what: str) -> None:
        self.warnings.append(f"{name} {what}")
