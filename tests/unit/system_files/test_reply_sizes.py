"""What a reply costs that does as its prompt says (ADR 72)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from heartrule.domain.json_value import JsonValue
from heartrule.model.reply.contract import ASK_METRICS, SAY_METRICS, talk_contract
from heartrule.model.reply.typed_replies import read_talk_reply
from heartrule.model.template import Template, parse_template
from tests.conversations.scripted_talker import tokens

ROOT = Path(__file__).parents[3] / "_system" / "config"
TALKING = ("ai_ask_v1.md", "ai_say_v1.md", "fill_form_v1.md")
TALK = sorted(path for path in ROOT.rglob("*_v1.md") if path.name in TALKING)
# Fields that few rounds ask for: a criterion, a strategy or a policy reads them.
SELDOM = {"assessment", "should_exit"}

#: A text of the length the templates allow, a value with its quote, and a few words a metric.
WRITTEN: dict[str, tuple[str, str, str, str]] = {
    "zh": (
        "嗯，一到周日晚上就开始想第二天的事，这样是挺累人的。这种紧张一般会持续多久，过后会好一些吗？",
        "周日晚上",
        "一到周日晚上",
        "说了一部分",
    ),
    "en": (
        (
            "I see, on Sunday evenings you begin to think of the day to come, and that is tiring. "
            "How long does this tension usually last, and does it ease afterwards?"
        ),
        "Sunday evenings",
        "on Sunday evenings",
        "told in part",
    ),
}

each = pytest.mark.parametrize("path", TALK, ids=lambda path: path.relative_to(ROOT).as_posix())


def load(path: Path) -> Template:
    """Return one shipped template."""
    return parse_template(path.read_text(encoding="utf-8"), source=path.name)


def reply(path: Path, *, metrics: bool = True) -> tuple[str, str]:
    """Return a reply that obeys, and its text for the client."""
    template = load(path)
    content, value, quote, note = WRITTEN["en" if path.parent.name == "en" else "zh"]
    left_out = SELDOM if metrics else {*SELDOM, "metrics"}
    asked = [name for name in template.always_asked() if name not in left_out]
    shape: dict[str, JsonValue] = json.loads(template.shape(asked))
    shape |= {"EXIT": "NO", "content": content, "progress_suggestion": "continue_needed"}
    shape["variables"] = {"时间": {"value": value, "quote": quote}}
    group = shape.get("metrics")
    if isinstance(group, dict):
        shape["metrics"] = dict.fromkeys(group, note)
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":")), content


@each
def test_little_stands_behind_the_text(path: Path) -> None:
    """At most 110 tokens come behind the client's text, without metrics 60."""
    for metrics, most in ((True, 110), (False, 60)):
        written, content = reply(path, metrics=metrics)
        assert tokens(written.partition(content)[2]) <= most


@each
def test_a_fair_part_of_a_reply_is_its_text(path: Path) -> None:
    """Three tokens of ten are the client's text, without metrics four."""
    for metrics, least in ((True, 0.3), (False, 0.4)):
        written, content = reply(path, metrics=metrics)
        assert tokens(content) / tokens(written) >= least


@each
def test_a_reply_that_obeys_is_read_without_a_warning(path: Path) -> None:
    """All that was asked for is found, and nothing that was not is missed."""
    written, content = reply(path)
    names = SAY_METRICS if path.name.startswith("ai_say") else ASK_METRICS
    contract = talk_contract(metrics=names, outputs=("时间",))
    read = read_talk_reply(written, contract=contract, own_words=load(path).own_words)
    assert (read.content, set(read.variables), read.diagnosis.warnings) == (content, {"时间"}, ())
