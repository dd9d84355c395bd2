// The page's words, in Chinese and English, from the catalogues of heartrule/words. A missing word shows its key.

import { createContext, useContext } from '../../vendor/preact.js';

const LANGUAGES = ['zh', 'en'];
/** @type {Record<string, Record<string, any>>} */
const catalogues = {};

/**
 * Know the words of a language from now on.
 * @param {string} language
 * @param {Record<string, any>} words
 */
export function learn(language, words) {
  catalogues[language] = words;
}

/**
 * Ask the server for the words of a language, unless they are known.
 * @param {string} language
 */
export async function loadWords(language) {
  if (language in catalogues) return;
  const answer = await fetch(`words/${language}.json`);
  if (!answer.ok) throw new Error(`words: ${answer.status}`);
  learn(language, await answer.json());
}

/**
 * A text with its braces filled by name; a name that is not given stays.
 * @param {string} text
 * @param {Record<string, unknown>} values
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/**
 * The words of one language: `t('chat.failed', {reason})`; `count` decides between singular and plural.
 * @param {string} language
 * @returns {Said}
 */
export function wordsOf(language) {
  const words = catalogues[language] ?? {};
  const plural = new Intl.PluralRules(language);
  return (key, values = {}) => {
    const told = words[key] ?? key;
    if (typeof told === 'string') return filled(told, values);
    return filled(plural.select(Number(values.count)) === 'one' ? told[0] : told[told.length - 1], values);
  };
}

/**
 * A word of the engine's own vocabulary, such as an exit reason; one the page does not know is shown as it is.
 * @param {string} language
 * @returns {Term}
 */
export function termsOf(language) {
  const words = catalogues[language] ?? {};
  return (kind, name) => (name ? (words[`${kind}.${name}`] ?? name) : '');
}

/**
 * Data that comes with a code, as rows of names and values in words where they have one.
 * @param {Term} term
 * @param {Record<string, unknown> | null} [facts]
 */
export function factRows(term, facts) {
  return Object.entries(facts ?? {})
    .filter(([, value]) => value === null || typeof value !== 'object')
    .map(([name, value]) => [term('fact', name), term('factValue', String(value))]);
}

/**
 * The language that was chosen, else that of the browser; Chinese where neither is ours.
 * @param {string | null} [chosen]
 */
export function firstLanguage(chosen) {
  const wanted = [chosen, ...(navigator.languages ?? [navigator.language])].map((name) =>
    `${name}`.slice(0, 2).toLowerCase(),
  );
  return wanted.find((name) => LANGUAGES.includes(name)) ?? 'zh';
}

export const Words = createContext({ t: wordsOf('zh'), term: termsOf('zh'), language: 'zh' });

/** The page's words in the language of the reader. */
export const useWords = () => useContext(Words);
