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

/** The bundle to edit: that of a script, or a new one. */
export async function bundleOf(scriptId, version, t) {
  if (scriptId === '+') return { files: { 'main.yaml': starter(t) }, assets: {}, script: { mainPath: 'main.yaml' } };
  return api.script(scriptId, version);
}
