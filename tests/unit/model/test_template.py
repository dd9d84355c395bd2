"""Template files: front matter, sections, and what makes one invalid."""

from __future__ import annotations

import hashlib

import pytest

from heartrule.chassis.plain_yaml import InvalidSettingsFile
from heartrule.model.template import InvalidTemplate, Template, parse_template

GOOD = """---
template: ai_ask
version: 1
asks: [metrics, assessment]
fields:
  EXIT: YES或NO
  content: 要说的话
  metrics.user_engagement: 投入
  metrics.reply_relevance: 相关
---
<!-- section: system -->
规则
{%field_list%}

<!-- section: turn -->
{%user_input%}
只输出JSON。
<!-- section: reask -->
请再说一次。
"""


def parse(text: str) -> Template:
    return parse_template(text, source="ai_ask_v1.md")


def test_front_matter() -> None:
    """Name, version, asks and fields come from the front matter, words as written."""
    template = parse(GOOD)
    assert (template.name, template.version, template.prompt_type) == ("ai_ask", 1, "ai_ask_v1")
    assert template.asks == ("metrics", "assessment")
    assert template.fields["EXIT"] == "YES或NO"


def test_sections() -> None:
    """Sections are the text between headers; an absent one is empty."""
    template = parse(GOOD)
    assert template.section("system") == "规则\n{%field_list%}"
    assert template.section("reask") == "请再说一次。"
    assert template.section("opening") == ""


def test_reply_fields() -> None:
    """Top-level fields are named once, in order."""
    assert parse(GOOD).reply_fields() == ("EXIT", "content", "metrics")


def test_hash_is_of_the_file() -> None:
    """The hash is SHA-256 of the text as it stands in the file."""
    assert parse(GOOD).content_hash == hashlib.sha256(GOOD.encode()).hexdigest()


def test_windows_file() -> None:
    """A byte order mark and CRLF change nothing in the sections."""
    assert parse("\ufeff" + GOOD.replace("\n", "\r\n")).sections == parse(GOOD).sections


def test_header_only_at_line_start() -> None:
    """A header inside a line is text."""
    text = GOOD.replace("请再说一次。", "写 <!-- section: turn --> 也是文字")
    assert parse(text).section("reask") == "写 <!-- section: turn --> 也是文字"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("---\ntemplate", "template", "ai_ask_v1.md:1: the file must begin"),
        ("version: 1", "version: one", "version must be a whole number"),
        ("version: 1", "versoin: 1", "unknown front matter ['versoin']"),
        ("[metrics, assessment]", "metrics", "asks must be a list"),
        ("section: reask", "section: raesk", ":18: unknown section 'raesk'"),
        ("section: reask", "section: turn", ":18: the section 'turn' stands here twice"),
        ("section: system", "section: opening", "the section 'system' is missing"),
    ],
)
def test_invalid_templates(old: str, new: str, problem: str) -> None:
    """Each broken rule is named with its place."""
    assert old in GOOD
    with pytest.raises(InvalidTemplate) as caught:
        parse(GOOD.replace(old, new, 1))
    assert problem in caught.value.message


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("template: a\ntemplate: b", "ai_ask_v1.md:3:1: the key 'template' stands here twice"),
        ("template: &x a", "anchors and aliases"),
        ("template: [a", "ai_ask_v1.md:3:1"),
        ("template: " + "[" * 40, "nested deeper than 16"),
        ("? [a]\n: b", "a key must be plain text"),
    ],
)
def test_unreadable_front_matter(head: str, problem: str) -> None:
    """YAML beyond plain mappings is refused with line and column."""
    with pytest.raises(InvalidSettingsFile) as caught:
        parse(f"---\n{head}\n---\n<!-- section: system -->\nx\n")
    assert problem in caught.value.message


def test_a_list_shows_some_of_its_items() -> None:
    """In the order that is asked for; an item without a text stands alone."""
    lists = "lists:\n  decisions.respond: 回答\n  decisions.continue: 再想一步\n---\n<!--"
    template = parse(GOOD.replace("---\n<!--", lists, 1))
    names = ("continue", "other", "respond")
    assert template.listed("decisions", names) == "- continue: 再想一步\n- other\n- respond: 回答"
    assert template.listed("decisions", ()) == ""


def test_texts_of_a_list_are_the_templates_own() -> None:
    """A model that copies one has said nothing."""
    lists = "lists:\n  decisions.respond: 回答来访者的一到三句话\n---\n<!--"
    template = parse(GOOD.replace("---\n<!--", lists, 1))
    assert template.own_words.copied("decisions", "回答来访者的一到三句话")


def test_the_shape_of_decisions_is_a_list() -> None:
    """One decision stands for all: its payload differs by its type."""
    fields = GOOD.replace("content: 要说的话", "decisions: 接下来做什么")
    shape = '{"EXIT":"…","decisions":[{"decision_type":"…","confidence":"…","payload":{"…":"…"}}]}'
    assert parse(fields).shape(("EXIT", "decisions")) == shape
