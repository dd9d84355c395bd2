"""How long one message of a client may be, and what is said of a longer one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heartrule.domain.conversation import Part
from heartrule.domain.errors import FieldViolation, InvalidRequest
from heartrule.domain.json_value import texts_in

#: Characters of one message where neither script nor settings say otherwise: twenty pages by hand.
DEFAULT_MAX_INPUT_CHARS = 16_000
#: The most that a script or a setting may allow: its bytes still fit the contract's 1 MiB.
MOST_INPUT_CHARS = 262_144
_TOO_LONG = {
    "zh": "这条消息有 {characters} 个字，一条消息最多 {limit} 个字。请把它分成几条，一条一条发送。",
    "en": "This message has {characters} characters; one message may have {limit} at most. "
    "Please send it in several shorter messages.",
}


def characters_of(parts: Iterable[Part]) -> int:
    """Return how many characters a message has, those of a form's answers included."""
    return sum(map(_characters, parts))


def check_length(parts: Sequence[Part], limit: int, locale: str) -> None:
    """Refuse a message that is too long, in words for the one who wrote it.

    Raises:
        InvalidRequest: With `INPUT_TOO_LONG`, in Chinese or English as the locale has it.
    """
    characters = characters_of(parts)
    if characters <= limit:
        return
    language = "zh" if locale.lower().startswith("zh") else "en"
    said = _TOO_LONG[language].format(characters=characters, limit=limit)
    raise InvalidRequest(
        said,
        reason="INPUT_TOO_LONG",
        metadata={"characters": str(characters), "max_characters": str(limit)},
        violations=(FieldViolation(field="input.parts", description=said),),
    )


def _characters(part: Part) -> int:
    answers = texts_in(part.form.values) if part.form is not None else ()
    return len(part.plain_text()) + sum(map(len, answers))
