import { isDeepStrictEqual } from 'node:util';

/** A JSON Schema (2020-12), as in OpenAPI 3.1. */
export type JsonSchema = { [keyword: string]: unknown };

/** The schemas of `components`, by name. */
export type Components = Map<string, JsonSchema>;

/** Returns a reference to a schema of the components. */
export const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Returns the name that a reference to a component ends with. */
export const nameIn = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined;

/**
 * Adds a schema to the components and returns a reference to it. Throws if another schema has the
 * name.
 */
export function addComponent(components: Components, name: string, schema: JsonSchema): { readonly $ref: string } {
  const existing = components.get(name);
  // A body without a description gets one when an operation uses it.
  if (existing !== undefined && !isDeepStrictEqual({ ...existing, ...schema }, existing)) {
    throw new TypeError(`Two different schemas are named ${name}. Give one of them another name with meta({ id }).`);
  }
  components.set(name, existing ?? schema);
  return refTo(name);
}

/** Returns an operation id as the beginning of a schema's name: `CreateCollection`. */
export const pascalCase = (id: string): string =>
  id
    .split('_')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');
