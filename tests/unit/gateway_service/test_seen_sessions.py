"""What a gateway knows of the sessions that pass through it."""

from __future__ import annotations

from google.protobuf.message import Message

from gateway_service.seen_sessions import SeenSession, SeenSessions
from heartrule.v1 import erasure_pb2, event_pb2, execution_pb2, message_pb2, session_pb2

SESSION = session_pb2.Session(session_id="ses_1", locale="en-US")
STARTED = session_pb2.StartSessionResponse(session=SESSION)


def started() -> SeenSessions:
    """Return what is known after one session was started."""
    seen = SeenSessions()
    seen.note_answer(session_pb2.StartSessionRequest(), STARTED)
    return seen


def said(text: str, role: message_pb2.Role) -> event_pb2.SessionEvent:
    """Return the event of a message."""
    message = message_pb2.Message(role=role, parts=[message_pb2.Part(text=text)])
    return event_pb2.SessionEvent(session_id="ses_1", message_committed=message)


def test_a_session_has_its_region_and_the_last_question() -> None:
    """What the client said is kept nowhere."""
    seen = started()
    state = execution_pb2.ExecutionState(last_ai_message="你好")
    opened = event_pb2.Opened(state=state)
    seen.note_event(event_pb2.SessionEvent(session_id="ses_1", opened=opened))
    assert seen.of("ses_1") == SeenSession(locale="en-US", question="你好")
    seen.note_event(said("……" * 500 + "你想过自杀吗？", message_pb2.ROLE_ASSISTANT))
    seen.note_event(said("我的话", message_pb2.ROLE_CLIENT))
    question = seen.of("ses_1").question
    assert (len(question), question.endswith("你想过自杀吗？")) == (300, True)


def test_an_erased_session_is_forgotten() -> None:
    """Of a user's data nobody here knows which sessions they were: all are."""
    erasures: tuple[Message, ...] = (
        erasure_pb2.DeleteSessionRequest(session_id="ses_1"),
        erasure_pb2.DeleteUserDataRequest(user_id="u"),
    )
    for request in erasures:
        seen = started()
        seen.note_answer(request, erasure_pb2.DeleteSessionResponse())
        assert seen.of("ses_1") == SeenSession()


def test_memory_is_bounded() -> None:
    """The oldest are forgotten first."""
    seen = started()
    for number in range(10_000):
        session = session_pb2.Session(session_id=f"other_{number}", locale="zh-CN")
        answer = session_pb2.GetSessionResponse(session=session)
        seen.note_answer(session_pb2.GetSessionRequest(), answer)
    assert seen.of("ses_1") == SeenSession()
    assert seen.of("other_0").locale == "zh-CN"
