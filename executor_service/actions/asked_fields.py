"""Which fields of its reply one call asks for: those that somebody reads (ADR 61)."""

from __future__ import annotations

from executor_service.actions.action_context import RoundContext
from executor_service.actions.prompting import Brief
from executor_service.exits.policy import policy_for
from executor_service.scripts.model.fields import Output
from heartrule.domain.exits import DecisionSource
from heartrule.model.template import Template

# Where a section lists them.
_AHEAD = "{%ahead%}"
_ASSESSMENT = frozenset({"understanding_level", "has_questions"})
# What of a reply only some rounds need.
_OPTIONAL = frozenset({"variables", "metrics", "assessment", "should_exit"})
# What only a reply to the client's words has.
_JUDGING = frozenset({"metrics", "progress_suggestion"})


def asked_fields(
    context: RoundContext, brief: Brief, template: Template, section: str
) -> tuple[str, ...]:
    """Return the top-level fields that a call asks for, in the template's order.

    None are named where the section names them itself: it asks for all it describes.
    """
    if not template.is_shaped(section):
        return ()
    if context.reply is None:
        named = brief.outputs or listed_ahead(context, template, section)
        heard = context.beside.unjudged and named and "variables" in template.always_asked()
        return ("content", "variables") if heard else ("content",)
    wanted = _wanted(context, brief)
    if listed_ahead(context, template, section):
        wanted |= {"variables"}
    return tuple(
        name for name in template.always_asked() if name not in _OPTIONAL or name in wanted
    )


def agent_fields(
    context: RoundContext, brief: Brief, template: Template, section: str, *, judges: bool
) -> tuple[str, ...]:
    """Return the same for a call of an agent, whose round may judge in a step without a reply.

    An opening that hears nothing asks for no variables.
    """
    if not template.is_shaped(section):
        return ()
    wanted = _wanted(context, brief)
    if listed_ahead(context, template, section):
        wanted |= {"variables"}
    unread = (_OPTIONAL - wanted) | (frozenset() if judges else _JUDGING)
    if not judges and not context.beside.unjudged:
        unread |= {"variables"}
    return tuple(name for name in template.always_asked() if name not in unread)


def listed_ahead(context: RoundContext, template: Template, section: str) -> tuple[Output, ...]:
    """Return the outputs of later questions that a call lists; none where its section does not."""
    return context.beside.later if _AHEAD in template.section(section) else ()


def beside_names(
    context: RoundContext, brief: Brief, template: Template, section: str
) -> tuple[str, ...]:
    """Return the names of other questions' outputs whose values the reply may give."""
    if _AHEAD not in template.section(section):
        return ()
    own = {output.get for output in brief.outputs}
    beside = (*context.beside.later, *context.beside.known)
    return tuple(dict.fromkeys(each.get for each in beside if each.get not in own))


def _wanted(context: RoundContext, brief: Brief) -> frozenset[str]:
    criteria = brief.criteria
    conditions = criteria.custom_conditions if criteria else ()
    assessed = criteria is not None and (
        criteria.understanding_threshold is not None
        or criteria.has_questions is not None
        or any(each.variable in _ASSESSMENT for each in conditions)
    )
    assessed = assessed or context.strategy is not None
    suggests = DecisionSource.LLM_SUGGESTION in policy_for(context.action).enabled_sources
    wanted = {
        "variables": bool(brief.outputs),
        "metrics": assessed or context.scene.watched,
        "assessment": assessed,
        "should_exit": suggests,
    }
    return frozenset(name for name, needed in wanted.items() if needed)
