"""The console in a real browser, over a gateway and an executor of this process."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gateway_service.bootstrap import Gateway
from gateway_service.settings import GatewaySettings
from heartrule.chassis.settings import read
from heartrule.words.language import language_of
from heartrule.words.words import page_words
from tests.support.executors import Neighbours, Running, running_executor
from tests.support.require import lacking

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

CHROMIUM = ("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
PICTURES = Path(os.environ.get("CONSOLE_SCREENSHOTS", "build/console"))
"""Where the tests leave what they saw."""
VIEW = "localStorage['heartrule.view'] ??= JSON.stringify('%s')"
"""Which of the two views of a session is chosen before anybody chooses."""
PATIENT = {"HEARTRULE_GATEWAY_CALL_TIMEOUT": "120", "HEARTRULE_REHEARSAL_LIMIT": "120"}
"""Settings with which a rehearsal ends on a machine whose processors are all at work."""
WIDE = (1360, 820)
PHONE = (390, 800)


def chromium() -> str:
    """Return the browser's path, or skip with the reason."""
    found = next((path for path in CHROMIUM if Path(path).exists()), None)
    return found or lacking("no Chromium is installed")


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Run a browser for the length of a block."""
    path = chromium()
    from playwright.async_api import async_playwright, expect

    expect.set_options(timeout=30_000)  # as long as an action waits: a busy machine fails no test
    async with async_playwright() as tool:
        opened = await tool.chromium.launch(executable_path=path, args=list(FLAGS))
        try:
            yield opened
        finally:
            await opened.close()


@asynccontextmanager
async def running_gateway(running: Running, **environ: str) -> AsyncIterator[str]:
    """Run a gateway before an executor; the block gets its address."""
    told = {
        "HEARTRULE_GATEWAY_PORT": "0",
        "HEARTRULE_GATEWAY_EXECUTOR_ADDRESS": f"127.0.0.1:{running.server.port}",
        **PATIENT,
        **environ,
    }
    gateway = Gateway(read(GatewaySettings, told))
    await gateway.start()
    try:
        yield f"http://127.0.0.1:{gateway.port}"
    finally:
        await gateway.go_away()
        await gateway.drain()
        await gateway.close()


@dataclass(slots=True)
class Console:
    """The page of one test, and what it complained of."""

    page: Page
    base: str
    running: Running
    complaints: list[str] = field(default_factory=list)

    async def visit(self, *names: str) -> None:
        """Go to a place of the console."""
        await self.page.goto(f"{self.base}/#/{'/'.join(names)}")

    async def begin(self, script: str) -> str:
        """Start a session on a script and open it; return once its opening was said."""
        session_id = await self.running.client.start(script)
        await self.visit("sessions", session_id)
        await self.spoken().first.wait_for()
        return session_id

    def spoken(self) -> Locator:
        """Return the messages of the assistant that are stored."""
        return self.page.locator(".message.assistant:not(.draft)")

    async def say(self, text: str) -> None:
        """Say something and wait for the answer."""
        before = await self.spoken().count()
        await self.page.get_by_label("输入消息").fill(text)
        await self.page.get_by_role("button", name="发送").click()
        await self.spoken().nth(before).wait_for()

    async def tab(self, name: str) -> Locator:
        """Choose a tab of the inspector, where it stands, and return its panel."""
        tab = self.page.get_by_role("tab", name=name, exact=True)
        more = self.page.locator(".more-tabs select")
        await tab.or_(more.locator("option", has_text=name)).first.wait_for(state="attached")
        if await tab.count():
            await tab.click()
        else:
            await more.select_option(label=name)
        return self.page.get_by_role("tabpanel")

    async def answer(self, *, yes: str, written: str = "") -> None:
        """Answer the question that a dialog of the page asks."""
        dialog = self.page.get_by_role("dialog")
        if written:
            await dialog.get_by_role("textbox").fill(written)
        await dialog.get_by_role("button", name=yes, exact=True).click()
        await dialog.wait_for(state="hidden")

    async def speak(self, language: str) -> None:
        """Choose the page's language; return once it is drawn in it."""
        await self.page.locator(".bar select").select_option(language)
        await self.page.locator(f"html[lang^={language}]").wait_for()

    async def picture(self, name: str) -> None:
        """Leave a screenshot as an artefact."""
        await self.page.screenshot(path=PICTURES / f"{name}.png")

    async def overflow(self) -> int:
        """Return by how many pixels the page is wider than its window."""
        measured = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        return int(await self.page.evaluate(measured))


@asynccontextmanager
async def console(
    neighbours: Neighbours | None = None,
    *,
    size: tuple[int, int] = WIDE,
    view: str = "developer",
    **environ: str,
) -> AsyncIterator[Console]:
    """Open the console before written neighbours; whatever it complained of fails the test."""
    chromium()
    async with (
        running_executor(neighbours) as running,
        running_gateway(running, **environ) as base,
        browser() as opened,
    ):
        width, height = size
        context = await opened.new_context(
            viewport={"width": width, "height": height}, locale="zh-CN", base_url=base
        )
        await context.add_init_script(VIEW % view)
        page = await context.new_page()
        shown = Console(page=page, base=base, running=running)
        page.on("pageerror", lambda error: shown.complaints.append(str(error)))
        page.on("console", lambda told: _note(shown, told.type, told.text))
        yield shown
        await context.close()
        told = "\n".join(shown.complaints)
        assert not told, told


async def write(editor: Locator, text: str) -> None:
    """Put a text in the place of all that stands in the editor, as a person pastes it."""
    await editor.press("Control+a")
    await editor.press("Delete")
    paste = """(node, text) => {
        const data = new DataTransfer();
        data.setData('text/plain', text);
        const event = { clipboardData: data, bubbles: true, cancelable: true };
        node.dispatchEvent(new ClipboardEvent('paste', event));
    }"""
    await editor.evaluate(paste, text)


def console_words(language: str) -> dict[str, str]:
    """Return what the console says in `zh` or `en`, by code."""
    words: dict[str, str] = json.loads(page_words(language_of(language)).read_text("utf-8"))
    return words


async def axe(shown: Console) -> list[str]:
    """Return the findings of axe that are more than minor."""
    return await axe_of(shown.page)


async def axe_of(page: Page) -> list[str]:
    """Return the findings of axe on a page that are more than minor."""
    from axe_playwright_python.async_playwright import Axe  # type: ignore[import-untyped]

    found = await Axe().run(page)
    grave = [each for each in found.response["violations"] if each["impact"] != "minor"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:160]}" for each in grave]


def _note(shown: Console, kind: str, text: str) -> None:
    """Keep what the page complains of; a lost line is no fault of the page."""
    if kind == "error" and "ERR_" not in text and "503" not in text:
        shown.complaints.append(text)
