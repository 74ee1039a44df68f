import fc from 'fast-check';

/** How to corrupt one entry of one list in a response. Indexes wrap around. */
export interface Mutation {
  readonly response: number;
  readonly list: number;
  readonly entry: number;
  readonly field: number;
  readonly how: 'drop' | 'null' | 'wrong type' | 'other text' | 'extra field' | 'null entry' | 'text entry';
}

export const mutations: fc.Arbitrary<Mutation> = fc.record({
  response: fc.nat(40),
  list: fc.nat(20),
  entry: fc.nat(20),
  field: fc.nat(60),
  how: fc.constantFrom('drop', 'null', 'wrong type', 'other text', 'extra field', 'null entry', 'text entry'),
});

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the lists of objects in a value, the outermost first. */
function listsIn(value: unknown): unknown[][] {
  if (Array.isArray(value)) return [...(value.some(isFields) ? [value] : []), ...value.flatMap(listsIn)];
  return isFields(value) ? Object.values(value).flatMap(listsIn) : [];
}

/** Returns the fields of an entry and of its nested objects. */
const fieldsIn = (entry: Fields): (readonly [Fields, string])[] =>
  Object.entries(entry).flatMap(([name, value]) => [
    [entry, name] as const,
    ...(isFields(value) ? fieldsIn(value) : []),
  ]);

function wrong(value: unknown): unknown {
  if (typeof value === 'string') return { unexpected: true };
  if (typeof value === 'number') return ['x'];
  return typeof value === 'boolean' ? 'perhaps' : 17;
}

function corruptJson(body: string, { list: l, entry: e, field: f, how }: Mutation): string {
  const value: unknown = JSON.parse(body);
  const lists = listsIn(value);
  const list = lists[l % Math.max(lists.length, 1)];
  if (list === undefined) return body;
  const at = e % list.length;
  const entry = list[at];
  if (how === 'null entry' || !isFields(entry)) list[at] = null;
  else if (how === 'text entry') list[at] = 'unexpected';
  else if (how === 'extra field') entry.somethingNew = { deep: [1, { more: null }] };
  else {
    const fields = fieldsIn(entry);
    const [holder, name] = fields[f % Math.max(fields.length, 1)] ?? [entry, 'id'];
    if (how === 'drop') delete holder[name];
    else if (how === 'null') holder[name] = null;
    else if (how === 'wrong type') holder[name] = wrong(holder[name]);
    else if (typeof holder[name] === 'string') holder[name] = 'zzz-unknown';
  }
  return JSON.stringify(value);
}

/** Corrupts an entry of S3's only list: its objects. */
function corruptXml(body: string, { entry, field: f, how }: Mutation): string {
  const objects = [...body.matchAll(/<Contents>.*?<\/Contents>/gs)];
  const object = objects[entry % Math.max(objects.length, 1)]?.[0];
  if (object === undefined) return body;
  const fields = [...object.matchAll(/<(Key|LastModified|ETag|Size|StorageClass)>[^<]*<\/\1>/g)];
  const [whole = '', name = 'Key'] = fields[f % Math.max(fields.length, 1)] ?? [];
  const corrupted = {
    drop: object.replace(whole, ''),
    null: object.replace(whole, `<${name}/>`),
    'wrong type': object.replace(whole, `<${name}><x>1</x></${name}>`),
    'other text': name === 'Key' ? object : object.replace(whole, `<${name}>zzz-unknown</${name}>`),
    'extra field': object.replace(whole, `${whole}<Novelty><Deep>1</Deep></Novelty>`),
    'null entry': '<Contents/>',
    'text entry': '<Contents>unexpected</Contents>',
  }[how];
  return body.replace(object, corrupted);
}

/** Corrupts one entry of one list in a response body, in JSON or XML. */
export const corrupt = (body: string, mutation: Mutation): string =>
  body.startsWith('<') ? corruptXml(body, mutation) : corruptJson(body, mutation);
