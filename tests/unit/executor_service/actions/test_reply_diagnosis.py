"""What is told of how a reply was read."""

from __future__ import annotations

import logging
from dataclasses import replace

import pytest

from executor_service.actions.reply_diagnosis import layer_degradations, log_diagnosis
from heartrule.domain.model_call import ParseDiagnosis
from heartrule.model.reply.contract import talk_contract
from heartrule.model.reply.parser import parse_object
from tests.support.written_templates import written_templates


def logged(caplog: pytest.LogCaptureFixture, reply: str) -> list[tuple[str, object]]:
    """Read a reply and return level and strategy of each record."""
    diagnosis = parse_object(reply, contract=talk_contract(metrics=())).diagnosis
    with caplog.at_level(logging.DEBUG):
        log_diagnosis(diagnosis, prompt_type="ai_ask_v1")
    return [(r.levelname, getattr(r, "strategy", "")) for r in caplog.records]


def test_a_reply_read_at_once_is_not_worth_a_line(caplog: pytest.LogCaptureFixture) -> None:
    """The first strategy succeeds: nothing happened."""
    assert logged(caplog, '{"content":"好"}') == []


def test_each_strategy_that_failed_is_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    """A padded reply fails the first strategy and is read by the second."""
    assert logged(caplog, '  {"content":"好"}  ') == [("WARNING", "direct_parse")]


def test_a_reply_nobody_can_read_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    """Three warnings, then an error with the last reason (document 000)."""
    assert logged(caplog, "随便说说") == [
        ("WARNING", "direct_parse"),
        ("WARNING", "trim_and_parse"),
        ("WARNING", "extract_json_block"),
        ("ERROR", ""),
    ]
    assert "final_error" in caplog.records[-1].__dict__


def test_no_word_of_the_reply_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """The reply may hold what a client said; the ledger keeps it, the log does not (C33)."""
    logged(caplog, '{"content": 小明的秘密')
    assert "秘密" not in "".join(str(record.__dict__) for record in caplog.records)


def test_a_call_that_was_not_parsed_logs_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """An empty diagnosis has no strategy that failed."""
    with caplog.at_level(logging.DEBUG):
        log_diagnosis(ParseDiagnosis(), prompt_type="ai_ask_v1")
    assert caplog.records == []


def test_a_template_that_stands_for_another_is_a_degradation() -> None:
    """Of a broken file its name is told; a scheme that has none is told too."""
    found = written_templates().get("ai_ask")
    instead = replace(found, instead_of="custom/mine/ai_ask_v1.md")
    (broken,) = layer_degradations(instead, "mine")
    assert (broken.reason, broken.metadata["file"]) == (
        *("TEMPLATE_FILE_BROKEN", "custom/mine/ai_ask_v1.md"),
    )
    assert [each.reason for each in layer_degradations(found, "mine")] == ["SCHEME_FILE_ABSENT"]
    assert layer_degradations(found, "") == ()
