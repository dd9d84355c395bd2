// Values and times as text. Everything here gives text, never markup.

/**
 * A value of the engine as a person reads it.
 * @param {unknown} value
 */
export function show(value) {
  if (value === null || value === undefined) return '—';
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/**
 * A time as hours, minutes and seconds of the reader's clock; the empty text for none.
 * @param {string | number | Date | null | undefined} time
 * @param {string} [locale]
 */
export function clock(time, locale) {
  if (!time) return '';
  return new Date(time).toLocaleTimeString(locale, { hour12: false });
}

/**
 * A time with its date.
 * @param {string | number | Date | null | undefined} time
 * @param {string} [locale]
 */
export function moment(time, locale) {
  if (!time) return '';
  return new Date(time).toLocaleString(locale, { hour12: false });
}

/**
 * Milliseconds, short.
 * @param {number | null} [ms]
 */
export function span(ms) {
  if (ms === undefined || ms === null) return '—';
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

/**
 * JSON text laid out; text that is none stays as it is.
 * @param {string} text
 */
export function laidOut(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/**
 * The text of a message's parts, those that are no text by their fallback.
 * @param {Answer} message
 * @returns {string}
 */
export function textOf(message) {
  return (message.parts ?? []).map((/** @type {Answer} */ part) => part.text ?? part.fallbackText ?? '').join('\n\n');
}

/**
 * How many code points a text has; the offsets of drafts count these.
 * @param {string} text
 */
export function length(text) {
  let count = 0;
  for (let i = 0; i < text.length; i += (text.codePointAt(i) ?? 0) > 0xffff ? 2 : 1) count += 1;
  return count;
}
