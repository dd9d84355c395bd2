// The list of sessions, where one is started, and snapshots to come back to.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useAsk } from '../lib/ask.js';
import { useWords } from '../lib/i18n.js';
import { useAgainWhile, useLoaded } from '../lib/load.js';
import { Facts, Problem, Section } from '../lib/parts.js';
import { go, href } from '../lib/route.js';
import { TextsNotice } from '../lib/safety_notice.js';
import { useKept } from '../lib/store.js';
import { moment } from '../lib/text.js';
import { Filter, NO_FILTER, filterText } from '../sessions/filter.js';
import { LabelEditor, Labels } from '../sessions/labels.js';
import { Alerts, toneOf, useAlerts } from './alerts.js';
import { forgetSnapshot, snapshots } from './snapshots.js';

const TONES = { waiting_input: 'good', completed: 'info', error: 'bad' };

function Start({ scripts, onProblem }) {
  const { t, language } = useWords();
  const [scriptId, setScript] = useState('');
  const [userId, setUser] = useState('');
  const [strategy, setStrategy] = useState(false);
  const chosen = scriptId || scripts[0]?.scriptId;
  async function start(event) {
    event.preventDefault();
    const values = { scriptId: chosen, userId, locale: language === 'zh' ? 'zh-CN' : 'en' };
    try {
      const session = await api.startSession(strategy ? { ...values, strategyEngine: true } : values);
      go('sessions', session.sessionId);
    } catch (error) {
      onProblem(error);
    }
  }
  if (!scripts.length) return html`<p class="notice">${t('sessions.noScripts')} <a href=${href('scripts')}>
    ${t('nav.scripts')}</a></p>`;
  return html`<form class="card row" onSubmit=${start}>
    <label class="grow"><span class="name">${t('sessions.script')}</span>
      <select value=${chosen} onChange=${(event) => setScript(event.target.value)}>
      ${scripts.map((one) => html`<option key=${one.scriptId} value=${one.scriptId}>
        ${one.sessionName || one.scriptId}</option>`)}</select></label>
    <label><span class="name">${t('sessions.user')}</span><input value=${userId} maxlength="200"
      onInput=${(event) => setUser(event.target.value)} /></label>
    <label class="row"><input type="checkbox" checked=${strategy}
      onChange=${(event) => setStrategy(event.target.checked)} />${t('sessions.strategy')}</label>
    <button class="primary">${t('sessions.start')}</button>
  </form>`;
}

function Exports({ sessionId }) {
  const { t, language } = useWords();
  const link = (format) => api.exported(sessionId, { format, language: language === 'zh' ? 'zh-CN' : 'en' });
  return html`<a class="button" href=${href('effects', sessionId)}>${t('effects.title')}</a>
    <a class="button" download href=${link('markdown')}>${t('sessions.transcript')}</a>
    <a class="button" download href=${link('json')}>${t('sessions.json')}</a>`;
}

function Row({ session, alert, ticked, onTick, onDelete, onChange }) {
  const { t, term, language } = useWords();
  const [open, setOpen] = useState(false);
  const name = session.title || session.scriptId;
  const changed = (session.replacements ?? []).map((one) => one.actionId).join('、');
  const under = [
    session.userId, session.forkedFromSessionId && t('sessions.forkedOne'),
    changed && t('sessions.changed', { action: changed }),
  ].filter(Boolean).join(' · ');
  const more = t('sessions.more', { name });
  return html`<tr class=${open ? 'opened' : ''}>
    <td><input type="checkbox" aria-label=${t('sessions.choose', { name })} checked=${ticked} onChange=${onTick} /></td>
    <td class="lead"><a href=${href('sessions', session.sessionId)}>${name}</a>${under && html`<div class="small soft">
      <bdi>${under}</bdi></div>`}
      <div><${Labels} labels=${session.labels} /></div></td>
    <td data-name=${t('sessions.status')}><span class=${`pill ${TONES[session.status] ?? ''}`}>
      ${term('status', session.status)}</span>
      ${alert && html`<span class=${`pill ${toneOf(alert.level)}`}>${term('level', alert.level)}</span>`}</td>
    <td class="small when" data-name=${t('sessions.created')}>${moment(session.createTime, language)}</td>
    <td class="small when" data-name=${t('sessions.updated')}>${moment(session.updateTime, language)}</td>
    <td class="tail"><button class="quiet" aria-label=${more} title=${more} aria-expanded=${open}
      onClick=${() => setOpen(!open)}>⋯</button></td></tr>
    ${open && html`<tr class="more"><td colspan="6"><div class="stack">
      <${LabelEditor} session=${session} onChange=${onChange} />
      <div class="row spread"><${Facts} rows=${[
        ['ID', html`<code>${session.sessionId}</code>`], [t('sessions.script'), html`<code>${session.scriptId}</code>`],
        [t('sessions.forked'), session.forkedFromSessionId && html`<a
          href=${href('sessions', session.forkedFromSessionId)}><code>${session.forkedFromSessionId}</code></a>`],
      ]} /><span class="row"><${Exports} sessionId=${session.sessionId} />
        <button class="danger" onClick=${onDelete}>${t('sessions.delete')}</button></span></div></div></td></tr>`}`;
}

function Kept({ onProblem }) {
  const { t, language } = useWords();
  const [list, setList] = useState(snapshots());
  if (!list.length) return null;
  const restore = async (one) => {
    try {
      go('sessions', (await api.fork(one.sessionId, { fromTurnId: one.turnId })).session.sessionId);
    } catch (error) {
      onProblem(error);
    }
  };
  return html`<${Section} title=${t('sessions.saved')}><ul class="stack">
    ${list.map((one) => html`<li key=${one.turnId} class="card row spread">
    <span><strong>${one.name}</strong> <span class="soft small">
      ${one.title} · ${moment(one.made, language)}</span></span>
    <span class="row"><button onClick=${() => restore(one)}>${t('sessions.restore')}</button>
      <button class="quiet" onClick=${() => { forgetSnapshot(one.turnId); setList(snapshots()); }}>
        ${t('sessions.forget')}</button></span></li>`)}</ul><//>`;
}

/** The first page. */
export function Sessions({ notices }) {
  const { t } = useWords();
  const [alerts, unread, seen] = useAlerts();
  const [scripts, unfound, readScripts] = useLoaded(() => api.scripts(), []);
  useAgainWhile(!scripts?.length && Boolean(scripts ?? unfound), unfound ?? scripts, readScripts);
  const [token, setToken] = useState('');
  const [asked, setAsked] = useKept('sessionFilter', NO_FILTER);
  const wanted = { filter: filterText(asked), orderBy: asked.order };
  const [page, problem, again] = useLoaded(
    () => api.sessions({ ...wanted, pageSize: 30, pageToken: token }), [token, wanted.filter, wanted.orderBy],
  );
  useAgainWhile(problem?.status === 0 || problem?.status === 503, problem, again);
  const filter = (now) => { setToken(''); setAsked(now); };
  const [failed, setFailed] = useState(null);
  const [question, ask] = useAsk();
  const [ticked, setTicked] = useState([]);
  const ticking = (id, now) => (now.includes(id) ? now.filter((one) => one !== id) : [...now, id].slice(-2));
  const tick = (id) => setTicked((now) => ticking(id, now));
  const remove = async (id) => {
    const yes = t('sessions.delete');
    if (!(await ask({ title: t('sessions.deleteTitle'), text: t('sessions.sureDelete'), yes, isGrave: true }))) return;
    const forget = () => { setTicked((now) => now.filter((one) => one !== id)); again(); };
    await api.deleteSession(id).then(forget, setFailed);
  };
  const sessions = page?.sessions ?? [];
  return html`<div class="scroll"><div class="page stack"><h1>${t('sessions.title')}</h1>
    <${Alerts} alerts=${alerts} problem=${unread} onSeen=${seen} />
    <${TextsNotice} notices=${notices} />
    <${Problem} problem=${failed || problem} />
    ${scripts && html`<${Start} scripts=${scripts} onProblem=${setFailed} />`}
    <${Kept} onProblem=${setFailed} />
    ${scripts && (wanted.filter || sessions.length > 0) && html`<${Filter} asked=${asked} scripts=${scripts}
      onChange=${filter} />`}
    ${page && !sessions.length && html`<p class="empty">
      ${t(wanted.filter ? 'sessions.noneLike' : 'sessions.none')}</p>`}
    ${sessions.length > 0 && html`<div class="row spread"><span class="soft small">${t('sessions.compareHint')}</span>
        <button disabled=${ticked.length !== 2} onClick=${() => go('compare', ...ticked)}>
          ${t('sessions.compare')}</button></div>
      <div class="table-frame cards"><table><thead><tr><th scope="col"><span class="hidden-text">
        ${t('sessions.compare')}</span></th><th scope="col">${t('sessions.script')}</th><th scope="col">
        ${t('sessions.status')}</th><th scope="col">${t('sessions.created')}</th><th scope="col">
        ${t('sessions.updated')}</th><th scope="col"><span class="hidden-text">
        ${t('sessions.actions')}</span></th></tr></thead>
        <tbody>${sessions.map((one) => html`<${Row} key=${one.sessionId} session=${one}
          alert=${alerts.find((alert) => alert.sessionId === one.sessionId)} ticked=${ticked.includes(one.sessionId)}
          onTick=${() => tick(one.sessionId)} onDelete=${() => remove(one.sessionId)}
          onChange=${again} />`)}</tbody></table></div>`}
    ${page?.nextPageToken && html`<div><button onClick=${() => setToken(page.nextPageToken)}>
      ${t('app.more')}</button></div>`}
    ${question}
  </div></div>`;
}
