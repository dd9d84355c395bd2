"""Subject × wish × deed × time × frame in Chinese: scope beyond the sentences somebody wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heartrule.domain.safety import SafetyLevel, Subject
from tests.support.shipped_files import shipped_screen as screen

SELF = ("我", "", "我真的", "其实我", "俺")
OTHERS = ("我朋友", "我妹妹", "我室友", "我女儿", "她", "我们班有个同学", "我爸", "邻居家的儿子")
TIMES = ("", "最近", "这几天", "每天都", "又")
WISHES = ("想", "好想", "只想", "打算", "恨不得", "一直想", "忍不住想")
DEEDS = ("死", "去死", "自杀", "跳楼", "结束自己的生命", "离开这个世界", "上吊", "从桥上跳下去")
WHOLE = ("不想活了", "活不下去了", "觉得活着没有意义", "不想再活了", "活够了")
FICTION = ("小说里写：", "电影里的人说", "书里的主角说", "歌词里唱着", "游戏里的角色说")
STUDIES = ("论文", "研究", "讲座", "新闻", "报道", "预防", "干预", "热线")
DENIALS = ("我没有", "我从来没有", "我并没有", "我绝对没有", "我真的没有")
THOUGHTS = ("自杀的想法", "轻生的念头", "想死的念头", "自杀的打算", "伤害自己的想法")
TURNS = ("，但是", "，可是", "。", "，只是")
NOW = ("今晚", "明天", "现在", "等他们睡着")
# Who tells of it in public, and whom I know.
NEWS = ("新闻里说", "热搜上说", "据报道，", "听说那个演员", "纪录片里说")
HAPPENED = ("有个学生跳楼了", "一个明星自杀了", "有人轻生")
LESSONS = ("这节课", "今天的培训", "心理讲座", "督导课")
SPEAKERS = ("我妈", "我弟", "室友", "我女儿", "我一个学生")
SPEAKING = ("说", "在电话里说", "发微信说", "跟我说", "写道")
RATHER = ("宁可死也不", "宁死也不", "死都不")
TRIVIAL = ("热", "饿", "累", "笑", "困", "尴尬", "气", "烦")

SAID = st.sampled_from([f"{wish}{deed}" for wish in WISHES for deed in DEEDS] + list(WHOLE))
TIME = st.sampled_from(TIMES)


@pytest.fixture(autouse=True, scope="module")
def _loaded() -> None:
    """Load the rules before the first example: a deadline is for the screen alone."""
    screen().screen("a")


@given(st.sampled_from(SELF), TIME, SAID)
def test_a_wish_of_the_client_is_a_crisis(who: str, when: str, said: str) -> None:
    """Every wish joined with every deed is a crisis, with and without a subject."""
    found = screen().screen(f"{who}{when}{said}")
    assert (found.level >= SafetyLevel.CRISIS, found.subject) == (True, Subject.SELF)


@given(st.sampled_from(OTHERS), TIME, SAID)
def test_the_wish_of_another_freezes_nothing(who: str, when: str, said: str) -> None:
    """With somebody else as its subject the same wish is THIRD_PARTY."""
    found = screen().screen(f"{who}{when}{said}")
    assert (found.level, found.subject) == (SafetyLevel.THIRD_PARTY, Subject.OTHER)


@given(st.sampled_from(OTHERS), SAID)
def test_what_another_says_is_theirs_over_a_comma(who: str, said: str) -> None:
    """A clause without a subject is that of the person who is said to say it."""
    found = screen().screen(f"{who}昨天给我发消息，说{said}")
    assert (found.level, found.subject) == (SafetyLevel.THIRD_PARTY, Subject.OTHER)


@given(st.sampled_from(FICTION), st.sampled_from(("", "我", "他")), SAID)
def test_a_story_asks_at_most(frame: str, who: str, said: str) -> None:
    """Inside a story nothing is graver than a question."""
    assert screen().screen(f"{frame}{who}{said}").level <= SafetyLevel.CONCERN


@given(st.sampled_from(("自杀", "轻生")), st.sampled_from(STUDIES), st.booleans())
def test_a_subject_of_study_is_nothing(word: str, study: str, about: bool) -> None:  # noqa: FBT001
    """As a part of a name, or with "about" before it, the word means nothing."""
    text = f"我在看一篇关于{word}的{study}" if about else f"今天学习了{word}{study}的内容"
    assert screen().screen(text).level is SafetyLevel.NONE


@given(st.sampled_from(DENIALS), st.sampled_from(THOUGHTS), st.sampled_from(TURNS), SAID)
def test_a_denial_ends_with_its_clause(denial: str, thought: str, turn: str, said: str) -> None:
    """A denial alone is nothing; what is admitted behind it counts."""
    assert screen().screen(f"{denial}{thought}").level is SafetyLevel.NONE
    assert screen().screen(f"{denial}{thought}{turn}我{said}").level >= SafetyLevel.CRISIS


@given(st.sampled_from(NOW), st.sampled_from(DEEDS[1:]))
def test_a_time_makes_a_deed_imminent(when: str, deed: str) -> None:
    """A deed with a time that is near is IMMINENT; denied it is nothing."""
    assert screen().screen(f"我{when}就{deed}").level is SafetyLevel.IMMINENT
    assert screen().screen(f"我{when}不会{deed}").level is SafetyLevel.NONE


@given(st.sampled_from(TRIVIAL), st.sampled_from(("死了", "死我了", "得要死", "得想死")))
def test_a_figure_of_speech_is_nothing(what: str, dying: str) -> None:
    """To die of heat, hunger or laughter is no wish to die."""
    assert screen().screen(f"今天{what}{dying}").level is SafetyLevel.NONE


@given(st.sampled_from(NEWS[:3]), st.sampled_from(HAPPENED))
def test_news_are_nothing(source: str, happened: str) -> None:
    """What the news tell of somebody unknown is nothing."""
    assert screen().screen(f"{source}{happened}").level is SafetyLevel.NONE


@given(st.sampled_from(LESSONS), st.sampled_from(("自杀", "自残", "轻生")))
def test_a_lesson_is_nothing(lesson: str, subject: str) -> None:
    """A lesson about it is nothing."""
    assert screen().screen(f"{lesson}讲了{subject}干预").level is SafetyLevel.NONE


@given(
    st.sampled_from(SPEAKERS), st.sampled_from(SPEAKING), st.sampled_from(("我想死", "我不想活了"))
)
def test_quoted_words_are_those_of_their_speaker(who: str, says: str, words: str) -> None:
    """What I know somebody to say is theirs, though there is an I in it."""
    found = screen().screen(f"{who}{says}：“{words}”")
    assert (found.level, found.subject) == (SafetyLevel.THIRD_PARTY, Subject.OTHER)


@given(st.sampled_from(("my mom", "my friend", "我妈")), st.sampled_from(("我想死", "我不想活了")))
def test_who_speaks_may_be_named_in_another_language(who: str, words: str) -> None:
    """A Chinese quotation in an English sentence is that of the person who says it."""
    found = screen().screen(f'{who} texted me: "{words}"')
    assert found.level is SafetyLevel.THIRD_PARTY


@given(st.sampled_from(RATHER), st.sampled_from(("吃香菜", "加班", "去相亲")))
def test_what_is_worse_than_death_is_nothing(rather: str, what: str) -> None:
    """Rather to die than to do a small thing is a figure of speech."""
    assert screen().screen(f"我{rather}{what}").level is SafetyLevel.NONE


@given(st.sampled_from(("自杀？", "想死？")), st.sampled_from(("没有没有", "我可没有", "我怎么会")))
def test_a_denial_answers_its_question(asked: str, denied: str) -> None:
    """A question and the denial behind it are one sentence."""
    assert screen().screen(f"{asked}{denied}").level is SafetyLevel.NONE
