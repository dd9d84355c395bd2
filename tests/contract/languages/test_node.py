"""A client in Node, without generated code, holds whole conversations (CONTRACT)."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from heartrule import __version__
from heartrule.domain.request_limits import LARGEST_INPUT
from tests.contract.languages.conftest import (
    DRAFT,
    EXAMPLE,
    FIELDS,
    TEXTS,
    Conversations,
    Held,
    run_program,
)
from tests.support.require import require_tool

# One worker, so that what all these tests look at is made once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("node")]
WAYS = ("converse", "watch", "broken", "older")


@pytest.fixture(params=WAYS)
def one(request: pytest.FixtureRequest, held: Conversations) -> Held:
    """Each of the conversations in turn."""
    found: Held = getattr(held, request.param)
    return found


def test_a_whole_conversation_is_held(one: Held) -> None:
    """To the script's end, and what the client shows is what the executor keeps."""
    shown = [(message["role"], message["text"]) for message in one.messages]
    assert shown == one.kept
    assert [text for role, text in shown if role == "ROLE_CLIENT"] == list(TEXTS)
    assert one.of("turn_ended")[-1]["state"]["status"] == "EXECUTION_STATUS_COMPLETED"


def test_every_message_is_whole_in_the_end(one: Held) -> None:
    """No draft is left on the screen."""
    assert [message for message in one.messages if message["draft"]] == []


def test_each_durable_event_comes_once_and_in_order(one: Held) -> None:
    """However many streams it took."""
    numbers = one.sequences()
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("way", ["converse", "watch"])
def test_text_streams_before_it_is_committed(held: Conversations, way: str) -> None:
    """Drafts come in pieces, and joined they are the message."""
    one: Held = getattr(held, way)
    drafts: dict[str, list[str]] = {}
    for delta in one.of("draft_delta"):
        drafts.setdefault(delta["at"]["message_id"], []).append(delta["text"])
    whole = {each["message_id"]: each["parts"][0]["text"] for each in one.of("message_committed")}
    assert {message_id: "".join(pieces) for message_id, pieces in drafts.items()} == whole
    assert max(len(pieces) for pieces in drafts.values()) > 1


@pytest.mark.parametrize("way", ["broken", "older"])
def test_a_broken_stream_is_resumed(held: Conversations, way: str) -> None:
    """A client that drops its stream in the midst of every turn misses nothing durable."""
    one: Held = getattr(held, way)
    assert len(one.of("opened")) > len(TEXTS)
    assert one.kept == held.converse.kept


def test_what_an_older_client_does_not_know_is_ignored(held: Conversations) -> None:
    """A newer server's events and enum values come, and harm nothing."""
    unknown = [event for event in held.older.events if "event" not in event]
    last = held.older.of("turn_ended")[-1]
    assert unknown
    assert all(event["sequence"] > 0 for event in unknown)
    assert last["outcome"] == 2  # the number of a value that this client's contract does not name


def test_the_chat_of_the_example_talks(held: Conversations) -> None:
    """Piped lines are said one a turn, and the model's words are printed once."""
    said = [text for role, text in held.converse.kept if role == "ROLE_ASSISTANT"]
    printed = held.chat.splitlines()
    assert printed[1:-1] == said
    assert printed[-1] == "the script is at its end"


def test_the_lock_names_no_address_to_fetch_from() -> None:
    """Versions and hashes only; and nothing is generated."""
    lock = json.loads((EXAMPLE / "package-lock.json").read_text())
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert [name for name, entry in packages.items() if "resolved" in entry] == []
    assert [name for name, entry in packages.items() if "integrity" not in entry] == []


def test_the_example_pins_what_it_depends_on() -> None:
    """What is tested is what a reader installs."""
    wanted = json.loads((EXAMPLE / "package.json").read_text())["dependencies"]
    assert [name for name, version in wanted.items() if not re.fullmatch(r"[\d.]+", version)] == []


def test_a_form_is_filled_and_mended(held: Conversations) -> None:
    """Its schema comes as a plain object; what was wrong is marked, what was right is kept."""
    first, second, ended = held.form
    assert first["schema"]["x-order"] == list(FIELDS)
    wrong = second["schema"]["properties"][FIELDS[-1]]
    assert (wrong["maximum"], "x-error" in wrong) == (3, True)
    assert second["schema"]["properties"][FIELDS[0]]["default"] == 1
    assert ended == {"outcome": "OUTCOME_SESSION_COMPLETED"}


def test_a_refusal_has_its_card_on_either_way(held: Conversations) -> None:
    """A unary call has it in the details of its status."""
    told = [
        (each["problem"]["reason"], "12356" in each["fallback"]["card"]["text"])
        for each in held.refused
    ]
    assert told == [("INPUT_TOO_LONG", True)] * 2


def test_a_decision_is_submitted_and_its_workflow_read(held: Conversations) -> None:
    """Corrected, and done once: a repeat has the same answer; a rejected dry run is an answer."""
    first, again, dry, definition, runs = held.decided
    config = {**DRAFT["config"], "timeout": 300}
    assert (first["state"], first["effective"]) == (
        "DECISION_STATE_DONE", {**DRAFT, "config": config},
    )  # fmt: skip
    assert again == first
    assert (dry["state"], dry["is_valid"], dry["workflow"]) == (
        "DECISION_STATE_UNSPECIFIED", False, None,
    )  # fmt: skip
    assert ["FINDING_CODE_MISSING_FIELD", "config"] in dry["codes"]
    assert [each["config"] for each in definition["nodes"]] == [config]
    assert runs == {"runs": [], "missing": 5}


def test_a_session_is_found_by_its_labels(held: Conversations) -> None:
    """As they are after a change; what is no filter is refused with its place."""
    labels, found, wrong, _ = held.found
    assert (labels, found) == ({"研究": "秋季", "note": 'it\'s "here"'}, [True])
    assert (wrong["code"], "character 1" in wrong["details"]) == (3, True)


def test_a_client_learns_what_the_server_takes(held: Conversations) -> None:
    """Features as words, limits as numbers, before it asks for anything else."""
    info = held.found[-1]
    assert info["version"] == __version__
    assert {"export", "filters", "labels"} <= set(info["features"])
    assert info["limits"]["max_input_bytes"] == LARGEST_INPUT


def test_a_result_takes_its_placeholders_place(node_project: Path) -> None:
    """Meanwhile the placeholder has a label; a client that folds shows one message."""

    def message(message_id: str, text: str, **fields: str) -> dict[str, Any]:
        parts = [{"content": "text", "text": text}]
        said = {"message_id": message_id, "role": "ROLE_ASSISTANT", "parts": parts, **fields}
        return {"event": "message_committed", "message_committed": said}

    told = [
        message("m1", "在查…", completeness="COMPLETENESS_PLACEHOLDER"),
        {"event": "activity", "activity": {"message_id": "m1", "label": "核对"}},
        message("m2", "还有吗？"),
        message("m3", "查到了", replaces_message_id="m1"),
        {"event": "activity", "activity": {"message_id": "m1", "label": "晚了"}},
    ]
    command = [require_tool("node"), "folds_placeholders.mjs", json.dumps(told)]
    code, output = asyncio.run(run_program(command, node_project))
    screens = [json.loads(line) for line in output.splitlines()]
    assert code == 0
    assert [each[0]["label"] for each in screens[:2]] == ["", "核对"]
    assert [each["text"] for each in screens[2]] == ["在查…", "还有吗？"]
    assert [(each["message_id"], each["text"], each["placeholder"]) for each in screens[-1]] == [
        ("m3", "查到了", False),
        ("m2", "还有吗？", False),
    ]
