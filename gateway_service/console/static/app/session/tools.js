// What an author does with a session: edit its script, or keep it as a rehearsal.

import { html, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useAsk } from '../lib/ask.js';
import { useWords } from '../lib/i18n.js';
import { Problem } from '../lib/parts.js';
import { href } from '../lib/route.js';
import { useStore } from '../lib/store.js';
import { draftOf, keepDraft } from '../scripts/drafts.js';

/** Have the browser save a text under a name. */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** Put a file among what was written of a script and not published; resolves to whether this browser keeps it. */
async function putIntoDraft(scriptId, path, text) {
  const kept = draftOf(scriptId);
  const { files, assets = {}, script } = await api.script(scriptId);
  const base = kept ?? { files, assets, version: script.version };
  return keepDraft(scriptId, { files: { ...base.files, [path]: text }, assets: base.assets }, base.version);
}

/** The links of a session's head. */
export function SessionTools({ live }) {
  const { t } = useWords();
  const session = useStore(live.link, (link) => link.session);
  const [question, ask] = useAsk();
  const [saved, setSaved] = useState(null);
  const [problem, setProblem] = useState(null);
  if (!session) return null;
  async function save() {
    const title = await ask({
      title: t('rehearse.save'), text: t('rehearse.saveHint'), field: t('rehearse.title'), value: session.title,
      yes: t('app.keep'),
    });
    if (!title) return;
    try {
      const { path, content } = await api.rehearsal(live.sessionId, title);
      download(path.split('/').at(-1), content);
      setSaved({ path, kept: await putIntoDraft(session.scriptId, path, content) });
    } catch (error) {
      setProblem(error);
    }
  }
  const editor = href('scripts', session.scriptId, 'session', live.sessionId);
  const told = saved && t(saved.kept ? 'rehearse.saved' : 'rehearse.downloaded', { path: saved.path });
  return html`<a class="button quiet" href=${editor}>${t('session.editScript')}</a>
    <button class="quiet" onClick=${save}>${t('rehearse.save')}</button>${question}
    <${Problem} problem=${problem} />
    ${saved && html`<p class="notice saved-rehearsal" role="status">${told}
      ${saved.kept && html` <a href=${editor}>${t('session.editScript')}</a>`}</p>`}`;
}
