import { z } from 'zod';
import { wireSchemas } from '#fields';

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown };

/** Schemas of `components`, by name. */
export type Components = Map<string, JsonSchema>;

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

/** Corrects and shortens the JSON Schemas that zod creates. */
const override =
  (io: 'input' | 'output'): Override =>
  ({ zodSchema, jsonSchema }) => {
    const schema: JsonSchema = jsonSchema;
    const wire = wireSchemas.get(zodSchema);
    if (wire !== undefined) {
      for (const keyword of Object.keys(schema)) delete schema[keyword];
      Object.assign(schema, wire.schema);
    }
    // zod omits these two if a schema transforms. Here they always describe the input.
    const { def } = zodSchema._zod;
    if (io === 'input' && def.type === 'default') schema.default = def.defaultValue;
    const examples = z.globalRegistry.get(zodSchema)?.examples;
    if (examples !== undefined) schema.examples = examples;
    if (schema.format === 'date-time' || schema.format === 'date') delete schema.pattern;
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

/** Replaces references to local definitions by references to components. */
function withComponentRefs(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withComponentRefs);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => {
    if (name !== '$ref') return [name, withComponentRefs(inner)];
    return [name, String(inner).replace('#/$defs/', '#/components/schemas/')];
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the JSON Schema of a request (`input`) or response (`output`). Adds schemas with an id to
 * the components.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', components: Components): JsonSchema {
  const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: override(io) });
  const { $schema: _, $defs = {}, id, ...own } = converted;
  const named: Record<string, unknown> = { ...$defs, ...(id === undefined ? {} : { [id]: own }) };
  for (const [name, definition] of Object.entries(named)) {
    const converted = withComponentRefs(definition);
    if (!isObject(converted)) continue;
    const { id: _id, ...rest } = converted;
    components.set(name, rest);
  }
  if (id !== undefined) return { $ref: `#/components/schemas/${id}` };
  const result = withComponentRefs(own);
  return isObject(result) ? result : {};
}
