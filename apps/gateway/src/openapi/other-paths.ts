import { errorHeaders, HEADERS } from '#openapi/headers';
import { mcpPath } from '#openapi/mcp-path';
import { OTHER_TAG } from '#openapi/tags';

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const ETAG = { description: 'For `If-None-Match`', schema: { type: 'string' } };
const NOT_MODIFIED = { description: 'Not Modified: the client has the current version', headers: requestIdHeader };
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of what the client has',
  schema: { type: 'string' },
};
const FAILURE = { $ref: '#/components/responses/InternalServerError' };

interface Text {
  readonly id: string;
  readonly summary: string;
  readonly mediaType: string;
  readonly schema: object;
  readonly example?: object;
}

/** A file that anyone may read. */
function textPath({ id, summary, mediaType, schema, example }: Text, more: object = {}, parameters = [IF_NONE_MATCH]) {
  const cached = parameters.length > 0;
  return {
    get: {
      operationId: id,
      tags: [OTHER_TAG],
      summary,
      security: [],
      parameters,
      responses: {
        200: {
          description: 'OK',
          headers: { ...requestIdHeader, ...(cached ? { ETag: ETAG } : {}) },
          content: { [mediaType]: { schema, ...(example === undefined ? {} : { example }) } },
        },
        ...(cached ? { 304: NOT_MODIFIED } : {}),
        ...more,
        500: FAILURE,
      },
    },
  };
}

const text = { type: 'string' };
const NOT_BUILT = {
  description: 'The console is being built: the page tells so and loads itself again',
  headers: { ...requestIdHeader, 'Retry-After': HEADERS['Retry-After'] },
  content: { 'text/html': { schema: text } },
};

/** What the gateway serves beside the API's operations: the paths of an OpenAPI document. */
export const OTHER_PATHS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  '/openapi.json': textPath({
    id: 'getOpenApi',
    summary: 'Read this document',
    mediaType: 'application/json',
    schema: { type: 'object', required: ['openapi', 'info', 'paths'], additionalProperties: true },
    example: { openapi: '3.1.0', info: { title: 'Lectern', version: '1.0.0' }, paths: {} },
  }),
  '/docs': textPath({
    id: 'getReference',
    summary: 'Read this document as a page',
    mediaType: 'text/html',
    schema: text,
  }),
  '/console': textPath(
    {
      id: 'getConsole',
      summary: 'Open the console; all addresses below it belong to it too',
      mediaType: 'text/html',
      schema: text,
    },
    { 503: NOT_BUILT },
    [],
  ),
  '/widget.js': textPath({
    id: 'getWidget',
    summary: "Load the search box's script, from any page",
    mediaType: 'text/javascript',
    schema: text,
  }),
  '/mcp': mcpPath(errorHeaders),
};
