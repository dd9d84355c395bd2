"""The services and, where no key is set, the rehearsal model, for the length of a block."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from executor_service.settings import StoreSettings
from heartrule.chassis.background import every
from heartrule.chassis.settings import read
from heartrule.words.language import ReaderLanguage, language_in
from heartrule.words.words import say
from heartrule_cli.failure import Failure
from heartrule_cli.services.child import Child, start_child
from heartrule_cli.services.folder_lock import folder_taken
from heartrule_cli.services.known_ports import ports_told
from heartrule_cli.services.model_choice import ModelChoice, rehearsal_environment
from heartrule_cli.services.starting import TOLD_AFTER_S, all_ready
from heartrule_cli.services.strange_variables import strange_text, strange_variables
from heartrule_cli.stopping import Stop, unless_stopped
from heartrule_cli.style import ERASED, passing_line, style_for
from heartrule_cli.text import clean

# Conversations and logs stay in the folder the command was started in.
FOLDER = Path(".heartrule")
LOGS = FOLDER / "logs"
_TAKEN = "cannot listen on"
_ATTEMPTS = 3
_HERE = "127.0.0.1"
_MONITOR = "HEARTRULE_MONITOR_ADDRESS"
_OFF = "off"
CONSOLE_PORT = 8080
_PORTS = range(10_000, 24_000)
# How often logs are measured: at a busy service's megabyte a second no more than twice their size.
_LOGS_S = 5.0
_GATEWAY_PORT = "HEARTRULE_GATEWAY_PORT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ports:
    """Where the services listen."""

    executor: int
    executor_health: int
    monitor: int
    monitor_health: int
    gateway: int
    gateway_health: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildServices:
    """The running services."""

    ports: Ports
    executor: Child
    gateway: Child | None
    """None where no HTTP is served."""
    monitor: Child | None
    """None where HEARTRULE_MONITOR_ADDRESS is `off`."""

    @property
    def told(self) -> Mapping[str, int]:
        """The ports of those that run, by name."""
        ports = asdict(self.ports)
        absent = {"monitor": self.monitor, "gateway": self.gateway}
        gone = tuple(name for name, child in absent.items() if child is None)
        return {name: port for name, port in ports.items() if not name.startswith(gone)}

    @property
    def address(self) -> str:
        """Where clients of this machine reach the executor."""
        return f"{_HERE}:{self.ports.executor}"

    @property
    def console(self) -> str:
        """Where a browser of this machine finds the console."""
        return f"http://{_HERE}:{self.ports.gateway}/"


@dataclass(slots=True, kw_only=True)
class ServicePlan:
    """What to start."""

    model: ModelChoice
    environ: Mapping[str, str]
    stop: Stop
    port: int | None = None
    """The executor's port; None probes a free one."""
    gateway: bool = True
    """Whether browsers and other clients of HTTP are served."""
    started: dict[str, Child] = field(default_factory=dict)
    """The children by name, from the moment they run."""

    @property
    def language(self) -> ReaderLanguage:
        """That of whoever watches the start."""
        return language_in(self.environ)

    def terminate(self) -> None:
        """Send SIGTERM to all; a second one ends a service at once."""
        for child in reversed(self.started.values()):
            child.terminate()


def database_text(environ: Mapping[str, str]) -> str:
    """Return where conversations are kept, without what may be secret in an address."""
    address = read(StoreSettings, environ).database_url
    scheme, separator, _ = address.partition("://")
    if not separator or scheme == "sqlite":
        return address
    return f"{scheme} (HEARTRULE_DATABASE_URL)"


@asynccontextmanager
async def running_services(plan: ServicePlan) -> AsyncIterator[ChildServices]:
    """Start everything, wait until it is ready, and stop it at the end of the block.

    A terminal shows that they are starting.

    Raises:
        Failure: A service did not start; the reason is the service's own.
    """
    _private_folder()
    for warning in map(strange_text, strange_variables(plan.environ).items()):
        print(clean(say("cli.warning", message=warning).told(plan.language)), file=sys.stderr)
    plan.stop.hurry = plan.terminate
    async with AsyncExitStack() as opened:
        opened.enter_context(folder_taken(FOLDER))
        environ = dict(plan.environ)
        if plan.model.rehearsal:
            environ |= await _rehearsal(opened, environ)
        try:
            style = style_for(sys.stdout, plan.environ)
            passing = say("cli.service.starting").told(plan.language)
            with passing_line(sys.stdout, style, f"  {passing}"):
                services = await _started(plan, environ)
            trimming = asyncio.create_task(every(_LOGS_S, partial(_trim_logs, plan)))
            opened.callback(trimming.cancel)
            with ports_told(FOLDER, services.told):
                yield services
        finally:
            await _stop(plan.started)


def _tell_slow(plan: ServicePlan, names: Sequence[str]) -> None:
    """Say that services are still starting, in place of the passing line."""
    erased = ERASED if style_for(sys.stderr, plan.environ).colours else ""
    services = tuple(say(f"cli.service.{name}") for name in names)
    told = say("cli.service.slow", services=services, seconds=round(TOLD_AFTER_S))
    print(f"{erased}{told.told(plan.language)}", file=sys.stderr, flush=True)


async def _trim_logs(plan: ServicePlan) -> None:
    for child in tuple(plan.started.values()):  # one may be stopped meanwhile
        await child.trim_log()


async def _started(plan: ServicePlan, environ: Mapping[str, str]) -> ChildServices:
    """Start all; repeat on other ports where a probed one was taken in between."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return await _start(plan, environ)
        except Failure as failure:
            # The executor's port is the user's choice, the gateway's may be probed beside it.
            is_chosen = plan.port and "the gateway" not in str(failure)
            if is_chosen or _TAKEN not in str(failure):
                raise
        await _stop(plan.started)
    return await _start(plan, environ)


async def _start(plan: ServicePlan, environ: Mapping[str, str]) -> ChildServices:
    ports = _ports(plan.port, environ)
    whole = {**environ, **service_environment(ports, environ)}
    # In this order: each service finds the one before it.
    health = {
        "monitor": ports.monitor_health,
        "executor": ports.executor_health,
        "gateway": ports.gateway_health,
    }
    if whole[_MONITOR] == _OFF:
        del health["monitor"]
    if not plan.gateway:
        del health["gateway"]
    children = plan.started
    for name in health:
        children[name] = await start_child(name, whole, LOGS / f"{name}.log")
    starting = {port: children[name] for name, port in health.items()}
    await unless_stopped(plan.stop, all_ready(starting, partial(_tell_slow, plan)))
    return ChildServices(
        ports=ports,
        executor=children["executor"],
        monitor=children.get("monitor"),
        gateway=children.get("gateway"),
    )


def service_environment(ports: Ports, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with all services' ports and addresses.

    Of the monitor's address the user may only set `off`: no round is analysed then.
    """
    off = environ.get(_MONITOR, "").strip() == _OFF
    return {
        "HEARTRULE_PORT": str(ports.executor),
        "HEARTRULE_HEALTH_PORT": str(ports.executor_health),
        "HEARTRULE_MONITOR_PORT": str(ports.monitor),
        "HEARTRULE_MONITOR_HEALTH_PORT": str(ports.monitor_health),
        _MONITOR: _OFF if off else f"{_HERE}:{ports.monitor}",
        _GATEWAY_PORT: str(ports.gateway),
        "HEARTRULE_GATEWAY_HEALTH_PORT": str(ports.gateway_health),
        "HEARTRULE_GATEWAY_EXECUTOR_ADDRESS": f"{_HERE}:{ports.executor}",
    }


def _ports(executor: int | None, environ: Mapping[str, str]) -> Ports:
    first, second, third, fourth, fifth, sixth = free_ports(6)
    return Ports(
        gateway=_console_port(environ, sixth),
        gateway_health=fifth,
        executor=first if executor is None else executor,
        executor_health=second,
        monitor=third,
        monitor_health=fourth,
    )


def _console_port(environ: Mapping[str, str], free: int) -> int:
    """Return the port asked for; else the usual one, or a free one where that is taken."""
    asked = environ.get(_GATEWAY_PORT, "").strip()
    if asked.isascii() and asked.isdigit():
        return int(asked) or free
    return CONSOLE_PORT if is_free(CONSOLE_PORT) else free


async def _stop(children: dict[str, Child]) -> None:
    """Stop the gateway first, the monitor last: the executor may send it a last round."""
    while children:
        _, child = children.popitem()
        await child.stop()


async def _rehearsal(opened: AsyncExitStack, environ: Mapping[str, str]) -> dict[str, str]:
    from heartrule.model.rehearsal.rehearsal_server import pace_from_environment, serve

    server = await serve(pace_s=pace_from_environment(environ))
    opened.push_async_callback(server.aclose)
    return rehearsal_environment(server.base_url)


def _private_folder() -> None:
    """Make `.heartrule`, readable by this user alone and ignored by git."""
    try:
        FOLDER.mkdir(mode=0o700, exist_ok=True)
        LOGS.mkdir(mode=0o700, exist_ok=True)
        ignore = FOLDER / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as error:
        place = os.path.join(os.getcwd(), FOLDER)  # noqa: PTH109, PTH118  for a message alone
        raise Failure(say("cli.folder.not_made", place=place, why=str(error.strerror))) from error


def free_ports(count: int) -> tuple[int, ...]:
    """Return different ports that were free a moment ago.

    No system gives them to outgoing connections: until a service binds one, seconds may pass.
    """
    found: set[int] = set()
    while len(found) < count:
        port = secrets.choice(_PORTS)
        if is_free(port):
            found.add(port)
    return tuple(found)


def is_free(port: int) -> bool:
    """Return whether this port of 127.0.0.1 can be bound."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True
