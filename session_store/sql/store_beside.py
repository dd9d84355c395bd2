"""The store beside the conversation: analyses, edits of plans, summaries, safety, exports."""

from __future__ import annotations

from session_store.sql.bound import OfEngine, reads, writes
from session_store.sql.decisions import decision_rows, spending, submitting, workflow_rows
from session_store.sql.exports import export
from session_store.sql.figures import script_figures
from session_store.sql.monitor import analyses, claims, plan_edits, requests
from session_store.sql.safety import alert_outbox, safety_events
from session_store.sql.sessions import summaries
from session_store.sql.sessions.events import was_emitted


class SqlStoreBeside(OfEngine):
    """What there is beside a conversation: monitor, plans, decisions, safety, exports."""

    claim_monitor_request = writes(claims.claim_analysis)
    renew_claim = writes(requests.renew_claim)
    due_monitor_requests = reads(claims.ANALYSES.due)
    look_for_advice = reads(analyses.pending_analysis)
    summary_work = reads(summaries.summary_work)
    write_summary = writes(summaries.write_summary)
    finish_analysis = writes(
        analyses.finish_analysis,
        proof=lambda db, done, record: was_emitted(db, record.ticket.key, done),
    )
    due_plannings = reads(claims.PLANS.due)
    claim_planning = writes(claims.claim_plan)
    propose_edit = writes(
        plan_edits.propose_edit,
        proof=lambda db, done, proposed: was_emitted(db, proposed.key, done),
    )
    request_undo = writes(
        plan_edits.request_undo, proof=lambda db, done, key, *_, **__: was_emitted(db, key, done[1])
    )
    list_plan_edits = reads(plan_edits.list_plan_edits)
    get_plan = reads(plan_edits.plan_view)

    list_decisions = reads(decision_rows.list_decisions)
    open_decisions = reads(decision_rows.open_decisions)
    get_decision = reads(decision_rows.get_decision)
    list_workflows = reads(workflow_rows.list_workflows)
    get_workflow = reads(workflow_rows.get_workflow)
    submit_decision = writes(
        submitting.submit_decision,
        proof=lambda db, done, submitted: was_emitted(db, submitted.key, done.events),
    )
    spent = reads(spending.spent)
    spend = writes(spending.spend)

    script_figures = reads(script_figures.script_figures)

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

    sessions_of_user = reads(export.sessions_of_user)
    export_session = reads(export.export_session)
    export_globals = reads(export.export_globals)
