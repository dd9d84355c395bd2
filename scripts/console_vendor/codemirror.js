export { Compartment, EditorState } from '@codemirror/state';
export {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers,
} from '@codemirror/view';
export { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
export {
  HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit, syntaxHighlighting,
} from '@codemirror/language';
export { yaml } from '@codemirror/lang-yaml';
export { forceLinting, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
export { autocompletion, completionKeymap, startCompletion } from '@codemirror/autocomplete';
export { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
export { tags } from '@lezer/highlight';
export { unifiedMergeView } from '@codemirror/merge';
