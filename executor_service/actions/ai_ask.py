"""ai_ask: asks until its outputs are gathered (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from dataclasses import replace

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.judging import talk_round
from executor_service.actions.prompting import Brief, script_text
from executor_service.exits.policy import criteria_of
from executor_service.scripts.model.actions import AskConfig
from heartrule.model.reply.contract import ASK_METRICS

_ZH = ("可以这样问：", "对方可以点选的回答：", "、")
_EN = ("You may ask it like this: ", "Answers the client may choose from: ", ", ")


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
            task=_task(question, aim, config.options),
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
        return _with_options(await talk_round(context, brief), config.options)


def _task(question: str, aim: str, options: tuple[str, ...]) -> str:
    """Return the task of the prompt: what to find out, with the question as a suggestion."""
    words = _ZH if any("\u3400" <= char <= "\u9fff" for char in f"{aim}{question}") else _EN
    lines = [f"{aim}\n{words[0]}{question}" if aim else question]
    if options:
        lines.append(f"{words[1]}{words[2].join(options)}")
    return "\n".join(lines)


def _with_options(outcome: RoundOutcome, options: tuple[str, ...]) -> RoundOutcome:
    """Return the outcome with the options at its question; a closing line asks nothing."""
    if not options or outcome.result.completed or not outcome.messages:
        return outcome
    *before, question = outcome.messages
    return replace(outcome, messages=(*before, replace(question, options=options)))
