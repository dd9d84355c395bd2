"""The response of a turn, with the fields of docs/reference/http.md."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, JsonValue
from pydantic.alias_generators import to_camel

from gateway_service.json_encoding import encode, word
from gateway_service.problems import HttpProblem
from gateway_service.turn_text import BETWEEN, text_of
from heartrule.domain import json_value
from heartrule.v1 import execution_pb2, message_pb2, safety_pb2, turn_pb2
from heartrule.wire.json_values import read_value

_COMPLETED = "completed"


class TurnResult(BaseModel):
    """What both forms of a reply have."""

    model_config = ConfigDict(alias_generator=to_camel, use_attribute_docstrings=True)

    ai_message: str
    """The assistant's messages, joined by blank lines."""
    messages: list[dict[str, JsonValue]]
    """The messages, as in `Message`."""
    variables: dict[str, JsonValue]
    """The user variables visible from the position."""
    position: dict[str, JsonValue]
    """The session's position, as in `ExecutionPosition`."""
    exit_reason: str | None
    """Classification of the last action judged; null for a plain continue."""
    exit_decision_source: str | None
    """The source of the decision that it ends; null without one."""
    exit_decision_reason: str | None
    """The reason in plain text: the model's, or the rule that decided; null where none is known."""
    degradations: list[dict[str, JsonValue]]
    """Parts of the turn that were degraded, such as a reply that could not be read."""
    session_id: str
    """The session."""
    turn_id: str
    """The turn."""
    client_message_id: str
    """The key of the message answered; empty for the opening."""
    outcome: str | None
    """How the turn ended."""
    problem: dict[str, JsonValue] | None = None
    """Why this is a safety card, or the messages so far, in place of an answer; absent else."""


class Reply(TurnResult):
    """The result of a turn; described here for the OpenAPI document, filled by `reply_of`."""

    status: str | None
    """`waiting_input`, `completed`, `error` or `running`; null where it is not known."""


class DocumentedReply(TurnResult):
    """The same as document 004 names it: two words in the place of `status`."""

    session_status: str
    """`active`, or `completed` once the script is at its end."""
    execution_status: str | None
    """`waiting_input`, `completed`, `error` or `running`."""


ReplyJson: TypeAlias = dict[str, json_value.JsonValue]


def as_documented(reply: ReplyJson) -> ReplyJson:
    """Return a reply under the names of document 004."""
    status = reply["status"]
    session_status = "completed" if status == _COMPLETED else "active"
    named: ReplyJson = {"sessionStatus": session_status, "executionStatus": status}
    return {name: value for name, value in reply.items() if name != "status"} | named


def reply_of(
    ended: turn_pb2.TurnEnded,
    state: execution_pb2.ExecutionState,
    *,
    messages: Sequence[message_pb2.Message],
    ai_message: str,
    ids: tuple[str, str, str],
) -> ReplyJson:
    """Return the answer; `ids` are those of session, turn and client message."""
    session_id, turn_id, client_message_id = ids
    position = ended.state.position
    return {
        "aiMessage": ai_message,
        "messages": [encode(message) for message in messages],
        "status": word(execution_pb2.ExecutionStatus.DESCRIPTOR, ended.state.status),
        "variables": {name: read_value(state.variables[name]) for name in sorted(state.variables)},
        "position": encode(position),
        "exitReason": encode(ended)["exitReason"],
        "exitDecisionSource": encode(ended.exit_decision)["decisionSource"],
        "exitDecisionReason": ended.exit_decision.reason or None,
        "degradations": [encode(each) for each in ended.degradations],
        "sessionId": session_id,
        "turnId": turn_id,
        "clientMessageId": client_message_id,
        "outcome": word(turn_pb2.Outcome.DESCRIPTOR, ended.outcome),
    }


def message_of(card: safety_pb2.SafetyCard) -> message_pb2.Message:
    """Return a card as a message of the system, as the executor would send it."""
    return message_pb2.Message(
        role=message_pb2.ROLE_SYSTEM,
        parts=[message_pb2.Part(text=card.text)],
        completeness=message_pb2.COMPLETENESS_COMPLETE,
    )


def unanswered(
    error: HttpProblem, messages: Sequence[message_pb2.Message], *, ids: tuple[str, str, str]
) -> ReplyJson:
    """Return the reply of a turn that was refused, failed or is late; `ids` as in `reply_of`."""
    said = BETWEEN.join(filter(None, map(text_of, messages)))
    reply = reply_of(
        turn_pb2.TurnEnded(),
        execution_pb2.ExecutionState(),
        messages=messages,
        ai_message=said,
        ids=ids,
    )
    status = _COMPLETED if error.reason == "SESSION_COMPLETED" else None
    return {**reply, "status": status, "position": {}, "problem": error.as_json()}
