"""ai_ask: asks until its outputs are gathered (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial

from executor_service.actions.action_context import RoundContext, RoundOutcome
from executor_service.actions.extracting import Extracted, extract_record
from executor_service.actions.judging import talk_round
from executor_service.actions.outgoing.known_question import AskedOutput, AskedOutputs
from executor_service.actions.prompting import Brief, script_text
from executor_service.exits.policy import criteria_of
from executor_service.scripts.model.actions import AskConfig
from executor_service.scripts.model.fields import Collect
from heartrule.model.prompt_words import PromptWords
from heartrule.model.reply.contract import ASK_METRICS
from heartrule.model.reply.typed_replies import TalkReply

_CHINESE = re.compile("[\u3400-\u9fff]")


async def run_ai_ask(context: RoundContext) -> RoundOutcome:
    """Put the first question, or judge the answer to question `instance.round`."""
    config = context.action.config
    assert isinstance(config, AskConfig)
    extract = partial(_collected, config.collect) if config.collect else None
    outcome = await talk_round(context, _brief(context, config), extract=extract)
    return _with_options(outcome, config.options, context.scene.words)


def _brief(context: RoundContext, config: AskConfig) -> Brief:
    collect, words = config.collect, context.scene.words
    tone = config.tone or context.scene.cast.tone
    texts = (config.content, config.brief, tone, config.exit, collect.until if collect else "")
    (question, aim, tone, exit_, until), missing = script_text(context, *texts)
    if collect and collect.enough:  # else a model takes the first record for all there is
        until = words.no_more
    return Brief(
        task=_task(question, aim, config, words),
        own_text=config.content,
        tone=tone,
        exit=words.semicolon.join(filter(None, (exit_, until))),
        required=config.required,
        outputs=collect.outputs if collect else config.output,
        asked=_asked(context, config),
        criteria=criteria_of(config),
        max_rounds=config.max_rounds,
        metrics=ASK_METRICS,
        missing=missing,
        card={"task": question or aim, **({"collects": True} if collect else {})},
    )


def _asked(context: RoundContext, config: AskConfig) -> AskedOutputs:
    """Return the outputs; one is asked for by its name where a client can read that."""
    chinese = context.scene.language.partition("-")[0] == "zh"
    outputs = tuple(
        AskedOutput(
            name=(name := output.get),
            label=name,
            question=name.replace("_", " ") if bool(_CHINESE.search(name)) is chinese else "",
            required=not config.required or name in config.required,
        )
        for output in config.output
    )
    held = {
        each.name: context.variables.get(each.name) for each in outputs if context.known(each.name)
    }
    return AskedOutputs(outputs=outputs, held=held)


def _task(question: str, aim: str, config: AskConfig, words: PromptWords) -> str:
    """Return the task of the prompt: what to find out, with the question as a suggestion."""
    lines = [aim, f"{words.ask_it_so if aim else ''}{question}" if question else ""]
    if config.options:
        lines.append(f"{words.to_choose_from}{words.comma.join(config.options)}")
    if config.collect:
        lines.append(words.one_record)
    return "\n".join(filter(None, lines))


def _collected(collect: Collect, context: RoundContext, reply: TalkReply) -> Extracted:
    """Add the reply's record to the list; where `until` holds then, there is enough."""
    found = extract_record(context, collect, reply)
    enough, values = collect.enough, {**context.variables.visible(), **found.values}
    met = enough is not None and enough.evaluate({n: values.get(n) for n in enough.names}).value
    reason = f"until: {enough.source.strip()}" if enough is not None and met else ""
    return replace(found, complete=reason)


def _with_options(
    outcome: RoundOutcome, options: tuple[str, ...], words: PromptWords
) -> RoundOutcome:
    """Return the outcome with the options at its question; a closing line asks nothing."""
    if not options or outcome.result.completed or not outcome.messages:
        return outcome
    *before, question = outcome.messages
    in_words = words.may_answer.format(options=words.comma.join(options))
    question = replace(question, options=options, options_in_words=in_words)
    return replace(outcome, messages=(*before, question))
