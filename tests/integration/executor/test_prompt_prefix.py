"""How much of a conversation's prompts a provider's prefix cache can serve."""

from __future__ import annotations

import orjson

from session_store.open import open_in_memory
from tests.benchmarks import workload
from tests.benchmarks.prefixes import PrefixCache
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.strict_model import StrictServer, strict_model

TURNS = 100


async def test_prompts_begin_as_the_ones_before() -> None:
    """Over a hundred turns a cache of whole blocks serves 85 % of the prompts' bytes."""
    server = StrictServer(131_072, answer=lambda number: workload.reply(f"{number:08x}"))
    store = open_in_memory()
    await store.start()
    harness = harness_of(strict_model(server, 131_072), store=store)
    await harness.create_session(script_under_test(workload.script("bench")))
    await harness.initialize()
    for number in range(TURNS):
        await harness.send(f"m{number}", workload.client_text(f"{number:08x}"))
    await harness.aclose()
    await store.aclose()
    cache = PrefixCache()
    for prompt in server.prompts:
        cache.see(orjson.dumps({"messages": prompt}))
    served = cache.served()
    assert served.prompts == TURNS + 1
    assert served.served_bytes >= 0.85 * served.sent_bytes
