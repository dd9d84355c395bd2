"""What a session's events leave behind, for a page that is printed at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime

from heartrule.domain.conversation import Message
from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.events import (
    ActionResultRecorded,
    AdviceChanged,
    AnalysisEnded,
    HistoryRewound,
    InputAccepted,
    MessageCommitted,
    PlanEdited,
    SessionEvent,
    StrategyDecided,
    TurnEnded,
)
from heartrule.domain.monitoring import Advice
from heartrule.domain.run_events import NodeExecutionFailed, RunChanged
from heartrule.domain.skipping import StepSkipped
from heartrule.words.language import ReaderLanguage
from heartrule.words.words import say
from heartrule_cli.narration.debug_narration import degradation_text, edit_text
from heartrule_cli.narration.decision_narration import judged_text, made_text, workflow_text
from heartrule_cli.narration.run_narration import node_failed_text, run_text
from heartrule_cli.narration.session_texts import (
    exit_text,
    problem_text,
    skipped_text,
    strategy_text,
)
from heartrule_cli.narration.thread_narration import ToldThreads
from heartrule_cli.text import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionNote:
    """A decision in one line of a section."""

    section: str
    at: datetime | None
    turn_id: str
    text: str


@dataclass(slots=True, kw_only=True)
class Record:
    """What a session's events leave behind."""

    messages: list[Message] = field(default_factory=list)
    """In order; a result stands in its placeholder's place."""
    threads: ToldThreads = field(init=False)
    notes: list[SessionNote] = field(default_factory=list)
    edits: dict[str, SessionNote] = field(default_factory=dict)
    """Each edit of the plan in its last state."""
    decisions: dict[str, SessionNote] = field(default_factory=dict)
    """Each decision with its verdicts."""
    runs: dict[str, SessionNote] = field(default_factory=dict)
    """Each run in its last state, with the time of its first."""
    advice: dict[str, Advice] = field(default_factory=dict)
    """Each advice in its last state."""
    analyses: Counter[str] = field(default_factory=Counter)
    """How many analyses ended in which way."""
    language: ReaderLanguage = ReaderLanguage.ENGLISH
    """In which its notes are told."""

    def __post_init__(self) -> None:
        """Tell of no thread yet."""
        self.threads = ToldThreads(self.language)

    def add(self, event: SessionEvent) -> None:
        """Apply the next event; kinds that the page does not show are ignored."""
        match event.body:
            case InputAccepted(messages=messages):
                self.messages += messages
            case MessageCommitted(message=message):
                self._commit(message)
            case HistoryRewound(removed_message_ids=removed, turn_ids=turns):
                self.messages = [each for each in self.messages if each.message_id not in removed]
                self.notes = [each for each in self.notes if each.turn_id not in turns]
                kept = self.decisions.items()
                self.decisions = {name: it for name, it in kept if it.turn_id not in turns}
                begun = self.runs.items()
                self.runs = {name: it for name, it in begun if it.turn_id not in turns}
            case PlanEdited(edit=edit):
                self.edits[edit.edit_id] = _note(event, "Plan", edit_text(edit, self.language))
            case DecisionMade(decision_id=name):
                self.decisions[name] = _note(
                    event, "Decisions", made_text(event.body, self.language)
                )
            case (DecisionValidated() | DecisionRejected()) as judged:
                self._judge(judged)
            case RunChanged(run_id=run_id):
                told = _note(event, "Runs", run_text(event.body, self.language))
                self.runs[run_id] = replace(self.runs.get(run_id, told), text=told.text)
            case AdviceChanged(advice=advice):
                self.advice[advice.advice_id] = advice
            case AnalysisEnded(result=result):
                self.analyses[result] += 1
            case _:
                self.threads.add(event.body)
                self.notes += _notes_of(event, self.language)

    def notes_of(self, section: str) -> list[SessionNote]:
        """Return the notes of a section, in order."""
        each_last = (*self.edits.values(), *self.decisions.values(), *self.runs.values())
        notes = (*self.notes, *each_last)
        return [each for each in notes if each.section == section]

    def _commit(self, message: Message) -> None:
        for index, each in enumerate(self.messages):
            if each.message_id == message.replaces_message_id:
                self.messages[index] = message
                return
        self.messages.append(message)

    def _judge(self, judged: DecisionValidated | DecisionRejected) -> None:
        made = self.decisions.get(judged.decision_id)
        if made is not None:
            sign = say("cli.semicolon").told(self.language)
            text = f"{made.text}{sign}{judged_text(judged, self.language)}"
            self.decisions[judged.decision_id] = replace(made, text=text)


def _notes_of(event: SessionEvent, language: ReaderLanguage) -> list[SessionNote]:
    match event.body:
        case StepSkipped() as skipped:
            return [_note(event, "Skipped", skipped_text(skipped, language))]
        case WorkflowChanged():
            return [_note(event, "Workflows", workflow_text(event.body, language))]
        case NodeExecutionFailed():
            return [_note(event, "Troubles", node_failed_text(event.body, language))]
        case StrategyDecided(strategy_decision=decision):
            return [_note(event, "Strategy", strategy_text(decision, language))]
        case ActionResultRecorded(action_result=result) if result.exit_decision is not None:
            verdict = exit_text(result.exit_decision, result.exit_reason, language)
            about = say("cli.show.about", action=one_line(result.action_id), round=result.round)
            return [_note(event, "Exits", f"{about.told(language)} {verdict}")]
        case TurnEnded(problem=None, degradations=degradations):
            return [
                _note(event, "Troubles", degradation_text(each, language)) for each in degradations
            ]
        case TurnEnded(problem=problem):
            # The degradations of a failed attempt are reported again when its turn ends.
            failed = say("cli.show.failed", why=problem_text(problem, language))
            return [_note(event, "Troubles", failed.told(language))]
        case _:
            return []


def _note(event: SessionEvent, section: str, text: str) -> SessionNote:
    return SessionNote(section=section, at=event.create_time, turn_id=event.turn_id, text=text)
