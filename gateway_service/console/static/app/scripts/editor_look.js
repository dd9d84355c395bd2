// What the editor and the view of differences have in common: a shadow root, colours, and the words of their panels.

import { EditorState, EditorView, HighlightStyle, tags } from '../../vendor/codemirror.js';

/** How an editor looks on this page. */
export const look = EditorView.theme({
  '&': { height: '100%', fontSize: '13.5px', color: 'var(--ink)', backgroundColor: 'var(--card)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--paper)', color: 'var(--ink-soft)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent-soft) 55%, transparent)',
  },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--accent-ink)' },
  '.cm-completionInfo': { maxWidth: '360px', fontFamily: 'var(--sans)' },
  '.cm-panels': { backgroundColor: 'var(--paper)', color: 'var(--ink)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search, .cm-panel.cm-search input, .cm-panel.cm-search button, .cm-panel.cm-search label': {
    fontSize: '13px',
  },
  '.cm-textfield': {
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--card)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: '6px',
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

/** The empty shadow root of `host`, as high as it. */
export function shadowOf(host) {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':host { display: block; height: 100%; } .cm-editor { height: 100%; }');
  root.adoptedStyleSheets = [sheet];
  return root;
}

/** What the editor's own panels say, by the words that it looks up. */
const PHRASES = [
  'Find',
  'Replace',
  'next',
  'previous',
  'all',
  'match case',
  'regexp',
  'by word',
  'replace',
  'replace all',
  'close',
  'current match',
  'replaced $ matches',
  'replaced match on line $',
  'on line',
  'Go to line',
  'go',
  'Diagnostics',
  'No diagnostics',
  'Completions',
  'Fold line',
  'Unfold line',
  'folded code',
  'unfold',
  'Control character',
  'Selection deleted',
  'to',
  '$ unchanged lines',
];

/** The panels' words in the reader's language. */
export const phrases = (phrase) =>
  EditorState.phrases.of(Object.fromEntries(PHRASES.map((each) => [each, phrase(each)])));
