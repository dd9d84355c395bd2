// Two texts in one column, what was taken away above what was put in. Like the editor it lives in a shadow root.

import {
  EditorState,
  EditorView,
  foldGutter,
  lineNumbers,
  syntaxHighlighting,
  unifiedMergeView,
  yaml,
} from '../../vendor/codemirror.js';
import { colours, look, phrases, shadowOf } from './editor_look.js';

/** Show in `host` how `after` differs from `before`. */
export function openDifference({ host, before, after, label, phrase }) {
  const root = shadowOf(host);
  const state = EditorState.create({
    doc: after,
    extensions: [
      lineNumbers(),
      foldGutter(),
      yaml(),
      look,
      changes,
      syntaxHighlighting(colours),
      EditorView.lineWrapping,
      EditorState.readOnly.of(true),
      phrases(phrase),
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      unifiedMergeView({
        original: before,
        mergeControls: false,
        gutter: true,
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  return { close: () => view.destroy() };
}

const changes = EditorView.theme({
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--accent-soft)' },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
  '.cm-collapsedLines': { background: 'var(--paper)', color: 'var(--ink-soft)' },
});
