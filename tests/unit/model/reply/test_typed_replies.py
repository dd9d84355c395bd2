"""What an action gets from a reply: every field, defaulted where it is missing or odd."""

from __future__ import annotations

import json

from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import (
    ASK_METRICS,
    SAY_METRICS,
    THINK_CONTRACT,
    ReplyContract,
    talk_contract,
)
from heartrule.model.reply.field_reader import Assessment
from heartrule.model.reply.prose import Skeleton
from heartrule.model.reply.typed_replies import TalkReply, read_talk_reply, read_think_reply
from tests.support.recorded_replies import recorded_replies

ASK = talk_contract(metrics=ASK_METRICS, outputs=("姓名", "年龄"))
SKELETON = {
    "EXIT": "YES或NO，表示是否满足退出条件",
    "content": "要说的话",
    "BRIEF": "对来访者回答的简要总结",
    "variables": "来访者说过的内容，没有就留空",
    "metrics.user_engagement": "描述用户投入程度",
}
METRICS: dict[str, JsonValue] = dict.fromkeys(ASK_METRICS, "好")
GOOD: dict[str, JsonValue] = {
    "EXIT": "YES",
    "content": "谢谢你。",
    "BRIEF": "说了名字",
    "variables": {"姓名": "小明", "年龄": 25},
    "metrics": METRICS,
    "progress_suggestion": "completed",
}


def read(contract: ReplyContract = ASK, **changes: JsonValue) -> TalkReply:
    reply = {key: value for key, value in (GOOD | changes).items() if value is not None}
    return read_talk_reply(json.dumps(reply), contract=contract, own_words=Skeleton(SKELETON))


def test_good_reply() -> None:
    """A whole reply is taken as it is, without a warning."""
    reply = read()
    assert (reply.exit, reply.content, reply.brief) == (True, "谢谢你。", "说了名字")
    assert reply.variables == {"姓名": "小明", "年龄": 25}
    assert reply.metrics == ActionMetrics(**dict.fromkeys(ASK_METRICS, "好"))
    assert reply.progress_suggestion is ProgressSuggestion.COMPLETED
    assert reply.readable
    assert reply.diagnosis.warnings == ()


def test_unreadable_reply() -> None:
    """An unreadable reply stays, has default metrics and goes on (RESOLUTIONS C4)."""
    reply = read_talk_reply("好的。", contract=ASK, own_words=Skeleton({}))
    assert not reply.readable
    assert (reply.exit, reply.content) == (False, "")
    assert reply.metrics.reply_relevance == "LLM输出解析失败,无法评估"
    assert reply.metrics.understanding_level == ""
    assert reply.progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED


def test_missing_metrics() -> None:
    """A metric left out gets its default and a warning; those of other actions stay empty."""
    reply = read(metrics={"user_engagement": "高", "reply_relevance": ""})
    assert reply.metrics.user_engagement == "高"
    assert reply.metrics.reply_relevance == "信息不可用"
    assert len(reply.diagnosis.warnings) == 3
    assert read(metrics="好").metrics.information_completeness == "信息不可用"


def test_say_metrics() -> None:
    """ai_say has three metrics (RESOLUTIONS C25)."""
    reply = read(talk_contract(metrics=SAY_METRICS), variables={}, metrics={})
    assert reply.metrics.understanding_level == "信息不可用"
    assert reply.metrics.information_completeness == ""


def test_opening_has_no_metrics() -> None:
    """An opening judges nothing: no metrics, no warnings about them."""
    reply = read(talk_contract(metrics=()), variables={}, metrics=None)
    assert reply.metrics == ActionMetrics()
    assert reply.diagnosis.warnings == ()


def test_metrics_become_text() -> None:
    """Numbers and booleans are kept as written."""
    metrics = {**METRICS, "user_engagement": 10, "emotional_intensity": True}
    reply = read(metrics={**metrics, "reply_relevance": "100%"})
    assert reply.metrics.user_engagement == "10"
    assert reply.metrics.emotional_intensity == "true"
    assert reply.metrics.reply_relevance == "100%"


def test_progress_inside_metrics() -> None:
    """A suggestion absent at the top is taken from metrics."""
    nested = {**METRICS, "progress_suggestion": "blocked"}
    reply = read(metrics=nested, progress_suggestion=None)
    assert reply.progress_suggestion is ProgressSuggestion.BLOCKED


def test_odd_progress_warns() -> None:
    """A copied list means continue, with a warning."""
    reply = read(progress_suggestion="continue_needed | completed")
    assert reply.progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED
    assert any("progress_suggestion" in warning for warning in reply.diagnosis.warnings)


def test_copied_exit_stays() -> None:
    """The skeleton's text in EXIT means stay, though it begins with YES."""
    reply = read(EXIT=SKELETON["EXIT"])
    assert not reply.exit
    assert any("EXIT" in warning for warning in reply.diagnosis.warnings)


def test_absent_exit_stays_silently() -> None:
    """An absent EXIT means stay and is no warning."""
    reply = read(EXIT=None)
    assert not reply.exit
    assert reply.diagnosis.warnings == ()


def test_copied_fields_are_absent() -> None:
    """The template's words are no brief, no metric and no variable (RESOLUTIONS C36)."""
    reply = read(
        BRIEF=SKELETON["BRIEF"],
        variables={"姓名": SKELETON["variables"], "年龄": "25"},
        metrics={**METRICS, "user_engagement": "描述用户投入程度。"},
    )
    assert reply.brief == ""
    assert reply.variables == {"年龄": "25"}
    assert reply.metrics.user_engagement == "信息不可用"


def test_variables_by_name_only() -> None:
    """Names that are no outputs are dropped, blanks and null stay unset."""
    reply = read(variables={"姓名": " ", "年龄": None, "心情": "好"})
    assert reply.variables == {}
    assert reply.diagnosis.warnings == ("1 in variables are no outputs",)


def test_zero_and_false_are_values() -> None:
    """0 and false are values."""
    assert read(variables={"姓名": False, "年龄": 0}).variables == {"姓名": False, "年龄": 0}


def test_variables_as_text() -> None:
    """A text instead of the object is ignored with a warning that does not repeat it."""
    reply = read(variables="我姐姐吧")
    assert reply.variables == {}
    assert reply.diagnosis.warnings == ("variables is not an object; ignored",)


def test_outputs_at_the_top() -> None:
    """Outputs at the top level count; those inside variables win (RESOLUTIONS C26)."""
    reply = read(variables={"姓名": "里"}, 姓名="外", 年龄="25")
    assert reply.variables == {"姓名": "里", "年龄": "25"}


def test_assessment() -> None:
    """Level and questions are read however they are written; out of bounds is ignored."""
    both = read(assessment={"understanding_level": "80%", "has_questions": "否"}).assessment
    assert both == Assessment(understanding_level=80, has_questions=False)
    assert read().assessment is None
    assert read(assessment={"understanding_level": 800}).assessment is None
    half = read(assessment={"understanding_level": "高", "has_questions": True}).assessment
    assert half == Assessment(understanding_level=None, has_questions=True)


def test_models_own_exit_decision() -> None:
    """should_exit and exit_reason are kept beside EXIT."""
    reply = read(should_exit="true", exit_reason=" 都问到了 ")
    assert (reply.should_exit, reply.exit_reason_text) == (True, "都问到了")
    assert read(should_exit="也许").should_exit is None


def test_warnings_hold_no_words_of_the_client() -> None:
    """Warnings may be logged, so nothing that stood in the reply is in them."""
    secret = "秘密秘密"
    reply = read(EXIT=secret, variables={secret: 1}, should_exit=secret, progress_suggestion=secret)
    assert len(reply.diagnosis.warnings) == 4
    assert all(secret not in warning for warning in reply.diagnosis.warnings)


def test_think_reply() -> None:
    """ai_think gives variables and a brief; outputs may stand at the top."""
    contract = ReplyContract(fields=THINK_CONTRACT.fields, required=(), outputs=("结论",))
    reply = read_think_reply(
        '{"结论": "稳", "BRIEF": "想过"}', contract=contract, own_words=Skeleton({})
    )
    assert (reply.variables, reply.brief, reply.readable) == ({"结论": "稳"}, "想过", True)
    assert not read_think_reply("想不出", contract=contract, own_words=Skeleton({})).readable


def test_recorded_oddities() -> None:
    """The recorded odd fields end as a default each, with a warning."""
    raw = {reply.id: reply.raw for reply in recorded_replies()}
    contract = talk_contract(metrics=ASK_METRICS, outputs=("压力来源", "支持者"))

    def of(name: str) -> TalkReply:
        return read_talk_reply(raw[name], contract=contract, own_words=Skeleton(SKELETON))

    assert not of("mr08").exit
    assert of("mr11").metrics.user_engagement == "10"
    assert of("mr15").progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED
    assert of("mr16").variables == {}
    assert of("mr20").progress_suggestion is ProgressSuggestion.CONTINUE_NEEDED
    assert of("mr24").variables == {}
    assert of("mr24").metrics.user_engagement == "信息不可用"
    assert of("mr34").variables == {"支持者": "姐姐"}


def test_a_value_beside_its_quote() -> None:
    """A variable may be its value and the client's words; a plain value has no quote."""
    reply = read(variables={"姓名": {"value": "小明", "quote": " 叫我小明 "}, "年龄": 25})
    assert reply.variables == {"姓名": "小明", "年龄": 25}
    assert reply.quotes == {"姓名": "叫我小明"}


def test_dots_are_no_value() -> None:
    """What the template shows in place of values is absent, with or without a quote."""
    reply = read(variables={"姓名": {"value": "…", "quote": "…"}, "年龄": "……"})
    assert (reply.variables, reply.quotes) == ({}, {})
    assert not read(content="…").readable
    assert not read(EXIT="…").exit


def test_an_opening_misses_nothing() -> None:
    """The reply of an opening may be its text alone."""
    opening = talk_contract(metrics=(), outputs=("姓名",), judges=False)
    reply = read_talk_reply('{"content": "你好"}', contract=opening, own_words=Skeleton({}))
    assert (reply.content, reply.diagnosis.warnings) == ("你好", ())
