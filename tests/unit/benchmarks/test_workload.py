"""What is said in the benchmark."""

from __future__ import annotations

import json

import pytest

from executor_service.scripts.checking.environment import trusting
from executor_service.scripts.loading.loader import load_script
from executor_service.strategy.recommendation import read_recommendation
from heartrule.model.prompt_words import base_words
from heartrule.model.reply.prose import Skeleton
from tests.benchmarks import workload
from tests.benchmarks.measuring import Plan, block_of
from tests.benchmarks.openings import Openings, opening_table

MARK = "0badcafe"


def test_the_tokens_are_the_reply() -> None:
    """Cut into about a hundred tokens, nothing of the reply is lost."""
    pieces = workload.tokens(workload.reply(MARK))
    assert json.loads("".join(pieces))["content"] == workload.reply_text(MARK)
    assert 90 <= len(pieces) <= 120


def test_the_first_visible_piece_begins_the_content() -> None:
    """No piece before it holds text that a client may see."""
    pieces = workload.tokens(workload.reply(MARK))
    at = workload.first_visible(pieces)
    assert "".join(pieces[:at]).endswith('"content":"')
    assert workload.reply_text(MARK).startswith(pieces[at])


def first_tokens(*, alike: bool = False) -> list[str]:
    """Return the first token of each of four hundred replies that a client reads."""
    marks = [workload.mark_of(number, alike=alike) for number in range(1, 401)]
    replies = [workload.tokens(workload.reply(mark)) for mark in marks]
    return [pieces[workload.first_visible(pieces)] for pieces in replies]


def test_replies_begin_unlike_one_another() -> None:
    """No reply waits for a second token to be told from an earlier one."""
    assert len(set(first_tokens())) == 400


def test_replies_that_begin_alike_do_so_for_two_tokens() -> None:
    """Whoever holds a possible repetition waits for both, and for no more."""
    assert set(first_tokens(alike=True)) == {"听起"}
    pieces = workload.tokens(workload.reply(workload.mark_of(1, alike=True)))
    first = workload.first_visible(pieces)
    assert "".join(pieces[first : first + 2]) == "听起来，"
    texts = {workload.reply_text(workload.mark_of(n, alike=True))[4:10] for n in range(1, 401)}
    assert len(texts) == 400


def test_one_judgement_of_four_advises() -> None:
    """Within the noise of four hundred marks."""
    judged = [workload.judgement(workload.mark_of(number)) for number in range(1, 401)]
    assert 80 <= sum('"intervention_needed":true' in each for each in judged) <= 120


def test_the_latest_mark_is_answered() -> None:
    """A prompt holds the marks of its history too."""
    request = f"{workload.client_text('11111111')} {workload.client_text(MARK)} …".encode()
    assert workload.mark_in(request) == MARK
    assert workload.mark_in(b"{}") == workload.NO_MARK


@pytest.mark.parametrize(("name", "on"), [("bench", False), ("openings", False), ("advised", True)])
def test_every_script_loads(name: str, *, on: bool) -> None:
    """The scripts are valid, and one alone has the strategy engine on."""
    loaded = load_script({"bench.yaml": workload.script(name).encode()}, environment=trusting())
    assert loaded.script is not None
    assert loaded.script.strategy_engine is on
    actions = sum(1 for _ in loaded.script.walk())
    assert actions == (1 if name == "bench" else workload.OPENINGS)


@pytest.mark.parametrize("name", ["whole", "whole_long", "whole_openings"])
def test_a_whole_script_uses_the_language(name: str) -> None:
    """Conditions, an exit policy, roles and variables of four scopes; no strategy engine."""
    loaded = load_script({"bench.yaml": workload.script(name).encode()}, environment=trusting())
    assert loaded.script is not None
    assert (loaded.warnings, loaded.script.strategy_engine) == ((), False)
    actions = [action for _, _, _, action in loaded.script.walk()]
    assert all(action.condition and action.exit_sources for action in actions)
    (phase,) = loaded.script.phases
    declared = (loaded.script, phase, phase.topics[0])
    scopes = {each.scope for owner in declared for each in owner.declarations}
    assert (len(scopes), bool(loaded.script.roles), bool(phase.entry_condition)) == (4, True, True)


def test_the_recommendation_is_one() -> None:
    """What the fake model answers the strategy engine is read at the first attempt."""
    found, diagnosis = read_recommendation(
        workload.RECOMMENDATION,
        base_words(),
        own_words=Skeleton({}),
        client_text=workload.client_text(MARK),
    )
    assert found is not None
    assert (diagnosis.retry_count, diagnosis.warnings) == (1, ())


def test_what_a_recommendation_adds() -> None:
    """Differences and ratios are those of neighbouring blocks."""
    found = Openings(model="instant", sessions=1, plain_ms=(10.0, 20.0), advised_ms=(15.0, 40.0))
    assert (found.added_ms.low, found.added_ms.high) == (5.0, 20.0)
    assert (found.ratio.low, found.ratio.high) == (1.5, 2.0)
    assert "instant" in opening_table([found])


def answered(mark: str, *, received: float, visible: float) -> dict[str, object]:
    return {"mark": mark, "prompt_bytes": 7, "received": received, "visible": visible}


def test_the_models_own_time_is_taken_off() -> None:
    """Half a second to the first text, of which the model took 0.4: a tenth is ours."""
    turns = [{"mark": MARK, "sent": 1.0, "first": 1.5, "drafted": True}]
    report = {"answered": [answered(MARK, received=1.05, visible=1.45)]}
    block = block_of({"seconds": 1.0, "turns": turns}, report, {"server": 0.1})
    assert block.beyond_ms == pytest.approx([100.0])


def test_a_further_model_call_spoils_a_block() -> None:
    """A turn that asked the model twice is not a turn to measure."""
    turns = [{"mark": MARK, "sent": 1.0, "first": 1.5, "drafted": True}]
    twice = [answered(MARK, received=1.0, visible=1.1)] * 2
    with pytest.raises(ValueError, match="2 model calls"):
        block_of({"seconds": 1.0, "turns": turns}, {"answered": twice}, {"server": 0.1})


def test_a_plan_cuts_its_turns_into_blocks() -> None:
    """A thousand turns of sixteen sessions in five blocks are twelve a session and block."""
    plan = Plan(sessions=(1, 16), turns=1000, rounds=20, repeats=5)
    assert [turns for _, turns in plan.cells()] == [200, 12, 4, 4]
