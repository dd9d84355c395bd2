"""Sessions: created, read, paged, forked, erased; and the scripts and pictures they play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from heartrule.domain.conversation import IfBusy, Message
from heartrule.domain.events import HistoryRewound, SessionEvent
from heartrule.domain.input_limit import DEFAULT_MAX_INPUT_CHARS
from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from heartrule.domain.position import EndReason, ExecutionPosition, ExecutionStatus
from heartrule.domain.problem import Problem
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.safety import NOTHING_FOUND, SafetyState
from heartrule.domain.variables import VariableDefinition, VariableValue
from heartrule.domain.workflows import Workflow


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session to be created."""

    key: SessionKey
    script_id: str
    script_version: str
    user_id: str = ""
    locale: str = ""
    """Where the client is."""
    language: str = ""
    """The locale or language asked for; empty: the client's first words decide."""
    time_zone: str = ""
    request_id: str = ""
    """The same request_id gives the session made before."""
    if_busy: IfBusy = IfBusy.MERGE
    """What an input that names no `if_busy` gets."""
    merge_window: timedelta = timedelta(0)
    max_input_chars: int = DEFAULT_MAX_INPUT_CHARS
    """Characters of one input; a longer one is refused."""
    strategy_engine: bool | None = None
    """None: the script decides."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """What the operator sorts it by."""
    variables: tuple[VariableValue, ...] = ()
    """Declared values; a global is written only where the user has none."""
    definitions: tuple[VariableDefinition, ...] = ()
    """What its script declares, anywhere in it (RESOLUTIONS C20)."""
    workflows: tuple[Workflow, ...] = ()
    """What its script brings; each is the first revision."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session in its current state."""

    key: SessionKey
    script_id: str
    script_version: str
    user_id: str
    locale: str
    time_zone: str
    status: ExecutionStatus
    position: ExecutionPosition
    plan_revision: int
    last_sequence: int
    opened: bool
    """True once the opening turn has committed its end."""
    opening_turn_id: str
    """Empty before the opening turn was first begun."""
    last_ai_message: str
    pending_client_message_ids: tuple[str, ...]
    error: Problem | None
    create_time: datetime
    update_time: datetime
    running_turn_id: str = ""
    """The turn that runs, also where its holder has died; status is of the last committed step."""
    open_request: InputRequested | None = None
    """What a form may answer now."""
    end_reason: EndReason | None = None
    language: str = ""
    """A tag such as `en`; empty until somebody decided it: that of the locale counts."""
    strategy_engine: bool | None = None
    """As it was asked for."""
    max_input_chars: int = DEFAULT_MAX_INPUT_CHARS
    forked_from_session_id: str = ""
    """Empty for a session that was started."""
    forked_from_turn_id: str = ""
    """The last turn of that session that this one began with."""
    replacements: tuple[ActionReplacement, ...] = ()
    """Configs in the place of the script's; empty in lists."""
    safety: SafetyState = NOTHING_FOUND
    """Where it is on the crisis path."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """By name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which part of a list is wanted."""

    size: int = 50
    token: str = ""
    """Opaque; empty for the first page."""
    filter: str = ""
    """As the caller wrote it; empty: every row. See `session_store.sql.lists`."""
    order_by: str = ""
    """As the caller wrote it; empty: the list's own order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedSessions:
    """What an erasure took."""

    session_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForkOrder:
    """A session to be made of another one's past."""

    source: SessionKey
    session_id: str
    """The new session's."""
    from_turn_id: str = ""
    """The last turn it begins with. Empty: the newest that ended; with a replacement, the one
    before the turn in which that action opened last."""
    request_id: str = ""
    """The same request_id gives the session made before."""
    replacement: ActionReplacement | None = None
    """Checked by the caller; it joins those of the source."""

    @property
    def key(self) -> SessionKey:
        """The new session's."""
        return SessionKey(self.source.tenant, self.session_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Forked:
    """The session that was made."""

    session: SessionRecord
    kept_globals: tuple[str, ...] = ()
    """Globals written since its last turn; they are not rolled back (RESOLUTIONS C32)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryOrder:
    """The last turn is to be taken back and its message stored again."""

    key: SessionKey
    request_id: str = ""
    """The same request_id gives what was done before."""
    text: str = ""
    """Empty: the text of the turn's inputs, in order."""
    client_message_id: str = ""
    """New to the session; empty: the store makes one."""
    urgent: bool = False
    """True: no merge window is waited for; see `Store.accept_input`."""
    traceparent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """What was taken back, and the input that waits in its place."""

    rewound: HistoryRewound
    rewound_sequence: int
    message: Message
    events: tuple[SessionEvent, ...] = ()
    """What was just committed; empty for a repeat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRecord:
    """One published version of a script: a bundle of files."""

    tenant: str
    script_id: str
    version: str
    """Hash over the sorted paths and bytes, and over the assets named beside them."""
    main: str
    """Path of the script within the bundle."""
    files: Mapping[str, bytes]
    session_name: str = ""
    create_time: datetime | None = None
    assets: Mapping[str, str] = field(default_factory=dict)
    """Path below assets/ → SHA-256 of the picture; those that lie in `files` too."""
    number: int = 0
    """Counted from 1 in the order of publication; 0: a trial. The store gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssetRecord:
    """One asset; it never changes."""

    tenant: str
    sha256: str
    """Of the content, as 64 hex digits."""
    mime_type: str
    size: int
    """Bytes."""
    content: bytes = b""
    """Left out where only the description was asked for."""
    create_time: datetime | None = None
