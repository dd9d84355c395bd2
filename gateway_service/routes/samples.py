"""Examples in the OpenAPI document; those of messages are encoded as the gateway does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from gateway_service.json_encoding import encode
from heartrule.domain.json_value import JsonValue
from heartrule.v1 import (
    asset_pb2,
    execution_pb2,
    message_pb2,
    safety_pb2,
    script_pb2,
    session_pb2,
)

SESSION_ID = "ses_01h4s8w9"
_TIME = datetime(2026, 11, 22, 4, 30, tzinfo=UTC)
SESSION = encode(
    session_pb2.Session(
        session_id=SESSION_ID,
        script_id="greeting",
        script_version="9f2c7e",
        locale="zh-CN",
        time_zone="Asia/Shanghai",
        status=execution_pb2.EXECUTION_STATUS_WAITING_INPUT,
        create_time=_TIME,
        update_time=_TIME + timedelta(seconds=2.12),
        title="初次见面",
    )
)
SAFETY_EVENT = encode(
    safety_pb2.SafetyEvent(
        safety_event_id="saf_01h4s8w9",
        session_id=SESSION_ID,
        turn_id="trn_03",
        client_message_ids=["cm_1"],
        level=safety_pb2.SAFETY_LEVEL_CRISIS,
        step="ask",
        source=safety_pb2.SAFETY_SOURCE_RULE,
        rules=["zh-wish-to-die"],
        subject=safety_pb2.SAFETY_SUBJECT_SELF,
        language="zh",
        locale="zh-CN",
        create_time=_TIME,
        alert=safety_pb2.ALERT_STATE_DELIVERED,
    )
)
RESOURCE = encode(
    safety_pb2.SafetyResource(
        name="全国统一心理援助热线",
        kind=safety_pb2.RESOURCE_KIND_PHONE,
        number="12356",
        languages=["zh"],
    )
)
_POSITION = encode(
    execution_pb2.ExecutionPosition(
        phase_id="opening",
        topic_id="acquaintance",
        action_id="ask_name",
        action_instance_id="act_02",
        current_action_idx=1,
        current_round=1,
        max_rounds=3,
    )
)
_MESSAGE = encode(
    message_pb2.Message(
        message_id="msg_07",
        role=message_pb2.ROLE_ASSISTANT,
        parts=[message_pb2.Part(text="您好，怎么称呼您？")],
        action_instance_id="act_02",
        completeness=message_pb2.COMPLETENESS_COMPLETE,
        action_id="ask_name",
        turn_id="trn_03",
        sequence=7,
        create_time=_TIME + timedelta(seconds=2.1),
    )
)
REPLY: dict[str, JsonValue] = {
    "aiMessage": "您好，怎么称呼您？",
    "messages": [_MESSAGE],
    "status": "waiting_input",
    "variables": {"称呼": "小明"},
    "position": _POSITION,
    "exitReason": None,
    "exitDecisionSource": None,
    "exitDecisionReason": None,
    "degradations": [],
    "sessionId": SESSION_ID,
    "turnId": "trn_03",
    "clientMessageId": "cm_1",
    "outcome": "waiting",
}
STREAM = (
    "retry: 1000\n\n"
    'event: draftStarted\ndata: {"messageId":"msg_07","attempt":1}\n\n'
    'id: 5:msg_07:2\ndata: {"chunk":"您好"}\n\n'
    'id: 5:msg_07:9\ndata: {"chunk":"，怎么称呼您？"}\n\n'
    'id: 7\nevent: messageCommitted\ndata: {"sequence":7,"messageCommitted":{}}\n\n'
    'id: 9\nevent: reply\ndata: {"aiMessage":"您好，怎么称呼您？"}\n\n'
    'data: {"done":true}\n\n'
)
SCRIPT = encode(
    script_pb2.Script(
        script_id="greeting",
        version="9f2c7e",
        session_name="初次见面",
        create_time=_TIME,
        main_path="greeting.yaml",
        paths=["greeting.yaml"],
        number=1,
    )
)
FILES: dict[str, JsonValue] = {
    "files": {"greeting.yaml": "session:\n  session_id: greeting\n"},
    "mainPath": "greeting.yaml",
}
ASSET = encode(
    asset_pb2.Asset(sha256="9b" * 32, mime_type="image/png", size_bytes=4096, create_time=_TIME)
)
