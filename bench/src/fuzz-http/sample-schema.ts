import { between, type Random } from '#corpus/random';
import { filterValue } from '#fuzz-http/filters';
import type { Schema, Specification } from '#fuzz-http/specification';
import { chance, distinctWords, oddValue, pick, textValue } from '#fuzz-http/values';

const MAX_DEPTH = 8;

/** Ids of existing records by prefix, for example `col`. */
export type KnownIds = Readonly<Record<string, readonly string[]>>;

const ID_FIELDS: Readonly<Record<string, string>> = {
  collection: 'col',
  collections: 'col',
  allowed_collections: 'col',
  conversationId: 'conv',
  agentId: 'agent',
  connectorId: 'con',
};

const FACETS = ['source', 'connector', 'collection', 'author', 'type', 'updatedAt', 'createdAt'];

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Generates a value that is mostly valid for a schema, with ids of existing records. */
export function sampleSchema(
  reference: Schema,
  { resolve }: Pick<Specification, 'resolve'>,
  ids: KnownIds,
  random: Random,
  name = '',
  depth = 0,
): unknown {
  const schema = resolve(reference);
  const sample = (inner: unknown, field: string) =>
    sampleSchema(isSchema(inner) ? inner : {}, { resolve }, ids, random, field, depth + 1);
  if (depth > MAX_DEPTH || chance(random, 0.01)) return oddValue(random);
  if (name === 'filters') return filterValue(random);
  if (schema.const !== undefined) return schema.const;
  const [first, ...others] = [...listOf(schema.enum)];
  if (first !== undefined) return pick(random, [first, ...others]);
  const options = [...listOf(schema.anyOf), ...listOf(schema.oneOf)];
  if (options.length > 0) return sample(options[between(random, 0, options.length - 1)], name);
  const type = Array.isArray(schema.type) ? schema.type[between(random, 0, schema.type.length - 1)] : schema.type;
  switch (type) {
    case 'string':
      return sampleText(schema, ids, random, name);
    case 'integer':
    case 'number':
      return sampleNumber(schema, random, type === 'integer');
    case 'boolean':
      return chance(random, 0.5);
    case 'null':
      return null;
    case 'array': {
      const max = numberOr(schema.maxItems, 20);
      const length = chance(random, 0.05) ? max + 1 : Math.min(max, between(random, 0, chance(random, 0.1) ? max : 3));
      return Array.from({ length }, () => sample(schema.items, name));
    }
    case 'object':
      return sampleObject(schema, sample, random);
    default:
      return chance(random, 0.5) ? textValue(random, 200) : oddValue(random);
  }
}

function sampleObject(schema: Schema, sample: (inner: unknown, name: string) => unknown, random: Random): unknown {
  const required = listOf(schema.required);
  const properties = isSchema(schema.properties) ? Object.entries(schema.properties) : [];
  const chosen = properties.filter(([name]) => required.includes(name) || chance(random, 0.4));
  const value = Object.fromEntries(chosen.map(([name, inner]) => [name, sample(inner, name)]));
  if (properties.length > 0 || schema.additionalProperties === false) return value;
  const free = Array.from({ length: between(random, 0, 5) }, (_, at) => [
    `field${at}`,
    sample(schema.additionalProperties, ''),
  ]);
  return { ...value, ...Object.fromEntries(free) };
}

function sampleText(schema: Schema, ids: KnownIds, random: Random, name: string): string {
  const known = ids[ID_FIELDS[name] ?? ''];
  const [first, ...others] = known ?? [];
  if (first !== undefined && chance(random, 0.8)) return pick(random, [first, ...others]);
  if (name === 'facets' && chance(random, 0.8)) {
    return FACETS[between(random, 0, FACETS.length - 1)] ?? `metadata.${textValue(random, 20)}`;
  }
  if (schema.format === 'date-time') return '2030-01-01T00:00:00Z';
  if (schema.format === 'uri') return 'https://example.com/a';
  const max = Math.min(numberOr(schema.maxLength, 500), 40_000);
  return chance(random, 0.15) ? distinctWords(random, max) : textValue(random, max);
}

function sampleNumber(schema: Schema, random: Random, isInteger: boolean): number {
  const min = numberOr(schema.minimum, 0);
  const max = numberOr(schema.maximum, 1_000);
  const edge = between(random, 0, 9);
  if (edge === 0) return min;
  if (edge === 1) return max;
  if (edge === 2) return max + 1;
  const value = min + random() * Math.min(max - min, 10);
  return isInteger ? Math.floor(value) : value;
}
