"""The shipped rules against sentences, both ways."""

from __future__ import annotations

import pytest

from heartrule.domain.safety import SafetyLevel
from heartrule.safety.screen import SafetyScreen
from tests.support.shipped_files import shipped_screen

NAMED_IN_CHINESE = (
    *("我想死", "我真的很想死", "有时候会有想死的念头", "我想自杀", "我有自杀的想法", "我不想活了"),
    *("我觉得自己活不下去了", "活着没意思", "我想结束自己的生命", "我想去死", "我想跳楼"),
    *("我已经写好遗书了", "要不自杀吧", "生不如死", "死了算了", "想从这个世界上消失，不想活了"),
    *("我昨天割腕了", "我忍不住伤害自己", "我会用刀割自己", "我一生气就头撞墙", "自残过几次"),
    *("我朋友自杀了", "我有“自杀”的念头", "我沒有辦法了，想自殺", "想輕生"),
)
NAMED_IN_ENGLISH = (
    *("I want to die", "I wanna die", "I'm going to kill myself", "i will KILL MYSELF tonight"),
    *("I am suicidal", "I can't stop thinking about suicide", "I don't want to live anymore"),
    *(
        "i dont want to be alive",
        "I’m better off dead",
        "I wish I was dead",
        "thinking of ending it all",
    ),
    *(
        "I cut myself again last night",
        "self-harm",
        "I have been self-harming",
        "I hurt myself on purpose",
    ),
    *("I took an overdose", "最近总想suicide"),
)
HIDDEN = (
    *("自 杀", "自*杀", "自-杀，我想过", "我 想 死", "我想……死", "自\u200b杀", "不 想 活 了"),
    *(
        "ｓｕｉｃｉｄｅ",
        "s u i c i d e",
        "s-u-i-c-i-d-e",
        "k.i.l.l myself",
        "kill   myself",
        "kill-myself",
    ),
)
UNCLEAR = (
    *(
        "为什么不自杀呢",
        "我不是没想过自杀",
        "我没有一天不想死",
        "我在想要不要自杀",
        "不知道该不该自杀",
    ),
    *("没有人知道我想自杀", "忍不住想自杀", "差点没自杀", "我没自杀成功", "没有，我想自杀"),
    *("没有 想自杀", "没有\n想自杀", "医生让我别自杀", "答应过妈妈不要自杀", "我有没有自杀倾向"),
    *("我不想死，可是我控制不住伤害自己", "以前想过自杀，现在不想了"),
    *(
        "No. I want to die",
        "no, I want to die",
        "nobody knows I want to die",
        "why not kill myself",
    ),
    *(
        "why don't I kill myself",
        "I don't know if I want to die",
        "I can't not think about suicide",
    ),
    *("I don't want to live without him", "I don't want to live in this world"),
)
OWN_VOICE = (
    *(
        "我说「我想死」",
        '我跟妈妈说"我想自杀"',
        "电影里的人说「我想死」，我也是",
        "看了电影我说「我不想活了」",
    ),
    *("电影里的人说他想死，我也想", "我写了一封《遗书》", 'I said "I want to die"'),
    *('In the movie she said "I want to die", me too', "on the news I heard it and I want to die"),
)
DENIED = (
    *(
        "我没有自杀的想法",
        "我没有想过自杀",
        "我从来没想过自杀",
        "我不会自杀",
        "我不想死",
        "我并不想死",
    ),
    *("没有想死的念头", "我没有伤害自己", "没有自杀或者自残的想法", "没有自杀、自残的念头"),
    *("从来没有过自杀的打算", "我绝对不会伤害自己", "不再想自杀了"),
    *(
        "I'm not suicidal",
        "I am not going to kill myself",
        "I don’t want to die",
        "no suicidal thoughts",
    ),
    *("I never thought about suicide", "I have no thoughts of suicide"),
    *("I don't want to kill myself or hurt myself on purpose", "I have reasons not to kill myself"),
)
REPORTED = (
    *(
        "电影里的人说「我想死」",
        '小说里写："我要自杀"',
        "歌词里唱“不想活了”",
        "电影里的人说他不想活了",
    ),
    *("新闻说有人自杀", "主人公最后自杀了", "最近在读《自杀论》"),
    *(
        'the character in the movie said "I want to die"',
        "In the book the main character dies by suicide",
    ),
)
FIGURES_OF_SPEECH = (
    *(
        "笑死我了",
        "累死了",
        "想死你了",
        "我想死她做的菜了",
        "好想死党",
        "我想死磕这道题",
        "不想死记硬背",
    ),
    *(
        "想去死海旅游",
        "热死了",
        "电脑死机了",
        "自杀式减肥",
        "我喜欢自杀小队",
        "跳楼价大甩卖",
        "想玩跳楼机",
    ),
    *(
        "不想活动",
        "我不想活成别人的样子",
        "结束自己的婚姻",
        "感觉心慌得像要死了",
        "思想死板",
        "想死去的奶奶",
    ),
    *("亲自杀鸡", "年轻生命", "规划自己的未来", "来自伤心的人", "让我死了这条心吧"),
    *(
        "kill time",
        "dying to see you",
        "this job is killing me",
        "career suicide",
        "I'm dead tired",
    ),
    *("shoot myself in the foot", "I want to die laughing", "cut myself some slack", "to die for"),
    *(
        "I don't want to live with my parents",
        "take my life back",
        "skill myself up",
        "",
        "今天想聊聊工作",
    ),
)


@pytest.fixture(scope="module")
def screen() -> SafetyScreen:
    """The screen with the rules we ship."""
    return shipped_screen()


def level(screen: SafetyScreen, text: str) -> SafetyLevel:
    """Return the level of a text without context."""
    return screen.screen(text).level


@pytest.mark.parametrize("sentence", NAMED_IN_CHINESE + NAMED_IN_ENGLISH)
def test_named_plainly(screen: SafetyScreen, sentence: str) -> None:
    """Suicide or self-harm named plainly is found."""
    assert level(screen, sentence) > SafetyLevel.NONE


@pytest.mark.parametrize("sentence", HIDDEN)
def test_hidden_in_plain_sight(screen: SafetyScreen, sentence: str) -> None:
    """Spaces, marks and invisible characters inside a word do not hide it."""
    assert level(screen, sentence) > SafetyLevel.NONE


@pytest.mark.parametrize("sentence", UNCLEAR)
def test_unclear_counts(screen: SafetyScreen, sentence: str) -> None:
    """What may be a denial but need not be one counts."""
    assert level(screen, sentence) > SafetyLevel.NONE


@pytest.mark.parametrize("sentence", OWN_VOICE)
def test_own_voice_counts(screen: SafetyScreen, sentence: str) -> None:
    """A client who quotes himself, or agrees with the quotation, means it."""
    assert level(screen, sentence) > SafetyLevel.NONE


@pytest.mark.parametrize("sentence", DENIED)
def test_denied(screen: SafetyScreen, sentence: str) -> None:
    """A plain denial is believed."""
    assert level(screen, sentence) is SafetyLevel.NONE


@pytest.mark.parametrize("sentence", REPORTED)
def test_reported(screen: SafetyScreen, sentence: str) -> None:
    """What a film, a book or the news says is not the client's own word."""
    assert level(screen, sentence) is SafetyLevel.NONE


@pytest.mark.parametrize("sentence", FIGURES_OF_SPEECH)
def test_figures_of_speech(screen: SafetyScreen, sentence: str) -> None:
    """Idioms, titles and words that only happen to meet are left alone."""
    assert level(screen, sentence) is SafetyLevel.NONE


@pytest.mark.parametrize("sentence", NAMED_IN_CHINESE + NAMED_IN_ENGLISH)
def test_a_long_story_hides_nothing(screen: SafetyScreen, sentence: str) -> None:
    """The same words are found in the middle of a long message."""
    story = "今天上班，天气很好。Then I went home."
    assert level(screen, f"{story * 20}\n{sentence}。{story * 20}") > SafetyLevel.CONCERN


def test_the_gravest_rule_comes_first(screen: SafetyScreen) -> None:
    """Where several rules count, the level is the gravest one's, and its id comes first."""
    found = screen.screen("我想死。遗书写好了")
    assert (found.level, found.rules[0]) == (SafetyLevel.IMMINENT, "zh_time_set")


@pytest.mark.timeout(20)  # a search that went back over the text would take hours
@pytest.mark.parametrize("unit", ["没有自杀，", "想死你", "自 ", '"', "\ufdfa"])
def test_a_megabyte_is_searched_in_one_pass(screen: SafetyScreen, unit: str) -> None:
    """The largest message a client may send is searched to its end, in time linear in it."""
    largest = unit * (1_048_576 // len(unit.encode()) - 10)
    assert level(screen, f"{largest}。我想死") >= SafetyLevel.CRISIS
