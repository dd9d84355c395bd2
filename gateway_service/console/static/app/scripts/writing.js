// What is being written: its draft in this browser, and what a check finds in it.

import { useEffect, useRef, useState } from '../../vendor/preact.js';
import { api } from '../lib/api.js';
import { useAsk } from '../lib/ask.js';
import { useWords } from '../lib/i18n.js';
import { moment } from '../lib/text.js';
import { draftOf, forgetDraft, isSame, keepDraft } from './drafts.js';

const PAUSE_MS = 350;

/** Findings of what is being written, a moment after the last key. */
export function useFindings(bundle) {
  const { language } = useWords();
  const [told, setTold] = useState(/** @type {Answer} */ ({ findings: null, problem: null }));
  useEffect(() => {
    if (!bundle) return undefined;
    let wanted = true;
    const timer = setTimeout(() => {
      const { files, mainPath, assets } = bundle;
      api.check({ files, mainPath, assets }).then(
        ({ findings }) => wanted && setTold({ findings, problem: null }),
        (problem) => wanted && setTold((/** @type {Answer} */ before) => ({ ...before, problem })),
      );
    }, PAUSE_MS);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [bundle, language]);
  return told;
}

/**
 * What was written and not published: `[keep, forget, question]`. Where a draft is found, a dialog asks what shall
 * become of it; an author who comes from a session (`isLoop`) goes on with it at once, but is asked before it takes the
 * place of a version that is opened later.
 */
export function useDraft(scriptId, loaded, onRestore, isLoop) {
  const { t, language } = useWords();
  const [question, ask] = useAsk();
  const [lost, setLost] = useState(false); // this browser keeps nothing
  const isComing = useRef(isLoop);
  const forget = () => {
    forgetDraft(scriptId);
    setLost(false);
  };
  useEffect(() => {
    if (!loaded) return;
    const goesOn = isComing.current;
    isComing.current = false;
    const draft = draftOf(scriptId);
    if (!draft || isSame(draft, loaded)) return;
    if (goesOn) {
      onRestore(draft);
      return;
    }
    const newer = draft.version !== loaded.script.version && t('drafts.otherVersion');
    const text = [t('drafts.found', { time: moment(draft.made, language) }), newer].filter(Boolean).join(' ');
    ask({ title: t('drafts.title'), text, yes: t('drafts.restore'), no: t('drafts.discard') }).then((answer) =>
      answer === false ? forget() : onRestore(draft),
    );
  }, [loaded]);
  useEffect(() => {
    const warn = (event) => event.preventDefault();
    if (lost) addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [lost]);
  const keep = (bundle) => {
    if (isSame(bundle, loaded)) forget();
    else setLost(!keepDraft(scriptId, bundle, loaded.script.version));
  };
  return [keep, forget, question];
}
