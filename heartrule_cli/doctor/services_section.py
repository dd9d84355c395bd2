"""The database and the services: what answers where, and what could begin to."""

from __future__ import annotations

from collections.abc import Mapping

from executor_service.settings import ExecutorSettings, StoreSettings
from heartrule.chassis.settings import SettingsError, read
from heartrule.domain.errors import HeartRuleError
from heartrule.v1 import script_pb2
from heartrule.words.words import Words, say
from heartrule_cli.commands.up import STANDARD_PORT
from heartrule_cli.doctor.contacts import ServiceContact, gateway_at, health_at, monitor_at
from heartrule_cli.doctor.findings import DoctorFinding, DoctorSection, FindingLevel
from heartrule_cli.executor_client import executor_at
from heartrule_cli.failure import Failure, Unreachable
from heartrule_cli.services.known_ports import ports_in
from heartrule_cli.services.running_services import (
    CONSOLE_PORT,
    FOLDER,
    LOGS,
    database_text,
    is_free,
)
from heartrule_cli.text import one_line
from session_store.sql.database_look import DatabaseLook, look_at_database

_HERE = "127.0.0.1"
_EXECUTOR = say("cli.up.executor")
_GATEWAY = say("cli.service.gateway")
_MONITOR = say("cli.up.monitor")
_WORKERS = say("cli.doctor.workers_name")


async def services_section(environ: Mapping[str, str]) -> DoctorSection:
    """Return what answers at the usual addresses, or those that the environment names."""
    address = read(StoreSettings, environ).database_url
    try:
        seen = look_at_database(address)
        database = _database(seen, one_line(database_text(environ)))
    except HeartRuleError as error:
        seen = None
        database = _unreadable(error, address, one_line(database_text(environ)))
    ports = ports_in(FOLDER)
    findings = [database, await _executor(environ, ports), await _gateway(environ, ports)]
    findings += [await _monitor(environ, ports), _workers(environ, seen)]
    return DoctorSection(title=say("cli.doctor.services"), findings=tuple(findings))


def _unreadable(error: HeartRuleError, address: str, place: str) -> DoctorFinding:
    """Return why a database cannot be read, in its driver's words without a password."""
    own = str(error.__cause__ or error).replace(address, place).strip()
    return DoctorFinding(
        subject=say("cli.up.database"),
        text=say("cli.doctor.database_unreadable", place=place, why=one_line(own)),
        level=FindingLevel.ERROR,
        remedy=say("cli.doctor.database_remedy"),
    )


def _database(seen: DatabaseLook, place: str) -> DoctorFinding:
    if not seen.schema:
        code = "cli.doctor.no_tables" if seen.exists else "cli.doctor.no_database"
        return DoctorFinding(subject=say("cli.up.database"), text=say(code, place=place))
    if seen.schema == seen.known:
        text = say("cli.doctor.schema", place=place, schema=seen.schema)
        return DoctorFinding(subject=say("cli.up.database"), text=text)
    return DoctorFinding(
        subject=say("cli.up.database"),
        text=say("cli.doctor.other_schema", place=place, schema=seen.schema, known=seen.known),
        level=FindingLevel.WARNING,
        remedy=say("cli.doctor.other_schema_remedy"),
    )


async def _executor(environ: Mapping[str, str], ports: Mapping[str, int]) -> DoctorFinding:
    port = _number(environ.get("HEARTRULE_PORT", "")) or ports.get("executor") or STANDARD_PORT
    address = f"{_HERE}:{port}"
    try:
        async with executor_at(address, environ) as executor:
            request = script_pb2.ListScriptsRequest(page_size=500)
            page = await executor.call(executor.stubs.script.ListScripts, request)
    except Unreachable:
        return _free(_EXECUTOR, port)
    except Failure as failure:
        return DoctorFinding(
            subject=_EXECUTOR,
            text=say("cli.doctor.refuses", address=address, why=failure.message),
            level=FindingLevel.WARNING,
            remedy=failure.hints[0] if failure.hints else say("cli.doctor.another_port"),
        )
    health = ports.get("executor_health")
    if health and await health_at(f"{_HERE}:{health}") is ServiceContact.NOT_READY:
        return _not_ready(_EXECUTOR, address)
    text = say("cli.doctor.executor", address=address, count=len(page.scripts))
    return DoctorFinding(subject=_EXECUTOR, text=text)


async def _gateway(environ: Mapping[str, str], ports: Mapping[str, int]) -> DoctorFinding:
    asked = _number(environ.get("HEARTRULE_GATEWAY_PORT", ""))
    port = asked or ports.get("gateway") or CONSOLE_PORT
    address = f"http://{_HERE}:{port}"
    contact = await gateway_at(address)
    if contact in {ServiceContact.NOBODY, ServiceContact.ANOTHER}:
        return _free(_GATEWAY, port)
    if contact is ServiceContact.NOT_READY:
        return _not_ready(_GATEWAY, address)
    return DoctorFinding(subject=_GATEWAY, text=say("cli.doctor.is_ready", address=address))


async def _monitor(environ: Mapping[str, str], ports: Mapping[str, int]) -> DoctorFinding:
    named = environ.get("HEARTRULE_MONITOR_ADDRESS", "").strip()
    health = ports.get("monitor_health")
    if named == "off":
        return DoctorFinding(subject=_MONITOR, text=say("cli.doctor.monitor_off"))
    if not named and not health:
        return DoctorFinding(subject=_MONITOR, text=say("cli.doctor.monitor_own"))
    address = one_line(named) or f"{_HERE}:{health}"
    contact = await (monitor_at(named) if named else health_at(address))
    if contact is ServiceContact.READY:
        return DoctorFinding(subject=_MONITOR, text=say("cli.doctor.is_ready", address=address))
    if contact is ServiceContact.NOT_READY:
        return _not_ready(_MONITOR, address)
    is_another = contact is ServiceContact.ANOTHER
    code = "cli.doctor.no_monitor" if is_another else "cli.doctor.nobody"
    return DoctorFinding(
        subject=_MONITOR,
        text=say(code, address=address),
        level=FindingLevel.WARNING,
        remedy=say("cli.doctor.monitor_remedy"),
    )


def _workers(environ: Mapping[str, str], seen: DatabaseLook | None) -> DoctorFinding:
    """Return who takes runs of workflows: workers are seen by what they write in the database."""
    try:
        settings = read(ExecutorSettings, environ)
    except SettingsError:
        return DoctorFinding(subject=_WORKERS, text=say("cli.doctor.workers_unread"))
    if not settings.store.is_shared:
        return DoctorFinding(subject=_WORKERS, text=say("cli.doctor.workers_own"))
    if seen is None or seen.workers is None:
        return DoctorFinding(subject=_WORKERS, text=say("cli.doctor.workers_unseen"))
    if seen.workers:
        text = say("cli.doctor.workers", count=seen.workers)
        return DoctorFinding(subject=_WORKERS, text=text)
    return DoctorFinding(
        subject=_WORKERS,
        text=say("cli.doctor.no_workers"),
        level=FindingLevel.WARNING,
        remedy=say("cli.doctor.no_workers_remedy"),
    )


def _not_ready(name: Words, address: str) -> DoctorFinding:
    return DoctorFinding(
        subject=name,
        text=say("cli.doctor.not_ready", address=address),
        level=FindingLevel.WARNING,
        remedy=say("cli.doctor.not_ready_remedy", logs=str(LOGS)),
    )


def _free(name: Words, port: int) -> DoctorFinding:
    if is_free(port):
        return DoctorFinding(subject=name, text=say("cli.doctor.does_not_run", port=str(port)))
    return DoctorFinding(
        subject=name,
        text=say("cli.doctor.taken", port=str(port)),
        level=FindingLevel.WARNING,
        remedy=say("cli.doctor.taken_remedy"),
    )


def _number(text: str) -> int:
    return int(text) if text.strip().isascii() and text.strip().isdigit() else 0
