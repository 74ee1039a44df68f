import fc from 'fast-check';

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
type JsonSchema = { [keyword: string]: unknown };

/** The schemas of `components`, by name. */
type Schemas = Readonly<Record<string, JsonSchema>>;

const MAX_DEPTH = 4;
const MAX_ITEMS = 3;
/** A time within what every service can store, and after every test. */
const TIME = fc.date({ min: new Date('2100-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });

let urls: fc.Arbitrary<string> | undefined;
/** Generates URLs and origins. Created when needed: that takes longer than most tests, and every test imports this package. */
function anyUrl(): fc.Arbitrary<string> {
  urls ??= fc.oneof(
    fc.webUrl(),
    fc.webUrl().map((url) => new URL(url).origin),
  );
  return urls;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const schemaOf = (value: unknown): JsonSchema => Object(value);

const nameIn = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;

/** Returns the schema that a reference leads to. */
export function resolveSchema(schemas: Schemas, schema: JsonSchema): JsonSchema {
  const name = nameIn(schema);
  return name === undefined ? schema : resolveSchema(schemas, schemaOf(schemas[name]));
}

function textOf({ pattern, format, minLength, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') return TIME.map((date) => date.toISOString());
  if (format === 'date') return TIME.map((date) => date.toISOString().slice(0, 10));
  if (format === 'email') return fc.stringMatching(/^[a-z0-9]{1,20}@[a-z0-9]{1,20}\.[a-z]{2,5}$/);
  const min = numberOr(minLength, 0);
  const max = numberOr(maxLength, 50);
  const anchored = typeof pattern === 'string' ? new RegExp(pattern) : /^/;
  if (format === 'uri') return anyUrl().filter((value) => anchored.test(value));
  // Characters of one UTF-16 unit, the unit of the lengths.
  const anyText = fc.string({ unit: 'binary-ascii', minLength: min, maxLength: Math.min(max, 60) });
  const long = fc.constant('a'.repeat(Math.min(max, 40_000)));
  const matching = typeof pattern === 'string' && !/\[\^\\u0000\]\*/.test(pattern);
  const text = matching ? fc.stringMatching(anchored) : fc.oneof({ weight: 9, arbitrary: anyText }, long);
  return text.filter((value) => value.length >= min && value.length <= max && anchored.test(value));
}

/** Generates values that match a schema of the document. */
export function valuesOf(schemas: Schemas, reference: JsonSchema, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolveSchema(schemas, reference);
  const inner = (value: unknown) => valuesOf(schemas, schemaOf(value), depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const members = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (members.length > 0) return fc.oneof(...members.map(inner));
  switch (schema.type) {
    case 'string':
      return textOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({ min: numberOr(schema.minimum, -100), max: numberOr(schema.maximum, 100) });
    case 'number':
      return fc.double({
        min: numberOr(schema.minimum, -100),
        max: numberOr(schema.maximum, 100),
        noNaN: true,
      });
    case 'array': {
      const minLength = numberOr(schema.minItems, 0);
      const maxLength = Math.min(numberOr(schema.maxItems, MAX_ITEMS), Math.max(minLength, MAX_ITEMS));
      return fc.array(inner(schema.items), { minLength, maxLength });
    }
    case 'object':
      return objectsOf(schemas, schema, depth);
    default:
      return depth > MAX_DEPTH ? fc.constant(1) : fc.jsonValue({ maxDepth: 2 }).filter(isStorable);
  }
}

const isStorable = (value: unknown): boolean => !/\\u0000|"__proto__"/.test(JSON.stringify(value));

function objectsOf(schemas: Schemas, schema: JsonSchema, depth: number): fc.Arbitrary<object> {
  const properties = Object.entries(schemaOf(schema.properties)).filter(([, inner]) => Object(inner).readOnly !== true);
  const requiredKeys = listOf(schema.required).map(String);
  const model = Object.fromEntries(
    properties.map(([name, inner]) => [name, valuesOf(schemas, schemaOf(inner), depth + 1)]),
  );
  const fixed = fc.record(model, { requiredKeys, noNullPrototype: true });
  if (typeof schema.additionalProperties !== 'object') return fixed;
  const names = textOf({ maxLength: 20, ...schemaOf(schema.propertyNames) }).filter((name) => !(name in model));
  const additional = valuesOf(schemas, schemaOf(schema.additionalProperties), depth + 1);
  const free = fc.dictionary(names, additional, { maxKeys: MAX_ITEMS, noNullPrototype: true });
  return fc.tuple(free, fixed).map(([more, own]) => ({ ...more, ...own }));
}

/** A change that breaks one constraint of a field. */
export interface Violation {
  readonly field: string;
  readonly value: unknown;
}

/** Returns values that break one constraint of a field each: its type, a bound, its pattern or its list of values. */
export function violationsOf(schemas: Schemas, field: string, reference: JsonSchema): readonly Violation[] {
  const schema = resolveSchema(schemas, reference);
  const values: unknown[] = [];
  if (Array.isArray(schema.enum)) values.push('not one of them');
  if (schema.type === 'string') values.push(5);
  if (schema.type === 'boolean' || schema.type === 'integer' || schema.type === 'number') values.push('text');
  if (schema.type === 'integer') values.push(1.5);
  if (typeof schema.minimum === 'number') values.push(schema.minimum - 1);
  if (typeof schema.maximum === 'number') values.push(schema.maximum + 1);
  if (schema.type === 'string' && numberOr(schema.minLength, 0) > 0) values.push('');
  if (typeof schema.maxLength === 'number') values.push('a'.repeat(schema.maxLength + 1));
  if (typeof schema.pattern === 'string' && !new RegExp(schema.pattern).test(' ')) values.push(' ');
  if (schema.type === 'array') values.push({}, ...(numberOr(schema.minItems, 0) > 0 ? [[]] : []));
  if (typeof schema.maxItems === 'number' && schema.maxItems <= 1_000)
    values.push(Array(schema.maxItems + 1).fill('a'));
  if (schema.type === 'object') values.push([], 'text');
  return values.map((value) => ({ field, value }));
}
