// Types that the console's modules name in their JSDoc. What the gateway answers is the contract's, and stays open here.

/** What the gateway answered: JSON by the contract's field names. */
type Answer = any;

/** The words of a language, and the engine's vocabulary in it. */
type Said = (key: string, values?: Record<string, unknown>) => string;
type Term = (kind: string, name?: string) => string;
interface Speech {
  t: Said;
  term: Term;
  language: string;
}

/** A value that changes by events, and tells who looks. */
interface Store<Value, Event> {
  get(): Value;
  send(...events: Event[]): void;
  listen(listener: () => void): () => void;
}

/** What `ask` is told of a question. */
interface Asked {
  title: string;
  text?: string;
  yes: string;
  no?: string;
  isGrave?: boolean;
  field?: string;
  value?: string;
}

/** One server-sent event. */
interface Frame {
  id?: string;
  event?: string;
  data: string;
}

/** An event of a session, its sequence a number. */
interface Told {
  sequence: number;
  turnId: string;
  attempt?: number;
  createTime?: string;
  [kind: string]: any;
}

/** A turn as its events tell it. */
interface Turn {
  turnId: string;
  attempt: number;
  first: number;
  begun?: string | null;
  ended?: string | null;
  end: Answer;
  failure: Answer;
  safety: Answer;
  inputs: string[];
  results: Answer[];
  variables: Answer[];
  scopes: Answer[];
  skipped: Answer[];
  strategies: Answer[];
  used: Answer[];
  voided: Answer[];
}

/** A message that is being written. */
interface Draft {
  turnId: string;
  attempt: number;
  text: string;
  broken: boolean;
}

/** A conversation as its events tell it. */
interface Picture {
  state: Answer;
  messages: Map<string, Answer>;
  inputs: Map<string, string[]>;
  answeredBy: Map<string, string>;
  drafts: Map<string, Draft>;
  turns: Map<string, Turn>;
  advice: Map<string, Answer>;
  advised: Map<string, string>;
  analyses: Map<string, Answer>;
  edits: Map<string, Answer>;
  request: Answer;
  forms: Map<string, { sequence: number; schema: Answer }>;
  known: Map<number, Told>;
  decisionChanges: number;
  runs: Map<string, number>;
  runChanges: number;
  threads: Map<string, number>;
  threadChanges: number;
  labels: Map<string, Answer>;
  safetyChanges: number;
  last: number;
  rejected: Answer;
  maxInputChars: number;
  goingAway: boolean;
  [name: string]: any;
}

/** How the stream of an open session stands. */
interface Link {
  status: string;
  problem: unknown;
  session: Answer;
  oldest: number;
  newest: number;
  loading: boolean;
  sent: string;
}

/** What following a session needs. */
interface Followed {
  sessionId: string;
  picture: Store<Picture, Answer>;
  link: Store<Link, Partial<Link>>;
  signal: AbortSignal;
}

// Vendored and minified, without their packages' types.
declare module '*/vendor/codemirror.js';
declare module '*/vendor/dagre.js';
declare module '*/vendor/uplot.js';
