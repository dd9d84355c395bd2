// The editor of one file, as a part of the page.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';

/** The editor, whose code is read when it is needed first. */
export function CodePane({ file, text, label, schema, findings, place, onChange }) {
  const { term } = useWords();
  const host = useRef(null);
  const [editor, setEditor] = useState(null);
  const given = useRef({});
  given.current = { text, onChange };
  useEffect(() => {
    /** @type {{close: () => void} | undefined} */
    let opened;
    let wanted = true;
    import('./editor.js').then(({ openEditor }) => {
      if (!wanted) return;
      opened = openEditor({
        host: host.current, text: given.current.text, label, schema: () => schema.current ?? {},
        phrase: (words) => term('editor', words), onChange: (now) => given.current.onChange(now),
      });
      setEditor(opened);
    });
    return () => { wanted = false; opened?.close(); setEditor(null); };
  }, [file, label]);
  useEffect(() => { editor?.mark(findings); }, [editor, findings]);
  useEffect(() => { if (place) editor?.show(place.line, place.column); }, [editor, place]);
  return html`<div class="editor" ref=${host}></div>`;
}
