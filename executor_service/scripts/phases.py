"""Session and phases: declarations everywhere first, then actions, then conditions."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.scripts.context import ReadContext
from executor_service.scripts.declarations import Owner
from executor_service.scripts.keys import INPUT, PHASE, SESSION, TOPIC
from executor_service.scripts.model import Condition, InputSettings, Phase, Script
from executor_service.scripts.monitor import read_monitor
from executor_service.scripts.roles import read_roles
from executor_service.scripts.rules import Rule
from executor_service.scripts.section import Section
from executor_service.scripts.topics import (
    Draft,
    TooManyActions,
    declare,
    drafts,
    read_actions,
    read_topic,
)
from executor_service.scripts.tree import MapNode
from executor_service.scripts.wording import nearest, quoted
from executor_service.scripts.written_conditions import compile_written, read_condition
from heartrule.domain.conversation import IfBusy
from heartrule.domain.json_value import JsonValue

MAX_MERGE_WINDOW_MS = 60_000
"""Longest wait for fragments; a person would think nobody is there."""


def read_session(node: MapNode, metadata: dict[str, JsonValue], context: ReadContext) -> Script:
    """Return the script under `session:`; what does not fit is reported and left out."""
    section = Section(node, SESSION, context.findings)
    session_id = section.identifier("session_id")
    context.scheme = _scheme(section, context)
    context.scheme_spot = section.spot_of("template_scheme")
    declare(section, Owner(), context)
    found = drafts(section.full_list("phases"), PHASE, Owner(), context)
    for each in found:
        each.inner = drafts(each.section.full_list("topics"), TOPIC, each.owner, context)
    return Script(
        session_id=session_id,
        session_name=section.text("session_name"),
        description=section.text("description"),
        template_scheme=context.scheme,
        input=_input(section),
        roles=read_roles(section),
        strategy_engine=section.switch("strategy_engine") or False,
        monitor=read_monitor(section),
        phases=_phases(found, context),
        declarations=context.board.of(Owner()),
        metadata=metadata,
    )


def _phases(found: Sequence[Draft], context: ReadContext) -> tuple[Phase, ...]:
    try:
        for phase in found:
            for topic in phase.inner:
                read_actions(topic, context)
    except TooManyActions:
        return ()  # reported where it was met; the script is refused
    return tuple(_phase(phase, context) for phase in found)


def _phase(phase: Draft, context: ReadContext) -> Phase:
    section = phase.section
    return Phase(
        phase_id=section.identifier("phase_id"),
        phase_name=section.text("phase_name"),
        phase_goal=section.text("phase_goal"),
        description=section.text("description"),
        entry_condition=_entry_condition(phase, context),
        declarations=context.board.of(phase.owner),
        topics=tuple(read_topic(topic, context) for topic in phase.inner),
    )


def _entry_condition(phase: Draft, context: ReadContext) -> Condition | None:
    written = read_condition(phase.section, "entry_condition", phase.owner)
    return None if written is None else compile_written(written, context)


def _scheme(section: Section, context: ReadContext) -> str:
    scheme = section.identifier("template_scheme", required=False)
    known = context.environment.schemes
    if not scheme or known is None or scheme in known:
        return scheme
    meant = nearest(scheme, known)
    hint = f"did you mean `{meant}`?" if meant else f"known: {', '.join(sorted(known)) or 'none'}"
    section.findings.error(
        section.spot_of("template_scheme"),
        f"no templates for the scheme {quoted(scheme)}; {hint}",
        Rule.UNKNOWN_SCHEME,
    )
    return ""


def _input(section: Section) -> InputSettings:
    inner = section.section("input", INPUT)
    if inner is None:
        return InputSettings()
    window = inner.integer("merge_window_ms", default=0, least=0, most=MAX_MERGE_WINDOW_MS)
    return InputSettings(
        if_busy=inner.word("if_busy", IfBusy) or IfBusy.MERGE, merge_window_ms=window
    )
