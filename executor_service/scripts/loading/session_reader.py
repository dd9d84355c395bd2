"""Session and phases: declarations everywhere first, then actions, then conditions."""

from __future__ import annotations

from collections.abc import Sequence

from executor_service.scripts.checking.board import Owner
from executor_service.scripts.checking.checks import CHECKS
from executor_service.scripts.checking.context import ReadContext, Spotter
from executor_service.scripts.checking.written_conditions import compile_written, read_condition
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.topic_reader import (
    Draft,
    TooManyActions,
    declare,
    drafts,
    read_actions,
    read_topic,
)
from executor_service.scripts.loading.tree import MapNode
from executor_service.scripts.model.mapping import shape_of
from executor_service.scripts.model.rules import Rule
from executor_service.scripts.model.script import Phase, Script, Topic
from executor_service.scripts.model.wording import nearest, quoted
from heartrule.domain.json_value import JsonValue


def read_session(node: MapNode, metadata: dict[str, JsonValue], context: ReadContext) -> Script:
    """Return the script under `session:`; what does not fit is reported and left out."""
    section = Section(node, shape_of(Script), context.findings)
    scheme = _scheme(section, context)
    context.scheme = scheme
    context.scheme_spot = section.spot_of("template_scheme")
    declare(section, Owner(), context)
    found = drafts(section.full_list("phases"), Phase, Owner(), context)
    for each in found:
        each.inner = drafts(each.section.full_list("topics"), Topic, each.owner, context)
    phases = _phases(found, context)
    made: Script = Reader(Spotter(context, Owner()), CHECKS).part(
        Script,
        section,
        template_scheme=scheme,
        phases=phases,
        declarations=context.board.of(Owner()),
        metadata=metadata,
    )
    return made


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
    written = read_condition(section, "entry_condition", phase.owner)
    made: Phase = Reader(Spotter(context, phase.owner), CHECKS).part(
        Phase,
        section,
        entry_condition=None if written is None else compile_written(written, context),
        declarations=context.board.of(phase.owner),
        topics=tuple(read_topic(topic, context) for topic in phase.inner),
    )
    return made


def _scheme(section: Section, context: ReadContext) -> str:
    scheme = section.optional_identifier("template_scheme")
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
