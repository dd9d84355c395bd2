"""Named places where a test may kill the process: `HEARTRULE_FAILPOINT=name[:nth]`."""

from __future__ import annotations

import os
import signal
from enum import StrEnum

from heartrule.domain.errors import InvalidRequest


class Failpoint(StrEnum):
    """The places, in the order a turn meets them; an alert and runs of workflows are beside it."""

    AFTER_ACCEPT = "after_accept"
    """The input is durable; no event was published."""
    AFTER_BEGIN = "after_begin"
    """The lease is taken and the attempt durable; nothing has run."""
    MID_STREAM = "mid_stream"
    """A draft was sent; the model still writes."""
    BEFORE_COMMIT = "before_commit"
    """A step is complete in memory."""
    AFTER_COMMIT = "after_commit"
    """A step is durable; no event was published."""
    BEFORE_FAILURE = "before_failure"
    """The attempt has failed in memory."""
    AFTER_FAILURE = "after_failure"
    """The failure is durable; no event was published."""
    AFTER_INTERRUPT = "after_interrupt"
    """A stop request is durable; the running turn has not received it."""
    STOPPED = "stopped"
    """The turn has given up the step under way; neither its end nor its restart is durable."""
    AFTER_LEAVE = "after_leave"
    """The turn was left to begin anew; no process has begun it."""
    ALERT_CLAIMED = "alert_claimed"
    """Alerts are claimed; none of them was sent."""
    RUN_ADMITTED = "run_admitted"
    """A run is durable and admitted; it is not in the queue of the workers."""
    RUN_OWNED = "run_owned"
    """A worker has taken a run; no node of it has begun."""
    NODE_BEGAN = "node_began"
    """An attempt of a node is durable; nothing of it has run."""
    IN_NODE = "in_node"
    """A node has done what it is for; its output is in memory only."""
    NODE_ENDED = "node_ended"
    """How an attempt ended is durable; no event was published."""
    THREAD_WRITTEN = "thread_written"
    """A checkpoint of a thread is durable; no event was published."""
    BEFORE_DECISION = "before_decision"
    """The retries of a node are spent, in memory only."""
    AFTER_DECISION = "after_decision"
    """What follows a failed node is durable; no event was published."""
    BEFORE_FINISH = "before_finish"
    """All nodes of a run have ended; its end is in memory only."""
    AFTER_FINISH = "after_finish"
    """The end of a run is durable; no event was published."""
    SWEEP_LISTED = "sweep_listed"
    """A sweep has found runs whose time has come or whose worker is silent; none was resumed."""
    HANDING_OVER = "handing_over"
    """A worker that leaves has let go of its runs; they are not in the queue again."""


class Failpoints:
    """Counts the visits of one armed place and ends the process at the chosen one."""

    def __init__(self, armed: Failpoint | None = None, nth: int = 1) -> None:
        """Arm `armed` for its `nth` visit; None arms nothing."""
        self._armed = armed
        self._left = nth

    def hit(self, place: Failpoint) -> None:
        """Visit a place; the armed visit kills this process as kill -9 would."""
        if place is not self._armed:
            return
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


def parse_failpoint(text: str, *, test_mode: bool) -> Failpoints:
    """Read `name` or `name:nth`; an empty text arms nothing.

    Raises:
        InvalidRequest: The name or the visit is none, or the process is not in test mode.
    """
    if not text:
        return Failpoints()
    name, _, nth = text.partition(":")
    known = {point.value: point for point in Failpoint}
    visit = int(nth or "1") if (nth or "1").isdecimal() else 0
    if not test_mode or name not in known or visit < 1:
        raise InvalidRequest(
            f"HEARTRULE_FAILPOINT={text!r} needs HEARTRULE_TEST_MODE=1 and one of {sorted(known)}",
            reason="FAILPOINT_REFUSED",
        )
    return Failpoints(known[name], visit)
