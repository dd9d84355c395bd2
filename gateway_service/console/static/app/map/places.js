// What a map shows of an action's config, and which finding stands at which action; pure.

/** The first words of what an action says or asks. */
export function textOf(config) {
  const written = config?.content ?? config?.question ?? config?.task ?? config?.prompt ?? config?.form?.title ?? '';
  const text = typeof written === 'string' ? written.replace(/\s+/g, ' ').trim() : '';
  return text.length > 160 ? `${text.slice(0, 160)}…` : text;
}

/** The questions of a form, as [name, label, options]. */
export function fieldsOf(config) {
  const fields = config?.form?.fields;
  if (!Array.isArray(fields)) return [];
  return fields.map((field) => [
    String(field?.name ?? ''),
    String(field?.label ?? ''),
    Array.isArray(field?.options) ? field.options.map(String) : [],
  ]);
}

/** Finds a name that is no part of a longer one. */
const wordIn = (name) => {
  const escaped = name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'u');
};

/** Where the script branches on what an action writes: phases and actions whose conditions read it, by `nameOf`. */
export function decidedBy(outline, action, nameOf) {
  const isIn = (text) => (name) => wordIn(name).test(text);
  const reads = (condition) => condition && (action.writes ?? []).some(isIn(condition));
  const phases = outline?.phases ?? [];
  return [
    ...phases.filter((phase) => reads(phase.entryCondition)).map((phase) => phase.phaseName || phase.phaseId),
    ...actionsIn(outline)
      .filter((one) => reads(one.condition))
      .map(nameOf),
  ];
}

function actionsIn(outline) {
  const topics = [
    ...(outline?.phases ?? []).flatMap((phase) => phase.topics),
    ...(outline?.techniques ?? []).map((one) => one.topic),
  ];
  return topics.flatMap((topic) => topic.actions);
}

/** `[ofAction, others]`: findings of an action are those from its line to the next action's, in its file. */
export function findingsBy(outline, findings) {
  const actions = actionsIn(outline);
  const begins = new Map();
  for (const { file, line } of actions) begins.set(file, [...(begins.get(file) ?? []), line]);
  for (const lines of begins.values()) lines.sort((one, other) => one - other);
  const placed = new Map();
  const others = [];
  for (const finding of findings) {
    const line = (begins.get(finding.file) ?? []).filter((one) => one <= finding.line).at(-1);
    if (line === undefined) others.push(finding);
    else placed.set(`${finding.file}:${line}`, [...(placed.get(`${finding.file}:${line}`) ?? []), finding]);
  }
  return [(action) => placed.get(`${action.file}:${action.line}`) ?? [], others];
}
