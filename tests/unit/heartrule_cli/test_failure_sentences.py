"""What terminal, HTTP answer, event and log say of each failure of a model, in both languages."""

from __future__ import annotations

import pytest

from gateway_service.problems import problem_in_band
from heartrule.chassis.errors import to_problem
from heartrule.domain.conversation import Audience
from heartrule.domain.errors import ModelRateLimited, ModelUnavailable
from heartrule.domain.event_audience import seen_by
from heartrule.domain.events import Outcome, SessionEvent, TurnEnded
from heartrule.domain.model_failure import ModelFailureCause as Cause
from heartrule.domain.model_failure import ModelFailureDetails
from heartrule.v1 import problem_pb2
from heartrule.words.failures import failure_sentence
from heartrule.words.language import ReaderLanguage
from heartrule_cli.narration.session_texts import problem_text

WHERE = ("https://api.example/v1", "big")
# By cause: the status, and words of each sentence.
TOLD = {
    Cause.NO_KEY: (401, "none is set", "没有设置"),
    Cause.KEY_REJECTED: (401, "does not take the key", "不接受这个密钥"),
    Cause.UNKNOWN_MODEL: (404, "no such model", "没有这个模型"),
    Cause.QUOTA: (429, "is used up", "额度已用完"),
    Cause.RATE_LIMITED: (429, "too often", "过于频繁"),
    Cause.CONNECTION_REFUSED: (0, "nothing listens", "没有服务"),
    Cause.DNS: (0, "cannot be found", "找不到"),
    Cause.TLS: (0, "no trusted connection", "可信的连接"),
    Cause.TIMED_OUT: (0, "did not answer in time", "没有及时应答"),
    Cause.UNREADABLE: (0, "a web page", "网页"),
    Cause.STALLED: (0, "fell silent", "没有了下文"),
    Cause.EMPTY: (0, "without a word", "空的"),
}
ROWS = [(cause, *row) for cause, row in TOLD.items()]


def failed(cause: Cause, status: int) -> ModelUnavailable | ModelRateLimited:
    kind = ModelRateLimited if cause is Cause.RATE_LIMITED else ModelUnavailable
    error = kind("provider p failed", reason="MODEL_X")
    error.details = ModelFailureDetails(
        cause=cause, provider="p", base_url=WHERE[0], model=WHERE[1], status=status,
        message="In its own words.", code="its_code",
    )  # fmt: skip
    return error


def test_every_cause_has_its_sentence() -> None:
    """Cause and remedy stand in the catalogues."""
    assert [cause for cause in Cause if not failure_sentence({"cause": cause})] == []
    assert failure_sentence({"cause": "something_new"}) == ""


@pytest.mark.parametrize(("cause", "status", "english", "chinese"), ROWS)
def test_the_terminal_says_cause_facts_and_remedy(
    cause: Cause, status: int, english: str, chinese: str
) -> None:
    """One sentence: what happened, where, in the provider's words, and what to do."""
    problem = to_problem(failed(cause, status))
    for language, words in zip(ReaderLanguage, (english, chinese), strict=True):
        told = problem_text(problem, language)
        facts = (words, *WHERE, "In its own words.", "its_code", f"HTTP {status}" if status else "")
        assert [each for each in facts if each not in told] == []


@pytest.mark.parametrize(("cause", "status", "english", "chinese"), ROWS)
def test_the_http_answer_is_in_both_languages_without_an_operator_s_facts(
    cause: Cause, status: int, english: str, chinese: str
) -> None:
    """A client's problem has cause and remedy, and neither address nor the provider's words."""
    plain = to_problem(failed(cause, status)).for_clients()
    reported = problem_pb2.Problem(
        code=plain.code, reason=plain.reason, message=plain.message, metadata=plain.metadata
    )
    body = problem_in_band(reported).as_json()
    assert english in str(body["detail"]).lower()
    explained = body["explanation"]
    assert isinstance(explained, dict)
    assert (english in str(explained["en"]).lower(), chinese in str(explained["zh-CN"])) == (
        True,
        True,
    )
    assert [fact for fact in (*WHERE, "own words", "its_code") if fact in str(body)] == []


@pytest.mark.parametrize("cause", TOLD)
def test_the_event_tells_operators_more_than_clients(cause: Cause) -> None:
    """The details are for OPERATOR; a client's event keeps reason, cause and a plain sentence."""
    problem = to_problem(failed(cause, 401))
    event = SessionEvent(session_id="s", body=TurnEnded(outcome=Outcome.FAILED, problem=problem))
    operators = seen_by(event, {Audience.CLIENT, Audience.OPERATOR}).body
    clients = seen_by(event, {Audience.CLIENT}).body
    assert isinstance(operators, TurnEnded)
    assert isinstance(clients, TurnEnded)
    assert operators.problem == problem
    assert problem.metadata["base_url"] == WHERE[0]
    assert clients.problem is not None
    assert set(clients.problem.metadata) == {"cause", "provider", "status"}


def test_the_log_has_a_provider_s_words_only_where_they_are_not_about_a_prompt() -> None:
    """What a provider says of a request may repeat what a client wrote."""
    logged = {}
    for cause in Cause:
        details = failed(cause, 400).details
        assert details is not None
        logged[cause] = details.logged
    about_access = {cause for cause, facts in logged.items() if "provider_message" in facts}
    assert about_access == {
        Cause.NO_KEY, Cause.KEY_REJECTED, Cause.UNKNOWN_MODEL, Cause.QUOTA, Cause.RATE_LIMITED,
    }  # fmt: skip
    assert all(facts["base_url"] == WHERE[0] for facts in logged.values())
