// The gateway, call by call. Every failure is one ApiProblem with what the server said.

import { readEvents } from './sse.js';

const API = '/api/v1';

/** The language in which the server speaks to the reader of the page. */
const pageLanguage = () => globalThis.document?.documentElement.lang || 'en';

/** A refused request, as application/problem+json tells it; status 0 means that the server was not reached. */
export class ApiProblem extends Error {
  /**
   * @param {number} status
   * @param {Answer} problem
   */
  constructor(status, problem) {
    super(problem.explanation?.[pageLanguage()] || problem.detail || problem.title || `HTTP ${status}`);
    this.status = status;
    this.reason = problem.reason ?? '';
    this.violations = problem.violations ?? [];
    this.problem = problem;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{body?: unknown, headers?: Record<string, string>, signal?: AbortSignal}} [options]
 */
async function request(method, path, { body, headers = {}, signal } = {}) {
  /** @type {RequestInit & {headers: Record<string, string>}} */
  const options = {
    method,
    headers: { accept: 'application/json', 'accept-language': pageLanguage(), ...headers },
    signal,
    credentials: 'same-origin',
  };
  if (body instanceof Blob) options.body = body;
  else if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers['content-type'] = 'application/json';
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiProblem(0, { title: 'unreachable' });
  }
  if (response.ok) return response;
  throw new ApiProblem(response.status, await response.json().catch(() => ({ title: response.statusText })));
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<Answer>}
 */
async function json(method, path, body) {
  const response = await request(method, path, { body });
  return response.status === 204 ? null : response.json();
}

/** @param {string[]} names */
const at = (...names) => `${API}/${names.map(encodeURIComponent).join('/')}`;

/**
 * Where a picture is, by its hash.
 * @param {string} sha256
 */
export const pictureAt = (sha256) => at('assets', sha256);

/** @param {Record<string, any>} values */
function query(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== undefined && value !== '');
  return pairs.length ? `?${new URLSearchParams(pairs)}` : '';
}

/**
 * The last page of an answer whose list `key` comes by page, with every entry of the list up to `most`.
 * @param {string} path
 * @param {string} key
 * @param {{most?: number, [name: string]: any}} [values]
 */
async function whole(path, key, { most = 2000, ...values } = {}) {
  const all = [];
  let page;
  let pageToken = '';
  do {
    page = await json('GET', path + query({ ...values, pageSize: Math.min(500, most - all.length), pageToken }));
    all.push(...page[key]);
    pageToken = page.nextPageToken;
  } while (pageToken && all.length < most);
  return { ...page, [key]: all };
}

/**
 * Every page of a list, up to `most` entries; `key` names the list in the answer.
 * @param {string} path
 * @param {string} key
 * @param {{most?: number, [name: string]: any}} [values]
 */
async function pages(path, key, values) {
  return (await whole(path, key, values))[key];
}

/**
 * A model call without its prompt and reply, which are long.
 * @param {Answer} listed
 */
const timesOf = ({ call: { input, output, ...call }, ...at }) => ({ ...call, ...at });

/** @satisfies {Record<string, (...values: any[]) => any>} */
export const api = {
  about: () => json('GET', `${API}/about`),
  login: (token) => json('POST', `${API}/login`, { token }),
  logout: () => json('DELETE', `${API}/login`),

  sessions: (values) => json('GET', `${API}/sessions${query(values)}`),
  startSession: (values) => json('POST', `${API}/sessions`, values),
  session: (id, values = {}) => json('GET', at('sessions', id) + query(values)),
  updateSession: (id, change) => json('PATCH', at('sessions', id), change),
  exported: (id, values) => at('sessions', id, 'export') + query(values),
  deleteSession: (id) => json('DELETE', at('sessions', id)),
  state: (id) => json('GET', at('sessions', id, 'state')),
  initialize: (id) => json('POST', at('sessions', id, 'initialize')),
  say: (id, input) => json('POST', at('sessions', id, 'inputs'), input),
  interrupt: (id, values) => json('POST', at('sessions', id, 'interrupt'), values),
  fork: (id, values) => json('POST', at('sessions', id, 'fork'), values),
  retry: (id, values) => json('POST', at('sessions', id, 'retry'), values),

  variables: (id) => pages(at('sessions', id, 'variables'), 'variables', { historySize: 10 }),
  operations: (id) => pages(`${at('sessions', id)}/variables/operations`, 'operations'),
  scopeSnapshots: (id) => pages(`${at('sessions', id)}/variables/snapshots`, 'snapshots'),
  definitions: (id) => pages(`${at('sessions', id)}/variables/definitions`, 'definitions'),
  exits: (id) => pages(at('sessions', id, 'exits'), 'entries'),
  metrics: (id) => pages(at('sessions', id, 'metrics'), 'entries'),
  feedback: (id) => pages(at('sessions', id, 'feedback'), 'entries'),
  decisions: (id) => pages(at('sessions', id, 'decisions'), 'decisions'),
  workflows: (id) => pages(at('sessions', id, 'workflows'), 'workflows'),
  workflow: (id, workflowId, revision) =>
    json('GET', at('sessions', id, 'workflows', workflowId) + query({ revision })),
  runs: (id) => pages(at('sessions', id, 'runs'), 'runs'),
  run: (id, runId, reveal) => whole(at('sessions', id, 'runs', runId), 'attempts', { reveal, most: 5000 }),
  cancelRun: (id, runId) => json('POST', at('sessions', id, 'runs', runId, 'cancel')),
  threads: (id) => pages(at('sessions', id, 'threads'), 'threads'),
  thread: (id, threadId, reveal) => whole(at('sessions', id, 'threads', threadId), 'messages', { reveal }),
  runFile: (id, runId, values) => at('sessions', id, 'runs', runId, 'artifact') + query(values),
  runValue: (id, runId, sha256, values) => at('sessions', id, 'runs', runId, 'values', sha256) + query(values),
  strategies: (id) => pages(at('sessions', id, 'strategies'), 'decisions'),
  calls: async (id, turnId) =>
    (await pages(at('sessions', id, 'calls'), 'calls', { turnId, most: 200 })).map(
      (/** @type {Answer} */ { call, ...at }) => ({ ...call, ...at }),
    ),
  rehearsal: (id, title) => json('GET', at('sessions', id, 'rehearsal') + query({ title })),
  callTimes: async (id) => (await pages(at('sessions', id, 'calls'), 'calls', { most: 5000 })).map(timesOf),
  outline: (id) => json('GET', at('sessions', id, 'outline')),
  plan: (id) => json('GET', at('sessions', id, 'plan')),
  planEdits: (id) => pages(`${at('sessions', id)}/plan/edits`, 'edits'),
  undoEdit: (id, editId) => json('POST', `${at('sessions', id)}/plan/edits/${encodeURIComponent(editId)}/undo`, {}),
  timeline: (id, turnId) => json('GET', `${at('sessions', id)}/turns/${encodeURIComponent(turnId)}/timeline`),

  safetyTexts: (locale) => json('GET', `${API}/safety/texts${query({ locale })}`),
  alerts: () => pages(`${API}/safety/events`, 'events', { alerts: 'true', unacknowledged: 'true', most: 500 }),
  hits: (sessionId) => pages(`${API}/safety/events`, 'events', { sessionId, most: 200 }),
  acknowledge: (id, values) => json('POST', `${at('safety', 'events', id)}/acknowledge`, values),
  safety: (id) => json('GET', `${at('sessions', id)}/safety`),
  closeSafety: (id, values) => json('POST', `${at('sessions', id)}/safety/close`, values),

  scripts: () => pages(`${API}/scripts`, 'scripts'),
  script: (id, version = '') => json('GET', at('scripts', id) + query({ version, files: 'true' })),
  versions: (id) => pages(at('scripts', id, 'versions'), 'versions'),
  figures: (id, scriptVersion) => json('GET', at('scripts', id, 'figures') + query({ scriptVersion })),
  scriptOutline: (id, scriptVersion) => json('GET', at('scripts', id, 'outline') + query({ scriptVersion })),
  check: (bundle) => json('POST', `${API}/scripts/check`, bundle),
  publish: (bundle) => json('POST', `${API}/scripts`, bundle),
  publishAgain: (id, version) => json('POST', `${at('scripts', id)}/versions/${encodeURIComponent(version)}/publish`),
  rehearse: (bundle) => json('POST', `${API}/scripts/rehearse`, bundle),
  upload: (picture) => request('POST', `${API}/assets`, { body: picture }).then((answer) => answer.json()),
  schema: () => json('GET', `${API}/schema`),
};

/**
 * The events of a session after a sequence, to the end of the response. `onEvent` may return false to stop.
 * @param {string} id
 * @param {{after?: number, signal?: AbortSignal, onEvent: (event: Answer) => unknown}} how
 */
export async function readSession(id, { after, signal, onEvent }) {
  const values = new URLSearchParams([
    ['audience', 'operator'],
    ['audience', 'debug'],
    ['accepts', 'form'],
    ['accepts', 'picture'],
    ['accepts', 'quick_replies'],
  ]);
  if (after !== undefined) values.set('after', String(after));
  const response = await request('GET', `${at('sessions', id, 'events')}?${values}`, {
    headers: { accept: 'text/event-stream' },
    signal,
  });
  await readEvents(response, (frame) => {
    const event = frame.data ? JSON.parse(frame.data) : {};
    if (frame.event === 'problem') throw new ApiProblem(event.status ?? 500, event);
    return onEvent(event);
  });
}
