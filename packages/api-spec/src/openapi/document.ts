import { describeOperation } from '#openapi/describe-operation';
import { RETURNED_CODES } from '#openapi/error-codes';
import { errorComponents } from '#openapi/error-responses';
import { HEADERS, PARAMETERS } from '#openapi/headers';
import type { Components, JsonSchema } from '#openapi/json-schema';
import { SECURITY_SCHEMES } from '#openapi/security';
import { tags } from '#openapi/tags';
import type { OperationSpec } from '#operation';

const DESCRIPTION = `Search, chat and agents over your own documents.

Send an API key as \`X-Service-Key\` or as \`Authorization: Bearer\`. Responses are JSON: a success has \`data\` and \`meta\`,
a failure has \`error\` and \`meta\`. Lists accept \`page\` and \`limit\`; their \`meta\` contains \`total\` and \`hasMore\`. PUT
changes only the fields in the body. You can also send the complete record as GET returns it. Later versions can add
fields to responses.

Field names are camelCase, with these exceptions in snake_case: the settings of API keys (for example
\`allowed_collections\`), the body of a sync (for example \`sync_mode\`), and \`answer_confidence\`. Error codes, the names of
stream events and the names of agent tools are snake_case too.

Every path supports OPTIONS, and HEAD if it supports GET. For any other method, the response is 405 \`method_not_allowed\`
with an \`Allow\` header. For an unknown path, it is 404 \`not_found\`.

A JSON body has at most 256 KiB after decoding its \`Content-Encoding\`, 10,000 values, 2,000 property names and 20 levels.
Bodies with long lists or settings have at most 4 MiB, a document or a batch of documents 32 MiB, both with 50,000 values
and 15,000 names. An error reports at most 20 issues.`;

const metaExample = { requestId: 'req_01h455vb4pex5vsknk084sn02q', timestamp: '2026-11-21T10:00:00.000Z' };
const meta = {
  requestId: { type: 'string', description: 'The id of the request. Include it in reports.' },
  timestamp: { type: 'string', format: 'date-time', description: 'When the response was sent.' },
};
const integer = (description: string) => ({ type: 'integer', description });

/** The schemas of the envelope and of errors. */
const ENVELOPE: Readonly<Record<string, JsonSchema>> = {
  Meta: {
    type: 'object',
    description: 'Metadata of the response.',
    required: ['requestId', 'timestamp'],
    properties: meta,
    examples: [metaExample],
  },
  PageMeta: {
    type: 'object',
    description: 'Metadata of the response and of the page.',
    required: ['requestId', 'timestamp', 'page', 'limit', 'total', 'hasMore'],
    properties: {
      ...meta,
      page: integer('The page, counted from 1.'),
      limit: integer('The number of items per page.'),
      total: integer('The number of items on all pages.'),
      hasMore: { type: 'boolean', description: 'True if there is another page.' },
    },
    examples: [{ ...metaExample, page: 1, limit: 20, total: 1, hasMore: false }],
  },
  Issue: {
    type: 'object',
    description: 'An invalid field.',
    required: ['path', 'message'],
    properties: {
      path: { type: 'string', description: 'Where the field is in the request.', examples: ['filters.author'] },
      message: { type: 'string', description: 'What is wrong with the field.' },
    },
  },
  ErrorAnswer: {
    type: 'object',
    description: 'The response to a failed request.',
    required: ['error', 'meta'],
    properties: {
      error: {
        type: 'object',
        description: 'The error.',
        required: ['code', 'message'],
        properties: {
          code: { type: 'string', enum: RETURNED_CODES, description: 'The error code, for programs.' },
          message: { type: 'string', description: 'What failed, why, and what to do, for people.' },
          details: {
            type: 'object',
            description: 'Details about the error. The fields depend on the code.',
            properties: {
              issues: {
                type: 'array',
                description: 'The invalid fields, at most 20. Only for `invalid_request`.',
                items: { $ref: '#/components/schemas/Issue' },
              },
            },
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

/**
 * Builds the OpenAPI 3.1 document from operations, and from other paths that are already in
 * OpenAPI.
 */
export function createDocument(
  operations: readonly OperationSpec[],
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

/** The parts of an OpenAPI document that Lectern uses. */
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
