"""ForkSession and RetryTurn, with a replacement config for one action where one is given."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from executor_service.rpc.requests import Context, refused, session_of
from executor_service.rpc.session_rpcs import SessionServicerBase, fill_session
from executor_service.run_following import pass_on
from executor_service.scripts.model.findings import invalid_script
from executor_service.scripts.offloaded import check_replaced
from heartrule.chassis import telemetry
from heartrule.domain.conversation import UserInput, text_part
from heartrule.domain.ids import new_id
from heartrule.domain.keys import DEFAULT_TENANT, SessionKey
from heartrule.domain.replacement import ActionReplacement
from heartrule.v1 import fork_and_retry_pb2
from heartrule.wire.message_mapping import fill_message, from_message
from heartrule.wire.request_parsing import TRACEPARENT, allow, allow_text, require
from heartrule.words.language import ReaderLanguage, language_asked
from session_store.records import ForkOrder, Retried, RetryOrder

# Bytes of the config that a fork tries; the longest that is written by hand has a tenth.
LARGEST_CONFIG = 131_072


class ForkAndRetryRpcs(SessionServicerBase):
    """ForkSession, RetryTurn."""

    async def ForkSession(  # noqa: N802  the contract's name
        self, request: fork_and_retry_pb2.ForkSessionRequest, context: Context
    ) -> fork_and_retry_pb2.ForkSessionResponse:
        """Create a session with the state that another had after one of its turns.

        Raises:
            InvalidRequest: The replacement names no action of the script.
            InvalidScript: The script has errors with it; each with its place in the edited text.
        """
        source = session_of(request)
        allow(from_turn_id=request.from_turn_id, request_id=request.request_id)
        replacement = _replacement(request)
        if replacement is not None:
            language = language_asked(context.invocation_metadata())
            await self._check(source, replacement, language)
        forked = await self._deps.store.fork_session(
            ForkOrder(
                source=source,
                session_id=new_id("ses"),
                from_turn_id=request.from_turn_id,
                request_id=request.request_id,
                replacement=replacement,
            )
        )
        made = forked.session
        telemetry.identify(made.key.session_id)
        script = await self._deps.scripts.get(
            DEFAULT_TENANT, made.script_id, made.script_version, made.replacements
        )
        response = fork_and_retry_pb2.ForkSessionResponse(kept_globals=forked.kept_globals)
        fill_session(made, response.session, script.session_name)
        return response

    async def RetryTurn(  # noqa: N802
        self, request: fork_and_retry_pb2.RetryTurnRequest, _context: Context
    ) -> fork_and_retry_pb2.RetryTurnResponse:
        """Remove the last turn, send its message again, and make sure that it is run."""
        key = session_of(request)
        allow(request_id=request.request_id, client_message_id=request.client_message_id)
        telemetry.identify(key.session_id)
        said = UserInput(
            client_message_id=request.client_message_id, parts=(text_part(request.text),)
        )
        client_input = await self._deps.inputs.screen_input(key, said)
        order = replace(_retry_order(key, request), urgent=client_input.is_hit)

        async def check() -> None:
            allow_text(text=order.text)

        retried = await client_input.accept_by(partial(self._retry, order), _waiting, after=check)
        response = fork_and_retry_pb2.RetryTurnResponse(
            rewound_sequence=retried.rewound_sequence, sequence=retried.message.sequence
        )
        fill_message(retried.rewound, response.rewound)
        fill_message(retried.message, response.message)
        return response

    async def _retry(self, order: RetryOrder) -> Retried:
        retried = await self._deps.store.retry_turn(order)
        # Here, as nobody may wait for it any more.
        self._deps.hub.publish(order.key, retried.events)
        await pass_on(order.key, retried.events, self._deps.runs)
        self._deps.turns.wake(order.key)
        return retried

    async def _check(
        self, source: SessionKey, tried: ActionReplacement, language: ReaderLanguage
    ) -> None:
        """Load the script as the new session would have it."""
        store = self._deps.store
        session = await store.get_session(source)
        record = await store.load_script(source.tenant, session.script_id, session.script_version)
        all_tried = (*session.replacements, tried)
        errors = await self._deps.check_pool.run(
            check_replaced, dict(record.files), record.main, all_tried
        )
        if errors:
            raise invalid_script(errors, language=language)


def _waiting(retried: Retried) -> str:
    """Return the id of the message that waits for its turn; empty for a repeated request."""
    return retried.message.client_message_id if retried.events else ""


def _retry_order(key: SessionKey, request: fork_and_retry_pb2.RetryTurnRequest) -> RetryOrder:
    parent = request.traceparent
    return RetryOrder(
        key=key,
        request_id=request.request_id,
        text=request.text,
        client_message_id=request.client_message_id,
        traceparent=parent if TRACEPARENT.fullmatch(parent) else telemetry.traceparent(),
    )


def _replacement(request: fork_and_retry_pb2.ForkSessionRequest) -> ActionReplacement | None:
    if not request.HasField("replacement"):
        return None
    if request.replacement.config.ByteSize() > LARGEST_CONFIG:
        raise refused("replacement.config", f"must have at most {LARGEST_CONFIG} bytes")
    tried = from_message(request.replacement, ActionReplacement, at="replacement")
    ids = ("phase_id", "topic_id", "action_id")
    require(**{f"replacement.{name}": getattr(tried, name) for name in ids})
    return tried
