"""What a sub-agent is handed: its task, and a snapshot of the talk that it can read and not change.

It is made in the turn that asks for the agent and kept with the run, so that whoever goes on with
the run after a death knows the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from pydantic import TypeAdapter

from executor_service.decisions.sizes import is_small, is_too_deep
from heartrule.domain.json_value import JsonValue
from heartrule.model.ports import ChatMessage

MOST_TOLD = 20
"""Messages of the conversation that a snapshot has; the newest ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentTask:
    """A task with the snapshot; all of it is data and never a command."""

    agent: str
    above: str = ""
    """The agent of the main thread whose execute handler asks for it; empty: a decision does."""
    phase: str = ""
    """The phase of that handler."""
    request: Mapping[str, JsonValue] = field(default_factory=dict)
    """The task as the decision gives it, whole (RESOLUTIONS T18)."""
    message_id: str
    """The placeholder that the result replaces."""
    plain_line: str
    """What takes its place where the agent fails."""
    goal: str = ""
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    """Those that are visible where the agent was asked for."""
    messages: tuple[tuple[str, str], ...] = ()
    """The newest of the conversation, each with its role, `user` or `assistant`."""
    told: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the decision says of the talk, in the model's words."""
    outputs: tuple[str, ...] = ()
    """The variables that the script declares for what the agent returns."""
    text_to: str = ""
    """The variable that gets the text of the result; empty: none does."""
    language: str = ""
    """The session's."""

    def kept(self) -> dict[str, JsonValue]:
        """Return it as a run keeps it."""
        kept: dict[str, JsonValue] = _SHAPE.dump_python(self, mode="json")
        return kept

    @classmethod
    def of(cls, kept: Mapping[str, JsonValue]) -> SubagentTask:
        """Read it from a run; what age emptied is absent."""
        return _SHAPE.validate_python({"agent": "", "message_id": "", "plain_line": "", **kept})

    def readable(self) -> dict[str, JsonValue]:
        """Return the snapshot as an agent's prompt may read it, each part under its name.

        What the model said of the talk stands under a name that says so.
        """
        return {
            "goal": self.goal,
            "variables": dict(self.variables),
            "conversation": [{"role": role, "text": text} for role, text in self.messages],
            "told_by_the_model": dict(self.told),
        }


_SHAPE = TypeAdapter(SubagentTask)


def snapshot_of(
    variables: Mapping[str, JsonValue], history: Iterable[ChatMessage], reply: str | None
) -> tuple[dict[str, JsonValue], tuple[tuple[str, str], ...]]:
    """Return the variables and the newest messages that a snapshot has.

    A value that is not small stays out: a run keeps its snapshot as long as it stands.
    """
    shown = {
        name: value
        for name, value in variables.items()
        if is_small(value) and not is_too_deep(value)
    }
    said = [(str(each.role), each.content) for each in history if each.role != "system"]
    if reply:
        said.append(("user", reply))
    return shown, tuple(said[-MOST_TOLD:])
