"""The documents' own scenes: a script, what the models answer, the turns, and what must be seen.

A scene is a YAML file of this folder, named for the document, the kind and the number of the scene
it plays (`000-unit-03-retry-exhausted.yaml`). It is what `heartrule rehearse` plays, its script in
the same file: the real engine, turns, streams, dispatcher and shipped templates; only the models'
words are written.

    title:          one sentence, the rule
    shows:          ids of docs/reference/traceability.md
    script:         the script's YAML
    locale:         of the session; zh-CN unless named
    imported:       the state of another engine it begins with
    strategy_engine: true or false: what the session is started with
    model:          what the talking and thinking model answers, in order: a text as it is;
                    {content, EXIT, …} a whole reply with these fields changed; {object: {…}} this
                    object alone; {fails: REASON} no answer; {cut: text} a stream that breaks off
    monitor:        what the second mind answers, in order, then silence: `silent`,
                    {advice: text} or {fails: REASON}
    monitor_model:  instead of `monitor`: the real handlers run, and their model answers this
    held:           true = the second mind answers nothing before a turn says `release: true`
    turns:          one each; `client` is what the client says (none = the opening turn), `id` its
                    message id (m1, m2, … unless named), `form` the values it submits for the open
                    request, or for the one `request` names; `expect` what must be seen after it:
      said, drafted           texts committed; all drafts joined
      media                   pictures committed
      rejected                reasons of inputs refused
      requests, open_request  forms asked for; whether one is open
      outcome, problem        how the turn ended
      degradations            reasons, in order
      results                 each ActionResult recorded, by the fields named
      status, position        of the session
      variables               values by name, archived ones too
      live                    values by `scope name`, without the archive
      definitions, snapshots  what is known of names; {`scope id`: values} of the scopes left so far
      exits                   the exit history so far
      strategies              what the strategy engine recommended so far, and from what
      calls, prompts, prompt  model calls of the turn; their templates; the last message of the last
      ledger                  records of the calls paid for since the last turn, the monitor's too
      advice, analyses        states advice took on; how analyses ended
      reports, monitor_prompt rounds the second mind was told of so far; its model's last prompt
      events                  kinds of the turn's durable events, in order
      log                     [level, strategy] of each line about reading a reply

Mappings are compared by the keys a scene names, lists item by item; {has: x} and {lacks: x} look
into a text.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from heartrule_cli.rehearsal.outcome import Difference
from heartrule_cli.rehearsal.play import Play
from tests.support.scenes import lines, load_scene, told
from tests.support.shipped_files import shipped_installation

HERE = Path(__file__).parent
SCENES = sorted(HERE.glob("*.yaml"))


@pytest.mark.parametrize("path", SCENES, ids=[path.stem for path in SCENES])
async def test_scene(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Every turn of the scene shows what the scene expects of it, and no answer is left over."""
    scene = load_scene(path)
    play = Play(scene.conversation, shipped_installation())
    await play.harness.create_session(scene.script)
    found: list[Difference] = []
    for turn in scene.conversation.turns:
        caplog.clear()
        with caplog.at_level(logging.WARNING):
            played = await play.turn(turn)
        seen = {**played.seen, "log": lines(caplog.records)}
        found += play.differences(replace(played, seen=seen))
    found += play.unused()
    await play.harness.aclose()
    assert told(found) == []


def test_there_are_scenes() -> None:
    """A folder that lost its files is no green test."""
    assert len(SCENES) > 20
