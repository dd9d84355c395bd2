// What happened in a turn, as small bubbles under its messages; each opens to tell more. Names as the documents have
// them.

import { html, useState } from '../../vendor/preact.js';
import { factRows, useWords } from '../lib/i18n.js';
import { Facts } from '../lib/parts.js';
import { laidOut, show } from '../lib/text.js';

export { Facts };

function Bubble({ kind, title, onOpen, children }) {
  return html`<details class=${`bubble ${kind}`} onToggle=${(event) => event.currentTarget.open && onOpen?.()}>
    <summary>${title}</summary><div class="inside">${children}</div></details>`;
}

/** The calls of a turn, read when `wanted` first. */
function useCalls(room, turnId) {
  const [calls, setCalls] = useState(null);
  const read = () => { if (!calls) room.callsOf(turnId).then(setCalls, () => setCalls([])); };
  return [calls ?? [], read];
}

/** A reply no strategy could read: how often, which strategies, the last error, and the reply itself. */
export function ErrorBubble({ room, turnId, result }) {
  const { t } = useWords();
  const [calls, read] = useCalls(room, turnId);
  const failed = calls.map((call) => call.parse?.parseError).filter(Boolean);
  const told = failed.find((error) => error.rawResponse === result.aiMessage) ?? failed[0] ?? {};
  const tries = `${result.metadata.parseRetryCount ?? told.retryCount}/3`;
  return html`<${Bubble} kind="error" title=${`${t('bubble.error')} · ${t('bubble.retries')} ${tries}`} onOpen=${read}>
    <${ParseFacts} error=${{
      ...told, retryCount: result.metadata.parseRetryCount,
      finalError: told.finalError || result.metadata.errorMessage,
    }} />
  <//>`;
}

/** What a failed reading tells, with the raw reply on demand. */
export function ParseFacts({ error }) {
  const { t } = useWords();
  return html`<${Facts} rows=${[
      [t('bubble.retries'), `${error.retryCount}/3`],
      [t('bubble.strategies'), (error.strategies ?? []).join(' → ')],
      [t('bubble.finalError'), error.finalError],
    ]} />
    ${error.rawResponse !== undefined && html`<details><summary>${t('bubble.raw')}</summary><pre tabindex="0">
      ${error.rawResponse}</pre></details>`}`;
}

/** What a value rests on, as words; `marks` are further words of that kind, such as `ahead`. */
function Marks({ support, marks = [] }) {
  const { term } = useWords();
  const words = [support, ...marks].map((name) => term('support', name)).filter(Boolean);
  return words.map((word) => html`<span key=${word} class="pill">${word}</span> `);
}

/** What a value rests on, with the client's words for it. */
export function Support({ support, quote, marks }) {
  return html`<span class="support small"><${Marks} support=${support} marks=${marks} />${quote && html`<q>
    ${quote}</q>`}</span>`;
}

/**
 * One write of a variable; `history` are the earlier values where they are known, `ahead` says that its question was to
 * come.
 */
export function VariableBubble({ operation, history = [], ahead = false }) {
  const { t, term } = useWords();
  const marks = ahead ? ['ahead'] : [];
  const before = history.map((earlier) => show(earlier.value));
  const title = html`${operation.variableName} = ${show(operation.value)} <${Marks} support=${operation.support}
    marks=${marks} />`;
  return html`<${Bubble} kind="variable" title=${title}>
    <${Facts} rows=${[
      [t('bubble.name'), operation.variableName],
      [t('bubble.value'), show(operation.value)],
      [t('bubble.quote'), operation.quote],
      [t('bubble.scope'), scopeName(term, operation)],
      [t('bubble.source'), `${operation.actionId} · ${term('operation', operation.operation)}`],
      [t('bubble.history'), history.length ? before.join(' ← ') : t('bubble.noHistory')],
    ]} />
  <//>`;
}

/** A value that was not stored, since nobody said it; a sensitive one comes masked as a whole. */
function UnsupportedBubble({ name, claim }) {
  const { t } = useWords();
  const told = claim && typeof claim === 'object' ? claim : { value: claim };
  return html`<${Bubble} kind="skipped" title=${html`${name} = ${show(told.value)} <${Marks} support="unsupported" />`}>
    <${Facts} rows=${[
      [t('bubble.name'), name], [t('bubble.value'), show(told.value)], [t('bubble.quote'), told.quote],
    ]} />
  <//>`;
}

/** What the rounds of a turn heard ahead of its question, and what they did not store. */
function heard(turn) {
  const facts = turn.results.map((result) => result.metadata ?? {});
  return {
    ahead: new Set(facts.flatMap((one) => one.gathered_ahead ?? [])),
    refused: facts.flatMap((one) => Object.entries(one.unsupported ?? {})),
  };
}

/** A scope with the id of its phase or topic. */
export function scopeName(term, { scope, scopeId }) {
  return scopeId ? `${term('scope', scope)} · ${scopeId}` : term('scope', scope);
}

/** The decision on one round, who made it, and what the model itself had said. */
export function ExitBubble({ room, turn, result }) {
  const { t, term } = useWords();
  const [calls, read] = useCalls(room, turn.turnId);
  const decision = result.exitDecision;
  const verdict = decision.shouldExit ? t('bubble.exitYes') : t('bubble.exitNo');
  const source = term('source', decision.decisionSource);
  const title = [t('bubble.exit'), verdict, source].filter(Boolean).join(' · ');
  return html`<${Bubble} kind="exit" title=${title} onOpen=${read}>
    <${Facts} rows=${exitFacts({ t, term }, result, callOf(turn, result, calls))} />
  <//>`;
}

/** The facts of an exit decision, for the bubble and for the inspector. */
export function exitFacts({ t, term }, result, call) {
  const decision = result.exitDecision ?? result.decision ?? {};
  return [
    [t('exits.action'), `${result.actionId} (${result.actionType})`],
    [t('bubble.round'), `${result.round}/${result.maxRounds}`],
    [t('bubble.exit'), decision.shouldExit ? t('bubble.exitYes') : t('bubble.exitNo')],
    [t('bubble.decisionSource'), term('source', decision.decisionSource)],
    [t('bubble.classification'), term('reason', result.exitReason)],
    [t('bubble.reason'), decision.reason],
    [t('bubble.modelExit'), modelExit(call)],
  ];
}

/** The call behind a result: rounds and the calls that spoke stand in one order; nothing where they do not match. */
export function callOf(turn, result, calls) {
  const spoken = calls.filter((call) => call.purpose === 'talk' && !call.error);
  return spoken.length === turn.results.length ? spoken[turn.results.indexOf(result)] : undefined;
}

/** EXIT as the model wrote it, read from its raw reply; nothing where the reply is not known or not JSON. */
function modelExit(call) {
  const found = /"EXIT"\s*:\s*"?(YES|NO|true|false)"?/i.exec(call?.output ?? '');
  return found ? found[1] : undefined;
}

function MetricsBubble({ result }) {
  const { t, term } = useWords();
  const rows = Object.entries(result.metrics ?? {}).map(([name, value]) => [term('metric', name), value]);
  const signals = Object.entries(result.metadata?.signals ?? {})
    .map(([name, n]) => term('signal', name) + (n > 1 ? ` × ${n}` : ''));
  rows.push([t('bubble.signals'), signals.join(' · ')]);
  const suggestion = term('suggestion', result.progressSuggestion);
  return html`<${Bubble} kind="metrics" title=${[t('bubble.metrics'), suggestion].filter(Boolean).join(' · ')}>
    <${Facts} rows=${rows} />
  <//>`;
}

function AdviceBubble({ advice }) {
  const { t, term } = useWords();
  return html`<${Bubble} kind="advice" title=${`${t('bubble.advice')} · ${term('severity', advice.severity)}`}>
    <span class="small">${t('advice.about', { n: advice.aboutRound })} · ${t('bubble.adviceText')}</span>
    <pre tabindex="0">${advice.feedbackText}</pre>
  <//>`;
}

/** The scopes that a turn left, and the variables that were cleaned with each. */
function ScopesBubble({ scopes }) {
  const { t, term } = useWords();
  const cleaned = scopes.reduce((sum, left) => sum + (left.cleanedVariables ?? []).length, 0);
  const title = scopes.length === 1
    ? t('bubble.left', { scope: scopeName(term, scopes[0]) })
    : t('bubble.leftMany', { n: scopes.length, cleaned });
  return html`<${Bubble} kind="variable" title=${title}>
    ${scopes.map((left, i) => html`<${Facts} key=${i} rows=${[[t('bubble.scope'), scopeName(term, left)],
      [t('bubble.cleaned'), (left.cleanedVariables ?? []).join('、') || t('bubble.nothingCleaned')]]} />`)}
  <//>`;
}

function SkippedBubble({ step }) {
  const { t, term } = useWords();
  const name = step.actionId || step.topicId || step.phaseId;
  return html`<${Bubble} kind="skipped" title=${html`${t('bubble.skipped', { action: name })} <${Marks}
    support=${KNOWN[step.reason]} />`}>
    <${Facts} rows=${[
      [t('bubble.condition'), step.condition], [t('bubble.reason'), term('code', step.reason)],
      [t('bubble.variable'), step.variable],
      ...(step.answers ?? []).map((one) => [one.variable, html`${show(one.value)} <${Support}
        quote=${one.quote} />`])]} />
  <//>`;
}

function StrategyBubble({ decision }) {
  const { t } = useWords();
  return html`<${Bubble} kind="strategy" title=${`${t('bubble.strategy')} · ${decision.actionId}`}>
    <pre tabindex="0">${decision.recommendation?.strategyPrompt}</pre>
  <//>`;
}

/** How the answer to a question that was not put counts, by the reason of its skip. */
export const KNOWN = { KNOWN_CONFIRMED: 'confirmed', KNOWN_SKIPPED: 'known' };

/** All bubbles of one turn in the order of what they tell: trouble, then what was decided, then what was kept. */
export function Bubbles({ room, turn }) {
  const { t, term } = useWords();
  const degraded = turn.end?.degradations ?? [];
  const { ahead, refused } = heard(turn);
  return html`<div class="bubbles">
    ${turn.safety && html`<span class="pill bad">${t('turn.safety', { category: turn.safety.category })}</span>`}
    ${turn.results.filter(unreadable).map((result) => html`<${ErrorBubble}
      key=${`e${result.actionInstanceId}${result.round}`} room=${room} turnId=${turn.turnId} result=${result} />`)}
    ${degraded.map((one, i) => html`<${Bubble} key=${`d${i}`} kind="error"
      title=${t('turn.degraded', { reason: term('code', one.reason) })}>
      <${Facts} rows=${[[term('fact', 'stage'), term('stage', one.stage)], ...factRows(term, one.metadata)]} /><//>`)}
    ${turn.voided.map((one, i) => html`<${Bubble} key=${`v${i}`} kind="skipped" title=${t('bubble.voided')}>
      <${Facts} rows=${[[t('bubble.reason'), term('code', one.reason)]]} /><//>`)}
    ${turn.used.map((advice) => html`<${AdviceBubble} key=${advice.adviceId} advice=${advice} />`)}
    ${turn.results.filter((result) => result.exitDecision).map((result) => html`<${ExitBubble}
      key=${`x${result.actionInstanceId}${result.round}`} room=${room} turn=${turn} result=${result} />`)}
    ${turn.results.filter((result) => result.metrics).map((result) => html`<${MetricsBubble}
      key=${`m${result.actionInstanceId}${result.round}`} result=${result} />`)}
    ${turn.variables.map((operation, i) => html`<${VariableBubble} key=${`o${i}`} operation=${operation}
      history=${room.histories.get(operation.variableName)} ahead=${ahead.has(operation.variableName)} />`)}
    ${refused.map(([name, claim], i) => html`<${UnsupportedBubble} key=${`u${i}`} name=${name} claim=${claim} />`)}
    ${turn.strategies.map((decision, i) => html`<${StrategyBubble} key=${`s${i}`} decision=${decision} />`)}
    ${turn.skipped.map((step, i) => html`<${SkippedBubble} key=${`k${i}`} step=${step} />`)}
    ${turn.scopes.length > 0 && html`<${ScopesBubble} scopes=${turn.scopes} />`}
  </div>`;
}

/** Whether no strategy could read the reply of a round. */
export function unreadable(result) {
  return Boolean(result.metadata?.parseError);
}

/** A block of text that may be JSON, laid out. */
export function Block({ text }) {
  return html`<pre tabindex="0">${laidOut(text ?? '')}</pre>`;
}
