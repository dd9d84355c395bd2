"""The rpcs about scripts, called without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import pytest

from executor_service.rehearsed import Rehearsals
from executor_service.rpc.script_rpcs import ScriptRpcs
from executor_service.scripts.checking.environment import LintEnvironment, trusting
from executor_service.scripts.loading.loader import load_script
from heartrule.chassis.system_files import system_dir
from heartrule.domain.errors import InvalidRequest, InvalidScript, NotFound
from heartrule.v1 import script_pb2
from heartrule_cli.rehearsal.inline_pool import InlinePool
from session_store.open import open_in_memory
from tests.support.scripts import ask_script

NOWHERE = cast("Any", None)
T = TypeVar("T")


class ThreadWorkers:
    """Does the work in a thread: what it plays has a loop of its own."""

    async def run(self, work: Callable[..., T], *args: object) -> T:
        return await asyncio.to_thread(work, *args)


REHEARSALS = Rehearsals(ThreadWorkers(), system_dir())


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever asks for a language, or for none."""

    language: str

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("accept-language", self.language),) if self.language else ()


def caller(language: str = "") -> Any:
    """Return the context of a call."""
    return cast("Any", Caller(language))


def rpcs() -> ScriptRpcs:
    """Return the rpcs over an empty store."""
    return ScriptRpcs(open_in_memory(), trusting(), InlinePool(), REHEARSALS)


def bundle(text: str | None = None) -> script_pb2.ScriptBundle:
    """Return a bundle of one script."""
    return script_pb2.ScriptBundle(files={"s.yaml": (text or ask_script()).encode()})


async def publish(one: ScriptRpcs, text: str | None = None) -> script_pb2.Script:
    """Publish a bundle."""
    request = script_pb2.PublishScriptRequest(bundle=bundle(text))
    return (await one.PublishScript(request, caller())).script


async def test_the_same_content_is_one_version() -> None:
    """The version is the content's hash: publishing is safe to repeat."""
    one = rpcs()
    first, again = await publish(one), await publish(one)
    assert (first.script_id, first.version) == (again.script_id, again.version)
    assert first.create_time == again.create_time


async def test_other_content_is_another_version() -> None:
    """The newest answers where none is named; the older stays."""
    one = rpcs()
    old = await publish(one)
    new = await publish(one, ask_script(5))
    newest = (await one.GetScript(script_pb2.GetScriptRequest(script_id="asking"), NOWHERE)).script
    asked = script_pb2.GetScriptRequest(script_id="asking", version=old.version)
    assert (newest.version, (await one.GetScript(asked, NOWHERE)).script.version) == (
        new.version,
        old.version,
    )


async def test_a_script_with_errors_is_not_stored() -> None:
    """Each error with its place; nothing of it can be started."""
    one = rpcs()
    with pytest.raises(InvalidScript) as caught:
        await publish(one, "session: {session_id: asking}")
    assert caught.value.violations[0].field.startswith("s.yaml:1:")
    with pytest.raises(NotFound):
        await one.GetScript(script_pb2.GetScriptRequest(script_id="asking"), NOWHERE)


async def test_checking_tells_everything_and_stores_nothing() -> None:
    """A good script has its id and version told; a bad one its findings alone."""
    one = rpcs()
    good = await one.CheckScript(script_pb2.CheckScriptRequest(bundle=bundle()), caller())
    request = script_pb2.CheckScriptRequest(bundle=bundle("session: {}"))
    bad = await one.CheckScript(request, caller())
    assert (good.script_id, bool(good.version), bad.script_id, bad.version) == (
        "asking",
        True,
        "",
        "",
    )
    assert bad.findings
    listed = await one.ListScripts(script_pb2.ListScriptsRequest(), NOWHERE)
    assert len(listed.scripts) == 0


async def test_a_warning_does_not_refuse() -> None:
    """It is told with the published version."""
    one = rpcs()
    text = ask_script().replace("config: {content: 怎么称呼你", "config: {content: '{没有的}'")
    request = script_pb2.PublishScriptRequest(bundle=bundle(text))
    response = await one.PublishScript(request, caller())
    warning = script_pb2.ScriptFinding(severity="FINDING_SEVERITY_WARNING").severity
    assert {finding.severity for finding in response.findings} == {warning}


async def test_a_skill_of_the_installation_is_stored_with_the_script() -> None:
    """The version pins it: another skill makes another version of the same script."""
    technique = """\
technique_id: breathe
topic: {topic_id: t, actions: [{action_type: ai_say, action_id: a, content: %s}]}
"""
    use = "{action_type: use_skill, action_id: a, skill: breathe}"
    topic = f"{{phase_id: p, topics: [{{topic_id: t, actions: [{use}]}}]}}"
    script = f"session: {{session_id: calm, phases: [{topic}]}}"
    found = []
    for words in ("吸气", "呼气"):
        shipped = {"breathe": (technique % words).encode()}
        one = ScriptRpcs(
            open_in_memory(), LintEnvironment(skill=shipped.get), InlinePool(), REHEARSALS
        )
        found.append(await publish(one, script))
        assert list(found[-1].paths) == ["_system/skills/breathe.yaml", "s.yaml"]
    assert found[0].version != found[1].version


async def test_scripts_are_listed_by_id_with_their_newest_version() -> None:
    """One entry a script, without its files."""
    one = rpcs()
    await publish(one)
    new = await publish(one, ask_script(5))
    await publish(one, ask_script().replace("session_id: asking", "session_id: other"))
    listed = (await one.ListScripts(script_pb2.ListScriptsRequest(), NOWHERE)).scripts
    assert [(s.script_id, s.version == new.version) for s in listed] == [
        ("asking", True),
        ("other", False),
    ]


async def test_a_script_without_an_id_cannot_be_read() -> None:
    """The field is named."""
    with pytest.raises(InvalidRequest) as caught:
        await rpcs().GetScript(script_pb2.GetScriptRequest(), NOWHERE)
    assert caught.value.violations[0].field == "script_id"


async def test_checking_over_grpc_tells_what_the_loader_finds() -> None:
    """The same places, severities, rules and messages as on the command line."""
    text = ask_script().replace("max_rounds: 3", "maxRounds: 3, question_template: 你好")
    request = script_pb2.CheckScriptRequest(bundle=bundle(text))
    told = (await rpcs().CheckScript(request, caller())).findings
    found = load_script({"s.yaml": text.encode()}, environment=trusting()).findings
    severities = script_pb2.FindingSeverity
    assert [
        (each.line, each.column, severities.Name(each.severity)[17:].lower(), each.rule)
        for each in told
    ] == [(each.line, each.column, each.severity, each.rule) for each in found]
    assert [each.message for each in told] == [each.message for each in found]
    assert {each.rule for each in told} >= {"unknown-key", "duplicate-key"}


async def test_findings_are_told_in_the_language_of_the_request() -> None:
    """In an answer and in a refusal alike; in English where none is asked for."""
    one, wrong = rpcs(), bundle(ask_script().replace("topics", "topcis"))
    check = script_pb2.CheckScriptRequest(bundle=wrong)
    chinese = await one.CheckScript(check, caller("zh-CN,zh;q=0.9"))
    english = await one.CheckScript(check, caller())
    with pytest.raises(InvalidScript) as refused:
        await one.PublishScript(script_pb2.PublishScriptRequest(bundle=wrong), caller("zh"))
    assert chinese.findings[0].message == "阶段没有 'topcis' 这个键；是不是想写 `topics`？"
    assert english.findings[0].message == "unknown key 'topcis' in a phase; did you mean `topics`?"
    assert refused.value.violations[0].description == chinese.findings[0].message
    assert refused.value.message.startswith("脚本有错误：")


async def test_rehearsals_of_a_bundle_are_played_by_their_paths() -> None:
    """All of them where none is named; one that is not there is refused, and so are too many."""
    talk = "turns:\n  - expect: {said: [你是谁？]}\n"
    wire = bundle()
    for name in ("a", "b"):
        wire.files[f"rehearsals/{name}.yaml"] = talk.encode()
    request = script_pb2.RehearseScriptRequest(bundle=wire)
    done = await rpcs().RehearseScript(request, caller("zh"))
    assert [each.path for each in done.conversations] == ["rehearsals/a.yaml", "rehearsals/b.yaml"]
    assert done.conversations[0].findings[0].message.startswith("第 1 回合，`said`")
    for paths in (["rehearsals/c.yaml"], [f"rehearsals/{n}.yaml" for n in range(21)]):
        request = script_pb2.RehearseScriptRequest(bundle=wire, paths=paths)
        with pytest.raises(InvalidRequest):
            await rpcs().RehearseScript(request, caller())


async def test_a_trial_is_not_listed_and_an_older_version_can_come_back() -> None:
    """What is published last is the newest, also where its content is known."""
    one = rpcs()
    first, second = await publish(one), await publish(one, ask_script(9))
    trial = bundle(ask_script(7))
    tried = await one.PublishScript(
        script_pb2.PublishScriptRequest(bundle=trial, trial=True), caller()
    )
    again = await publish(one)
    listed = await one.ListScripts(script_pb2.ListScriptsRequest(), caller())
    assert (tried.script.number, [each.version for each in listed.scripts]) == (0, [first.version])
    assert (first.number, second.number, again.number) == (1, 2, 3)
