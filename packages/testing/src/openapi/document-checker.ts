import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
export type Json = any;

/** Validates responses against an OpenAPI document. */
export interface DocumentChecker {
  readonly document: Json;
  /** Returns the problems of a value; none if it matches the schema. */
  problems(schema: Json, value: unknown): readonly string[];
  /** The documented response of an operation with this status. */
  answerOf(operation: Json, status: number): Json;
  /** All operations: method, path and description. */
  operations(): readonly { readonly method: string; readonly path: string; readonly operation: Json }[];
}

/** Creates a checker for a served document. */
export function checkerOf(document: Json): DocumentChecker {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  // The schema also has a pattern, which is checked.
  ajv.addFormat('base64', true);
  ajv.addSchema(document, 'openapi');
  const compiled = new Map<string, ValidateFunction>();
  const absolute = (schema: Json): Json => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
  return {
    document,
    problems: (schema, value) => {
      const key = JSON.stringify(schema);
      const validate = compiled.get(key) ?? ajv.compile(absolute(schema));
      compiled.set(key, validate);
      if (validate(value)) return [];
      return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath}: ${message}`);
    },
    answerOf: (operation, status) => {
      const answer = operation.responses[status];
      const name = answer?.$ref?.split('/').at(-1);
      return name === undefined ? answer : document.components.responses[name];
    },
    operations: () =>
      Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
        Object.entries<Json>(methods).map(([method, operation]) => ({ method, path, operation })),
      ),
  };
}

/** Returns the paths of fields that the schema does not define, although it allows them. */
export function unknownFields(document: Json, schema: Json, value: unknown, at = ''): readonly string[] {
  const resolved = schema?.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)];
  if (Array.isArray(value))
    return value.flatMap((item, i) => unknownFields(document, resolved?.items, item, `${at}[${i}]`));
  if (typeof value !== 'object' || value === null || resolved === undefined) return [];
  const alternatives = resolved.anyOf ?? resolved.oneOf;
  if (alternatives !== undefined) {
    const each = alternatives.map((inner: Json) => unknownFields(document, inner, value, at));
    return each.toSorted((a: Json, b: Json) => a.length - b.length)[0];
  }
  // A field is known if one of them defines it.
  if (resolved.allOf !== undefined) {
    const each: readonly (readonly string[])[] = resolved.allOf.map((inner: Json) =>
      unknownFields(document, inner, value, at),
    );
    return (each[0] ?? []).filter((name) => each.every((names) => names.some((other) => name.startsWith(other))));
  }
  // An object of anybody's making.
  if (resolved.additionalProperties !== undefined) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = resolved.properties?.[name];
    return known === undefined ? [`${at}.${name}`] : unknownFields(document, known, inner, `${at}.${name}`);
  });
}
