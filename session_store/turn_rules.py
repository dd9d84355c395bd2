"""The store's rules that are no matter of rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import IfBusy, UserInput
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.exits import ExitReason
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import Advice, AdviceState
from heartrule.domain.position import ExecutionPosition
from session_store.records import (
    ActionInstance,
    InterruptOrder,
    StopKind,
    StopRequest,
    TurnKind,
)

# Inputs that may wait for a turn; the next is refused.
MAX_WAITING = 16
# How often further inputs join a turn that failed; the next ones begin a turn of their own.
MAX_MERGES = 2
# The pause a busy session asks for.
RETRY_AFTER = timedelta(seconds=1)
# How long a sweep leaves a failed turn alone after its first attempt, its second and so on: inputs
# that wait behind it would else have every sweep try again while a model is down.
RETRY_PAUSES = tuple(timedelta(seconds=s) for s in (10, 20, 40, 80, 160, 300))
# Turns that a prompt's window holds at least, where there are so many.
LEAST_WINDOW = 10
# It moves on by this many at once, so that a prompt's prefix stays: of the bytes of a hundred
# prompts a provider's cache serves 82 % with 10, 84.7 % with 20 and 86 % with 30.
WINDOW_BLOCK = 30
# The newest turns stay word for word, whatever a summary covers.
KEPT_TURNS = 4
# A summary is revised by this many turns at least, so that a prompt's prefix stays meanwhile.
LEAST_SUMMARIZED = 4
# Turns that one revision takes in, however short.
MOST_TURNS_SUMMARIZED = 60
# Claims in a row that may die without a result: a request that kills its process must end.
MAX_MONITOR_ATTEMPTS = 2
# Earlier replies of the client that a monitor sees.
MAX_REPLIES = 12
# Earlier rounds a monitor sees.
MAX_TREND = 3
# Turns after which an analysis not yet made is no longer wanted.
DEFAULT_TTL_TURNS = 2
_EDITABLE_ENDS = frozenset(
    {ExitReason.MAX_ROUNDS_REACHED, ExitReason.USER_BLOCKED, ExitReason.OFF_TOPIC}
)
# Inputs that ask something of a running turn.
STOPPING = frozenset({IfBusy.INTERRUPT, IfBusy.RESTART})


def window_start(turn_no: int) -> int:
    """Return the first turn in the window of turn `turn_no`: 0 up to turn 39, then 30 and so on."""
    return max(0, (turn_no - LEAST_WINDOW) // WINDOW_BLOCK * WINDOW_BLOCK)


def first_unsummarized(sizes: Sequence[int], *, covered: int, next_turn: int, most: int) -> int:
    """Return the first turn that the next revision of a summary does not cover.

    Args:
        sizes: The characters of each turn from `covered` on that the revision may take in.
        covered: Turns that the summary covers.
        next_turn: The number of the session's next turn.
        most: Characters that the revision takes in; a single turn may have more.

    Returns:
        `covered` where no revision is due.
    """
    last = min(next_turn - KEPT_TURNS, covered + len(sizes))
    if last - covered < LEAST_SUMMARIZED:
        return covered
    taken = 0
    for turn_no, size in enumerate(sizes[: last - covered], start=covered):
        taken += size
        if taken > most and turn_no > covered:
            return turn_no
    return last


def group_size(waiting: Sequence[IfBusy]) -> int:
    """Return how many of the waiting inputs, oldest first, the next turn takes.

    A QUEUE input is a turn of its own and ends the group before it; all others merge.
    """
    for index, mode in enumerate(waiting):
        if mode is IfBusy.QUEUE:
            return max(index, 1)
    return len(waiting)


def joins_failed(inputs: Sequence[IfBusy], waiting: Sequence[IfBusy]) -> int:
    """Return how many waiting inputs join a failed turn that committed no step and had `inputs`."""
    if IfBusy.QUEUE in inputs:
        return 0
    return 0 if IfBusy.QUEUE in waiting[:1] else group_size(waiting)


def check_request(user_input: UserInput, open_request: str) -> None:
    """Refuse a form that answers another request than the one that is open.

    Raises:
        InvalidRequest: The request was answered, replaced by a newer one, or never made.
    """
    named = user_input.input_request_id
    if named and named != open_request:
        raise InvalidRequest(
            "the form answers a request that is not open; fill in the one that is",
            reason="INPUT_REQUEST_NOT_OPEN",
            metadata={"input_request_id": named, "open_input_request_id": open_request},
        )


def coming_round(position: ExecutionPosition, plan: Iterable[ActionInstance]) -> int:
    """Return the round of the client's next reply: an ai_say counts the utterance after it."""
    here = (one for one in plan if one.action_instance_id == position.action_instance_id)
    is_ai_say = any(one.action_type == "ai_say" for one in here)
    return position.current_round + (1 if is_ai_say else 0)


def has_outlived(advice: Advice, *, judged_turn_no: int, turn_no: int) -> bool:
    """Return True when a pending advice waited for more turns than it may (RESOLUTIONS C10)."""
    return turn_no - judged_turn_no > advice.ttl_turns


def state_of_new(advice: Advice, *, instance_ended: bool, known: Sequence[Advice]) -> AdviceState:
    """Return the state in which an advice is stored; `known` are those of its instance (C11)."""
    if instance_ended:
        return AdviceState.EXPIRED
    if any(other.about_round > advice.about_round for other in known):
        return AdviceState.SUPERSEDED
    return AdviceState.PENDING


def tokens_of(calls: Iterable[LLMDebugInfo]) -> int:
    """Return the tokens that model calls took, as their servers counted them."""
    return sum(call.prompt_tokens + call.completion_tokens for call in calls)


def is_usable(
    judged: ActionResult, at: ExecutionPosition, *, now: ExecutionPosition, instance_ended: bool
) -> bool:
    """Return whether anything can come of a round's analysis (RESOLUTIONS C13).

    Advice needs an action that goes on. After its end only the round that ended it may propose a
    plan edit, and only while the session is in the topic.

    Args:
        judged: The round's result.
        at: Where it was judged.
        now: The position of the session.
        instance_ended: Whether the judged action has ended.
    """
    if not instance_ended:
        return True
    here = (now.phase_id, now.topic_id) == (at.phase_id, at.topic_id)
    return here and judged.completed and judged.exit_reason in _EDITABLE_ENDS


def judged_position(
    action_instance_id: str, *, before: ExecutionPosition, after: ExecutionPosition
) -> ExecutionPosition:
    """Return where a step judged: the position after it, or before it where the action ended."""
    return after if after.action_instance_id == action_instance_id else before


def stop_request_of(asked: InterruptOrder, attempt: int) -> StopRequest:
    """Return what an interrupt asks of the turn it names."""
    return StopRequest(
        turn_id=asked.turn_id,
        attempt=attempt,
        kind=StopKind.INTERRUPT,
        request_id=asked.request_id,
        heard=asked.heard,
    )


def stop_request_of_input(mode: IfBusy, turn_id: str, attempt: int) -> StopRequest:
    """Return what an INTERRUPT or RESTART input asks of the turn that runs."""
    if mode is IfBusy.RESTART:
        return StopRequest(turn_id=turn_id, attempt=attempt, kind=StopKind.RESTART)
    return StopRequest(turn_id=turn_id, attempt=attempt, kind=StopKind.INTERRUPT, keeps_shown=True)


def may_restart(
    kind: TurnKind, steps: int, inputs: Sequence[IfBusy], waiting: Sequence[IfBusy]
) -> bool:
    """Return whether a running turn could take up all that waits, a new RESTART input included.

    Not where a step is committed, nor around a QUEUE input: it is a turn of its own.
    """
    if kind is not TurnKind.INPUT or steps:
        return False
    return joins_failed(inputs, (*waiting, IfBusy.RESTART)) == len(waiting) + 1


def urgent_input(client_message_id: str) -> StopRequest:
    """Return the note of an urgent input; it stops no turn."""
    return StopRequest(turn_id="", attempt=0, kind=StopKind.INTERRUPT, urgent=client_message_id)


def noted(known: StopRequest | None, new: StopRequest) -> StopRequest:
    """Return the request that counts: of one turn the first interrupt, or else the newest.

    The newest input that is urgent stays noted.
    """
    kept = asked_to_stop(known, new.turn_id) or new
    return replace(kept, urgent=new.urgent or (known.urgent if known else ""))


def is_repeat(known: StopRequest | None, asked: InterruptOrder) -> bool:
    """Return whether the same request was noted before."""
    stopped = asked_to_stop(known, asked.turn_id)
    return (
        stopped is not None and bool(asked.request_id) and (stopped.request_id == asked.request_id)
    )


def asked_to_stop(known: StopRequest | None, turn_id: str) -> StopRequest | None:
    """Return the interrupt of this turn, where there is one."""
    if known is None or known.kind is not StopKind.INTERRUPT or known.turn_id != turn_id:
        return None
    return known


def asked_to_restart(known: StopRequest | None, turn_id: str, attempt: int) -> bool:
    """Return whether this very attempt is to begin anew."""
    if known is None or known.kind is not StopKind.RESTART:
        return False
    return (known.turn_id, known.attempt) == (turn_id, attempt)
