// The right pane of the author's view: one turn in sentences, what is known, and what comes next.

import { html } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useWords } from '../lib/i18n.js';
import { useLoaded } from '../lib/load.js';
import { Section } from '../lib/parts.js';
import { useStore } from '../lib/store.js';
import { clock, textOf } from '../lib/text.js';
import { standing } from '../state/conversation.js';
import { comingNext, formRows, placeNames } from './reading.js';
import { Failure, Rounds } from './rounds.js';

const DONE = new Set(['completed', 'error']);

/** Who said what in the turn. */
function Said({ picture, turn }) {
  const { t } = useWords();
  const said = standing(picture).filter((message) => message.turnId === turn.turnId);
  const who = (message) => t(message.role === 'client' ? 'chat.you' : `chat.${message.role}`);
  return html`<dl class="said">${said.map((message) => html`<dt key=${message.messageId}>${who(message)}</dt>
    <dd dir="auto">${textOf(message)}</dd>`)}</dl>`;
}

function Round({ room, picture, turn }) {
  const { t, language } = useWords();
  if (!turn) return html`<p class="empty">${t('turnTab.none')}</p>`;
  const title = room.chosen ? t('author.chosen', { time: clock(turn.begun, language) }) : t('author.latest');
  return html`<div class="row spread"><h2>${title}</h2>
      ${room.chosen && html`<button class="quiet" onClick=${() => room.choose(null)}>${
        t('turnTab.follow')}</button>`}</div>
    <${Rounds} room=${room} turn=${turn} picture=${picture} />
    <${Said} picture=${picture} turn=${turn} /><${Failure} turn=${turn} />`;
}

/** One value as a line of a form that nobody can write into. */
function Field({ row }) {
  const { t } = useWords();
  const mark = row.change && html`<span class=${`pill ${row.change === 'fresh' ? 'good' : 'warn'}`}>${
    t(`author.${row.change}`)}</span>`;
  return html`<div class=${`known ${row.change}`}><dt>${row.name} ${mark}</dt>
    <dd><span dir="auto">${row.value}</span>
      ${row.before && html`<span class="small soft">${t('author.before', { value: row.before })}</span>`}
      ${row.quote && html`<q class="small soft">${row.quote}</q>`}</dd></div>`;
}

function Next({ room, picture, plan }) {
  const words = useWords();
  const { t } = words;
  const { status, position } = picture.state ?? {};
  if (DONE.has(status)) return html`<p>${words.term('status', status)}</p>`;
  const told = { outline: room.outline, plan, position };
  const names = room.names(words);
  const { actions, topics, phases } = comingNext(words, names, told);
  const list = (name, entries) => entries.length > 0 && html`<div><h3>${t(name)}</h3>
    <ol class="coming">${entries.map((one, i) => html`<li key=${i}>${one}</li>`)}</ol></div>`;
  return html`<p><span class="soft">${t('author.now')}</span> ${placeNames(words, names, told).join(' › ')}</p>
    ${list('author.nextActions', actions.map((one) => html`${one.name} ${one.isInserted
      && html`<span class="pill violet">${t('tree.inserted')}</span>`}`))}
    ${list('author.nextTopics', topics)}${list('author.nextPhases', phases)}
    ${!actions.length && !topics.length && !phases.length && html`<p class="soft">${t('author.lastOne')}</p>`}`;
}

/** The pane; it shows the chosen turn, or follows the latest. */
export function AuthorPane({ room }) {
  const { t } = useWords();
  const picture = useStore(room.live.picture);
  const turns = [...picture.turns.values()];
  const turn = (room.chosen && picture.turns.get(room.chosen)) || turns.at(-1);
  const { planRevision, sequence, status } = picture.state ?? {};
  const [plan] = useLoaded(() => api.plan(room.live.sessionId), [room.live.sessionId, planRevision, sequence, status]);
  const rows = formRows(room.variables, turn, status === 'completed');
  const form = rows.map((row) => html`<${Field} key=${row.key} row=${row} />`);
  return html`<div class="panel author" tabindex="0">
    <section class="stack"><${Round} room=${room} picture=${picture} turn=${turn} /></section>
    <${Section} title=${t('author.known')} empty=${t('author.nothingKnown')}>
      ${rows.length > 0 && html`<dl class="known-form">${form}</dl>`}
    <//>
    <${Section} title=${t('author.next')}><${Next} room=${room} picture=${picture} plan=${plan} /><//>
  </div>`;
}
