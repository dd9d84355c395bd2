"""A line that is kept is the one its row would give."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from heartrule.domain.conversation import Message, Part, Role, text_part
from session_store.codec import dump
from session_store.sql.kept import line_of_message
from session_store.sql.rows import lines_of


@pytest.mark.parametrize(
    "parts",
    [
        (text_part("早上好"),),
        (text_part("nul \0 in it"),),
        (text_part("half \ud83d of a pair"),),
        (text_part("one"), text_part("two")),
        (Part(fallback_text="a picture"),),
        (),
    ],
)
def test_a_kept_line_is_what_its_row_gives(parts: tuple[Part, ...]) -> None:
    """Whatever a message is made of, text that no database takes included."""
    said = Message(message_id="m1", role=Role.CLIENT, parts=parts, sequence=4)
    row = SimpleNamespace(role="client", parts=dump(parts))
    assert line_of_message(said, 2) == (2, 4, *lines_of((row,)))
