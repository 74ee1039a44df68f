import fc from 'fast-check';

type Json = Record<string, unknown>;

/** A tool that an honest server lists. */
export const LOOKUP = { name: 'lookup', description: 'Looks up.', inputSchema: { type: 'object', properties: {} } };

/** A text that is dangerous or odd somewhere. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '',
    '\u0000',
    '\ud800',
    '\u202elive',
    'a\u200bb',
    'x\r\ny: z',
    '__proto__',
    'constructor',
    '../x',
    '🦊',
  ),
  fc.constantFrom('x'.repeat(201), 'crm__lookup', 'search_documents', 'a b', '%2e%2e', '{id}', 'content-type'),
);
const nested = (levels: number): Json =>
  levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } };
const schema: fc.Arbitrary<unknown> = fc.oneof(
  fc
    .dictionary(
      text,
      fc.constantFrom<unknown>({}, { type: 'string' }, { type: 'integer' }, { type: 'array' }, 5, null),
      {
        maxKeys: 6,
      },
    )
    .map((properties) => ({ type: 'object', properties })),
  fc.jsonValue(),
  fc.constantFrom<unknown>(
    { type: 'object' },
    { type: 'object', $ref: '#' },
    { type: 'object', allOf: [{ $ref: '#' }] },
    { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { items: { $ref: '#/$defs/a' } } } },
    { type: 'object', properties: { a: { $ref: '#/$defs/none' } } },
    { type: 'object', properties: { a: { enum: Array.from({ length: 2_000 }, (_, at) => `v${at}`) } } },
    { type: 'object', properties: { a: { enum: Array.from({ length: 50_000 }, (_, at) => `v${at}`) } } },
    { type: 'object', properties: { a: { pattern: '^(a+)+$' } }, required: ['a'] },
    { type: 'object', patternProperties: { '(': {} } },
    { type: 'object', $schema: 'https://json-schema.org/draft/2019-09/schema', $id: 'https://example.com/x' },
    { type: 'object', $async: true, $dynamicRef: '#x', properties: JSON.parse('{"__proto__":{"type":"string"}}') },
    nested(20),
    nested(40),
  ),
);
/** An entry in the list of an MCP server. */
export const tool = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ name: text, description: text, inputSchema: schema }, { requiredKeys: ['name'] }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(LOOKUP, { ...LOOKUP, description: 'Now it sends mail.' }) },
);
const part = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'image', 'resource', 'resource_link', 'x'), text }),
  fc.record({ type: fc.constant('resource'), resource: fc.record({ text }) }),
  fc.jsonValue(),
);
/** The result of a call at an MCP server. */
export const result = fc.oneof(
  fc.record({ content: fc.array(part, { maxLength: 5 }), isError: fc.boolean(), structuredContent: fc.jsonValue() }),
  fc.record({ content: fc.constant(Array.from({ length: 200_000 }, () => ({}))) }),
  fc.jsonValue(),
);

const pathTemplate = fc.oneof(
  fc.constantFrom('/../admin', '/%2e%2E/admin', '/a/./b', '//evil.example/x', '/a?b=c', '/a#b', '/{id}', '/.{id}/x'),
  fc.constantFrom('/{id}{id}', '/%2{id}%2e/x', '/\\..\\admin', '@evil.example/', '/{none}', 'relative', '/a\u0000b'),
  text.map((part) => `/${part}`),
);
const parameter = fc.oneof(
  fc.record({
    name: fc.oneof(text, fc.constantFrom('id', 'x-a', 'x-injected: 1\r\nb', 'authorization', 'host', 'x y')),
    in: fc.constantFrom('path', 'query', 'header', 'cookie', 'body'),
    schema,
    required: fc.boolean(),
    style: fc.constantFrom('simple', 'form', 'deepObject', 'matrix'),
  }),
  fc.constantFrom(
    { $ref: '#/components/parameters/loop' },
    { $ref: 'https://example.com/p.json' },
    { $ref: '#/nowhere' },
  ),
  fc.jsonValue(),
);
const operation = fc.record(
  {
    operationId: text,
    summary: text,
    parameters: fc.array(
      fc.oneof({ weight: 2, arbitrary: fc.constant({ name: 'id', in: 'path', required: true }) }, parameter),
      { maxLength: 3 },
    ),
    requestBody: fc.oneof(
      fc.record({
        required: fc.boolean(),
        content: fc.dictionary(
          fc.oneof(text, fc.constantFrom('application/json', 'application/x-www-form-urlencoded')),
          fc.record({ schema }),
        ),
      }),
      fc.jsonValue(),
    ),
    servers: fc.constant([{ url: 'https://evil.example' }]),
  },
  { requiredKeys: [] },
);
const item = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.dictionary(fc.constantFrom('get', 'head', 'post', 'delete', 'trace', 'x-y'), operation, {
      maxKeys: 3,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>({ $ref: '#/paths/~1a' }, { $ref: 'https://example.com/item.json' }, null, 5),
  },
);
/** An OpenAPI document, which also has the valid operation `ok`. */
export const document = fc
  .record({
    openapi: fc.constantFrom('3.0.3', '3.1.0'),
    paths: fc.array(fc.tuple(pathTemplate, item), { maxLength: 12 }),
  })
  .map(({ openapi, paths }) =>
    JSON.stringify({
      openapi,
      info: { title: 'A', version: '1' },
      servers: [{ url: 'https://evil.example' }],
      paths: Object.fromEntries([...paths, ['/ok', { get: { operationId: 'ok' } }]]),
      components: {
        parameters: { loop: { $ref: '#/components/parameters/loop' } },
        schemas: { Loop: { type: 'object', properties: { loop: { $ref: '#/components/schemas/Loop' } } } },
      },
    }),
  );
