"""Outputs that nothing reads."""

from __future__ import annotations

from executor_service.scripts.checking.context import ReadContext
from executor_service.scripts.model.rules import Rule


def check_outputs(context: ReadContext) -> None:
    """Note outputs that neither the script reads nor its author declared.

    Only a note: people read outputs too, in a report or beside the conversation. An author who
    declares a variable says that it is meant to be kept, and the fields of a form are its result;
    neither is noted. What remains is often a misspelt name.
    """
    read = {placed.read.name for placed in context.reads}
    declared = frozenset(context.board.names())
    for name, spot in context.outputs:
        if name not in read and name not in declared:
            context.findings.note(
                spot,
                f"nothing reads `{name}`; declare it if it is for people, or leave it out",
                Rule.UNUSED_OUTPUT,
            )
