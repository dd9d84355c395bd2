"""Forms and pictures over real gRPC: told to who accepts them, answered on the same stream."""

from __future__ import annotations

from heartrule.domain.events import InputRejected, Opened, Outcome, TurnEnded
from heartrule.domain.input_request import InputRequested
from tests.support.conversing import Conversing
from tests.support.executors import Neighbours, running_executor
from tests.support.fake_model import FakeModel, ask_reply
from tests.support.scripts import form, topic_script

FORM = ("FEATURE_FORM",)
PICTURE = ("FEATURE_PICTURE",)
SCRIPT = topic_script(
    "{action_type: show_pic, action_id: p, source: 'https://example.org/a.png', caption: 吸气四拍}",
    form(
        "{name: 年龄, type: integer, min: 0, max: 120}",
        "{name: 心情, type: scale, min: 0, max: 3}",
    ),
)


def around() -> Neighbours:
    return Neighbours(model=FakeModel([ask_reply("请填一张表。")]))


async def asked(stream: Conversing) -> InputRequested:
    """Read to the end of the turn and return the newest request."""
    await stream.until_body(TurnEnded)
    return stream.told.of(InputRequested)[-1]


async def test_a_form_is_filled_on_the_stream_that_asked_for_it() -> None:
    """A wrong one comes back marked, a stale one is refused, a whole one ends the action."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        async with running.client.converse(session_id, accepts=FORM) as stream:
            first = await asked(stream)
            assert first.schema["x-order"] == ["年龄", "心情"]
            await stream.submit("f1", first.input_request_id, {"年龄": 300, "心情": 2})
            second = await asked(stream)
            properties = second.schema["properties"]
            assert isinstance(properties, dict)
            assert (properties["心情"]["default"], "x-error" in properties["年龄"]) == (2, True)
            await stream.submit("f2", first.input_request_id, {"年龄": 30})
            refused = await stream.until_body(InputRejected)
            assert refused.problem.reason == "INPUT_REQUEST_NOT_OPEN"
            await stream.submit("f3", second.input_request_id, {"年龄": 30})
            end = await stream.until_body(TurnEnded)
        assert end.outcome is Outcome.SESSION_COMPLETED


async def test_a_client_without_forms_is_never_told_of_one() -> None:
    """It hears the words alone, and finds no request in the state."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        async with running.client.converse(session_id) as stream:
            await stream.until_body(TurnEnded)
        assert stream.told.of(InputRequested) == []
        async with running.client.converse(session_id) as late:
            opened = await late.until_body(Opened)
        assert opened.state.pending_request is None


async def test_who_comes_late_finds_the_form_that_is_open() -> None:
    """In the state it opens with, and in the history where it asks for that."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        told = await running.client.initialize(session_id)
        assert told.of(InputRequested) == []
        async with running.client.converse(session_id, after=0, accepts=FORM) as stream:
            opened = await stream.until_body(Opened)
            again = await stream.until_body(InputRequested)
        assert opened.state.pending_request == again


async def test_a_picture_is_shown_or_told() -> None:
    """The same message, as each client can take it."""
    async with running_executor(around()) as running:
        session_id = await running.client.start(SCRIPT)
        async with running.client.converse(session_id, accepts=PICTURE) as stream:
            await stream.until_body(TurnEnded)
        (part,) = stream.told.messages()[0].parts
        assert part.media is not None
        assert (part.media.uri, part.fallback_text) == ("https://example.org/a.png", "吸气四拍")
        async with running.client.converse(session_id, after=0) as plain:
            await plain.until_body(TurnEnded)
        assert plain.told.messages()[0].parts[0].text == "吸气四拍"
