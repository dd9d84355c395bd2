"""Checks notes at turns, and the mask that says which of them change."""

from __future__ import annotations

from collections.abc import Mapping

from heartrule.domain.notes import LONGEST_NOTE, MOST_NOTES
from heartrule.v1 import session_pb2
from heartrule.wire.inbound import Reading, check_name, check_text
from heartrule.wire.message_mapping import refuse

_ONE = "notes."


def names_notes(request: session_pb2.UpdateSessionRequest) -> bool:
    """Return whether the request is about notes; any other is about labels."""
    return bool(request.notes) or any(path.startswith(_ONE) for path in request.update_mask.paths)


def parse_notes(request: session_pb2.UpdateSessionRequest) -> Mapping[str, str]:
    """Return the texts at the turns that the mask names; an empty one is to be removed.

    Raises:
        InvalidRequest: the mask has a path that is no note's, labels or notes are given that it
            does not name, or a turn, a text or their number cannot be one.
    """
    reading, paths = Reading(), sorted(set(request.update_mask.paths))
    notes = {path.removeprefix(_ONE): "" for path in paths if path.startswith(_ONE)}
    if len(notes) < len(paths) or request.labels:
        reading.wrong("update_mask", "labels and notes are changed by two requests")
    if len(notes) > MOST_NOTES:
        reading.wrong("update_mask", f"must name at most {MOST_NOTES} notes")
    for turn_id in notes:
        check_name(turn_id, "update_mask", reading)
    for turn_id, text in sorted(request.notes.items()):
        if turn_id not in notes:
            reading.wrong("notes", f"{turn_id[:64]!r} is not in the mask")
        if len(text) > LONGEST_NOTE:
            reading.wrong("notes", f"a note must have at most {LONGEST_NOTE} characters")
        check_text(text, "notes", reading)
        notes[turn_id] = text
    refuse(reading)
    return notes
