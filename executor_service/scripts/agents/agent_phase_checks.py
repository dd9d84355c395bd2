"""What a phase of an agent in YAML may have, by who speaks in it, and whether it ever ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from executor_service.scripts.loading.section import Section
from executor_service.scripts.model.agent_file import (
    AgentKind,
    AgentPhase,
    FeedbackRule,
    HandlerKind,
    PhaseFeedback,
    UnitKind,
)
from executor_service.scripts.model.wording import hint, quoted
from heartrule.words.words import Fact, Words, say

_SAID = ("text", "prompt", "feedback", "output")
KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        HandlerKind.REPLY: _SAID,
        HandlerKind.PREPARE: ("text",),
        HandlerKind.EXECUTE: ("agent", "input", "failure"),
        UnitKind.STARTER: ("opening", *_SAID),
        UnitKind.RESPONSOR: _SAID,
        UnitKind.REQUESTER: ("opening", "text", "prompt", "output", "agent", "each", "input"),
    }
)
"""Who speaks → the keys that it has besides those of every phase."""
NEEDED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        HandlerKind.PREPARE: ("text",),
        HandlerKind.EXECUTE: ("agent", "failure"),
        UnitKind.STARTER: ("opening",),
        UnitKind.REQUESTER: ("opening",),
    }
)
"""Who speaks → those that it needs besides `next`."""
OPTIONAL = tuple(dict.fromkeys(key for keys in KEYS.values() for key in keys))
"""Keys that some have."""
_RIGHT = MappingProxyType({AgentKind.MAIN: "handler", AgentKind.SUB_THREAD: "unit"})
_HELD = MappingProxyType(
    {AgentKind.MAIN: say("held.handlers"), AgentKind.SUB_THREAD: say("held.units")}
)
OF_RULE: Mapping[str, FeedbackRule] = MappingProxyType(
    {"phrase": FeedbackRule.UNTIL, "question": FeedbackRule.JUDGED}
)
"""A key of `feedback` → the rule that it belongs to, and that needs it."""

Placed = tuple[Section, AgentPhase]
"""A phase, and where its keys stand."""


def check_phase(section: Section, phase: AgentPhase, kind: AgentKind) -> None:
    """Report keys that do not belong to who speaks in a phase, and those that it needs."""
    if phase.terminal:
        _report_misplaced(section, (), say("what.terminal_phase"))
        speaking, terminal = say("what.speaking_phases"), say("what.terminal_one")
        _refuse(section, ("handler", "unit", "next"), speaking, terminal)
        return
    speaker = _speaker(section, phase, kind)
    if speaker is None:
        return
    _report_misplaced(section, KEYS[speaker], say("what.speaker", speaker=speaker))
    for key in (*NEEDED.get(speaker, ()), "next"):
        if not getattr(phase, key) and key not in section.broken:
            section.missing(key)
    _check_said(section, phase)
    if phase.feedback is not None:
        _check_feedback(section.mapping("feedback"), phase.feedback, kind)


def _speaker(section: Section, phase: AgentPhase, kind: AgentKind) -> str | None:
    """Return who speaks in a phase; None, and a finding, where that cannot be said."""
    right, other = _RIGHT[kind], "unit" if kind is AgentKind.MAIN else "handler"
    if section.has("handler") and section.has("unit"):
        section.report_key("two_speakers", "unit")
        return None
    if section.has(other):
        facts = {"kind": kind.value, "held": _HELD[kind], "right": right, "key": other}
        section.report_key("wrong_holding", other, **facts)
        return None
    if not section.has(right):
        section.findings.report("no_speaker", section.spot, key=right)
        return None
    return phase.handler if kind is AgentKind.MAIN else phase.unit


def _report_misplaced(section: Section, keys: Sequence[str], what: Words) -> None:
    for key in OPTIONAL:
        if key not in keys:
            owners = tuple(speaker for speaker, known in KEYS.items() if key in known)
            _refuse(section, (key,), owners, what)


def _refuse(section: Section, keys: Sequence[str], owners: Fact, what: Words) -> None:
    """Report keys of a phase that only others have."""
    for key in filter(section.has, keys):
        section.report_key("phase_key", key, key=key, owners=owners, what=what)


def _check_said(section: Section, phase: AgentPhase) -> None:
    if phase.text and phase.prompt:
        section.report_key("text_and_prompt", "prompt")
    if section.has("agent") and phase.unit is UnitKind.REQUESTER:
        _refuse(section, ("text", "prompt"), say("what.saying_phase"), say("what.one_with_agent"))
    elif phase.unit and not section.has("agent"):
        without = say("what.one_without")
        _refuse(section, ("each", "input"), say("what.phase_with_agent"), without)


def _check_feedback(section: Section | None, feedback: PhaseFeedback, kind: AgentKind) -> None:
    if section is None:
        return
    for key, rule in OF_RULE.items():
        if feedback.rule is rule and not getattr(feedback, key) and key not in section.broken:
            section.missing(key, say("advice.as_its_rule", rule=rule))
        elif feedback.rule is not rule and section.has(key) and "rule" not in section.broken:
            section.report_key("feedback_key", key, key=key, owner=rule, rule=feedback.rule)
    if kind is AgentKind.MAIN:
        for key in filter(section.has, ("text", "then")):
            section.report_key("clients_feedback", key, key=key)
    elif not feedback.text and "text" not in section.broken:
        section.missing("text", say("advice.unit_answers"))


def check_order(phases: Sequence[Placed], root: Section) -> None:
    """Report phases that nothing leads to, and those from which nothing leads to an end."""
    names = [phase.phase_id for _, phase in phases if phase.phase_id]
    known = {placed[1].phase_id: placed for placed in phases if placed[1].phase_id}
    for section, phase in phases:
        if phase.next and phase.next not in known:
            advice = hint(phase.next, names, say("hint.it_has", known=tuple(names)))
            section.report("unknown_phase", "next", name=quoted(phase.next), hint=advice)
    if phases and not any(phase.terminal for _, phase in phases):
        root.report_key("no_terminal", "phases")
        return
    reached, is_whole = _way(phases, known)
    if not is_whole:
        return
    for section, phase in phases:
        if phase.phase_id and phase.phase_id not in reached:
            facts = {"first": names[0], "phase": phase.phase_id}
            section.report("unreached_phase", "phase_id", **facts)


def _way(phases: Sequence[Placed], known: Mapping[str, Placed]) -> tuple[set[str], bool]:
    """Return the phases a thread goes through, and whether each of them says what follows."""
    reached: set[str] = set()
    at = phases[0] if phases else None
    while at is not None:
        section, phase = at
        reached.add(phase.phase_id)
        if phase.terminal:
            return reached, True
        following = known.get(phase.next or "")
        if following is not None and following[1].phase_id in reached:
            section.report("endless_phases", "next", phase=following[1].phase_id)
            return reached, True
        at = following
    return reached, False


def check_beginning(phases: Sequence[Placed]) -> None:
    """Report a sub-thread that begins with an answer, as nobody has asked."""
    for section, phase in phases[:1]:
        if phase.unit is UnitKind.RESPONSOR:
            section.report("responsor_first", "unit")


def check_two_steps(phases: Sequence[Placed]) -> None:
    """Report a prepare phase without its execute phase, and the other way (RESOLUTIONS T16)."""
    known = {phase.phase_id: phase for _, phase in phases}
    for section, phase in phases:
        following = known.get(phase.next or "")
        if following is None or phase.terminal:
            continue
        executes = following.handler is HandlerKind.EXECUTE
        if phase.handler is HandlerKind.PREPARE and not executes:
            section.report("prepare_alone", "next", shown=quoted(following.phase_id))
        elif phase.handler is not HandlerKind.PREPARE and executes:
            shown = say("phase.is_none", phase=quoted(phase.phase_id))
            section.report("execute_alone", "next", shown=shown)
    for section, phase in phases[:1]:
        if phase.handler is HandlerKind.EXECUTE:
            section.report("execute_alone", "handler", shown=say("phase.thread_begins"))
