"""What a provider's prefix cache could serve of a talk's prompts: played in this process."""

from __future__ import annotations

import orjson

from session_store.open import open_in_memory
from tests.benchmarks import workload
from tests.benchmarks.prefixes import PrefixCache, Served
from tests.support.harness import harness_of
from tests.support.scenes import script_under_test
from tests.support.strict_model import StrictServer, strict_model

_CONTEXT = 131_072


async def served_over(script: str, turns: int) -> Served:
    """Return what a cache of whole blocks serves of the prompts of so many turns of a script.

    Args:
        script: The name of a script of the benchmark.
        turns: Those of the client; the opening comes before them.
    """
    server = StrictServer(_CONTEXT, answer=lambda number: workload.reply(f"{number:08x}"))
    store = open_in_memory()
    await store.start()
    harness = harness_of(strict_model(server, _CONTEXT), store=store)
    await harness.create_session(script_under_test(workload.script(script)))
    await harness.initialize()
    for number in range(turns):
        await harness.send(f"m{number}", workload.client_text(f"{number:08x}"))
    await harness.aclose()
    await store.aclose()
    cache = PrefixCache()
    for prompt in server.prompts:
        cache.see(orjson.dumps({"messages": prompt}))
    return cache.served()
