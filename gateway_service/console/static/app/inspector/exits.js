// Every exit decision, round by round: who decided, and on what basis the script has it decide.

import { html } from '../../vendor/preact.js';
import { Facts, callOf, exitFacts } from '../chat/bubbles.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Problem, Section } from '../lib/parts.js';
import { clock, show } from '../lib/text.js';

const MOST = 200;

/** The actions of an outline that have an id, each with the name of its topic. */
export function actionsOf(outline, actionId) {
  const topics = (outline?.phases ?? []).flatMap((phase) => phase.topics);
  const named = (topic) => topic.actions.map((action) => ({ ...action, topicName: topic.topicName || topic.topicId }));
  return topics.flatMap(named).filter((action) => action.actionId === actionId);
}

/**
 * What may end an action, in words, as the script's version or this session's own change of it says (001 section 3.2).
 * @param {{config?: Answer}} action
 * @param {Speech} words
 */
export function basisOf({ config = {} }, { t, term }) {
  const {
    understanding_threshold: level, has_questions: asks, outputs_known: known, min_rounds: rounds,
    custom_conditions: conditions = [],
  } = config.exit_criteria ?? {};
  const criteria = [
    known && t('exits.outputsKnown'), level !== undefined && t('exits.understanding', { level }),
    asks === false && t('exits.noQuestions'), rounds !== undefined && t('exits.minRounds', { count: rounds }),
    ...conditions.map((one) => `${one.variable} ${one.operator} ${show(one.value)}`),
  ].filter(Boolean);
  const sources = config.exit_policy?.enabled_sources;
  return [
    [t('exits.words'), config.exit], [t('exits.criteria'), criteria.join('；')],
    [t('exits.sources'), Array.isArray(sources) ? sources.map((one) => term('source', one)).join('、') : ''],
  ];
}

function Basis({ actions }) {
  const words = useWords();
  return actions.map((action, i) => html`<div key=${i}>${actions.length > 1 && html`<p class="small soft">
    ${action.topicName}</p>`}
    <${Facts} rows=${basisOf(action, words)} /></div>`);
}

/** The exit decisions of a session, newest first. */
export function ExitsTab({ room, moved, turn }) {
  const { t, term, language } = useWords();
  const id = room.live.sessionId;
  const [entries, problem] = useLoaded(() => api.exits(id), [id, moved]);
  const [calls] = useLoaded(() => (turn ? room.callsOf(turn.turnId) : Promise.resolve([])), [turn?.turnId, moved]);
  const keyed = (result) => [`${result.actionInstanceId}/${result.round}`, result];
  const results = new Map((turn?.results ?? []).map(keyed));
  const [outline] = useLoaded(() => api.outline(id), [id]);
  const newest = (entries ?? []).slice(-MOST).reverse();
  return html`<${Problem} problem=${problem} />
    <${Section} title=${t('bubble.exit')} empty=${t('exits.none')}>
      ${newest.map((entry) => {
        const key = `${entry.actionInstanceId}/${entry.round}`;
        const result = results.get(key);
        const facts = exitFacts({ t, term }, result ?? entry, result && callOf(turn, result, calls ?? []));
        const verdict = entry.decision?.shouldExit ? t('bubble.exitYes') : t('bubble.exitNo');
        return html`<details class="card" key=${key} open=${results.has(key)}>
          <summary>${entry.actionId} ${entry.round}/${entry.maxRounds} · <strong>
            ${verdict}</strong> ${term('source', entry.decision?.decisionSource)} <span class="soft small">
            ${clock(entry.timestamp, language)}</span></summary>
          <${Facts} rows=${facts} />
          <${Basis} actions=${actionsOf(outline, entry.actionId)} /></details>`;
      })}
    <//>`;
}
