// CodeMirror 6 with YAML, the schema's completion and the check's findings. It lives in a shadow root, where its styles
// need no inline sheet, so that the page's content security policy stays whole.

import {
  EditorState, EditorView, HighlightStyle, autocompletion, bracketMatching, completionKeymap, defaultKeymap, drawSelection,
  foldGutter, foldKeymap, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, history, historyKeymap,
  indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, lintKeymap, search, searchKeymap,
  setDiagnostics, syntaxHighlighting, tags, yaml,
} from '../../vendor/codemirror.js';
import { columnAfter, complete } from './completion.js';

/** How an editor looks on this page. */
export const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13.5px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--ink-soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 55%, transparent)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionInfo': { maxWidth: '360px', fontFamily: 'var(--sans)' },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': { fontSize: '13px' },
  '.cm-textfield': { backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-button': {
    backgroundImage: 'none', backgroundColor: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '6px',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--accent-soft) !important' },
});

/** The colours of YAML. */
export const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--info)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.keyword], color: 'var(--violet)' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--ink-soft)' },
]);

function completer(schema) {
  return (context) => {
    const found = complete(context.state.doc.toString(), context.pos, schema());
    if (!found || (!context.explicit && found.from === context.pos && !/[:\-]\s$/.test(context.state.sliceDoc(context.pos - 2, context.pos)))) return null;
    return { from: found.from, options: found.options, validFor: /^[\w_]*$/ };
  };
}

/** What the editor's own panels say, by the words that it looks up. */
export const PHRASES = [
  'Find', 'Replace', 'next', 'previous', 'all', 'match case', 'regexp', 'by word', 'replace', 'replace all', 'close', 'current match',
  'replaced $ matches', 'replaced match on line $', 'on line', 'Go to line', 'go', 'Diagnostics', 'No diagnostics', 'Completions',
  'Fold line', 'Unfold line', 'folded code', 'unfold', 'Control character', 'Selection deleted', 'to',
];

/** Enter: the next line begins where the key of this one does, or where its value shall stand. */
function breakLine({ state, dispatch }) {
  const { from } = state.selection.main;
  const before = state.sliceDoc(state.doc.lineAt(from).from, from);
  const text = state.lineBreak + ' '.repeat(columnAfter(before));
  dispatch(state.update(state.replaceSelection(text), { scrollIntoView: true, userEvent: 'input' }));
  return true;
}

/** The empty shadow root of `host`, as high as it. */
export function shadowOf(host) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':host { display: block; height: 100%; } .cm-editor { height: 100%; }');
  root.adoptedStyleSheets = [sheet];
  return root;
}

/** Show the editor in `host`. `schema` gives the JSON Schema, or {} before it is known; `phrase` the words of its own panels. */
export function openEditor({ host, text, label, schema, phrase, onChange }) {
  const root = shadowOf(host);
  const state = EditorState.create({
    doc: text,
    extensions: [
      lineNumbers(), highlightActiveLineGutter(), foldGutter(), history(), drawSelection(), indentOnInput(), bracketMatching(),
      highlightActiveLine(), highlightSelectionMatches(), search({ top: true }), lintGutter(), indentUnit.of('  '), yaml(), look,
      syntaxHighlighting(colours), EditorView.lineWrapping, autocompletion({ override: [completer(schema)] }),
      EditorState.phrases.of(Object.fromEntries(PHRASES.map((each) => [each, phrase(each)]))),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
      keymap.of([...completionKeymap, { key: 'Enter', run: breakLine }, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => { if (update.docChanged) onChange(update.state.doc.toString()); }),
    ],
  });
  const view = new EditorView({ state, parent: root, root });
  return {
    close: () => view.destroy(),
    mark: (findings) => view.dispatch(setDiagnostics(view.state, findings.map((one) => diagnostic(view.state.doc, one)))),
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
  return { from, to: Math.min(end, from + Math.max(1, word)), severity: severity === 'note' ? 'info' : severity, message };
}
