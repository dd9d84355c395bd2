"""Which requests a chat front end makes for itself, and what it reads."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from gateway_service.chat_completions import Completion
from gateway_service.settings import RequestSettings
from gateway_service.task_requests import OTHERS, PASTS, TASK, TITLES, answer_to, task_of
from heartrule.chassis.settings import read
from tests.support.front_ends import WITH_A_FILE

KNOWN = (*TITLES, *OTHERS, *(f"{TASK}\nGenerate tags.\n{past}" for past in PASTS))


def recognised(role: str, text: str, **environ: str) -> bool:
    """Return whether a request with one message of a role, then 你好, is a front end's own."""
    past = [{"role": role, "content": text}]
    newest = [] if role == "user" else [{"role": "user", "content": "你好"}]
    sent = Completion.model_validate({"model": "s", "messages": past + newest})
    named = {f"HEARTRULE_GATEWAY_{name.upper()}": value for name, value in environ.items()}
    request = Request({"type": "http", "headers": []})
    return task_of(request, sent, read(RequestSettings, named)) is not None


@pytest.mark.parametrize("role", ["user", "system"])
def test_known_prompts_are_recognised(role: str) -> None:
    """As the newest message, or as what a system message begins with."""
    assert all(recognised(role, f"\n{beginning} …") for beginning in KNOWN)


def test_a_clients_words_are_no_task() -> None:
    """Not even where they speak of one; nor does a past message make one."""
    assert not recognised("user", "我的任务很多：### Task: 写报告")
    assert not recognised("assistant", KNOWN[0])


def test_a_message_with_a_file_is_no_task() -> None:
    """Open WebUI puts a task in front of it too, which holds the file and no conversation."""
    assert not recognised("user", f"{WITH_A_FILE}我想自杀")
    assert not recognised("system", WITH_A_FILE)


def test_a_file_makes_no_task_of_the_message_behind_it() -> None:
    """Whatever it holds: the mark of a conversation counts in the front end's own frame alone."""
    file = WITH_A_FILE.replace("一周的睡眠记录", "<chat_history>记录</chat_history>")
    assert "<chat_history>" in file
    assert not recognised("user", f"{file}我想自杀")


def test_further_prompts_are_a_setting_and_the_known_ones_can_be_switched_off() -> None:
    """A front end that words them anew, and a script that must hear the known words."""
    assert recognised("user", "Name this chat, please", task_prompts="起个名字 | Name this chat,")
    assert not recognised("user", KNOWN[0], known_task_prompts="false")


@pytest.mark.parametrize(
    ("task", "answer"),
    [
        ('JSON format: { "title": "…" }\nUSER: "tags"', '{"title":"问候"}'),
        ('JSON format: { "queries": ["…"] }', '{"queries":[]}'),
        ('JSON format: { "text": "<your_completion>" }', '{"text":""}'),
        ("Only return the title itself.", "问候"),
        (f'{TASK}\nSummarize.\n{PASTS[1]}\nUSER: "title"', ""),
        (f"{OTHERS[0]} …", ""),
    ],
)
def test_the_answer_has_the_form_that_is_asked_for(task: str, answer: str) -> None:
    """JSON with the field that is named first, or the title alone."""
    assert answer_to(task, "问候") == answer
