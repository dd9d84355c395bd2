// What may stand at a place of a script, read from the language's JSON Schema. Pure: text, place and schema in, words
// out.

const LINE = /^(\s*)((?:-\s+)*)(?:("[^"]*"|'[^']*'|[^\s#"'{}[\],&*!|>%@`-][^:#]*?)\s*:(?=\s|$))?(.*)$/;

/** One line of YAML: the columns of its dashes, its key with the key's column, and what follows. */
export function readLine(text) {
  const [, spaces, dashes, key, rest] = /** @type {RegExpExecArray} */ (LINE.exec(text));
  const columns = [];
  for (let i = 0; i < dashes.length; i += 1) if (dashes[i] === '-') columns.push(spaces.length + i);
  const bare = /^-\s*$/.test(rest.trim()) && key === undefined;
  if (bare) columns.push(spaces.length + dashes.length + rest.indexOf('-'));
  const value = key === undefined && !bare ? '' : rest.trim();
  return {
    blank: !text.trim() || text.trim().startsWith('#'),
    dashes: columns,
    key: key?.trim().replace(/^["']|["']$/g, ''),
    column: spaces.length + dashes.length,
    value: bare ? '' : value.replace(/^["']|["']$/g, ''),
  };
}

const STEP = 2;

/**
 * The column at which a line begins that is broken off behind `before`: that of the key, or one deeper where it waits
 * for its value.
 */
export function columnAfter(before) {
  const line = readLine(before);
  const own = before.length - before.trimStart().length;
  if (line.blank) return own;
  if (line.key !== undefined) return !line.value || /^[|>][+-]?$/.test(line.value) ? line.column + STEP : line.column;
  if (!line.dashes.length) return own;
  return before.trim() === '-' ? line.dashes[0] + STEP : line.dashes[0];
}

/** The way from the root to a place: keys and '[]', each with the plain keys that stand beside it. */
export function pathAt(lines, row, column) {
  const path = [];
  let indent = column;
  const innermost = {};
  let beside = innermost;
  const own = readLine(lines[row]);
  const close = (token) => {
    path.unshift({ token, beside: {} });
    beside = path[0].beside;
  };
  const note = (line) => {
    if (line.key !== undefined) beside[line.key] ??= line.value;
  };
  for (let i = row + 1; i < lines.length; i += 1) {
    const line = readLine(lines[i]);
    if (line.blank) continue;
    if (line.dashes.length || line.column < indent) break;
    if (line.column === indent) note(line);
  }
  if (own.dashes.length && own.column === indent) {
    close('[]');
    indent = own.dashes[0];
  }
  for (let i = row - 1; i >= 0 && indent >= 0; i -= 1) {
    const line = readLine(lines[i]);
    if (line.blank || (line.key === undefined && !line.dashes.length)) continue;
    const inItem = path[0]?.token === '[]';
    if (line.dashes.length === 0) {
      if (line.column < indent || (inItem && line.column === indent)) {
        if (line.value && !/^[|>&]/.test(line.value)) continue;
        close(line.key);
        indent = line.column;
        note(line);
      } else if (line.column === indent) note(line);
      continue;
    }
    if (line.column === indent && !inItem) {
      note(line);
      close('[]');
      indent = line.dashes[0];
    } else if (line.column < indent) {
      close(line.key);
      note(line);
      close('[]');
      indent = line.dashes[0];
    }
  }
  return { path, beside: innermost };
}

function resolve(schema, root) {
  let node = schema;
  for (let i = 0; node?.$ref && i < 20; i += 1) {
    const { $ref, ...own } = node;
    const found = $ref
      .replace(/^#\//, '')
      .split('/')
      .reduce((at, name) => at?.[name], root);
    node = { ...found, ...own };
  }
  return node ?? {};
}

/** Whether a condition of the schema holds for the keys beside; one it cannot tell holds. */
function holds(condition, beside) {
  return Object.entries(condition?.properties ?? {}).every(([name, wanted]) => {
    if (wanted.const !== undefined) return beside[name] === String(wanted.const);
    if (wanted.enum) return wanted.enum.map(String).includes(beside[name]);
    return true;
  });
}

/** Every schema that counts at a node, its branches chosen by the keys beside. */
function expand(schema, root, beside, depth = 0) {
  if (!schema || schema === true || depth > 12) return [];
  const node = resolve(schema, root);
  const more = [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])];
  if (node.if) more.push(holds(node.if, beside) ? node.then : node.else);
  return [node, ...more.flatMap((one) => expand(one, root, beside, depth + 1))];
}

function step(nodes, token, root, beside) {
  return nodes
    .flatMap((node) => expand(node, root, beside))
    .map((node) =>
      token === '[]'
        ? node.items
        : (node.properties?.[token] ??
          (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined)),
    )
    .filter(Boolean);
}

/** The schemas at the end of a path. */
export function schemasAt(path, root) {
  return path.reduce((nodes, { token, beside }) => step(nodes, token, root, beside), [root]);
}

function keyOptions(nodes, root, beside, prefix) {
  const found = new Map();
  for (const node of nodes.flatMap((one) => expand(one, root, beside))) {
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      if (name in beside && name !== prefix) continue;
      const told = resolve(property, root);
      const info = told.description ?? found.get(name)?.info ?? '';
      found.set(name, {
        label: name,
        apply: `${name}: `,
        type: 'property',
        info,
        boost: (node.required ?? []).includes(name) ? 10 : 0,
      });
    }
  }
  return [...found.values()];
}

function valueOptions(nodes, root, beside) {
  const found = new Map();
  for (const node of nodes.flatMap((one) => expand(one, root, beside))) {
    const values = [...(node.enum ?? []), ...(node.const === undefined ? [] : [node.const])];
    values.forEach((value, i) =>
      found.set(String(value), {
        label: String(value),
        type: 'enum',
        info: node.markdownEnumDescriptions?.[i] ?? node.description ?? '',
      }),
    );
    if ([node.type].flat().includes('boolean'))
      for (const value of ['true', 'false'])
        found.set(value, { label: value, type: 'constant', info: node.description ?? '' });
  }
  return [...found.values()];
}

/** Words that may stand at `offset`, and where the word there begins; nothing where the schema knows nothing. */
export function complete(text, offset, schema) {
  const before = text.slice(0, offset);
  const lines = text.split('\n');
  const row = before.split('\n').length - 1;
  const column = offset - before.lastIndexOf('\n') - 1;
  const line = lines[row].slice(0, column);
  if (/^\s*#/.test(line)) return null;
  const value = /^(\s*(?:-\s+)*)("[^"]*"|'[^']*'|[^\s:#-][^:#]*?)\s*:\s+(\S*)$/.exec(line);
  if (value) {
    const key = value[2].replace(/^["']|["']$/g, '');
    const { path, beside } = pathAt(lines, row, value[1].length);
    const options = valueOptions(step(schemasAt(path, schema), key, schema, beside), schema, beside);
    return options.length ? { from: offset - value[3].length, options } : null;
  }
  const key = /^(\s*(?:-\s+)*)([^\s:#-]*)$/.exec(line);
  if (!key) return null;
  const { path, beside } = pathAt(lines, row, key[1].length);
  const nodes = schemasAt(path, schema);
  const options = [
    ...keyOptions(nodes, schema, beside, key[2]),
    ...(key[1].includes('-') ? valueOptions(nodes, schema, beside) : []),
  ];
  return options.length ? { from: offset - key[2].length, options } : null;
}
