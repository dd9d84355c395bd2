"""The database and the services: what answers where, and what could begin to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from executor_service.settings import ExecutorSettings, StoreSettings
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.errors import HeartRuleError
from heartrule.v1 import script_pb2
from heartrule_cli.commands.up import STANDARD_PORT
from heartrule_cli.doctor.findings import DoctorFinding, DoctorSection, FindingLevel
from heartrule_cli.executor_client import executor_at
from heartrule_cli.failure import Failure, Unreachable
from heartrule_cli.services import CONSOLE_PORT, database_text, is_free
from heartrule_cli.text import one_line
from session_store.sql.database_look import look_at_database

_HERE = "127.0.0.1"
_CONNECT_S = 3.0


async def services_section(environ: Mapping[str, str]) -> DoctorSection:
    """Return what answers at the usual addresses, or those that the environment names."""
    findings = [_database(environ), await _executor(environ)]
    findings += [await _gateway(environ), await _monitor(environ), _workers(environ)]
    return DoctorSection(title="Database and services", findings=tuple(findings))


def _database(environ: Mapping[str, str]) -> DoctorFinding:
    address = read(StoreSettings, environ).database_url
    place = one_line(database_text(environ))
    try:
        seen = look_at_database(address)
    except HeartRuleError as error:
        own = _without_address(str(error.__cause__ or error), address)
        return DoctorFinding(
            subject="database",
            text=f"{place} cannot be read: {own}",
            level=FindingLevel.ERROR,
            remedy="correct HEARTRULE_DATABASE_URL, or start that database",
        )
    if not seen.schema:
        return DoctorFinding(subject="database", text=_empty(place, exists=seen.exists))
    differs = seen.schema != seen.known
    return DoctorFinding(
        subject="database",
        text=f"{place}, schema {seen.schema}"
        + (f", and this release has {seen.known}" if differs else ""),
        level=FindingLevel.WARNING if differs else FindingLevel.OK,
        remedy="the executor brings an older one up to date at its start" if differs else "",
    )


def _empty(place: str, *, exists: bool) -> str:
    return f"{place} " + ("has no tables yet" if exists else "is made by the first conversation")


def _without_address(said: str, address: str) -> str:
    """Return a driver's words on one line, without an address that holds a password."""
    return one_line(said.replace(address, "the database").strip())


async def _executor(environ: Mapping[str, str]) -> DoctorFinding:
    port = _number(environ.get("HEARTRULE_PORT", "")) or STANDARD_PORT
    address = f"{_HERE}:{port}"
    try:
        async with executor_at(address, environ) as executor:
            request = script_pb2.ListScriptsRequest(page_size=500)
            page = await executor.call(executor.stubs.script.ListScripts, request)
    except Unreachable:
        return _free("executor", port)
    except Failure as failure:
        return DoctorFinding(
            subject="executor",
            text=f"{address}: {failure}",
            level=FindingLevel.WARNING,
            remedy=failure.hint or "`heartrule up --port PORT` takes another port",
        )
    return DoctorFinding(
        subject="executor", text=f"answers at {address}, with {len(page.scripts)} scripts"
    )


async def _gateway(environ: Mapping[str, str]) -> DoctorFinding:
    port = _number(environ.get("HEARTRULE_GATEWAY_PORT", "")) or CONSOLE_PORT
    if await _connects(_HERE, port):
        return DoctorFinding(subject="gateway", text=f"something listens at http://{_HERE}:{port}/")
    return _free("gateway", port)


async def _monitor(environ: Mapping[str, str]) -> DoctorFinding:
    named = environ.get("HEARTRULE_MONITOR_ADDRESS", "").strip()
    if named == "off":
        return DoctorFinding(subject="monitor", text="turned off: no round is analysed")
    if not named:
        text = "`heartrule run` and `up` start their own, at a free port"
        return DoctorFinding(subject="monitor", text=text)
    host, _, port = named.rpartition(":")
    if await _connects(host, _number(port)):
        return DoctorFinding(subject="monitor", text=f"something listens at {named}")
    return DoctorFinding(
        subject="monitor",
        text=f"nothing listens at {named}",
        level=FindingLevel.WARNING,
        remedy="conversations go on without advice; start it, or correct HEARTRULE_MONITOR_ADDRESS",
    )


def _workers(environ: Mapping[str, str]) -> DoctorFinding:
    """Return who takes runs of workflows; of other processes none can be seen from here."""
    try:
        settings = read(ExecutorSettings, environ)
    except SettingsError:
        return DoctorFinding(subject="workers", text="not looked at: the settings are wrong")
    if not settings.store.is_shared:
        return DoctorFinding(subject="workers", text="the executor takes runs itself (SQLite)")
    text = "the executors that take runs, and workers, share PostgreSQL; their health ports tell"
    return DoctorFinding(subject="workers", text=text)


def _free(name: str, port: int) -> DoctorFinding:
    if is_free(port):
        return DoctorFinding(subject=name, text=f"does not run; port {port} is free")
    return DoctorFinding(
        subject=name,
        text=f"port {port} is taken by another program",
        level=FindingLevel.WARNING,
        remedy="`heartrule run` takes free ports; `heartrule up --port PORT` takes yours",
    )


async def _connects(host: str, port: int) -> bool:
    try:
        async with asyncio.timeout(_CONNECT_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


def _number(text: str) -> int:
    return int(text) if text.strip().isascii() and text.strip().isdigit() else 0
