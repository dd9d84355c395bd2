"""Conversations whose every text is one word, and the search for it in a database's files."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from heartrule.domain.keys import SessionKey
from heartrule.domain.variables import VariableScope
from session_store.ports import Store
from tests.support.store_builders import (
    LONG,
    accept,
    advice,
    analysed,
    at_round,
    begun,
    call,
    failure,
    instance,
    judged,
    last_step,
    opened,
    said,
    ticket,
    variable,
)

MARKER = "MARKERMARKER"
OTHER = "otherotherot"


async def talk(store: Store, key: SessionKey, word: str, dice: random.Random) -> None:
    """Hold a conversation whose every text is `word` again and again, short and long."""

    def text(*sizes: int) -> str:
        return f"{word} " * (dice.choice(sizes) // len(word))

    for number in range(1, dice.randrange(4, 10)):
        await accept(store, key, f"{word}-{number}", text(20, 300, 9000))
        snapshot = await begun(store, key)
        if dice.random() < 0.3:
            failed = failure(snapshot, calls=(call(input=text(5000)),))
            await store.fail_turn(snapshot.lease, failed)
            await accept(store, key, f"{word}-{number}-again", text(20))
            snapshot = await begun(store, key)
        plan = instance(round=number, memory={"note": text(20, 400)})
        done = last_step(
            snapshot,
            said(text(50, 400, 6000)),
            position=at_round(number + 1),
            instances=(plan,),
            variables=(
                variable("word", text(20, 5000), VariableScope.TOPIC, "t1"),
                variable("global", text(20), VariableScope.GLOBAL),
            ),
            result=judged(number, ai_message=text(200)),
            monitor_requested=True,
            calls=(call(input=text(3000, 20000), output=text(500)),),
        )
        await store.commit_step(snapshot.lease, done)
        about = ticket(number, key.session_id)
        given = advice(f"adv_{number}", number, feedback_text=text(300))
        await store.claim_monitor_request(about, owner="me", ttl=LONG)
        await store.finish_analysis(analysed(about, given))


async def talks(store: Store, seed: int, **ours: str) -> SessionKey:
    """Hold conversations at once, so that their rows share pages; return the marked one's key."""
    dice = random.Random(seed)
    marked = await opened(store, "marked", locale=MARKER, labels={MARKER: MARKER}, **ours)
    others = [await opened(store, f"other{n}", user_id="somebody") for n in range(4)]
    others_talk = (talk(store, other, OTHER, dice) for other in others)
    await asyncio.gather(talk(store, marked, MARKER, dice), *others_talk)
    return marked


def files_with(word: str, folder: Path) -> set[str]:
    """Return the names of the files that hold the word."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.name for path in files if word.encode() in path.read_bytes()}
