// Why a turn failed, as a person reads it: cause, facts and remedy.

/**
 * One sentence for a problem; of a cause that the page does not know, the server's own.
 * @param {Speech} speech
 * @param {Answer} problem
 */
export function failureText({ t, term }, problem) {
  const known = problem?.metadata ?? {};
  if (term('cause', known.cause) === (known.cause ?? '')) return problem?.message || problem?.reason || '';
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
