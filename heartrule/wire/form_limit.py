"""How much a submitted form may hold: its values are read one by one, on the event loop."""

from __future__ import annotations

from heartrule.v1 import conversation_pb2
from heartrule.wire.inbound import Reading

# Bytes of a form's values as they travel; two hundred fields of two hundred Chinese characters.
LARGEST_FORM = 131_072


def check_forms(message: conversation_pb2.UserInput, at: str, reading: Reading) -> None:
    """Note forms that hold too much, before any value of theirs is read."""
    for index, part in enumerate(message.parts):
        if part.HasField("form") and part.form.values.ByteSize() > LARGEST_FORM:
            path = f"{at}.parts[{index}].form.values"
            reading.wrong(path, f"must have at most {LARGEST_FORM} bytes")
