"""What `heartrule up` says beside its start: examples to publish, and a model that fails."""

from __future__ import annotations

import asyncio
import sys

import pytest

from heartrule_cli.commands.up import offer_examples
from heartrule_cli.doctor.start_check import models_checked
from tests.support.chat_room import Paper
from tests.support.executors import running_executor
from tests.support.failing_providers import FAILURES, KEY, served
from tests.support.scripts import ask_script

ENGLISH, CHINESE = {"LANG": "C.UTF-8"}, {"LANG": "zh_CN.UTF-8"}
QUOTA = next(each for each in FAILURES if each.name.startswith("quota"))


async def test_an_empty_store_is_offered_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    """Once there is a script, nothing is said."""
    async with running_executor() as running:
        address = f"127.0.0.1:{running.server.port}"
        await offer_examples(address, ENGLISH)
        offered = capsys.readouterr().out
        assert offered.startswith("no script is here yet; publish the examples with: ")
        assert offered.endswith(f" publish --examples --address {address}\n")
        await offer_examples(address, CHINESE)
        assert capsys.readouterr().out.startswith("这里还没有脚本；发布示例脚本：")
        await running.client.publish(ask_script())
        await offer_examples(address, ENGLISH)
        assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        (ENGLISH, "the model big-model does not answer: the account at openai is used up"),
        (CHINESE, "模型 big-model 没有应答：openai 的账户额度已用完"),
    ],
)
async def test_a_model_that_fails_is_told_beside_the_start(
    environ: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The block goes on meanwhile; the sentence has the remedy, and no key."""
    paper = Paper()
    monkeypatch.setattr(sys, "stderr", paper)
    async with served(QUOTA) as provider, models_checked({**provider.environ, **environ}):
        async with asyncio.timeout(20):
            await paper.written.wait()
    assert paper.getvalue().startswith(said)
    assert KEY not in paper.getvalue()


async def test_the_rehearsal_model_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is part of the installation."""
    paper = Paper()
    monkeypatch.setattr(sys, "stderr", paper)
    async with models_checked(ENGLISH):
        pass
    assert paper.getvalue() == ""
