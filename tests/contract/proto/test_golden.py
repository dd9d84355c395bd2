"""The JSON of each event as a client in any language sees it (UPDATE_GOLDEN=1 writes it anew)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from google.protobuf import json_format

from heartrule.domain.events import EventBody
from heartrule.v1 import event_pb2
from heartrule.wire.event_messages import FIELDS, event_from_message
from tests.support.wire_samples import BODIES, event_of, event_to_message

GOLDEN = Path(__file__).parents[1] / "golden"


def name(body: EventBody) -> str:
    return FIELDS[type(body)]


@pytest.mark.parametrize("body", BODIES, ids=name)
def test_an_event_is_told_as_it_always_was(body: EventBody) -> None:
    """Names, spelling and forms of the canonical JSON have not moved."""
    path = GOLDEN / f"{name(body)}.json"
    told = json_format.MessageToDict(event_to_message(event_of(body)))
    if os.environ.get("UPDATE_GOLDEN") == "1":
        text = json.dumps(told, ensure_ascii=False, indent=2, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8")
    assert json.loads(path.read_text("utf-8")) == told


@pytest.mark.parametrize("body", BODIES, ids=name)
def test_the_json_of_an_event_is_understood(body: EventBody) -> None:
    """What a golden file says is the event it was made from."""
    text = (GOLDEN / f"{name(body)}.json").read_text("utf-8")
    assert event_of(body) == event_from_message(json_format.Parse(text, event_pb2.SessionEvent()))


def test_there_is_a_golden_file_for_each_event_and_no_other() -> None:
    """A kind of event that goes away takes its file along."""
    assert set(FIELDS.values()) == {path.stem for path in GOLDEN.glob("*.json")}
