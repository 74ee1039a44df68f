import type { Operation } from '#http/operation';
import { describeOperation } from '#openapi/describe-operation';
import { errorComponents } from '#openapi/error-answers';
import { ANSWERED_CODES } from '#openapi/error-codes';
import { HEADERS, PARAMETERS } from '#openapi/headers';
import type { Components, JsonSchema } from '#openapi/json-schema';
import { SECURITY_SCHEMES } from '#openapi/security';
import { tags } from '#openapi/tags';

const DESCRIPTION = `Search, chat and agents over a company's own documents.

Answers are JSON: \`data\` and \`meta\` of a success, \`error\` and \`meta\` of a failure. Lists take \`page\` and \`limit\`; their \`meta\`
contains \`total\` and \`hasMore\`. PUT changes only the fields it names; the whole record as GET returned it is accepted too. Send an API key as \`X-Service-Key\` or as \`Authorization: Bearer\`. New fields may be added to every response.

Every path answers OPTIONS, and HEAD where it answers GET. Another method is 405 \`method_not_allowed\` with an \`Allow\` header,
another path 404 \`not_found\`.

A JSON body may have at most 256 KiB after decoding its \`Content-Encoding\`, 10,000 values, 2,000 property names and 20 levels. Bodies that may carry
long lists or settings have at most 4 MiB, documents 32 MiB, both 50,000 values and 15,000 names. An error reports at most 20 issues.`;

const metaExample = { requestId: 'req_01h455vb4pex5vsknk084sn02q', timestamp: '2026-11-21T10:00:00.000Z' };
const meta = {
  requestId: { type: 'string' },
  timestamp: { type: 'string', format: 'date-time' },
};
const integer = { type: 'integer' };

/** What stands around every answer. */
const ENVELOPE: Readonly<Record<string, JsonSchema>> = {
  Meta: { type: 'object', required: ['requestId', 'timestamp'], properties: meta, examples: [metaExample] },
  PageMeta: {
    type: 'object',
    description: 'Which part of a list this is',
    required: ['requestId', 'timestamp', 'page', 'limit', 'total', 'hasMore'],
    properties: { ...meta, page: integer, limit: integer, total: integer, hasMore: { type: 'boolean' } },
    examples: [{ ...metaExample, page: 1, limit: 20, total: 1, hasMore: false }],
  },
  Issue: {
    type: 'object',
    required: ['path', 'message'],
    properties: { path: { type: 'string', examples: ['filters.author'] }, message: { type: 'string' } },
  },
  ErrorAnswer: {
    type: 'object',
    description: 'What every failure answers',
    required: ['error', 'meta'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: ANSWERED_CODES },
          message: { type: 'string', description: 'For people: what is wrong and what to do' },
          details: {
            type: 'object',
            properties: { issues: { type: 'array', items: { $ref: '#/components/schemas/Issue' } } },
            additionalProperties: true,
          },
        },
      },
      meta: { $ref: '#/components/schemas/Meta' },
    },
    examples: [
      {
        error: {
          code: 'invalid_request',
          message: 'query: is required',
          details: { issues: [{ path: 'query', message: 'is required' }] },
        },
        meta: metaExample,
      },
    ],
  },
};

/** The OpenAPI 3.1 document of a table of operations, and of other paths that describe themselves. */
export function createDocument(
  operations: readonly Operation[],
  otherPaths: OpenApiDocument['paths'] = {},
): OpenApiDocument {
  const components: Components = new Map(Object.entries(ENVELOPE));
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    const path = paths[operation.path] ?? {};
    path[operation.method] = describeOperation(operation, components);
    paths[operation.path] = path;
  }
  const schemas = [...components].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lectern',
      version: '1.0.0',
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This installation' }],
    tags,
    paths: { ...paths, ...otherPaths },
    components: {
      schemas: Object.fromEntries(schemas),
      responses: errorComponents(),
      headers: HEADERS,
      parameters: PARAMETERS,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

/** As much of an OpenAPI document's shape as those who make and read it here need. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: object;
  };
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: object;
    readonly headers: object;
    readonly parameters: object;
    readonly securitySchemes: object;
  };
}
