"""Rounds that are the same in every respect are judged once (RESOLUTIONS C14)."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from heartrule.chassis.system_files import system_dir
from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.monitoring import (
    AnalysisAnswer,
    AnalysisReport,
    DialogueLine,
    MonitorAnalysis,
    TopicStrategy,
)
from heartrule.model.template_store import TemplateStore
from monitor_service.cache import AnalysisCache, key_of
from monitor_service.handlers.handler_registry import standard_handlers
from monitor_service.json_call import Tools
from monitor_service.judge import judge_round
from tests.support.clock import ManualClock
from tests.support.fake_model import FakeModel
from tests.support.reports import ASK_ROUND

ADVICE = json.dumps({"intervention_needed": True, "feedback_for_action": "慢"})


def key(report: AnalysisReport, template_hash: str = "h1") -> bytes:
    """Return the key of a round judged with that template."""
    return key_of(report, report.metrics, template_hash=template_hash)


async def judged_twice(*replies: str) -> tuple[AnalysisAnswer, AnalysisAnswer, FakeModel]:
    """Judge one round twice with one cache."""
    model, cache = FakeModel(list(replies)), AnalysisCache(8)
    tools = Tools(model=model, templates=TemplateStore(system_dir() / "config"))
    handler = standard_handlers(tools).judging(ASK_ROUND)
    first = await judge_round(handler, ASK_ROUND, seconds=10, cache=cache)
    return first, await judge_round(handler, ASK_ROUND, seconds=10, cache=cache), model


async def test_the_same_round_costs_one_call() -> None:
    """The second answer says the same, is marked, and brings no call for the ledger."""
    first, second, model = await judged_twice(ADVICE)
    assert len(model.requests) == 1
    assert second.feedback_text == first.feedback_text
    assert (len(first.calls), second.calls) == (1, ())
    assert "cached" not in first.analysis.metadata
    assert second.analysis.metadata["cached"] is True


async def test_an_unreadable_reply_is_not_kept() -> None:
    """The next try asks again."""
    first, second, model = await judged_twice("???", ADVICE)
    assert (first.parse_failed, second.parse_failed) == (True, False)
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"tenant": "other"},
        {"session_id": "s2"},
        {"action_instance_id": "inst_2"},
        {"action_type": "fill_form"},
        {"metrics": ActionMetrics(user_engagement="愿意谈")},
        {"progress_suggestion": ProgressSuggestion.COMPLETED},
        {"trend": ()},
        {"topic_strategy": TopicStrategy(text="别急")},
        {"completed": True},
        {"dialogue": (DialogueLine(role=Role.CLIENT, text="不想说了"),)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_any_difference_is_another_round(changed: dict[str, object]) -> None:
    """Nobody else's analysis, and none of other words, is ever copied."""
    assert key(replace(ASK_ROUND, **changed)) != key(ASK_ROUND)  # type: ignore[arg-type]


def test_another_template_is_another_round() -> None:
    """An author who mends a prompt sees its answers at once."""
    assert key(ASK_ROUND, "h2") != key(ASK_ROUND)


def test_the_round_and_its_turn_do_not_matter() -> None:
    """The client says the same again, and the model sees the same in it."""
    assert key(replace(ASK_ROUND, round=3, turn_id="turn_3")) == key(ASK_ROUND)


def test_what_is_unused_for_longest_goes_first() -> None:
    """The cache is bounded."""
    cache = AnalysisCache(2)
    for name in (b"a", b"b"):
        cache.put(name, MonitorAnalysis())
    assert cache.get(b"a") is not None
    cache.put(b"c", MonitorAnalysis())
    assert (len(cache), cache.get(b"b")) == (2, None)


def test_nothing_is_kept_for_long() -> None:
    """Words about a client are gone after ten minutes, asked for or not."""
    clock = ManualClock()
    cache = AnalysisCache(2, clock=clock)
    cache.put(b"a", MonitorAnalysis())
    clock.move(timedelta(seconds=601))
    assert (cache.get(b"a"), len(cache)) == (None, 0)


def test_a_cache_of_no_size_keeps_nothing() -> None:
    """A setting of 0 turns it off."""
    cache = AnalysisCache(0)
    cache.put(b"a", MonitorAnalysis())
    assert cache.get(b"a") is None
