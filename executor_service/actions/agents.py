"""ai_agent: one that decides, or one whose phases are followed (R27)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.agent_call import agent_brief
from executor_service.actions.agent_phases import PhasesStep
from executor_service.actions.ai_agent import decided
from executor_service.actions.language_check import language_faults
from executor_service.scripts.model.agent_config import AgentConfig


async def run_ai_agent(context: RoundContext) -> RoundOutcome:
    """Follow the phases of the agent that the script names; else let a model decide.

    Raises:
        ModelUnavailable, ModelRateLimited, ModelStreamCut: The turn fails, retryable.
        QuotaSpent: Too much is being judged: so does the turn.
    """
    config = context.action.config
    assert isinstance(config, AgentConfig)
    if config.agent:
        outcome = await PhasesStep(context, agent_brief(context, config)).taken()
    else:
        outcome = await decided(context, config)
    said = "\n".join(each.text for each in outcome.messages)
    faults = await language_faults(context, said, scripted=config.goal)
    return replace(outcome, degradations=(*outcome.degradations, *faults))
