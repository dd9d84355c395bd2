// How far the answers of one session were given in another, and why no further.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { sendSurely } from '../chat/composer.js';
import { failureText } from '../lib/failures.js';
import { useWords } from '../lib/i18n.js';
import { useStore } from '../lib/store.js';
import { answersOf, givenOf, keepReplay, keptReplay, replay } from './replay.js';

const AGAIN_MS = 2000; // after a page that could not be read

/** Whether all of a session is read, from its first event to its last; what is lacking is read meanwhile. */
export function useWhole(live) {
  const link = useStore(live.link);
  const picture = useStore(live.picture);
  const isShort = link.session && link.oldest > 0 && !link.loading;
  useEffect(() => {
    if (!isShort) return undefined;
    const timer = setTimeout(live.older, link.problem ? AGAIN_MS : 0);
    return () => clearTimeout(timer);
  }, [isShort, link.oldest, link.problem]);
  if (!link.session || !picture.state) return false;
  return link.oldest === 0 && picture.last >= link.newest;
}

/** `{plan, given, total, change}` of the replay that was kept for the target; it runs while its plan says so. */
export function useReplay(source, target, isWhole) {
  const [plan, setPlan] = useState(() => {
    const kept = keptReplay(target.sessionId);
    return kept?.source === source.sessionId ? kept : null;
  });
  const [told, setTold] = useState({ given: 0, total: 0 });
  const change = (part) => setPlan((before) => {
    const next = { ...before, ...part };
    keepReplay(target.sessionId, next);
    return next;
  });
  useEffect(() => {
    if (!isWhole || !plan) return undefined;
    const answers = answersOf(source.picture.get(), plan.after);
    setTold({ given: givenOf(target.picture.get(), answers), total: answers.length });
    if (!plan.running) return undefined;
    const stop = new AbortController();
    replay({
      answers, store: target.picture, signal: stop.signal, say: (input) => sendSurely(target.sessionId, input),
      onGiven: (given) => setTold({ given, total: answers.length }),
    }).then((why) => !stop.signal.aborted && change({ running: false, why }));
    return () => stop.abort();
  }, [isWhole, plan?.running]);
  return { plan, change, ...told };
}

/** Why a replay stopped, in one sentence. */
export function stopText(words, { code, number, problem, ...facts }) {
  const { t } = words;
  const reason = problem?.status === 0 ? t('app.unreachable') : failureText(words, problem);
  return t(`replay.${code}`, { n: number, reason, ...facts });
}

/** The line above a comparison whose second session is given the answers of the first. */
export function ReplayBar({ plan, given, total, change }) {
  const words = useWords();
  const { t } = words;
  if (!plan) return null;
  const byHand = () => change({ running: false, why: { code: 'byHand', number: given } });
  const ended = plan.why ? stopText(words, plan.why) : t('replay.done', { total });
  const told = plan.running ? t('replay.running', { given, total }) : ended;
  const tone = plan.running ? 'info' : plan.why ? 'warn' : 'good';
  const goOn = () => change({ running: true, why: null });
  return html`<div class="row replay-bar"><span class=${`pill ${tone}`}>${given}/${total}</span>
    ${plan.running && html`<progress aria-label=${t('replay.title')} value=${given} max=${total || 1}></progress>`}
    <span class="grow" role="status">${told}</span>
    ${plan.running && html`<button onClick=${byHand}>${t('replay.stop')}</button>`}
    ${!plan.running && plan.why && html`<button onClick=${goOn}>${t('replay.goOn')}</button>`}</div>`;
}
