import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { wireSchemas } from '#fields';
import { addComponent, type Components, type JsonSchema, refTo } from '#openapi/components';
import { NOT_BLANK, STORABLE, TIME } from '#patterns';

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Adds to a text of a request what the gateway checks for every text, and what zod omits. */
function describeText(zodSchema: z.core.$ZodType, schema: JsonSchema): void {
  const hasPattern = schema.pattern !== undefined && schema.pattern !== '\\S';
  if (schema.type !== 'string' || schema.enum !== undefined || schema.const !== undefined || hasPattern) return;
  if (schema.format !== undefined) return;
  schema.pattern = z.safeParse(zodSchema, ' ').success ? STORABLE : NOT_BLANK;
}

/** Describes which member of a union a value belongs to. The members have names. */
function discriminate({ def }: z.ZodDiscriminatedUnion, schema: JsonSchema): void {
  const mapping = def.options.map((option) => {
    const value: unknown = option instanceof z.ZodObject ? option.shape[def.discriminator] : undefined;
    const name = z.globalRegistry.get(option)?.id;
    if (!(value instanceof z.ZodLiteral) || name === undefined) throw new TypeError('A member has no name or value.');
    return [String(value.value), refTo(name).$ref];
  });
  const { anyOf, oneOf = anyOf, ...rest } = schema;
  for (const keyword of Object.keys(schema)) delete schema[keyword];
  const discriminator = { propertyName: def.discriminator, mapping: Object.fromEntries(mapping) };
  Object.assign(schema, rest, { oneOf, discriminator });
}

/** Corrects and shortens the JSON Schemas that zod creates. */
const override =
  (io: 'input' | 'output'): Override =>
  ({ zodSchema, jsonSchema }) => {
    const schema: JsonSchema = jsonSchema;
    const wire = wireSchemas.get(zodSchema);
    if (wire !== undefined) {
      const { id, description } = schema;
      for (const keyword of Object.keys(schema)) delete schema[keyword];
      Object.assign(
        schema,
        id === undefined ? {} : { id },
        description === undefined ? {} : { description },
        wire.schema,
      );
    } else if (io === 'input') describeText(zodSchema, schema);
    // zod omits these two if a schema transforms. Here they always describe the input.
    const { def } = zodSchema._zod;
    if (io === 'input' && def.type === 'default') schema.default = def.defaultValue;
    if (zodSchema instanceof z.ZodDiscriminatedUnion) discriminate(zodSchema, schema);
    const examples = z.globalRegistry.get(zodSchema)?.examples;
    if (examples !== undefined) schema.examples = examples;
    if (schema.format === 'date') delete schema.pattern;
    if (schema.format === 'date-time') {
      delete schema.pattern;
      if (io === 'input') schema.pattern = TIME;
    }
    // In multipart/form-data, only the media type describes the bytes of a file (OpenAPI 3.1,
    // 4.8.14.3).
    if (def.type === 'file') {
      for (const keyword of Object.keys(schema)) delete schema[keyword];
      Object.assign(schema, { type: 'string', contentMediaType: 'application/octet-stream' });
    }
    // Clients must accept fields that are added to responses later.
    if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  };

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Replaces references to local definitions by references to components, and omits keywords next to
 * a reference that the definition has too.
 */
function withComponentRefs(value: unknown, definitions: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => withComponentRefs(item, definitions));
  if (!isObject(value)) return value;
  const definition = Object(definitions[String(value.$ref).replace('#/$defs/', '')]);
  const isRepeated = ([name, inner]: readonly [string, unknown]) =>
    name in definition && isDeepStrictEqual(Reflect.get(definition, name), inner);
  const own = Object.entries(value).filter((entry) => value.$ref === undefined || !isRepeated(entry));
  const entries = own.map(([name, inner]) =>
    name === '$ref'
      ? [name, String(inner).replace('#/$defs/', '#/components/schemas/')]
      : [name, withComponentRefs(inner, definitions)],
  );
  return Object.fromEntries(entries);
}

/**
 * Returns the JSON Schema of a request (`input`) or response (`output`). Adds schemas with an id to
 * the components.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: override(io) });
  const { $schema: _, $defs = {}, id, ...own } = converted;
  const named: JsonSchema = { ...$defs, ...(id === undefined ? {} : { [id]: own }) };
  for (const [name, definition] of Object.entries(named)) {
    const converted = withComponentRefs(definition, named);
    if (!isObject(converted)) continue;
    const { id: _id, ...rest } = converted;
    addComponent(components, name, rest);
  }
  if (id !== undefined) return refTo(id);
  const result = withComponentRefs(own, named);
  return isObject(result) ? result : {};
}
