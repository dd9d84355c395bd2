"""The report of a round for the monitor: the rows of its step and its place in the script."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from executor_service.exits.decision import kept_reason
from executor_service.monitoring.advice_rules import asking_part
from executor_service.monitoring.pacing import SIGNALS
from executor_service.monitoring.signal_words import NO_SIGNAL_WORDS, SignalWords
from executor_service.orchestration.edited_definitions import load_definition
from executor_service.orchestration.topics import topic_named
from executor_service.scripts.model.actions import AskConfig, FormConfig, SayConfig
from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.script import Action, Script, Topic
from executor_service.sensitive_lookup import sensitive_in
from executor_service.variables.known import KnownValues
from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.monitoring import AnalysisReport, TopicStrategy
from heartrule.domain.sensitive import all_values
from heartrule.domain.variables import VariableValue
from session_store.records import MonitorWork

# Characters of a line that are sent; the monitor itself chooses which of them it reads.
MAX_LINE = 16_000
# Characters of an earlier reply that are sent: twelve of them go with one round.
MAX_REPLY = 1_000


def build_report(
    script: Script, work: MonitorWork, words: SignalWords = NO_SIGNAL_WORDS, *, language: str = ""
) -> AnalysisReport:
    """Return the request of AnalyzeAction; an action edited out of the script has no targets.

    Args:
        script: The session's.
        work: The judged round and the rows it is made of.
        words: What signals are told in.
        language: The session's.
    """
    topic = _topic(script, work)
    action = _action(topic, work) if topic else None
    result = work.result
    hidden = sensitive_in(script)
    task, exit_condition = _texts(action)
    known = [hidden.in_variable(each) for each in known_outputs(script, work, _outputs(action))]
    gathered = all_values(work.gathered)

    def shown(text: str, longest: int) -> str:
        text = hidden.in_text(text, gathered)
        return _cut(hidden.in_text(text, result.extracted_variables), longest)

    return AnalysisReport(
        session_id=work.ticket.key.session_id,
        tenant=work.ticket.key.tenant,
        action_id=result.action_id,
        action_instance_id=work.ticket.action_instance_id,
        action_type=result.action_type,
        turn_id=work.turn_id,
        round=work.ticket.round,
        max_rounds=work.max_rounds,
        metrics=result.metrics or ActionMetrics(),
        progress_suggestion=result.progress_suggestion or ProgressSuggestion.CONTINUE_NEEDED,
        completed=result.completed,
        exit_reason=kept_reason(result),
        exit_decision=result.exit_decision,
        target_variables=_outputs(action),
        known_outputs={each.name: each.value for each in known},
        known_quotes={each.name: each.quote for each in known if each.quote},
        signals=_signals(work, words, language),
        language=language,
        task=_cut(task, MAX_REPLY),
        exit_condition=_cut(exit_condition, MAX_REPLY),
        topic_goal=topic.topic_goal if topic else "",
        template_scheme=script.template_scheme,
        topic_strategy=_strategy(topic),
        trend=work.trend,
        dialogue=tuple(replace(e, text=shown(e.text, MAX_LINE)) for e in work.dialogue),
        dialogue_before=tuple(
            replace(e, text=shown(e.text, MAX_REPLY)) for e in work.dialogue_before
        ),
        earlier_replies=tuple(
            replace(e, text=shown(e.text, MAX_REPLY)) for e in work.earlier_replies
        ),
    )


def known_outputs(
    script: Script, work: MonitorWork, outputs: Sequence[str]
) -> tuple[VariableValue, ...]:
    """Return the outputs that the action's rounds gathered, or the client gave ahead of it.

    Inside a technique only its own variables count. A scope that was left keeps what an action that
    ended with this round had gathered.
    """
    asking, answers = work.result.action_id, KnownValues(script)
    found = {
        each.name: each
        for each in work.gathered
        if each.name in outputs
        and ("/" in each.scope_id) == bool(work.technique_id)
        and (work.result.completed or not each.archived)
        and each.value not in (None, "")
        and (each.source == asking or answers.answers(each, asking))
    }
    return tuple(found[name] for name in outputs if name in found)


def known_as(script: Script, work: MonitorWork, known: Collection[str]) -> tuple[str, ...]:
    """Return how known outputs are called: by name, and by what their question asks.

    That is a form's label, or the text of an ai_ask of which all is known. What the label of an
    open field says too is left out.
    """
    topic = _topic(script, work)
    config = action.config if topic and (action := _action(topic, work)) else None
    asked: list[str] = []
    if isinstance(config, FormConfig):
        still = [each.define for each in config.output if each.get not in known]
        parts = (asking_part(each.define) for each in config.output if each.get in known)
        asked = [part for part in parts if part and not any(part in label for label in still)]
    elif (
        isinstance(config, AskConfig) and known and {each.get for each in config.output} <= {*known}
    ):
        asked = [asking_part(config.content)]
    return (*known, *asked)


def _outputs(action: Action | None) -> tuple[str, ...]:
    return tuple(output.get for output in action.config.output) if action else ()


def _signals(work: MonitorWork, words: SignalWords, language: str) -> tuple[str, ...]:
    found = work.result.metadata.get(SIGNALS)
    return words.described(found, language) if isinstance(found, Mapping) else ()


def _texts(action: Action | None) -> tuple[str, str]:
    """Return what the action is to ask or say, and when it is to end, as the script writes it."""
    config = action.config if action else None
    if isinstance(config, AskConfig):
        return config.brief or config.content, config.exit
    if isinstance(config, SayConfig):
        return config.content or config.goal, config.exit
    if isinstance(config, AgentConfig):
        return config.goal, ""
    return config.content if isinstance(config, FormConfig) else "", ""


def _cut(text: str, longest: int) -> str:
    """Keep a text within what a judgement needs; a whole input may be 1 MiB."""
    return text if len(text) <= longest else text[:longest] + "…"


def _topic(script: Script, work: MonitorWork) -> Topic | None:
    """Return the topic that defines the judged action, in a technique or in the script."""
    if work.technique_id:
        technique = script.techniques.get(work.technique_id)
        return technique.topic if technique else None
    return topic_named(script, work.phase_id, work.topic_id)


def _action(topic: Topic, work: MonitorWork) -> Action | None:
    """Return what was judged; an edit counts where it put the action in or changed it."""
    result = work.result
    known = next((a for a in topic.actions if a.action_id == result.action_id), None)
    config = work.definition.get("config")
    if not isinstance(config, Mapping):
        return known
    return load_definition(result.action_type, result.action_id, config).action or known


def _strategy(topic: Topic | None) -> TopicStrategy:
    """Return the topic's strategy; a text reaches the monitor as text (RESOLUTIONS C15)."""
    strategy = topic.strategy if topic else None
    if isinstance(strategy, TopicStrategy):
        return strategy
    return TopicStrategy(text=strategy or "")
