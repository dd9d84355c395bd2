"""The ways in which one request is made at one provider: as it is, plainer, shorter. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heartrule.domain.errors import HeartRuleError, PromptTooLong
from heartrule.domain.json_value import JsonValue
from heartrule.model.model_failures import CONTENT

# Statuses of a request that a provider does not understand.
_MISUNDERSTOOD = frozenset({"400", "422"})
# A refusal of unknown wording may be due to a prompt's length from this many tokens on.
_LEAST_SUSPECTED = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestVariant:
    """One way to make a request."""

    options: Mapping[str, JsonValue]
    """Optional parameters."""
    plainer: tuple[Mapping[str, JsonValue], ...] = ()
    """Those to try where these are refused, plainest last."""
    refused: bool = False
    """Whether other parameters were refused before these."""
    most_tokens: int = 0
    """Of the prompt, besides what its model takes; 0: no limit but that."""
    suspected: int = 0
    """Tokens of the whole prompt where its length may be why it was refused; 0: it is not."""

    def after(self, error: HeartRuleError, *, tokens: int) -> RequestVariant | None:
        """Return how to make the request that this way failed; None where no way is left.

        The prompt is cut to half once, behind the plainest options. Of a prompt whose content is
        refused the older half may be the reason: its length is not suspected.

        Args:
            error: What the provider said.
            tokens: What the prompt was counted to have.
        """
        whole, half = not self.most_tokens, max(tokens // 2, 1)
        if isinstance(error, PromptTooLong):
            return replace(self, most_tokens=half) if whole else None
        if error.metadata.get("status") not in _MISUNDERSTOOD:
            return None
        if self.plainer:
            return replace(self, options=self.plainer[0], plainer=self.plainer[1:], refused=True)
        if whole and tokens >= _LEAST_SUSPECTED:
            by_content = error.metadata.get("cause") == CONTENT
            return replace(self, most_tokens=half, suspected=0 if by_content else tokens)
        return None
