"""A sub-agent begins: its run, its thread, and the placeholder that its result will replace."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from executor_service.actions.action_context import OutgoingMessage, RoundContext
from executor_service.actions.agent_words import AgentWords
from executor_service.decisions.effects import LONGEST_SUBAGENT_S, Effect, Spawned
from executor_service.decisions.subagent_task import SubagentTask, snapshot_of
from executor_service.scripts.model.agent_config import AgentConfig, lands_in
from heartrule.chassis import telemetry
from heartrule.domain.runs import RunKind
from heartrule.domain.thread_changes import NewThread
from heartrule.domain.threads import SubThread, ThreadSettings, ThreadState
from session_store.records.runs import NO_WORKFLOW, NewRun


def begun_subagent(
    context: RoundContext, words: AgentWords, spawned: Spawned, decision_id: str
) -> tuple[Effect, OutgoingMessage]:
    """Return what one step commits: a run with its thread, and the placeholder that it hangs on.

    The agent waits for the run.
    """
    placeholder = words.placeholder()
    thread = SubThread(
        thread_id=context.make_id("thread"),
        parent_thread_id="",
        anchor_message_id=placeholder.message_id,
        depth=1,
        agent=spawned.agent,
        state=ThreadState.RUNNING,
        settings=ThreadSettings(phase=spawned.first_phase),
        request={"input": dict(spawned.request)},
    )
    task = replace(_task(context, words, thread), request=spawned.request, told=spawned.told)
    run = replace(
        _run(context, thread, task),
        decision_id=decision_id,
        timeout=spawned.timeout,
        priority=spawned.priority,
    )
    effect = Effect(runs=(run,), waits_for=run.run_id, threads=(_opened(thread, run, task),))
    return effect, placeholder


def run_of_opened(
    context: RoundContext, words: AgentWords, opened: SubThread, *, above: tuple[str, str]
) -> tuple[NewRun, NewThread]:
    """Return the run that works on a thread which an agent's handler opened, and the thread.

    `above` names that agent, and the phase of its handler.
    """
    agent, phase = above
    task = replace(_task(context, words, opened), above=agent, phase=phase)
    run = _run(context, opened, task)
    return run, _opened(opened, run, task)


def _task(context: RoundContext, words: AgentWords, thread: SubThread) -> SubagentTask:
    """Return what the agent is handed; it can read the snapshot, and change nothing of it."""
    config = context.action.config
    assert isinstance(config, AgentConfig)
    visible = context.variables.visible()
    variables, messages = snapshot_of(visible, context.history, context.reply)
    return SubagentTask(
        agent=thread.agent,
        request=thread.request,
        message_id=thread.anchor_message_id,
        plain_line=words.undelivered(),
        goal=words.brief.goal,
        variables=variables,
        messages=messages,
        outputs=tuple(each.get for each in config.output),
        text_to=lands_in(config),
        language=context.scene.language,
    )


def _run(context: RoundContext, thread: SubThread, task: SubagentTask) -> NewRun:
    return NewRun(
        run_id=context.make_id("run"),
        kind=RunKind.SUB_AGENT,
        workflow=NO_WORKFLOW,
        thread_id=thread.thread_id,
        agent=thread.agent,
        decision_id="",
        inputs=task.kept(),
        timeout=timedelta(seconds=LONGEST_SUBAGENT_S),
        traceparent=telemetry.traceparent(),
        lands_in=task.text_to,
    )


def _opened(thread: SubThread, run: NewRun, task: SubagentTask) -> NewThread:
    return NewThread(thread=replace(thread, run_id=run.run_id), plain_text=task.plain_line)
