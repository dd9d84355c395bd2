// What an author begins with: a new script, or one that was published.

import { api } from '../lib/api.js';

/** A script to begin with, in the language of the page. */
const starter = (t) => `session:
  session_id: my_script
  session_name: ${t('starter.name')}
  phases:
    - phase_id: phase_1
      topics:
        - topic_id: topic_1
          actions:
            - action_type: ai_ask
              action_id: ask_name
              config:
                content: ${t('starter.question')}
                output:
                  - get: ${t('starter.variable')}
                max_rounds: 3
            - action_type: ai_say
              action_id: say_goodbye
              config:
                content: ${t('starter.goodbye', { name: `{${t('starter.variable')}}` })}
                require_acknowledgment: false
`;

/** The text of a script under another id and name; all else stays as it is written. */
export const renamed = (text, suffix) =>
  text
    .replace(/^(\s*session_id:\s*["']?)([^\s"'#]+)/m, '$1$2_copy')
    .replace(/^(\s*session_name:\s*["']?)([^"'#\n]*[^"'#\s])/m, (_, key, name) => `${key}${name}${suffix}`);

/** The bundle to edit: that of a script, a copy of the script `from`, or a new one. */
export async function bundleOf(scriptId, version, t, from = '') {
  if (scriptId !== '+') return api.script(scriptId, version);
  if (!from) return { files: { 'main.yaml': starter(t) }, assets: {}, script: { mainPath: 'main.yaml' } };
  const {
    files,
    assets,
    script: { mainPath },
  } = await api.script(from);
  const written = renamed(files[mainPath], t('scripts.copySuffix'));
  return { files: { ...files, [mainPath]: written }, assets, script: { mainPath } };
}
