/** Chains of references in one document. A longer one is a cycle. */
const MAX_HOPS = 20;

/** A part of a document that cannot be used, with the reason. */
export class DocumentProblem extends Error {
  override readonly name = 'DocumentProblem';
}

type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Looks up a local JSON pointer (`#/components/…`). Never reads another document. */
function lookUp(document: Json, pointer: string): unknown {
  if (!pointer.startsWith('#/')) {
    throw new DocumentProblem(`it refers to another document (${pointer.slice(0, 100)})`);
  }
  let found: unknown = document;
  for (const part of pointer.slice(2).split('/')) {
    const name = safeDecode(part).replaceAll('~1', '/').replaceAll('~0', '~');
    const isOwn = typeof found === 'object' && found !== null && Object.hasOwn(found, name);
    if (!isOwn) throw new DocumentProblem(`the reference ${pointer.slice(0, 100)} does not exist`);
    found = Reflect.get(found as object, name);
  }
  return found;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DocumentProblem('a reference is malformed');
  }
}

/** Follows the references of an object that is not a schema. Throws `DocumentProblem`. */
export function resolve(document: Json, value: unknown): Json {
  let found = value;
  for (let hops = 0; isRecord(found) && typeof found.$ref === 'string'; hops += 1) {
    if (hops === MAX_HOPS) throw new DocumentProblem(`the reference ${found.$ref.slice(0, 100)} is a cycle`);
    found = lookUp(document, found.$ref);
  }
  if (!isRecord(found)) throw new DocumentProblem('a part of it is malformed');
  return found;
}

/** Schemas that one tool refers to. */
const MAX_DEFINITIONS = 200;

/** Collects the schemas that a tool refers to, so that its own schema is complete. */
export interface SchemaBundle {
  /** Returns a copy of a schema whose references point into `definitions`. */
  add(schema: unknown): unknown;
  /** For `$defs`. Recursive schemas stay recursive, so that none is ever expanded. */
  readonly definitions: Readonly<Record<string, unknown>>;
}

/** Fields that OpenAPI adds to schemas, of no use for a caller. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['example', 'examples', 'externalDocs', 'xml', 'discriminator', '$id', '$anchor', '$dynamicAnchor', '$schema'],
]);
/** Fields whose value is data and not a schema. */
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'default']);
/** Fields whose names belong to the author. */
const NAMED: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

export function createSchemaBundle(document: Json): SchemaBundle {
  const names = new Map<string, string>();
  const definitions: Record<string, unknown> = Object.create(null);
  const nameOf = (pointer: string): string => {
    const known = names.get(pointer);
    if (known !== undefined) return known;
    if (names.size === MAX_DEFINITIONS) throw new DocumentProblem('it refers to too many schemas');
    const name = `d${names.size + 1}`;
    names.set(pointer, name);
    definitions[name] = rewrite(lookUp(document, pointer));
    return name;
  };
  const rewriteAll = (fields: Json): Json =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, rewrite(field)]));
  function rewrite(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(rewrite);
    if (!isRecord(schema)) return schema;
    return Object.fromEntries(
      Object.entries(schema).flatMap(([name, field]): [string, unknown][] => {
        if (name === '$ref' && typeof field === 'string') return [[name, `#/$defs/${nameOf(field)}`]];
        if (DROPPED.has(name) || name.startsWith('x-')) return [];
        if (DATA.has(name)) return [[name, field]];
        return [[name, NAMED.has(name) && isRecord(field) ? rewriteAll(field) : rewrite(field)]];
      }),
    );
  }
  return { add: rewrite, definitions };
}
