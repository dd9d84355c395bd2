"""The crisis path's part of the store; `session_store.safety_store` has what each call promises."""

from __future__ import annotations

from session_store.sql.database.bound import OfEngine, reads, writes
from session_store.sql.safety import alert_outbox, safety_events
from session_store.sql.sessions.events import was_emitted


class SqlSafetyStore(OfEngine):
    """The port of the crisis path over one engine."""

    get_safety = reads(safety_events.get_safety)
    list_safety_events = reads(safety_events.list_safety_events)
    safety_report = reads(safety_events.safety_report)
    acknowledge_safety = writes(safety_events.acknowledge_safety)
    close_safety = writes(
        safety_events.close_safety,
        proof=lambda db, done, key, *_, **__: was_emitted(db, key, done[1]),
    )
    record_refused = writes(safety_events.record_refused)
    claim_alerts = writes(alert_outbox.claim_alerts)
    alert_delivered = writes(alert_outbox.alert_delivered)
    alert_failed = writes(alert_outbox.alert_failed)
    count_undelivered_alerts = reads(alert_outbox.count_undelivered_alerts)
