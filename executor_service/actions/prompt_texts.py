"""What a round holds, as text of its prompt, in the session's language."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from executor_service.actions.giving_way import variable_line
from executor_service.actions.scene import Cast
from executor_service.decisions.run_results import RunResult
from executor_service.scripts.model.exits import ExitCriteria
from executor_service.scripts.model.fields import Output
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.output_type import OutputType
from heartrule.domain.runs import RunState
from heartrule.domain.skipping import KnownAnswer
from heartrule.domain.summary import Summary
from heartrule.model.ports import ChatMessage
from heartrule.model.prompt_words import PromptWords, base_words
from heartrule.model.quoting import continued, quoted
from heartrule.model.template_filling import render_value


def summary_messages(summary: Summary, words: PromptWords) -> tuple[ChatMessage, ...]:
    """Return the summary as data, and an answer to it: the client's next message follows."""
    if not summary.text:
        return ()
    text = f"{words.summary_heading}\n{quoted(summary.text)}\n{words.summary_end}"
    return (
        ChatMessage(role="user", content=text, pinned=True),
        ChatMessage(role="assistant", content=words.summary_read, pinned=True),
    )


def variable_lines(visible: Mapping[str, JsonValue], words: PromptWords) -> str:
    """Return variables, one line each; the further lines of a value are quoted."""
    return "\n".join(variable_line(name, value, words.colon) for name, value in visible.items())


def criteria_text(criteria: ExitCriteria | None, words: PromptWords) -> str:
    """Return the author's exit criteria in words, for the prompt.

    That all is known ends an action is no criterion to be told: the templates say it of EXIT.
    """
    if criteria is None:
        return ""
    lines = []
    if criteria.understanding_threshold is not None:
        level = f"{criteria.understanding_threshold:g}"
        lines.append(words.understanding_at_least.format(level=level))
    if criteria.has_questions is False:
        lines.append(words.no_questions)
    if criteria.min_rounds is not None:
        lines.append(words.rounds_at_least.format(rounds=criteria.min_rounds))
    lines.extend(f"{c.variable} {c.operator} {c.value}" for c in criteria.custom_conditions)
    return words.semicolon.join(lines)


def run_lines(runs: Iterable[RunResult], words: PromptWords) -> list[str]:
    """Return a line for each run whose end the client is to hear of; a name in it is data."""
    return [
        (words.run_completed if each.state is RunState.COMPLETED else words.run_failed).format(
            name=continued(json.dumps(each.name, ensure_ascii=False))
        )
        for each in runs
        if each.is_announced
    ]


def system_values(now: datetime, cast: Cast, words: PromptWords) -> dict[str, str]:
    """Return the system variables that a script's own texts may name; `now` is local."""
    time = f"{now:%Y-%m-%d %H:%M} {words.weekdays[now.weekday()]}"
    return {"time": time, "who": cast.who, "user": cast.user}


def client_name(cast: Cast, words: PromptWords) -> str:
    """Return the name that the script's roles give the client; empty where they give none."""
    return "" if cast.user in {words.user, Cast().user} else cast.user


def script_values(now: datetime, cast: Cast) -> dict[str, str]:
    """Return the same for the conditions of a script, in the base language."""
    return system_values(now, cast, base_words())


def strategy_text(strategy: str | TopicStrategy | None, words: PromptWords, *, asked: bool) -> str:
    """Return a topic's strategy in words; before anything was `asked`, nothing is asked again."""
    if not isinstance(strategy, TopicStrategy):
        return strategy or ""
    parts = {
        words.least_completeness: strategy.min_completeness_requirement,
        words.retry_strategy: strategy.retry_strategy if asked else "",
        words.most_retries: strategy.max_retry_count if asked else "",
    }
    lines = (f"{name}{words.colon}{text}" for name, text in parts.items() if text)
    return words.semicolon.join(lines) or strategy.text


def output_list(outputs: Sequence[Output], words: PromptWords) -> str:
    """Return the outputs, one line each: type and options, but of a text, and the definition."""
    lines = []
    for output in outputs:
        listed = words.comma.join(output.options)
        options = words.options.format(options=listed) if listed else ""
        define = f"{words.colon}{output.define}" if output.define else ""
        is_text = output.type is OutputType.TEXT
        kind = "" if is_text else words.brackets.format(text=f"{output.type.value}{options}")
        lines.append(f"- {output.get}{kind}{define}")
    return "\n".join(lines)


def required_some(required: Sequence[str], listed: Sequence[Output], words: PromptWords) -> str:
    """Return the outputs that have to be known; empty where these are all that are listed."""
    return words.comma.join(required) if len(required) < len(listed) else ""


def confirmation_line(answers: Sequence[KnownAnswer], words: PromptWords) -> str:
    """Return what an opening says about questions that were not put; empty for none."""
    if not answers:
        return ""
    said = (f"{each.variable}{words.colon}{render_value(each.value)}" for each in answers)
    return words.confirm.format(known=continued(words.semicolon.join(said)))
