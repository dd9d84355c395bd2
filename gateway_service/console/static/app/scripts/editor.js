// CodeMirror 6 with YAML, the schema's completion and the check's findings. It lives in a shadow root, where its styles
// need no inline sheet, so that the page's content security policy stays whole.

import {
  EditorState,
  EditorView,
  autocompletion,
  bracketMatching,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  foldGutter,
  foldKeymap,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSelectionMatches,
  history,
  historyKeymap,
  indentOnInput,
  indentUnit,
  indentWithTab,
  keymap,
  lineNumbers,
  lintGutter,
  lintKeymap,
  search,
  searchKeymap,
  setDiagnostics,
  syntaxHighlighting,
  yaml,
} from '../../vendor/codemirror.js';
import { columnAfter, complete } from './completion.js';
import { colours, look, phrases, shadowOf } from './editor_look.js';

function completer(schema) {
  return (context) => {
    const found = complete(context.state.doc.toString(), context.pos, schema());
    if (
      !found ||
      (!context.explicit &&
        found.from === context.pos &&
        !/[:\-]\s$/.test(context.state.sliceDoc(context.pos - 2, context.pos)))
    )
      return null;
    return { from: found.from, options: found.options, validFor: /^[\w_]*$/ };
  };
}

/** Enter: the next line begins where the key of this one does, or where its value shall stand. */
function breakLine({ state, dispatch }) {
  const { from } = state.selection.main;
  const before = state.sliceDoc(state.doc.lineAt(from).from, from);
  const text = state.lineBreak + ' '.repeat(columnAfter(before));
  dispatch(state.update(state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' }));
  return true;
}

/**
 * Show the editor in `host`. `schema` gives the JSON Schema, or {} before it is known; `phrase` the words of its own
 * panels.
 */
export function openEditor({ host, text, label, schema, phrase, onChange }) {
  const root = shadowOf(host);
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(),
      highlightActiveLineGutter(),
      foldGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      search({ top: true }),
      lintGutter(),
      indentUnit.of('  '),
      yaml(),
      look,
      syntaxHighlighting(colours),
      EditorView.lineWrapping,
      autocompletion({ override: [completer(schema)] }),
      phrases(phrase),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      keymap.of([
        ...completionKeymap,
        { key: 'Enter', run: breakLine },
        ...defaultKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...foldKeymap,
        ...lintKeymap,
        indentWithTab,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange(update.state.doc.toString());
      }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  return {
    close: () => view.destroy(),
    mark: (findings) =>
      view.dispatch(
        setDiagnostics(
          view.state,
          findings.map((one) => diagnostic(view.state.doc, one)),
        ),
      ),
    show: (line, column) => {
      const place = offsetOf(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: 'center' }) });
      view.focus();
    },
  };
}

/** The offset of a line and column, both from 1, the column in code points. */
export function offsetOf(doc, line, column) {
  const found = doc.line(Math.min(Math.max(1, line || 1), doc.lines));
  const units = [...found.text].slice(0, Math.max(0, (column || 1) - 1)).join('').length;
  return found.from + units;
}

function diagnostic(doc, { line, column, severity, message }) {
  const from = offsetOf(doc, line, column);
  const end = doc.lineAt(from).to;
  const word = /^[^\s,\]}]+/.exec(doc.sliceString(from, end))?.[0].length ?? 0;
  return {
    from,
    to: Math.min(end, from + Math.max(1, word)),
    severity: severity === 'note' ? 'info' : severity,
    message,
  };
}
