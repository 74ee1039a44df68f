import { z } from 'zod';

/** The supported subset of JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

const anyObject = z.record(z.string(), z.unknown());
const parameter = z.looseObject({ name: z.string(), in: z.string(), schema: anyObject.optional() });
const operation = z.looseObject({
  operationId: z.string(),
  parameters: z.array(z.unknown()).default([]),
  requestBody: z
    .looseObject({ content: z.record(z.string(), z.looseObject({ schema: anyObject.optional() })) })
    .optional(),
  responses: z.record(z.string(), z.looseObject({ content: anyObject.optional() })).default({}),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: anyObject,
});

/** An operation of the OpenAPI document. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** Query parameters by name, with their schemas. */
  readonly query: Readonly<Record<string, Schema>>;
  readonly mediaType: string | undefined;
  readonly body: Schema | undefined;
  readonly isStream: boolean;
}

/** The parts of an OpenAPI document that requests are generated from. */
export interface Specification {
  readonly operations: readonly Operation[];
  /** Resolves a `$ref`. */
  resolve(schema: Schema): Schema;
}

/** Reads an OpenAPI document. Throws for an invalid one. */
export function readSpecification(document: unknown): Specification {
  const { paths, components } = documentSchema.parse(document);
  const lookUp = (ref: string): unknown =>
    ref
      .split('/')
      .slice(2)
      .reduce<unknown>(
        (value, name) => (typeof value === 'object' && value ? Reflect.get(value, name) : undefined),
        components,
      );
  const follow = (value: unknown): unknown => {
    const ref = typeof value === 'object' && value !== null ? Reflect.get(value, '$ref') : undefined;
    return typeof ref === 'string' ? follow(lookUp(ref)) : value;
  };
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const parameters = described.parameters.map((value) => parameter.parse(follow(value)));
      const inQuery = parameters.filter((one) => one.in === 'query');
      const [media] = Object.entries(described.requestBody?.content ?? {});
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        query: Object.fromEntries(inQuery.map(({ name, schema = {} }) => [name, schema])),
        mediaType: media?.[0],
        body: media?.[1].schema,
        isStream: Object.values(described.responses).some(
          ({ content }) => content?.['text/event-stream'] !== undefined,
        ),
      };
    }),
  );
  return { operations, resolve: (schema) => anyObject.parse(follow(schema) ?? {}) };
}
