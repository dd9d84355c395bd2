// The page's words, in Chinese and English. A missing word shows its key, and a test finds it.

import { createContext, useContext } from '../../vendor/preact.js';
import { en } from './words_en.js';
import { zh } from './words_zh.js';

export const languages = { zh, en };

/** The words of one language: `t('chat.failed', {reason})`. What is filled in stays text. */
export function wordsOf(language) {
  const words = languages[language] ?? languages.zh;
  return (key, values = {}) => {
    const text = words[key] ?? key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
  };
}

/** A word of the engine's own vocabulary, such as an exit reason; one the page does not know is shown as it is. */
export function termsOf(language) {
  const words = languages[language] ?? languages.zh;
  return (kind, name) => (name ? words[`${kind}.${name}`] ?? name : '');
}

/** Data that comes with a code, as rows of names and values in words where they have one. */
export function factRows(term, facts) {
  return Object.entries(facts ?? {}).filter(([, value]) => value === null || typeof value !== 'object')
    .map(([name, value]) => [term('fact', name), term('factValue', String(value))]);
}

/** The language of the browser, Chinese where it has none of ours. */
export function firstLanguage() {
  const wanted = (navigator.languages ?? [navigator.language]).map((name) => name.slice(0, 2).toLowerCase());
  return wanted.find((name) => name in languages) ?? 'zh';
}

export const Words = createContext({ t: wordsOf('zh'), term: termsOf('zh'), language: 'zh' });

/** The page's words in the language of the reader. */
export const useWords = () => useContext(Words);
