"""ai_ask: asks until its outputs are gathered (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.judging import talk_round
from executor_service.actions.prompting import Brief, script_text
from executor_service.exits.policy import criteria_of
from executor_service.scripts.model.actions import AskConfig
from heartrule.model.reply.contract import ASK_METRICS


class AiAsk:
    """Puts a question, judges the answer, and asks on or closes, in one call a round."""

    async def run(self, context: RoundContext) -> RoundOutcome:
        """Put the first question, or judge the answer to question `instance.round`."""
        config = context.action.config
        assert isinstance(config, AskConfig)
        tone = config.tone or context.scene.cast.tone
        texts = (config.content, config.brief, tone, config.exit)
        (question, aim, tone, exit_), missing = script_text(context, *texts)
        brief = Brief(
            task=_task(question, aim),
            own_text=config.content,
            tone=tone,
            exit=exit_,
            required=config.required,
            outputs=config.output,
            criteria=criteria_of(config),
            max_rounds=config.max_rounds,
            metrics=ASK_METRICS,
            missing=missing,
            card={"task": question},
        )
        return await talk_round(context, brief)


def _task(question: str, aim: str) -> str:
    """Return the task of the prompt: what to find out, with the question as a suggestion."""
    if not aim:
        return question
    chinese = any("\u3400" <= char <= "\u9fff" for char in aim)
    return f"{aim}\n{'可以这样问' if chinese else 'You may ask it like this'}：{question}"
