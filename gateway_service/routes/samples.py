"""Examples that stand in the OpenAPI document, written once."""

from __future__ import annotations

from heartrule.domain.json_value import JsonValue

SESSION_ID = "ses_01h4s8w9"
SESSION: dict[str, JsonValue] = {
    "sessionId": SESSION_ID,
    "scriptId": "greeting",
    "scriptVersion": "9f2c7e",
    "userId": "",
    "locale": "zh-CN",
    "timeZone": "Asia/Shanghai",
    "status": "waiting_input",
    "createTime": "2026-11-22T04:30:00.000Z",
    "updateTime": "2026-11-22T04:30:02.120Z",
    "title": "初次见面",
    "forkedFromSessionId": "",
    "forkedFromTurnId": "",
    "replacements": [],
    "endReason": None,
}
POSITION: dict[str, JsonValue] = {
    "phaseId": "opening",
    "topicId": "acquaintance",
    "actionId": "ask_name",
    "actionInstanceId": "act_02",
    "threadPath": "",
    "currentPhaseIdx": 0,
    "currentTopicIdx": 0,
    "currentActionIdx": 1,
    "currentRound": 1,
    "maxRounds": 3,
    "techniqueId": "",
    "skillInstanceIds": [],
}
MESSAGE: dict[str, JsonValue] = {
    "messageId": "msg_07",
    "role": "assistant",
    "parts": [{"fallbackText": "", "text": "您好，怎么称呼您？"}],
    "actionInstanceId": "act_02",
    "completeness": "complete",
    "actionId": "ask_name",
    "turnId": "trn_03",
    "sequence": 7,
    "createTime": "2026-11-22T04:30:02.100Z",
    "clientMessageId": "",
    "inputRequestId": "",
}
REPLY: dict[str, JsonValue] = {
    "aiMessage": "您好，怎么称呼您？",
    "messages": [MESSAGE],
    "sessionStatus": "active",
    "executionStatus": "waiting_input",
    "variables": {"称呼": "小明"},
    "position": POSITION,
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
SCRIPT: dict[str, JsonValue] = {
    "scriptId": "greeting",
    "version": "9f2c7e",
    "sessionName": "初次见面",
    "createTime": "2026-11-22T04:00:00.000Z",
    "mainPath": "greeting.yaml",
    "paths": ["greeting.yaml"],
    "number": 1,
}
FILES: dict[str, JsonValue] = {
    "files": {"greeting.yaml": "session:\n  session_id: greeting\n"},
    "mainPath": "greeting.yaml",
}
FINDING: dict[str, JsonValue] = {
    "file": "greeting.yaml",
    "line": 3,
    "column": 5,
    "severity": "error",
    "message": "unknown key `topcis`; did you mean `topics`?",
    "rule": "unknown-key",
}
ASSET: dict[str, JsonValue] = {
    "sha256": "9b" * 32,
    "mimeType": "image/png",
    "sizeBytes": 4096,
    "createTime": "2026-11-22T04:00:00.000Z",
}
