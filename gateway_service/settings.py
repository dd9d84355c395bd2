"""The gateway's settings, read from its environment."""

from __future__ import annotations

import re
from typing import Annotated, ClassVar, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from gateway_service.caller import networks_of
from heartrule.chassis.logs import LogSettings
from heartrule.chassis.server import is_local
from heartrule.chassis.service_token import Insecure, ServiceToken, check_exposed
from heartrule.chassis.settings import CommaList, Port, Seconds, Settings, Variable
from heartrule.chassis.system_files import SystemFilesSettings

_PREFIX = "HEARTRULE_GATEWAY_"
_ORIGIN = re.compile(r"https://[A-Za-z0-9.-]+(:\d{1,5})?")


def _lines(value: object) -> object:
    """Split `one | another` into its texts, which may hold commas."""
    if not isinstance(value, str):
        return value
    return tuple(text.strip() for text in value.split("|") if text.strip())


class GatewayServerSettings(Settings):
    """Where the gateway listens, who may call it, and how it stops."""

    prefix: ClassVar[str] = _PREFIX
    host: str = "127.0.0.1"
    """Address to listen on: this machine alone by default; any other asks for a token."""
    port: Port = 8080
    """Port of HTTP; 0 takes a free one."""
    health_port: Port = 0
    """Port of grpc.health.v1, as of every service; 0 takes a free one."""
    stop_grace: Seconds = 20.0
    """Seconds that running requests get to end after SIGTERM; streams end with `goingAway`."""
    token: ServiceToken | None = None
    """Token that every caller sends as `Authorization: Bearer …`; the console asks for it. At least
    32 characters where others can reach the address."""
    insecure: Insecure = False
    """Whether services may be reached by others without a token."""
    allowed_hosts: CommaList = ()
    """Names, with commas, by which browsers reach the gateway besides its own address; `*`: any."""
    allowed_origins: CommaList = ()
    """Origins, with commas, of other sites' pages that may call (CORS), as https://app.example."""

    picture_hosts: CommaList = ()
    """Origins, with commas, whose pictures the console shows by itself: those that your scripts
    name by https. Pictures of clients and of other hosts are shown after a click."""

    @field_validator("picture_hosts")
    @classmethod
    def _are_origins(cls, hosts: tuple[str, ...]) -> tuple[str, ...]:
        # They stand in a header: anything else could end its directive.
        if any(not _ORIGIN.fullmatch(host) for host in hosts):
            raise ValueError("an origin looks like https://pictures.example")
        return hosts

    @model_validator(mode="after")
    def _others_need_a_token(self) -> Self:
        if not self.insecure and not is_local(self.host):
            check_exposed(self.prefix, self.token)
        return self


class ConnectionSettings(Settings):
    """What a connection may take before anybody looks at a token."""

    prefix: ClassVar[str] = _PREFIX
    max_connections: Annotated[int, Field(ge=0)] = 4_096
    """Connections at one time; 0: any number. Further ones are closed at once."""
    max_connections_per_address: Annotated[int, Field(ge=0)] = 256
    """Connections of one address at one time, trusted proxies aside; 0: any number."""
    header_limit: Annotated[int, Field(ge=4_096, le=65_536)] = 32_768
    """Bytes that the header of a request may have."""
    header_timeout: Seconds = 10.0
    """Seconds in which the header of a request must have come."""
    body_timeout: Seconds = 60.0
    """Seconds in which the body of a request must have come."""
    answer_timeout: Seconds = 30.0
    """Seconds in which a reader must take some of an answer that waits for it (on Linux)."""
    idle_timeout: Seconds = 75.0
    """Seconds without a request after which a connection is closed; longer than the 60 of common
    proxies, which then close an idle connection first and send no request into a closing one."""
    trusted_proxies: CommaList = ()
    """Addresses or networks, with commas, of proxies whose X-Forwarded-For names the caller."""

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, proxies: tuple[str, ...]) -> tuple[str, ...]:
        tuple(networks_of(proxies))
        return proxies


class CallerSettings(Settings):
    """How often one caller's address may do what costs most; a proxy that is trusted names it."""

    prefix: ClassVar[str] = _PREFIX
    inputs_per_minute: Annotated[int, Field(ge=0)] = 600
    """Inputs a minute of one address; 0: any number. A refused one is still answered by a card
    where it calls for one."""
    sessions_per_minute: Annotated[int, Field(ge=0)] = 120
    """Sessions a minute that one address may begin or fork; 0: any number."""
    scripts_per_hour: Annotated[int, Field(ge=0)] = 600
    """Scripts an hour that one address may publish or have checked; 0: any number."""
    pictures_per_hour: Annotated[int, Field(ge=0)] = 600
    """Pictures an hour that one address may upload; 0: any number."""


class RequestSettings(Settings):
    """What requests may be, and how long they may take."""

    prefix: ClassVar[str] = _PREFIX
    executor_address: str = "127.0.0.1:50051"
    """host:port of the executor, or dns:///name:port."""
    executor_token: Annotated[ServiceToken | None, Variable("HEARTRULE_TOKEN")] = None
    """Token that the executor asks for."""
    body_limit: Annotated[int, Field(ge=1_024, le=8_388_608)] = 1_310_720
    """Bytes a body of JSON may have; an upload of a picture may have 8,388,608."""
    call_timeout: Seconds = 30.0
    """Seconds a call of the executor may take that is answered at once."""
    turn_timeout: Seconds = 150.0
    """Seconds a request waits for a turn; the turn goes on without it."""
    session_headers: CommaList = ("X-HeartRule-Session", "X-OpenWebUI-Chat-Id")
    """Headers, with commas, that name the conversation of a call of /v1/chat/completions."""
    task_headers: CommaList = ("X-HeartRule-Task",)
    """Headers, with commas, that mark a call of /v1/chat/completions as the front end's own, such
    as for a title: it is answered without the session."""
    task_prompts: Annotated[tuple[str, ...], BeforeValidator(_lines)] = ()
    """Beginnings, with `|`, of further prompts that front ends send for themselves."""
    known_task_prompts: bool = True
    """Whether the prompts that Open WebUI, LibreChat, NextChat, LobeChat and Chatbox send for
    titles, tags and follow-up questions are recognised."""


class GatewaySettings(Settings):
    """All settings of the gateway process."""

    server: GatewayServerSettings
    connections: ConnectionSettings
    callers: CallerSettings
    requests: RequestSettings
    log: LogSettings
    system: SystemFilesSettings
