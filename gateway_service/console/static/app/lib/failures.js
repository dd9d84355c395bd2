// Why a turn failed or a request was refused, as a person reads it: cause, facts and remedy.

/**
 * One sentence for a problem: of a model's cause, else of its reason; the server's own where the page knows neither.
 * @param {Speech} speech
 * @param {Answer} problem
 */
export function failureText(speech, problem) {
  const { t, term } = speech;
  const known = problem?.metadata ?? {};
  if (term('cause', known.cause) === (known.cause ?? '')) return refusalText(speech, problem ?? {}, known);
  const said = known.provider_message && t('causeForm.quote', { text: known.provider_message });
  const status = known.status && `HTTP ${known.status}`;
  const facts = [known.base_url, known.model, status, known.provider_code, said]
    .filter(Boolean)
    .join(t('causeForm.comma'));
  const told = t(`cause.${known.cause}`, {
    provider: known.provider || t('causeForm.provider'),
    facts: facts && t('causeForm.facts', { facts }),
  });
  return known.provider ? told : told.charAt(0).toUpperCase() + told.slice(1);
}

/**
 * What a reason means; the server's own sentence if the page does not know it or lacks a fact that its words tell.
 * @param {Speech} speech
 * @param {Answer} problem
 * @param {Record<string, string>} metadata
 */
function refusalText({ t, term }, { reason = '', message = '' }, metadata) {
  const facts = { ...metadata, message };
  const words = term('refusal', reason);
  const lacks = [...words.matchAll(/\{(\w+)\}/g)].some(([, name]) => !(name in facts));
  return words === reason || lacks ? message || reason : t(`refusal.${reason}`, facts);
}
