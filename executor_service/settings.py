"""The settings of the executor, read from the environment."""

from __future__ import annotations

from base64 import b64decode
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from executor_service.safety.opt_out import OptOutPolicy
from heartrule.chassis.logs import LogSettings
from heartrule.chassis.server import ServerSettings
from heartrule.chassis.service_token import ServiceToken
from heartrule.chassis.settings import CommaList, Port, Seconds, Settings, Variable
from heartrule.chassis.system_files import SystemFilesSettings
from heartrule.chassis.worker_pool import AtOnce, WorkerLimits, WorkerSettings
from heartrule.domain.figures import Prices, prices_of
from heartrule.domain.input_limit import DEFAULT_MAX_INPUT_CHARS, MOST_INPUT_CHARS
from heartrule.model.settings import ModelSettings

LOCAL_WORKER = "local"
"""What takes runs on SQLite, where it is alone."""
# What the specification of Standard Webhooks asks of a secret, in bytes.
_LEAST_SECRET, _MOST_SECRET = 24, 64


class ExecutorServerSettings(ServerSettings):
    """Where the executor listens."""

    port: Port = 50051
    """Port of the executor's services; 0 takes a free one."""


class StoreSettings(Settings):
    """Where sessions are kept."""

    database_url: str = ".heartrule/heartrule.db"
    """A path of an SQLite file, or a postgresql:// address."""
    ledger_text_days: Annotated[float, Field(ge=0, le=36_500)] = 30.0
    """Days the ledger keeps prompts and replies of model calls; their figures stay."""
    run_output_days: Annotated[float, Field(ge=0, le=36_500)] = 30.0
    """Days a run that ended keeps inputs, outputs and files of its nodes; their states stay."""
    session_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    """Days after which a session that nothing changed is erased; 0: never."""
    event_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    """Days after which events and decisions of an ended session are deleted; 0: never."""
    metric_days: Annotated[float, Field(ge=0, le=36_500)] = 0.0
    """Days after which metrics, exits and analyses of an ended session are deleted; 0: never."""

    @property
    def is_shared(self) -> bool:
        """True where several processes may use the database; a file of SQLite has one."""
        return "://" in self.database_url and not self.database_url.startswith("sqlite:///")


class TurnSettings(Settings):
    """How turns run."""

    lease_ttl: Seconds = 15.0
    """Seconds a lease lasts unrenewed; a dead replica's turns are taken up after it."""
    turn_timeout: Seconds = 120.0
    """Seconds a turn may take in all."""
    merge_window_ms: Annotated[int, Field(ge=0, le=60_000)] = 0
    """Milliseconds a turn waits for further fragments, where the script names none."""
    max_input_chars: Annotated[int, Field(ge=1, le=MOST_INPUT_CHARS)] = DEFAULT_MAX_INPUT_CHARS
    """Characters of one message of a client, where the script names no limit; a session keeps the
    limit it began with."""
    heartbeat: Seconds = 15.0
    """Seconds without an event after which a stream emits a heartbeat."""
    draft_window_ms: Annotated[int, Field(ge=0, le=1_000)] = 50
    """Milliseconds over which drafts are joined; the first of a message leaves at once. A model's
    stream is read at this pace once some of it was shown."""
    strategy_wait_ms: Annotated[int, Field(ge=0, le=60_000)] = 4_000
    """Milliseconds a reply waits for its strategy, where a script or session turned it on."""
    strategy_timeout: Seconds = 10.0
    """Seconds a strategy may take; a late one is kept for the next round."""
    locale: str = "zh-CN"
    """Locale of sessions that name none: whose crisis resources count, and the language until the
    client's first words, unless the script is in another."""
    time_zone: str = ""
    """IANA time zone of sessions that name none; empty = the server's."""
    session_idle_timeout: Annotated[float, Field(ge=0, le=31_536_000)] = 0.0
    """Seconds of silence after which a session ends, its variables kept in snapshots; 0 = never."""


class AdmissionSettings(Settings):
    """What a session, and this process, take at one time; what is more is refused."""

    max_streams: Annotated[int, Field(ge=1)] = 12_288
    """Streams of Converse and WatchSession at one time; below HEARTRULE_MAX_CALLS, so that inputs
    and cards have room."""
    max_turns: Annotated[int, Field(ge=1)] = 1_024
    """Sessions with a running turn at one time in this process."""
    inputs_per_minute: Annotated[int, Field(ge=0)] = 600
    """Inputs a minute of one session; 0: any number."""
    max_waiting_bytes: Annotated[int, Field(ge=1)] = 2_097_152
    """Bytes of one session's inputs that wait to be stored."""
    session_tokens_per_day: Annotated[int, Field(ge=0)] = 0
    """Tokens of one session's model calls in 24 hours; 0: any number."""


class MonitorLinkSettings(Settings):
    """How the monitor is reached."""

    monitor_address: str = "127.0.0.1:50052"
    """host:port of MonitorService; no turn depends on it. `off`: no round is analysed."""
    monitor_token: ServiceToken | None = None
    """Token that the monitor asks for."""
    monitor_deadline: Seconds | None = None
    """Seconds an analysis, or a plan, may take; empty: ten more than a call of the model may."""
    monitor_sweep: Seconds = 30.0
    """Seconds between two looks for analyses and plans that are owed; one that failed pauses for
    as long, then twice as long each time, up to ten times."""

    monitor_concurrency: Annotated[int, Field(ge=1, le=64)] = 4
    """Analyses and plans of one session at once in this process; a further one is skipped."""
    monitor_token_budget: Annotated[int, Field(ge=0, le=2_000_000_000)] = 0
    """Tokens that analyses and plans of one session may take in all; past them they are skipped.

    0: any number.
    """

    @property
    def monitored(self) -> bool:
        """False where the monitor is turned off."""
        return self.monitor_address != "off"


class OptOutSettings(Settings):
    """Whether scripts may turn the crisis path off."""

    safety_opt_out: Literal["allowed", "forbidden"] = "allowed"
    """Whether a script may say `safety: {mode: off}`: `allowed` or `forbidden`. A forbidden one is
    neither published nor begun, and sessions of it that run keep the crisis path."""
    safety_opt_out_tenants: CommaList = ()
    """Tenants with a policy of their own, with commas, such as `clinic=forbidden,lab=allowed`."""

    @field_validator("safety_opt_out_tenants")
    @classmethod
    def _are_policies(cls, written: tuple[str, ...]) -> tuple[str, ...]:
        for each in written:
            tenant, _, word = each.rpartition("=")
            if not tenant or word not in {"allowed", "forbidden"}:
                raise ValueError("must be pairs of tenant=allowed or tenant=forbidden")
        return written

    def policy(self) -> OptOutPolicy:
        """Return the policy by tenant."""
        pairs = (each.rpartition("=") for each in self.safety_opt_out_tenants)
        return OptOutPolicy(
            allowed=self.safety_opt_out == "allowed",
            tenants={tenant: word == "allowed" for tenant, _, word in pairs},
        )


class DecisionSettings(Settings):
    """How the decisions of agents and operators are judged."""

    decision_policy: str = ""
    """Path of [the policy](decision-policy.md) by which decisions of agents and operators are
    judged; read at start. Empty: no limits, no secrets, no connections."""
    decision_limit: Seconds = 10.0
    """Seconds that judging a decision may take in a worker process; then it is rejected. It may
    wait as long for a worker; then it is refused, to be repeated."""
    decisions_at_once: AtOnce = 2
    """Worker processes at once, each of 40 to 60 MB, beside those in which scripts are checked;
    none before the first decision that is no short answer, question or thought."""

    @property
    def limits(self) -> WorkerLimits:
        """Return the limits of the workers that judge; no check of a script delays an agent."""
        return WorkerLimits(
            limit_s=self.decision_limit,
            wait_s=self.decision_limit,
            at_once=self.decisions_at_once,
        )


class RunSettings(Settings):
    """How this process takes part in runs of workflows."""

    role: Literal["serve", "worker", "migrate"] = "serve"
    """`serve`: conversations, and runs beside them; `worker`: runs and health checks alone, with
    PostgreSQL; `migrate`: brings the database to this release's tables, and ends."""
    run_concurrency: Annotated[int, Field(ge=0, le=64)] = 4
    """Runs of workflows that this process works on at one time; 0: it leaves them to workers."""
    pod_name: Annotated[str, Field(max_length=253), Variable("POD_NAME")] = ""
    """Name of this process among those that take runs: no other's, and the same after a restart, so
    that it goes on with its own at once. Empty: host name and port. With SQLite it does not
    matter."""

    def wrong_with(self, store: StoreSettings) -> str:
        """Return why this cannot be done over a database; empty where it can."""
        if self.role == "worker" and not store.is_shared:
            return (
                "HEARTRULE_ROLE: worker needs PostgreSQL; the one executor of a SQLite file takes "
                "its runs itself"
            )
        if self.role == "worker" and not self.run_concurrency:
            return "HEARTRULE_RUN_CONCURRENCY: a worker takes one run at least"
        if store.is_shared and self.pod_name == LOCAL_WORKER:
            return f"POD_NAME: {LOCAL_WORKER!r} is the name of a process without others"
        return ""


class PriceSettings(Settings):
    """What models cost, for the figures of scripts."""

    prices: CommaList = ()
    """Prices of models for a million tokens of prompts and of answers, with commas, such as
    `gpt-4o=2.5/10`; the figures of a script say what its calls cost then."""
    currency: Annotated[str, Field(pattern="^[A-Z]{3}$")] = "USD"
    """Currency of the prices, such as `CNY`."""

    @field_validator("prices")
    @classmethod
    def _are_prices(cls, written: tuple[str, ...]) -> tuple[str, ...]:
        prices_of(written)
        return written

    def table(self) -> Prices:
        """Return the prices by model."""
        return Prices(currency=self.currency, by_model=prices_of(self.prices))


class AlertSettings(Settings):
    """Where alerts of the crisis path are sent."""

    alert_url: str = ""
    """Address that gets alerts as Standard Webhooks; empty: they are shown in the console alone."""
    alert_secret: SecretStr | None = None
    """Secret that signs alerts: 24 to 64 bytes in base64, with or without `whsec_`; required with
    the address."""
    alert_timeout: Seconds = 10.0
    """Seconds the receiver of an alert has to answer."""

    @field_validator("alert_url")
    @classmethod
    def _is_address(cls, url: str) -> str:
        parts = urlsplit(url)
        if url and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise ValueError("must be an http or https address")
        return url

    @model_validator(mode="after")
    def _is_signed(self) -> Self:
        secret = self.alert_secret.get_secret_value() if self.alert_secret else ""
        if self.alert_url and not _LEAST_SECRET <= _bytes_of(secret) <= _MOST_SECRET:
            raise ValueError("HEARTRULE_ALERT_SECRET must be 24 to 64 bytes in base64")
        return self


def _bytes_of(secret: str) -> int:
    """Return how many bytes a secret has; 0 where it is no base64."""
    try:
        return len(b64decode(secret.removeprefix("whsec_"), validate=True))
    except ValueError:
        return 0


class TestSettings(Settings):
    """For tests alone."""

    __test__ = False

    test_mode: bool = False
    """Must be set for a failpoint to be armed."""
    failpoint: str = ""
    """`name` or `name:nth`: kill this process at that place of a turn."""


class ExecutorSettings(Settings):
    """All settings of the executor process."""

    server: ExecutorServerSettings
    store: StoreSettings
    turns: TurnSettings
    admission: AdmissionSettings
    monitor: MonitorLinkSettings
    model: ModelSettings
    log: LogSettings
    opt_outs: OptOutSettings
    decisions: DecisionSettings
    runs: RunSettings
    alerts: AlertSettings
    prices: PriceSettings
    workers: WorkerSettings
    testing: TestSettings
    system: SystemFilesSettings

    @model_validator(mode="after")
    def _role_is_possible(self) -> Self:
        if wrong := self.runs.wrong_with(self.store):
            raise ValueError(wrong)
        return self
