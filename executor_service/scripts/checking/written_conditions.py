"""Conditions: `condition` and `entry_condition` are compiled when all outputs are known."""

from __future__ import annotations

from dataclasses import dataclass

from executor_service.conditions.compile import ConditionError, compile_condition
from executor_service.conditions.expression import Expression
from executor_service.scripts.checking.board import Order, Owner, order_of
from executor_service.scripts.checking.context import PlacedRead, ReadContext, bounded_reads
from executor_service.scripts.checking.placeholders import spot_in
from executor_service.scripts.loading.mapping_reader import Reader
from executor_service.scripts.loading.section import Section
from executor_service.scripts.loading.tree import ScalarNode
from executor_service.scripts.loading.wrong_values import as_text
from executor_service.scripts.model.limits import Counted
from executor_service.scripts.model.settings import Condition, OnError
from heartrule.model.template_filling import placeholders
from heartrule.words.words import say


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """A condition whose text was read, and not yet understood."""

    node: ScalarNode
    on_error: OnError
    owner: Owner
    """The topic of its action, or the phase that has it."""
    action: int | None
    """Index of its action within the topic; None on a phase."""

    @property
    def sees(self) -> Owner:
        """Whose variables it sees: a phase is asked before its own variables begin."""
        return Owner() if self.action is None else self.owner

    @property
    def until(self) -> Order:
        """What was set before it is asked."""
        if self.action is None:
            return order_of(self.owner, before=True)
        return order_of(self.owner, self.action - 1)


def read_condition(
    section: Section, key: str, on_error: OnError | None, reader: Reader
) -> WrittenCondition | None:
    """Return the text under `key`; None where there is none that could be a condition."""
    node = section.node(key)
    if node is None:
        if on_error is not None:
            section.report_key("on_error_alone", "on_error", key=key)
        return None
    if isinstance(node, ScalarNode) and isinstance(node.value, bool):
        section.findings.report("condition_truth", node, key=key, text=node.text)
        return None
    if not as_text(node, key, section.findings) or not isinstance(node, ScalarNode):
        return None
    return WrittenCondition(
        node=node, on_error=on_error or OnError.RUN, owner=reader.topic, action=reader.action
    )


def compile_written(written: WrittenCondition, context: ReadContext) -> Condition | None:
    """Return the condition, compiled for the types its variables have at its place.

    What is wrong with it is reported at its line and column; what it reads is noted.
    """
    node, reads = written.node, bounded_reads(written.node, context)
    expression = compiled(node, written.sees, context)
    if expression is None:
        return None
    context.conditions.append(node)
    for read in reads:
        if read.name in expression.names:  # in quotes it is text
            context.note(PlacedRead(read, written.sees, written.until))
    if not expression.names:
        kind = say("noun.phase") if written.action is None else say("noun.action")
        context.constants.append((node, kind, expression.evaluate({}).value))
    return Condition(
        source=node.text.strip(),
        expression=expression,
        on_error=written.on_error,
        place=context.findings.place(node),
    )


def compiled(node: ScalarNode, owner: Owner, context: ReadContext) -> Expression | None:
    """Return the expression of a text for the variables of an owner; None, and a finding, for none.

    A mistake that may come of a type that is written wrongly is not reported besides.
    """
    context.take(Counted.CONDITIONS, node)
    names = {each.name for each in placeholders(node.text)}
    try:
        return compile_condition(node.text, context.types_at(owner, names), context.lists)
    except ConditionError as error:
        if names.isdisjoint(context.yields.unclear):
            spot = spot_in(node, error.offset, context.text)
            context.findings.report("bad_condition", spot, message=error.words)
        return None
