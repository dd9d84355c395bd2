"""show_pic: a message that holds a picture; it completes at once (document 001 section 3.2.1)."""

from __future__ import annotations

from pathlib import PurePosixPath
from urllib.parse import urlsplit

from executor_service.actions.action_context import OutgoingMessage, RoundContext, RoundOutcome
from executor_service.actions.engine_lines import confirming
from executor_service.actions.prompting import missing_degradations, script_text
from executor_service.scripts.loading.bundle import ASSETS_FOLDER
from executor_service.scripts.model.actions import PictureConfig
from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Media
from heartrule.domain.pictures import ANY_PICTURE, MIME_TYPES


async def run_show_pic(context: RoundContext) -> RoundOutcome:
    """Send the message and complete.

    Raises:
        NotFound: The script's version has no such picture.
    """
    config = context.action.config
    assert isinstance(config, PictureConfig)
    (caption, alt), missing = script_text(context, config.caption, config.alt, for_client=True)
    media = await _media(context, config.source, caption)
    text = alt or caption or context.scene.words.picture
    result = ActionResult(
        success=True,
        completed=True,
        ai_message=text,
        round=1,
    )
    message = OutgoingMessage(message_id=context.make_id("msg"), text=text, media=media)
    return RoundOutcome(
        result=result,
        messages=(*confirming(context), message),
        next_round=1,
        degradations=missing_degradations(missing),
    )


async def _media(context: RoundContext, source: str, caption: str) -> Media:
    """Return an address as it is, a file of the script by its bytes or by its hash."""
    if source.startswith(ASSETS_FOLDER):
        found = await context.picture(source)
        return Media(mime_type=found.mime_type, caption=caption, uri=found.uri, data=found.data)
    suffix = PurePosixPath(urlsplit(source).path).suffix.lower()
    return Media(mime_type=MIME_TYPES.get(suffix, ANY_PICTURE), caption=caption, uri=source)
