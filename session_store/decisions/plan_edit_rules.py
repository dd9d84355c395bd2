"""What becomes of the edits of a plan where a session ends, forks or goes back; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from heartrule.domain.errors import NotFound, NotReady
from heartrule.domain.events import PlanEdited
from heartrule.domain.monitoring import PlanningState
from heartrule.domain.orchestration import PlanEdit, PlanEditState
from session_store.event_drafts import EmittingAttempt, EventDraft
from session_store.past import TURN_TAKEN_BACK
from session_store.records import KeptEdit
from session_store.records.monitoring import UNDECIDED

# Why an edit expired: there is no next turn.
SESSION_ENDED = "SESSION_ENDED"
# Why a plan that was owed is not made: the session it is owed to is another one.
SESSION_FORKED = "SESSION_FORKED"
# States of an edit that changed the queue.
APPLIED = frozenset({PlanEditState.APPLIED, PlanEditState.UNDONE})


def edit_draft(edit: PlanEdit, emitted_by: EmittingAttempt = EmittingAttempt()) -> EventDraft:  # noqa: B008  frozen
    """Return the event of an edit in the state it has; its row alone has the queue around it."""
    body = PlanEdited(edit=replace(edit, session_id="", before=(), after=()))
    return EventDraft(body, emitted_by)


def expired(edit: PlanEdit, rule: str, problem: str) -> PlanEdit:
    """Return an edit that no turn can use any more."""
    return replace(edit, state=PlanEditState.EXPIRED, rule=rule, problem=problem)


def ended(edit: PlanEdit) -> PlanEdit:
    """Return an edit that waited when its session ended."""
    return expired(edit, SESSION_ENDED, "the session has ended")


def of_topic(edits: Iterable[KeptEdit], phase_id: str, topic_id: str) -> tuple[PlanEdit, ...]:
    """Return the edits that changed a topic's queue, oldest first."""
    found = (
        each.edit
        for each in edits
        if each.edit.state in APPLIED
        and (each.edit.phase_id, each.edit.topic_id) == (phase_id, topic_id)
    )
    return tuple(sorted(found, key=lambda edit: edit.plan_revision))


def undo_of(edits: Sequence[KeptEdit], wanted: PlanEdit) -> PlanEdit:
    """Return the undo as it is to be stored, or the one that the same request made before.

    Args:
        edits: All of the session.
        wanted: Names the edit it takes back, and its request as `cause_id`.

    Raises:
        NotFound: There is no such edit.
        NotReady: It is not the latest that is applied.
    """
    for each in edits:
        same = (each.edit.undoes, each.edit.cause_id) == (wanted.undoes, wanted.cause_id)
        if same and wanted.cause_id:
            return each.edit
    by_id = {each.edit.edit_id: each.edit for each in edits}
    if wanted.undoes not in by_id:
        raise NotFound("plan_edit", wanted.undoes)
    standing = [
        each
        for each in by_id.values()
        if each.state is PlanEditState.APPLIED and each.plan is not None
    ]
    latest = max(standing, key=lambda edit: edit.plan_revision, default=None)
    if latest is None or latest.edit_id != wanted.undoes:
        raise NotReady(
            f"edit {wanted.undoes!r} is not the latest that is applied",
            reason="UNDO_NOT_LATEST",
            metadata={"latest": latest.edit_id if latest else ""},
        )
    return replace(
        wanted,
        cause_id=wanted.cause_id or wanted.edit_id,
        phase_id=latest.phase_id,
        topic_id=latest.topic_id,
    )


def after_rewind(edits: Iterable[KeptEdit], turn_no: int) -> tuple[KeptEdit, ...]:
    """Return the edits that change when a turn is taken back, as they are then.

    What the turn decided waits again; what it undid is applied again; what was proposed because of
    it is expired.
    """
    known = tuple(edits)
    undone = {each.edit.undoes for each in known if each.decided_turn_no >= turn_no}
    changed = (_rewound(each, turn_no, undone) for each in known)
    return tuple(now for now, was in zip(changed, known, strict=True) if now != was)


def edits_of_turns(edits: Iterable[KeptEdit], last_turn_no: int) -> frozenset[str]:
    """Return the ids of the edits that turns up to this one decided."""
    return frozenset(
        each.edit.edit_id for each in edits if UNDECIDED < each.decided_turn_no <= last_turn_no
    )


def is_kept(emitted: PlanEdited, kept: frozenset[str]) -> bool:
    """Return whether a fork copies an event from outside its turns: proposals of edits it keeps."""
    return emitted.edit.edit_id in kept and emitted.edit.state is PlanEditState.PENDING


def kept_in_fork(
    edits: Iterable[KeptEdit], last_turn_no: int, session_id: str
) -> tuple[KeptEdit, ...]:
    """Return the edits that a fork after a turn begins with, as its own."""
    kept = [each for each in edits if UNDECIDED < each.decided_turn_no <= last_turn_no]
    undos = {each.edit.undoes for each in kept if each.edit.state is PlanEditState.APPLIED}
    return tuple(
        replace(each, edit=replace(_standing(each.edit, undos), session_id=session_id))
        for each in kept
    )


def planning_in_fork(state: str, reason: str) -> tuple[str, str]:
    """Return the planning state and reason in a fork: what is owed is made in the source."""
    owed = state == PlanningState.OWED.value
    return (PlanningState.DROPPED.value, SESSION_FORKED) if owed else (state, reason)


def revision_of(edits: Iterable[KeptEdit]) -> int:
    """Return the revision that edits have come to."""
    return max((each.edit.plan_revision for each in edits), default=0)


def _standing(edit: PlanEdit, undos: set[str]) -> PlanEdit:
    lost = edit.state is PlanEditState.UNDONE and edit.edit_id not in undos
    return replace(edit, state=PlanEditState.APPLIED) if lost else edit


def _rewound(kept: KeptEdit, turn_no: int, undone: set[str]) -> KeptEdit:
    edit = kept.edit
    if edit.plan is not None and kept.judged_turn_no == turn_no:
        gone = expired(edit, TURN_TAKEN_BACK, "the judged turn was taken back")
        return replace(kept, edit=gone) if edit.state is PlanEditState.PENDING else kept
    if kept.decided_turn_no >= turn_no:
        waits = replace(
            edit,
            state=PlanEditState.PENDING,
            rule="",
            problem="",
            plan_revision=0,
            before=(),
            after=(),
            decided_turn_id="",
        )
        return replace(kept, edit=waits, decided_turn_no=UNDECIDED)
    if edit.state is PlanEditState.UNDONE and edit.edit_id in undone:
        return replace(kept, edit=replace(edit, state=PlanEditState.APPLIED))
    return kept
