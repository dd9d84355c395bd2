"""What a process knows of a session after a transaction of its own; pure.

A transaction may go by it as long as the session's row has the revision it names: every transaction
that changes anything of a session counts it up. What is None is not known and is read again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TypeAlias

from heartrule.domain.conversation import Message, Role
from heartrule.domain.monitoring import AdviceState, DialogueLine
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import VariableValue
from session_store.codec import dump, load
from session_store.records import ActionInstance, InstanceState, Lease, MonitorWork, StepCommit
from session_store.sql.advice import Stored, in_order
from session_store.sql.rows import Input, lines_of
from session_store.sql.statements import Found, Values

Line: TypeAlias = tuple[int, int, DialogueLine]
"""A message of the window: the number of its turn, its own, who spoke and what."""

_SMALL = 100
_ROW = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A session as a transaction left it."""

    row: Found
    """The session's own; its `revision` names this state."""
    position: ExecutionPosition
    window: tuple[Line, ...]
    """What was said since the beginning of the window, inputs of a turn that runs included."""
    last_text: str
    """What the assistant said last."""
    replacements: tuple[ActionReplacement, ...]
    plan: tuple[ActionInstance, ...] | None
    """Of the topic of `position`."""
    variables: tuple[VariableValue, ...] | None
    """The session's own, without its user's globals: those change without it."""
    advice: tuple[Stored, ...] | None
    """What waits for a prompt, in the order it was made."""
    attempt: Found | None = None
    """The attempt that runs; its columns are attributes."""
    work: MonitorWork | None = None
    """The last analysis that was asked for; None: not known."""

    def window_from(self, turn_no: int) -> tuple[Line, ...]:
        """Return the lines of the turns from that number on."""
        if not self.window or self.window[0][0] >= turn_no:
            return self.window
        return tuple([each for each in self.window if each[0] >= turn_no])

    def state_of(self, instance_id: str) -> InstanceState | None:
        """Return how far an instance of the topic is; None where it is not known."""
        for each in self.plan or ():
            if each.action_instance_id == instance_id:
                return each.state
        return None

    def after_analysis(self, row: Found, changed: Sequence[Stored]) -> Kept:
        """Return this after an analysis that left `row`, and advice in other states.

        Itself where it is not what that transaction found: newer, or more than one behind.
        """
        if row.revision != self.row.revision + 1:
            return self
        return replace(self, row=row, advice=_advice_after(self.advice, changed))

    def is_behind_mind(self, row: Found) -> bool:
        """Say whether nobody but the second mind made `row`, the session's now, of this one's."""
        later = row.revision - self.row.revision
        return bool(later > 0 and later == row.mind_revision - self.row.mind_revision)

    @property
    def size(self) -> int:
        """About how many characters it holds; a line and a row count for what surrounds them."""
        spoken = sum(len(line.text) for _, _, line in self.window)
        values = sum(len(repr(each.value)) for each in self.variables or ())
        small = len(self.window) + len(self.plan or ()) + len(self.variables or ())
        work = self.work
        spoken += sum(len(each.text) for each in work.earlier_replies) if work else 0
        return spoken + values + _SMALL * small + _ROW


def attempt_of(values: Values) -> Found:
    """Return an attempt's row as the columns it was written with."""
    return SimpleNamespace(**values)


def line_of_input(new: Input, turn_no: int) -> Line:
    """Return an input as the window holds it."""
    return line_of_message(new.message, turn_no)


def is_held_by(kept: Kept, lease: Lease, commit: StepCommit) -> bool:
    """Say whether the lease was the session's, and this attempt ran, when the state was kept."""
    row, attempt = kept.row, kept.attempt
    return (
        attempt is not None
        and (row.lease_owner, row.lease_token) == (lease.owner, lease.token)
        and (attempt.turn_id, attempt.attempt) == (commit.turn_id, commit.attempt)
    )


def after_step(
    kept: Kept,
    commit: StepCommit,
    *,
    row: Found,
    said: Sequence[Message],
    variables: tuple[VariableValue, ...] | None,
    advice: tuple[Stored, ...] | None,
    progress: Values,
    work: MonitorWork | None = None,
) -> Kept:
    """Return what is known after a step: what reading it all again would give."""
    attempt = kept.attempt
    assert attempt is not None, "a step is an attempt's"
    lines = lines_said(said, attempt.turn_no)
    spoken = [line.text for _, _, line in lines if line.role is Role.ASSISTANT]
    return Kept(
        row=row,
        position=commit.position,
        window=kept.window + lines,
        last_text=spoken[-1] if spoken else kept.last_text,
        replacements=kept.replacements,
        plan=_plan_after(kept, commit),
        variables=variables,
        advice=advice,
        attempt=None if commit.end else SimpleNamespace(**vars(attempt) | dict(progress)),
        work=work or kept.work,
    )


def lines_said(said: Iterable[Message], turn_no: int) -> tuple[Line, ...]:
    """Return messages as the window holds them."""
    return tuple([line_of_message(each, turn_no) for each in said])


def line_of_message(message: Message, turn_no: int) -> Line:
    """Return a message as its row will be read: a text may change where a database takes it."""
    text = message.parts[0].text if len(message.parts) == 1 else None
    if text is not None and _is_unicode(text):
        return turn_no, message.sequence, DialogueLine(role=message.role, text=text)
    row = SimpleNamespace(role=message.role.value, parts=dump(message.parts))
    (line,) = lines_of((row,))
    return turn_no, message.sequence, line


def _is_unicode(text: str) -> bool:
    """Return whether a text is stored as it is: it holds no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _advice_after(
    known: tuple[Stored, ...] | None, changed: Sequence[Stored]
) -> tuple[Stored, ...] | None:
    """Return what waits once these have other states; oldest first."""
    if known is None or not changed:
        return known
    gone = {each.advice.advice_id for each in changed}
    left = [each for each in known if each.advice.advice_id not in gone]
    left += [each for each in changed if each.advice.state is AdviceState.PENDING]
    return tuple(in_order(left))


def _plan_after(kept: Kept, commit: StepCommit) -> tuple[ActionInstance, ...] | None:
    """Return the queue of the topic after a step; None where the step went to another topic."""
    after, known = commit.position, kept.plan
    topic = (after.phase_id, after.topic_id)
    if known is None or topic != (kept.position.phase_id, kept.position.topic_id):
        return None
    if not after.topic_id:
        return ()
    changed = {
        each.action_instance_id: _as_read(each)
        for each in commit.instances
        if (each.phase_id, each.topic_id) == topic
    }
    if not changed:
        return known
    by_id = {each.action_instance_id: each for each in known} | changed
    return _queue(by_id.values())


def _queue(plan: Iterable[ActionInstance]) -> tuple[ActionInstance, ...] | None:
    """Return instances in the queue's order; None where two have one place, as no database says."""
    found = sorted(plan, key=lambda each: each.ordinal)
    places = {each.ordinal for each in found}
    return tuple(found) if len(places) == len(found) else None


def _as_read(instance: ActionInstance) -> ActionInstance:
    if not instance.memory and not instance.definition:
        return instance
    memory = load(dict, dump(instance.memory))
    definition = load(dict, dump(instance.definition)) if instance.definition else {}
    return replace(instance, memory=memory, definition=definition)
