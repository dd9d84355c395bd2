"""The texts of the benchmark: the script, the client's words, and the model's reply to them.

Every client message has a mark of its own and the model's reply holds it, so that a reply to
another message, or to none, is noticed. A reply that begins like an earlier one waits until they
differ (ADR 59). Marks are made so that no reply does, but those under marks made `alike`.
"""

from __future__ import annotations

import re
import zlib

TALK, MONITOR, STRATEGY = "talk", "monitor", "strategy"
THREAD, STUCK_THREAD = "thread", "stuck"
"""Who asks the model; a stuck thread is answered too late."""
NO_MARK = "0" * 8
"""The mark in the reply to a prompt without any input."""
ALIKE = "alike"
"""The group of sessions whose replies all begin alike."""

_ALIKE_BEGINS = "a"
_ALIKE_OPENING = "听起来，"
# Multiples of the golden ratio's fraction lie far apart, so that marks differ in their first digits
# already: the first token of a reply is its mark's first six.
_STEP, _STEP_ALIKE = 61_803_399, 6_180_339

_MARK = re.compile(rb"bench-([0-9a-f]{8})")
_TOKEN = re.compile(r"[ -~]{1,6}|[^ -~]{1,2}")
_CONTENT = (
    "{mark}，谢谢你愿意告诉我。听起来这段日子你睡得不太安稳，醒来以后又很难再睡着，"
    "白天难免没有精神。早上刚醒的时候，你心里最常想的是什么呢？"
)
_REPLY = (
    '{{"EXIT":"NO","content":"{content}","BRIEF":"来访者说最近醒得早，醒后睡不着",'
    '"variables":{{}},"metrics":{{"information_completeness":"知道醒得早，还不知道心里在想什么",'
    '"user_engagement":"愿意谈，说得比较具体","emotional_intensity":"语气平静，略显疲惫",'
    '"reply_relevance":"直接回答了问题"}},"progress_suggestion":"continue_needed",'
    '"exit_reason":""}}'
)

_NO_ADVICE = (
    '{"intervention_needed":false,"intervention_reason":"","intervention_level":"",'
    '"strategy_suggestion":"","feedback_for_action":"","modified_approach":"",'
    '"orchestration_needed":false,"orchestration_reason":""}'
)
_ADVICE = (
    '{"intervention_needed":true,"intervention_reason":"insufficient",'
    '"intervention_level":"action_feedback","strategy_suggestion":"rephrase",'
    '"feedback_for_action":"来访者说了醒得早，没有说心里在想什么；换一个更贴近早晨情景的问法",'
    '"modified_approach":"醒来以后、起床以前，脑子里第一个念头是什么？",'
    '"orchestration_needed":false,"orchestration_reason":""}'
)

SCRIPT = """\
metadata: {name: bench, version: "1.0", author: HeartRule}
session:
  session_id: bench
  session_name: 一直问下去
  phases:
    - phase_id: talk
      topics:
        - topic_id: sleep
          topic_name: 睡眠
          topic_goal: 了解来访者最近的睡眠
          actions:
            - action_type: ai_ask
              action_id: ask
              config:
                content: 最近睡得怎么样？早上醒来的时候心里在想什么？
                tone: 温和、不催促
                exit: 来访者说清了醒来时的想法
                output:
                  - {get: 醒来时的想法, define: 早上刚醒时心里想的事}
                max_rounds: 1000000000
"""
"""One ai_ask that never ends, so that every turn is the same work."""
_OPENINGS = """\
metadata: {{name: {name}, version: "1.0", author: HeartRule}}
session:
  session_id: {name}
  strategy_engine: {switch}
  declare:
    - {{var: 学历, scope: session, value: 本科}}
  phases:
    - phase_id: talk
      topics:
        - topic_id: sleep
          topic_name: 睡眠
          topic_goal: 了解来访者最近的睡眠
          actions:
"""
_WHOLE = """\
metadata: {{name: {name}, version: "1.0", author: HeartRule}}
session:
  session_id: {name}
  session_name: 一直问下去
  strategy_engine: off
  roles:
    - {{role: counsellor, name: 小林, tone: 温和、不评判, define: 心理咨询助手}}
    - {{role: client, name: 来访者}}
  declare:
    - {{var: 地区, define: 来访者住在哪里, scope: global, value: 北方}}
    - {{var: 学历, define: 来访者的学历, value: 本科}}
  phases:
    - phase_id: talk
      entry_condition: "{{学历}} == '本科'"
      declare:
        - {{var: 进度, define: 谈到第几件事, type: integer, value: 1}}
      topics:
        - topic_id: sleep
          topic_name: 睡眠
          topic_goal: 了解来访者最近的睡眠
          declare:
            - {{var: 小结, define: 谈过的事, value: 睡得不好}}
          actions:
"""
_WHOLE_ASK = """\
            - action_type: ai_ask
              action_id: ask
              condition: "{进度} >= 1 && {地区} != '海外'"
              exit_policy: {enabled_sources: [max_rounds, exit_flag, exit_criteria]}
              config:
                content: 最近睡得怎么样（{学历}，{地区}，第{进度}件事，{小结}）？醒来时想什么？
                tone: 温和、不催促
                exit: 来访者说清了醒来时的想法
                exit_criteria:
                  min_rounds: 2
                  custom_conditions:
                    - {variable: 小结, operator: contains, value: 没有}
                    - {variable: 进度, operator: ">=", value: 9}
                output:
                  - {get: 醒来时的想法, define: 早上刚醒时心里想的事}
                max_rounds: 1000000000
"""
_WHOLE_SAY = """\
            - action_type: ai_say
              action_id: say_{number}
              condition: "{{进度}} >= 1 && {{地区}} != '海外' && {{小结}}.contains('睡')"
              exit_policy: {{enabled_sources: [max_rounds]}}
              config: {{content: "早醒以后先不看钟，起来坐一会儿（{{学历}}）。"}}
"""

_PART = """\
        - topic_id: part_{number}
          topic_name: 第{number}件事
          topic_goal: 听来访者用自己的话讲第{number}件事
          actions:
            - action_type: ai_ask
              action_id: ask
              config:
                content: 第{number}件事，现在想起来心里是什么感觉？
                tone: 温和、不催促
                exit: 来访者说出了感觉
                output: [{{get: 感觉{number}, define: 想起第{number}件事时的感觉}}]
                max_rounds: 1
            - action_type: ai_say
              action_id: say
              config: {{content: 有这样的感觉很自然，不用急着赶走它。}}
"""
"""A question, and a text that waits for the client's word."""
_ALTERNATE = """\
metadata: {{name: alternate, version: "1.0", author: HeartRule}}
session:
  session_id: alternate
  session_name: 一问一说
  phases:
    - phase_id: talk
      topics:
{parts}"""
PARTS = 60
"""Topics of the script in which asks and says alternate; each takes two messages of the client."""

OPENINGS = 400
"""Actions of the scripts in which every message of the client opens the next one."""
IN_THREADS, STUCK = "bench of threads", "stuck on purpose"
"""Words in what a thread asks."""
THREAD_TEXT = "早醒以后先不看钟，起来坐一会儿；困了再躺下。"
"""What the model answers to a thread."""
RECOMMENDATION = (
    '{"reasoning":{"userStateAnalysis":"刚谈到睡眠，有些疲惫，还愿意往下说",'
    '"keyConsiderations":["先承认累","一次只说一件事"],'
    '"strategyRationale":"力气不多时，短句负担最小"},'
    '"strategyPrompt":"语言风格：短句口语，语气放缓。例子类型：用早上起床的小事。'
    '共鸣策略：先说听得出很累。引导方式：给两个容易答的方向。"}'
)
"""What the model recommends to the strategy engine."""


def script(name: str) -> str:
    """Return the script of that name.

    In `bench` one ai_ask never ends; in `openings` every message opens an ai_say; `advised` is the
    same with the strategy engine on. In `alternate` asks and says take turns. Those that begin with
    `whole` use the rest of the language.
    """
    if name == "bench":
        return SCRIPT
    if name == "alternate":
        return _ALTERNATE.format(parts="".join(_PART.format(number=n) for n in range(1, PARTS + 1)))
    if name.startswith("whole"):
        says = (_WHOLE_SAY.format(number=number) for number in range(OPENINGS))
        talk = "".join(says) if name == "whole_openings" else _WHOLE_ASK
        return _WHOLE.format(name=name) + talk
    inputs = "".join(
        f"            - {{action_type: ai_say, action_id: say_{number},"
        " config: {content: 早醒以后先不看钟，起来坐一会儿。}}\n"
        for number in range(OPENINGS)
    )
    switch = "on" if name == "advised" else "off"
    return _OPENINGS.format(name=name, switch=switch) + inputs


def mark_of(number: int, *, alike: bool = False) -> str:
    """Return the mark of a run's message of that number, from 1 on.

    The reply to one made `alike` begins with the same four characters as all others of these.
    """
    if alike:
        return f"{_ALIKE_BEGINS}{number * _STEP_ALIKE % 10**7:07d}"
    return f"{number * _STEP % 10**8:08d}"


def client_text(mark: str) -> str:
    """Return what the client says under a mark."""
    return f"最近总是四五点就醒，醒了就再也睡不着，白天没什么力气，也不想见人。（bench-{mark}）"


def mark_in(request: bytes) -> str:
    """Return the mark of the last client message in a request's body."""
    at = request.rfind(b"bench-")
    found = _MARK.match(request, at) if at >= 0 else None
    return found[1].decode() if found else NO_MARK


def kind_of(request: bytes) -> str:
    """Return who sent a request: the conversation, a thread, the monitor, the strategy engine."""
    if IN_THREADS.encode() in request:
        return STUCK_THREAD if STUCK.encode() in request else THREAD
    if b"strategyRationale" in request:
        return STRATEGY
    return MONITOR if b"intervention_needed" in request else TALK


def judgement(mark: str) -> str:
    """Return the model's analysis of a round for the monitor: advice in one of four."""
    return _ADVICE if zlib.crc32(mark.encode()) % 4 == 0 else _NO_ADVICE


def written(kind: str, mark: str) -> str:
    """Return the whole text the model writes."""
    if kind == STRATEGY:
        return RECOMMENDATION
    if kind in (THREAD, STUCK_THREAD):
        return THREAD_TEXT
    return judgement(mark) if kind == MONITOR else reply(mark)


def reply_text(mark: str) -> str:
    """Return the text that must reach the client in answer to a mark."""
    opening = _ALIKE_OPENING if mark.startswith(_ALIKE_BEGINS) else ""
    return opening + _CONTENT.format(mark=mark)


def reply(mark: str) -> str:
    """Return the whole JSON object the model writes."""
    return _REPLY.format(content=reply_text(mark))


def tokens(text: str) -> list[str]:
    """Cut a reply about as a model's tokenizer does: English in sixes, Chinese in twos."""
    return _TOKEN.findall(text)


def first_visible(pieces: list[str]) -> int:
    """Return the index of the piece in which the client's text begins."""
    begins = "".join(pieces).index('"content":"') + len('"content":"')
    end = 0
    for index, piece in enumerate(pieces):
        end += len(piece)
        if end > begins:
            return index
    raise ValueError("the reply has no content")
