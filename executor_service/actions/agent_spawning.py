"""A sub-agent begins: its run, its thread, and the placeholder that its result will replace."""

from __future__ import annotations

from executor_service.actions.action_context import OutgoingMessage, RoundContext
from executor_service.actions.agent_words import AgentWords
from executor_service.decisions.effects import Effect, Spawned
from executor_service.decisions.subagent_task import SubagentTask, snapshot_of
from executor_service.scripts.model.agent_config import AgentConfig, lands_in
from heartrule.chassis import telemetry
from heartrule.domain.runs import RunKind
from heartrule.domain.threads import SubThread, ThreadSettings, ThreadState
from session_store.records.runs import NO_WORKFLOW, NewRun
from session_store.records.threads import NewThread


def begun_subagent(
    context: RoundContext, words: AgentWords, spawned: Spawned, decision_id: str
) -> tuple[Effect, OutgoingMessage]:
    """Return what one step commits: a run with its thread, and the placeholder that it hangs on.

    The agent waits for the run. What the run is given is read-only: the variables that are visible
    here, the newest messages and the goal; values that it returns are written by a turn.
    """
    config = context.action.config
    assert isinstance(config, AgentConfig)
    placeholder, plain_line = words.of_subagent()
    variables, messages = snapshot_of(
        context.variables.visible(), context.history, context.reply
    )
    task = SubagentTask(
        agent=spawned.agent,
        request=spawned.request,
        message_id=placeholder.message_id,
        plain_line=plain_line,
        goal=words.brief.goal,
        variables=variables,
        messages=messages,
        told=spawned.told,
        outputs=tuple(each.get for each in config.output),
        text_to=lands_in(config),
        language=context.scene.language,
    )
    run_id, thread_id = context.make_id("run"), context.make_id("thr")
    thread = SubThread(
        thread_id=thread_id,
        parent_thread_id="",
        anchor_message_id=placeholder.message_id,
        depth=1,
        agent=spawned.agent,
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase=spawned.first_phase),
        request=spawned.request,
        run_id=run_id,
    )
    run = NewRun(
        run_id=run_id,
        kind=RunKind.SUB_AGENT,
        workflow=NO_WORKFLOW,
        thread_id=thread_id,
        agent=spawned.agent,
        decision_id=decision_id,
        inputs=task.kept(),
        timeout=spawned.timeout,
        priority=spawned.priority,
        traceparent=telemetry.traceparent(),
        lands_in=task.text_to,
    )
    opened = NewThread(thread=thread, plain_text=plain_line)
    effect = Effect(runs=(run,), waits_for=run_id, threads=(opened,))
    return effect, placeholder
