"""Why an agent of a thread failed, as its run tells it: a code, and no word of the thread's."""

from __future__ import annotations

from executor_service.threads.thread_errors import InvalidAgent, ThreadFault
from heartrule.domain.errors import ModelRateLimited, ModelUnavailable, NotFound
from heartrule.domain.runs import RunErrorCode

_OF_RULES = {
    "ENDLESS_PHASES": RunErrorCode.LIMIT,
    "MESSAGE_TOO_LONG": RunErrorCode.LIMIT,
    RunErrorCode.LIMIT.value: RunErrorCode.LIMIT,
    "EMPTY_RESPONSE": RunErrorCode.UNREADABLE,
}


def why_failed(error: Exception) -> tuple[RunErrorCode, str]:
    """Return the code of a failure, and a sentence without a word of the thread's."""
    if isinstance(error, ModelUnavailable | ModelRateLimited):
        return RunErrorCode.MODEL_ERROR, f"no model answered ({error.reason})"
    if isinstance(error, ThreadFault | InvalidAgent):
        code = _OF_RULES.get(error.reason, RunErrorCode.CODE_ERROR)
        return code, f"the agent broke a rule ({error.reason})"
    if isinstance(error, NotFound):
        return RunErrorCode.MISSING_VALUE, "what the agent needs is not there"
    return RunErrorCode.CODE_ERROR, f"the agent raised {type(error).__name__}"
