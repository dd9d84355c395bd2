// A form as its JSON Schema tells it: one control per field, in the schema's order, with what is filled in already.

import { html, useState } from '../../vendor/preact.js';
import { useWords } from '../lib/i18n.js';
import { show } from '../lib/text.js';

/** The fields of a form in their order. */
export function fieldsOf(schema) {
  const properties = schema.properties ?? {};
  const required = new Set(schema.required ?? []);
  const order = schema['x-order'] ?? Object.keys(properties);
  return order.filter((name) => name in properties)
    .map((name) => ({ name, required: required.has(name), ...properties[name] }));
}

/** What a control holds, as the schema's type wants it; undefined where nothing is filled in. */
export function valueOf(field, raw) {
  if (raw === undefined || raw === '') return undefined;
  if (field.type === 'boolean') return raw === true || raw === 'true';
  if (field.type === 'number' || field.type === 'integer') return Number.isNaN(Number(raw)) ? undefined : Number(raw);
  return raw;
}

/** The values of a form, and the titles of required fields that are still empty. */
export function filled(fields, raw) {
  const values = {};
  const missing = [];
  for (const field of fields) {
    const value = valueOf(field, raw[field.name]);
    if (value !== undefined) values[field.name] = value;
    else if (field.required) missing.push(field.title || field.name);
  }
  return { values, missing };
}

/**
 * Questions and chosen answers of a submitted form in its order; values that the schema does not know stand last by
 * name.
 */
export function answersOf(schema, values, t) {
  const fields = fieldsOf(schema ?? {}).filter((field) => field.name in values);
  const known = new Set(fields.map((field) => field.name));
  const chosen = (field, value) => {
    if (typeof value === 'boolean') return t(value ? 'form.yes' : 'form.no');
    return field.oneOf?.find((one) => String(one.const) === String(value))?.title ?? show(value);
  };
  const told = (field, value) => [value].flat().map((one) => chosen(field, one)).join('、');
  return [
    ...fields.map((field) => [field.title || field.name, told(field, values[field.name])]),
    ...Object.entries(values).filter(([name]) => !known.has(name)).map(([name, value]) => [name, told({}, value)]),
  ];
}

function Choices({ field, options, raw, onChange }) {
  return options.map(({ value, title }) => html`<label class="choice" key=${String(value)}>
    <input type="radio" name=${field.name} value=${String(value)} checked=${String(raw ?? '') === String(value)}
      onChange=${() => onChange(value)} />
    <span>${title}</span></label>`);
}

function Control({ field, raw, onChange }) {
  const { t } = useWords();
  const name = `field-${field.name}`;
  const said = html`${field.title || field.name}${field.required ? '' : ` ${t('form.optional')}`}`;
  const yesOrNo = [{ value: true, title: t('form.yes') }, { value: false, title: t('form.no') }];
  const options = field.oneOf?.map((one) => ({ value: one.const, title: one.title }))
    ?? field.enum?.map((value) => ({ value, title: value }))
    ?? (field.type === 'boolean' ? yesOrNo : null);
  const wrong = field['x-error'] && html`<span class="wrong">${field['x-error']}</span>`;
  if (options) return html`<fieldset><legend>${said}</legend>
    <${Choices} field=${field} options=${options} raw=${raw} onChange=${onChange} />${wrong}</fieldset>`;
  const type = field.format === 'date' ? 'date' : field.type === 'string' ? 'text' : 'number';
  return html`<label for=${name}><span class="name">${said}</span>
    <input id=${name} type=${type} value=${raw ?? ''} min=${field.minimum} max=${field.maximum}
      step=${field.type === 'integer' ? 1 : 'any'}
      onInput=${(event) => onChange(event.target.value)} />${wrong}</label>`;
}

/** An open form; what is missing is told before anything is sent. */
export function FormCard({ request, busy, onSubmit }) {
  const { t } = useWords();
  const fields = fieldsOf(request.schema ?? {});
  const [raw, setRaw] = useState(() => Object.fromEntries(
    fields.filter((field) => field.default !== undefined).map((field) => [field.name, field.default]),
  ));
  const [missing, setMissing] = useState([]);
  function submit(event) {
    event.preventDefault();
    const now = filled(fields, raw);
    setMissing(now.missing);
    if (!now.missing.length) onSubmit({ inputRequestId: request.inputRequestId, form: now.values });
  }
  return html`<form class="form" onSubmit=${submit} aria-label=${request.schema?.title || t('form.submit')} novalidate>
    ${request.schema?.title && html`<h2>${request.schema.title}</h2>`}
    ${fields.map((field) => html`<${Control} key=${field.name} field=${field} raw=${raw[field.name]}
      onChange=${(value) => setRaw((now) => ({ ...now, [field.name]: value }))} />`)}
    ${missing.length > 0 && html`<p class="wrong" role="alert">${t('form.missing', { names: missing.join('、') })}</p>`}
    <div><button class="primary" disabled=${busy}>${t('form.submit')}</button></div>
  </form>`;
}
