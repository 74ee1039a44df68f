import { refName, type Schema } from '#schema';

const SIMPLE: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

/** How types are spelled where they are used. */
export interface Spelling {
  /** Before the name of a component: empty in the module that declares them. */
  readonly prefix: string;
  /** Classes with a method `list` need `List`. */
  readonly list: 'list' | 'List' | 'Sequence';
  readonly dict: 'dict' | 'Dict' | 'Mapping';
}

const unique = (parts: readonly string[]): readonly string[] => [...new Set(parts)];

const LITERAL = /^Literal\[(.*)\]$/;

/** Joins the parts of a union, with one `Literal` and `None` at the end. `Any` absorbs the others. */
export function union(parts: readonly string[]): string {
  const all = unique(parts.flatMap((part) => (part.includes('[') ? [part] : part.split(' | '))));
  if (all.includes('Any')) return 'Any';
  const literals = all.flatMap((part) => LITERAL.exec(part)?.[1] ?? []);
  const others = all.filter((part) => part !== 'None' && !LITERAL.test(part));
  return [
    ...(literals.length === 0 ? [] : [`Literal[${literals.join(', ')}]`]),
    ...others,
    ...all.filter((part) => part === 'None'),
  ].join(' | ');
}

const literal = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
};

/** True for an object with fields that the document does not name. mypy would reject them in a `TypedDict`. */
export const isOpen = ({ type, additionalProperties }: Schema): boolean =>
  type === 'object' && (additionalProperties === true || typeof additionalProperties === 'object');

/** The Python type of a schema. */
export function pythonType(schema: Schema, spelling: Spelling): string {
  const name = refName(schema);
  if (name !== undefined) return spelling.prefix + name;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${unique(schema.enum.map(literal)).join(', ')}]`;
  const variants = schema.oneOf ?? schema.anyOf;
  // Without a type of their own, variants like those of `JsonValue` only add constraints.
  if (variants !== undefined && schema.type === undefined) {
    return union(variants.map((variant) => pythonType(variant, spelling)));
  }
  if (typeof schema.type !== 'string') {
    return schema.type === undefined
      ? 'Any'
      : union(schema.type.map((type) => pythonType({ ...schema, type }, spelling)));
  }
  if (schema.type === 'array') return `${spelling.list}[${pythonType(schema.items ?? {}, spelling)}]`;
  if (schema.type !== 'object') return SIMPLE[schema.type] ?? 'Any';
  if (Object.keys(schema.properties ?? {}).length > 0 && !isOpen(schema)) {
    throw new TypeError(`An object has no name: ${JSON.stringify(schema).slice(0, 200)}. Give it an id with meta().`);
  }
  const { additionalProperties } = schema;
  const values = typeof additionalProperties === 'object' ? pythonType(additionalProperties, spelling) : 'Any';
  return `${spelling.dict}[str, ${values}]`;
}
