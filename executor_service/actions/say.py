"""say: the script's own words; it completes at once (SCRIPT-LANGUAGE, What a round is)."""

from __future__ import annotations

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.engine_lines import confirming
from executor_service.actions.prompting import missing_degradations, script_text
from executor_service.scripts.model.actions import LiteralConfig
from heartrule.domain.action_result import ActionResult


async def run_say(context: RoundContext) -> RoundOutcome:
    """Send the message and complete; words that are all empty variables are not sent."""
    config = context.action.config
    assert isinstance(config, LiteralConfig)
    (filled,), missing = script_text(context, config.content, for_client=True)
    text = filled.strip()
    message = OutgoingMessage(message_id=context.make_id("msg"), text=text)
    return RoundOutcome(
        result=ActionResult(success=True, completed=True, ai_message=text, round=1),
        messages=(*confirming(context), message) if text else (),
        next_round=1,
        degradations=missing_degradations(missing),
    )
