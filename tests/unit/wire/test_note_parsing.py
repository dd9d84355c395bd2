"""Notes at turns as requests have them, and the mask that names those that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from heartrule.domain.errors import InvalidRequest
from heartrule.domain.notes import LONGEST_NOTE, MOST_NOTES
from heartrule.v1 import session_pb2
from heartrule.wire.note_parsing import names_notes, parse_notes


def asked(
    paths: Sequence[str], notes: Mapping[str, str], labels: Mapping[str, str] | None = None
) -> session_pb2.UpdateSessionRequest:
    request = session_pb2.UpdateSessionRequest(session_id="s", notes=notes, labels=labels or {})
    request.update_mask.paths.extend(paths)
    return request


def test_the_mask_names_the_turns_whose_notes_change() -> None:
    """A turn without a text has its note removed."""
    request = asked(["notes.t1", "notes.t2", "notes.t3"], {"t1": "好" * LONGEST_NOTE, "t3": ""})
    assert parse_notes(request) == {"t1": "好" * LONGEST_NOTE, "t2": "", "t3": ""}


def test_a_request_is_about_notes_or_about_labels() -> None:
    """By its mask, and by what it has."""
    assert names_notes(asked(["notes.t1"], {}))
    assert names_notes(asked([], {"t1": "x"}))
    assert not names_notes(asked(["labels.notes"], {}, {"notes": "x"}))


@pytest.mark.parametrize(
    ("paths", "notes", "labels", "field"),
    [
        ([], {"t1": "x"}, {}, "notes"),
        (["notes"], {"t1": "x"}, {}, "update_mask"),
        (["notes.t1", "labels.a"], {"t1": "x"}, {"a": "1"}, "update_mask"),
        (["notes.t1"], {"t1": "x"}, {"a": "1"}, "update_mask"),
        (["notes."], {"": "x"}, {}, "update_mask"),
        (["notes.t1"], {"t1": "x" * (LONGEST_NOTE + 1)}, {}, "notes"),
        (["notes.t1"], {"t1": "\x00"}, {}, "notes"),
        (["notes.t1"], {"t2": "x"}, {}, "notes"),
        ([f"notes.{n}" for n in range(MOST_NOTES + 1)], {}, {}, "update_mask"),
    ],
)
def test_what_is_no_change_of_notes_is_refused(
    paths: Sequence[str], notes: Mapping[str, str], labels: Mapping[str, str], field: str
) -> None:
    """The field is named."""
    with pytest.raises(InvalidRequest) as refused:
        parse_notes(asked(paths, notes, labels))
    assert field in {each.field for each in refused.value.violations}
