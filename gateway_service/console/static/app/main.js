// The page: language, access, and which view the address names.

import { html, render, useEffect, useLayoutEffect, useMemo, useState } from '../vendor/preact.js';
import { Analytics } from './analytics/analytics.js';
import { Effects } from './analytics/effects.js';
import { api } from './lib/api.js';
import { Words, firstLanguage, loadWords, termsOf, useWords, wordsOf } from './lib/i18n.js';
import { Problem } from './lib/parts.js';
import { Lines } from './lines/lines.js';
import { href, useRoute } from './lib/route.js';
import { useSafetyNotices } from './lib/safety_notice.js';
import { keep, kept } from './lib/store.js';
import { ScriptMap } from './map/map.js';
import { RunPage } from './runs/run.js';
import { Editor } from './scripts/workbench.js';
import { Scripts } from './scripts/scripts.js';
import { Compare } from './session/compare.js';
import { Room } from './session/room.js';
import { Sessions } from './session/sessions.js';

function View({ route, notices }) {
  const { t } = useWords();
  const [place = 'sessions', first, second, third, fourth] = route;
  if (place === 'sessions' && second === 'runs' && third) {
    return html`<${RunPage} key=${`${first}/${third}`} sessionId=${first} runId=${third} />`;
  }
  if (place === 'sessions' && second === 'lines') return html`<${Lines} key=${first} sessionId=${first}
    turnId=${third} />`;
  if (place === 'sessions' && first) {
    return html`<${Room} key=${first} sessionId=${first} notices=${notices}
      turnId=${second === 'turns' ? third : ''} />`;
  }
  if (place === 'sessions') return html`<${Sessions} notices=${notices} />`;
  if (place === 'compare' && second) return html`<${Compare} key=${`${first}/${second}`} left=${first} right=${second}
    notices=${notices} />`;
  if (place === 'map' && first) return html`<${ScriptMap} key=${first} scriptId=${first} version=${second} />`;
  if (place === 'analytics' && first) return html`<${Analytics} key=${first} scriptId=${first} version=${second} />`;
  if (place === 'effects' && first) return html`<${Effects} key=${first} sessionId=${first} />`;
  if (place === 'scripts' && second === 'at') {
    const line = { file: third, line: Number(fourth) || 1, column: 1 };
    return html`<${Editor} key=${`${first}/${third}/${fourth}`} scriptId=${first} at=${line} />`;
  }
  if (place === 'scripts' && first) {
    const [sessionId, from] = ['session', 'from'].map((name) => (second === name ? third : ''));
    return html`<${Editor} key=${`${first}/${from}`} scriptId=${first} sessionId=${sessionId} from=${from} />`;
  }
  if (place === 'scripts') return html`<${Scripts} />`;
  return html`<div class="page"><p class="notice">${t('app.notFound')}</p></div>`;
}

function Bar({ route, setLanguage, about, onLogout }) {
  const { t, language } = useWords();
  const here = ['scripts', 'map', 'analytics'].includes(route[0]) ? 'scripts' : 'sessions';
  return html`<header class="bar"><a class="skip" href="#main"
    onClick=${(event) => { event.preventDefault(); document.getElementById('main')?.focus(); }}>${t('app.skip')}</a>
    <a class="brand" href=${href('sessions')}><img src="icon.svg" width="24" height="24" alt="" />HeartRule <span
      class="soft">${t('app.console')}</span></a>
    <nav class="grow">${['sessions', 'scripts'].map((name) => html`<a key=${name} href=${href(name)}
      aria-current=${here === name ? 'page' : null}>${t(`nav.${name}`)}</a>`)}</nav>
    ${about?.tokenRequired && html`<button class="quiet" onClick=${onLogout}>${t('app.logout')}</button>`}
    <label><span class="hidden-text">${t('app.language')}</span>
      <select value=${language} onChange=${(event) => setLanguage(event.target.value)}><option value="zh">中文</option>
      <option value="en">English</option></select></label>
  </header>`;
}

function Login({ onEnter }) {
  const { t } = useWords();
  const [token, setToken] = useState('');
  const [wrong, setWrong] = useState('');
  async function enter(event) {
    event.preventDefault();
    try {
      await api.login(token);
      onEnter();
    } catch (error) {
      setWrong(error.status === 401 ? t('login.wrong') : error.message);
    }
  }
  return html`<div class="page"><form class="card stack" onSubmit=${enter}><h1>${t('login.title')}</h1>
    <label><span class="name">${t('login.token')}</span><input type="password" autocomplete="current-password"
      value=${token} onInput=${(event) => setToken(event.target.value)} /></label>
    ${wrong && html`<p class="notice bad" role="alert">${wrong}</p>`}<div><button class="primary">
      ${t('login.enter')}</button></div></form></div>`;
}

/** What is behind the login; the notices are read first, since they must be there when the network is not. */
function Inside({ route }) {
  const notices = useSafetyNotices();
  return html`<${View} route=${route} notices=${notices} />`;
}

function App({ first }) {
  const route = useRoute();
  const [language, setLanguage] = useState(first);
  const [about, setAbout] = useState(null);
  const [problem, setProblem] = useState(null);
  const words = useMemo(() => ({ language, t: wordsOf(language), term: termsOf(language) }), [language]);
  const chosen = (next) => { keep('language', next); setLanguage(next); setProblem(null); };
  const choose = (next) => loadWords(next).then(() => chosen(next), setProblem);
  const look = () => api.about().then(setAbout, setProblem);
  useEffect(() => { look(); }, []);
  useLayoutEffect(() => { document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en'; }, [language]);
  const closed = about?.tokenRequired && !about.authenticated;
  return html`<${Words.Provider} value=${words}>
    <${Bar} route=${route} setLanguage=${choose} about=${about} onLogout=${() => api.logout().then(look)} />
    <main id="main" tabindex="-1">
      ${problem && html`<div class="page"><${Problem} problem=${problem} /></div>`}
      ${about && (closed ? html`<${Login} onEnter=${look} />` : html`<${Inside} route=${route} />`)}
    </main><//>`;
}

const root = /** @type {HTMLElement} */ (document.getElementById('app'));
const first = firstLanguage(kept('language', null));
loadWords(first).then(
  () => render(html`<${App} first=${first} />`, root),
  // Without words there is nothing to say it with but this.
  () => { root.textContent = '服务器没有应答，请稍后刷新。The server does not answer; please reload later.'; },
);
