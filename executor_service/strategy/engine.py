"""The strategy engine: from a context to a recommendation, by one model call."""

from __future__ import annotations

import logging
from dataclasses import replace

from executor_service.strategy.prompt import TEMPLATE, last_words, strategy_request
from executor_service.strategy.recommendation import read_recommendation
from heartrule.domain.errors import ModelUnavailable
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis
from heartrule.domain.strategy import StrategyContext, StrategyRecommendation
from heartrule.model.ports import ChatModel
from heartrule.model.template_store import TemplateStore
from heartrule.model.whole_reply import whole_reply

LOG = logging.getLogger(__name__)


class NoRecommendation(ModelUnavailable):
    """The model answered, and recommended nothing that can be used."""


class StrategyDecisionEngine:
    """Asks a model how best to speak with a client (document 001, section 4.2.3)."""

    def __init__(
        self,
        model: ChatModel,
        templates: TemplateStore,
        *,
        calls: list[LLMDebugInfo],
        scheme: str = "",
    ) -> None:
        """`calls` gets a record of every model call, also of those that fail."""
        self._model = model
        self._templates = templates
        self._calls = calls
        self._scheme = scheme

    async def generate_strategy_prompt(self, context: StrategyContext) -> StrategyRecommendation:
        """Return what the model recommends; it is made from the context alone.

        Raises:
            NoRecommendation: The answer is unreadable, or holds no recommendation.
            ModelUnavailable, ModelRateLimited, ModelStreamCut: No whole answer came.
            NotFound, InvalidTemplate: There is no such template, or it is wrong.
        """
        template = self._templates.get(TEMPLATE, self._scheme)
        request = strategy_request(template, context)
        text = await whole_reply(self._model, request, calls=self._calls)
        recommendation, diagnosis = read_recommendation(
            text, described=template.fields, client_text=last_words(context)
        )
        self._note(diagnosis)
        if recommendation is None:
            raise _nothing(diagnosis)
        return recommendation

    def _note(self, diagnosis: ParseDiagnosis) -> None:
        """Keep with the call how its answer was read."""
        if self._calls:
            self._calls[-1] = replace(self._calls[-1], parse=diagnosis)


def _nothing(diagnosis: ParseDiagnosis) -> NoRecommendation:
    if diagnosis.parse_error is not None:
        LOG.warning("the strategy is unreadable; its text is in the ledger")
        return NoRecommendation("the strategy cannot be read", reason="STRATEGY_UNREADABLE")
    return NoRecommendation("the model recommended nothing", reason="STRATEGY_EMPTY")
