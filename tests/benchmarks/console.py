"""How long the console takes to open a session, and to show a key typed into a long script.

    python tests/benchmarks/console.py [--turns 1000] [--repeats 7] [--lines 3000]

Everything is real: executor (SQLite, the rehearsal model, monitor off), gateway, Chromium. An
opening runs from the visit to the moment when the newest message is on the screen, short and long
sessions in turns; a ratio is made of neighbours. A key runs from its event to the frame after it.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import aiohttp

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from heartrule.model.rehearsal.rehearsal_server import serve
from tests.benchmarks.children import Child, machine

if TYPE_CHECKING:
    from playwright.async_api import Browser

CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SHORT = 10
TYPED = "一句 plain words"
SCRIPT = """
session:
  session_id: long_talk
  phases:
    - phase_id: p
      topics:
        - topic_id: t
          actions:
            - action_type: ai_ask
              action_id: ask
              config: {content: 询问最近的情况, output: [{get: 情况}], max_rounds: 100000}
"""


async def talk(http: aiohttp.ClientSession, turns: int) -> str:
    """Hold a session of so many turns and return its id."""
    body = {"files": {"main.yaml": SCRIPT}, "mainPath": "main.yaml"}
    async with http.post("/api/v1/scripts", json=body) as answer:
        script_id = (await answer.json())["script"]["scriptId"]
    async with http.post("/api/v1/sessions", json={"scriptId": script_id}) as answer:
        session_id = str((await answer.json())["sessionId"])
    for number in range(turns):
        body = {"sessionId": session_id, "message": f"第 {number} 句，不想说"}
        async with http.post("/api/v1/chat", json=body) as answer:
            answer.raise_for_status()
            await answer.read()
    return session_id


async def opened_ms(browser: Browser, base: str, session_id: str, turns: int) -> tuple[float, int]:
    """Return how long a fresh page took to show the newest message, and the elements it has."""
    context = await browser.new_context(viewport={"width": 1360, "height": 820})
    page = await context.new_page()
    begun = time.perf_counter()
    await page.goto(f"{base}/#/sessions/{session_id}")
    newest = page.locator(".message.client .text", has_text=f"第 {turns - 1} 句")
    await newest.first.wait_for()
    took = 1000 * (time.perf_counter() - begun)
    elements = int(await page.evaluate("document.querySelectorAll('*').length"))
    await context.close()
    return took, elements


def long_script(lines: int) -> str:
    """Return a script of about so many lines."""
    parts = ["session:", "  session_id: long_script", "  phases:"]
    for number in range(lines // 9 + 1):
        if number % 10 == 0:
            parts += [f"    - phase_id: phase_{number}", "      topics:"]
        parts += [
            f"        - topic_id: topic_{number}",
            "          actions:",
            f"            - action_id: ask_{number}",
            "              action_type: ai_ask",
            "              config:",
            f"                content: 询问第 {number} 件事的来龙去脉",
            "                output:",
            f"                  - get: value_{number}",
            "                max_rounds: 3",
        ]
    return "\n".join(parts) + "\n"


async def keys_ms(browser: Browser, base: str, script_id: str) -> list[float]:
    """Return how long each of some keys took that were typed in the middle of a script."""
    context = await browser.new_context(viewport={"width": 1360, "height": 820})
    page = await context.new_page()
    await page.goto(f"{base}/#/scripts/{script_id}")
    content = page.locator(".cm-content")
    await content.click()
    await page.evaluate(
        """() => {
            window.took = [];
            document.addEventListener('keydown', () => {
                const begun = performance.now();
                requestAnimationFrame(() => setTimeout(() => took.push(performance.now() - begun)));
            }, true);
        }"""
    )
    await page.keyboard.press("End")
    for pause_ms in (40, 700):  # within the pause before a check, and with a check behind each
        await page.keyboard.type(TYPED, delay=pause_ms)
    # A key that no keyboard has, such as a Chinese one, comes as text without its event.
    keys = 1 + 2 * sum(each.isascii() for each in TYPED)
    await page.wait_for_function("keys => took.length >= keys", arg=keys)
    took: list[float] = await page.evaluate("took")
    await context.close()
    return took


async def measure(turns: int, repeats: int, lines: int) -> None:
    """Print the times of both sessions and their ratio, and those of keys."""
    from playwright.async_api import async_playwright

    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        model = await serve()
        stack.push_async_callback(model.aclose)
        environ = {
            "HEARTRULE_PORT": "0",
            "HEARTRULE_MONITOR_ADDRESS": "off",
            "OPENAI_API_KEY": "rehearsal",
            "HEARTRULE_MODEL": "heartrule-rehearsal",
            "HEARTRULE_PROVIDER_KIND": "rehearsal",
            "OPENAI_BASE_URL": model.base_url,
            "HEARTRULE_INPUTS_PER_MINUTE": "0",
        }
        executor = await Child.start(
            "executor", ["-m", "executor_service"], folder=folder, environ=environ
        )
        stack.push_async_callback(executor.stop)
        before = {
            "HEARTRULE_GATEWAY_PORT": "0",
            "HEARTRULE_GATEWAY_INPUTS_PER_MINUTE": "0",
            "HEARTRULE_GATEWAY_EXECUTOR_ADDRESS": executor.target,
        }
        gateway = await Child.start(
            "gateway", ["-m", "gateway_service"], folder=folder, environ=before
        )
        stack.push_async_callback(gateway.stop)
        base = f"http://{gateway.target}"
        http = await stack.enter_async_context(aiohttp.ClientSession(base))
        sizes = (SHORT, turns)
        sessions = [await talk(http, size) for size in sizes]
        tool = await stack.enter_async_context(async_playwright())
        browser = await tool.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        stack.push_async_callback(browser.close)
        await opened_ms(browser, base, sessions[0], SHORT)
        rows = [
            [await opened_ms(browser, base, *each) for each in zip(sessions, sizes, strict=True)]
            for _ in range(repeats)
        ]
        script = long_script(lines)
        body = {"files": {"main.yaml": script}, "mainPath": "main.yaml"}
        async with http.post("/api/v1/scripts", json=body) as answer:
            answer.raise_for_status()
        keys = await keys_ms(browser, base, "long_script")
    _print(rows, sizes)
    sys.stdout.write(
        f"a key in {script.count(chr(10))} lines: {statistics.median(keys):.0f} ms, at most"
        f" {max(keys):.0f} ms of {len(keys)}\n"
    )


def _print(rows: list[list[tuple[float, int]]], sizes: tuple[int, int]) -> None:
    sys.stdout.write(f"{machine()}\n")
    for column, size in enumerate(sizes):
        times = [row[column][0] for row in rows]
        sys.stdout.write(
            f"{size:>6} turns: {statistics.median(times):.0f} ms"
            f" ({min(times):.0f} to {max(times):.0f}), {rows[0][column][1]} elements\n"
        )
    ratios = [row[1][0] / row[0][0] for row in rows]
    sys.stdout.write(
        f"ratio {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})\n"
    )


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--turns", type=int, default=1000, help="turns of the long session (1000)")
    parser.add_argument("--repeats", type=int, default=7, help="visits of each (7)")
    parser.add_argument("--lines", type=int, default=3000, help="lines of the script (3000)")
    chosen = parser.parse_args()
    asyncio.run(measure(chosen.turns, chosen.repeats, chosen.lines))


if __name__ == "__main__":
    main()
