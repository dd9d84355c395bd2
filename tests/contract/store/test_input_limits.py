"""How long an input may be."""

from __future__ import annotations

import pytest

from heartrule.domain.conversation import FormAnswer, Part, text_part
from heartrule.domain.errors import InvalidRequest
from session_store.ports import Store
from session_store.records import RetryOrder
from tests.support.store_builders import (
    accept,
    begun,
    created,
    last_step,
    opened,
    said,
    user_input,
)


async def test_an_input_beyond_the_sessions_limit_is_refused(store: Store) -> None:
    """Nothing of it is stored; a form's answers count, and a repeat of what was taken passes."""
    key = await created(store, max_input_chars=5)
    assert (await store.get_session(key)).max_input_chars == 5
    await accept(store, key, "m1", "五个字呀。")
    form = Part(form=FormAnswer(values={"近况": "五个字呀。"}), fallback_text="表")
    for parts in ((text_part("五个字呀。。"),), (form,)):
        with pytest.raises(InvalidRequest) as refused:
            await store.accept_input(key, user_input("m2", parts=parts))
        assert refused.value.reason == "INPUT_TOO_LONG"
    assert (await accept(store, key, "m1", "五个字呀。")).duplicate
    assert len(await store.read_events(key, 0)) == 1


async def test_several_messages_are_said_again_together_whatever_their_length(
    store: Store,
) -> None:
    """Each was within the limit; another text in their place is one message, and has to be."""
    key = await opened(store, max_input_chars=5)
    for name in ("m1", "m2"):
        await accept(store, key, name, "五个字呀。")
    snapshot = await begun(store, key)
    await store.commit_step(snapshot.lease, last_step(snapshot, said("好")))
    with pytest.raises(InvalidRequest):
        await store.retry_turn(RetryOrder(key=key, text="六个字呀。。"))
    done = await store.retry_turn(RetryOrder(key=key))
    assert done.message.plain_text() == "五个字呀。\n五个字呀。"
