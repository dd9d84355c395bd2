"""show_pic: one message, no model, no exit decision."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from executor_service.actions.action_context import OutgoingMessage, RoundOutcome
from executor_service.actions.show_pic import run_show_pic
from executor_service.scripts.model.actions import ActionType, PictureConfig
from executor_service.scripts.model.script import Action
from heartrule.domain.conversation import Media
from heartrule.domain.errors import NotFound
from tests.support.engine_builders import PLACE, round_context
from tests.support.fake_model import FakeModel


async def show(source: str, media: Media | None = None, **config: Any) -> RoundOutcome:
    async def find(path: str) -> Media:
        if media is None:
            raise NotFound("asset", path)
        return media

    action = Action(
        action_type=ActionType.SHOW_PIC,
        action_id="pic",
        config=PictureConfig(source=source, **config),
        place=PLACE,
    )
    context = round_context(action, FakeModel(), variables={"名字": "小明"}, picture=find)
    return await run_show_pic(context)


async def test_a_picture_completes_at_once_without_a_decision() -> None:
    """No criteria, no exit history, no metrics, no model (document 001 section 3.2.4)."""
    outcome = await show("https://example.org/a/tree.PNG?x=1", caption="一棵树")
    assert outcome.result.completed
    assert (outcome.result.exit_decision, outcome.result.metrics) == (None, None)
    assert (outcome.analyze, outcome.result.extracted_variables) == (False, {})


def test_words_of_a_picture_are_its_own_and_its_captions() -> None:
    """A client of plain text is told both, and so is the model; a caption alone is said once."""
    media = Media(mime_type="image/png", uri="https://example.org/a.png", caption="吸气四拍")
    said = OutgoingMessage(message_id="m", text="一个圆", media=media)
    assert said.parts()[0].plain_text() == "一个圆\n吸气四拍"
    assert replace(said, text="吸气四拍").parts()[0].plain_text() == "吸气四拍"


async def test_an_address_is_told_as_it_is() -> None:
    """Its kind is guessed by its ending."""
    (said,) = (await show("https://example.org/tree.PNG?x=1", caption="一棵树")).messages
    uri = "https://example.org/tree.PNG?x=1"
    assert said.media == Media(mime_type="image/png", caption="一棵树", uri=uri)
    assert (await show("https://example.org/tree")).messages[0].media == Media(
        mime_type="image/*", uri="https://example.org/tree"
    )


async def test_a_file_of_the_script_comes_by_its_bytes() -> None:
    """The caption is the script's."""
    found = Media(mime_type="image/png", data=b"png")
    (said,) = (await show("assets/a.png", media=found, caption="给{名字}的图")).messages
    assert said.media == Media(mime_type="image/png", caption="给小明的图", data=b"png")


@pytest.mark.parametrize(
    ("config", "text"),
    [
        ({"caption": "树", "alt": "一棵大树"}, "一棵大树"),
        ({"caption": "树"}, "树"),
        ({}, "（一张图片）"),
    ],
)
async def test_something_always_stands_for_a_picture(config: Any, text: str) -> None:
    """Alt, else caption, else a sentence; the history of prompts holds it."""
    outcome = await show("https://example.org/a.png", **config)
    assert (outcome.messages[0].text, outcome.result.ai_message) == (text, text)


async def test_a_missing_file_fails_the_turn() -> None:
    """Publishing checks it, so it is no case of every day."""
    with pytest.raises(NotFound):
        await show("assets/gone.png")
