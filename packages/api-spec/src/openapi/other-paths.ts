import { type JsonSchema, refTo } from '#openapi/components';
import { errorHeaders, HEADERS } from '#openapi/headers';
import { MCP_SCHEMAS, mcpPath } from '#openapi/mcp-path';
import { OAUTH_SCHEMAS, oauthPaths } from '#openapi/oauth-paths';
import { OPENAI_SCHEMAS, openAiPaths } from '#openapi/openai-paths';
import { SIGN_IN_SCHEMAS, signInPaths } from '#openapi/sign-in-paths';
import { OTHER_TAG } from '#openapi/tags';

const requestIdHeader = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
const ETAG = { description: 'For `If-None-Match`.', schema: { type: 'string' } };
const NOT_MODIFIED = { description: 'Not Modified: the client has the current version.', headers: requestIdHeader };
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The `ETag` of the client’s copy.',
  schema: { type: 'string' },
};
const FAILURE = { $ref: '#/components/responses/InternalServerError' };

interface Text {
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  readonly mediaType: string;
  readonly schema: object;
  readonly example?: object;
}

/** Describes a path that returns a text without a key. */
function textPath(
  { id, summary, description, mediaType, schema, example }: Text,
  more: object = {},
  parameters = [IF_NONE_MATCH],
) {
  const cached = parameters.length > 0;
  return {
    get: {
      operationId: id,
      tags: [OTHER_TAG],
      summary,
      description,
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
const BINARY = { type: 'string', format: 'binary' };
const LOGO_TYPES = ['image/png', 'image/webp', 'image/svg+xml'];
const NOT_BUILT = {
  description: 'The console is being built. The page reloads itself.',
  headers: { ...requestIdHeader, 'Retry-After': HEADERS['Retry-After'] },
  content: { 'text/html': { schema: text } },
};

const PATHS: Readonly<Record<string, Readonly<Record<string, object>>>> = {
  '/openapi.json': textPath({
    id: 'getOpenApi',
    summary: 'Get this document',
    description: 'Returns the OpenAPI document of this installation.',
    mediaType: 'application/json',
    schema: refTo('OpenApiDocument'),
    example: { openapi: '3.1.0', info: { title: 'Lectern', version: '1.0.0' }, paths: {} },
  }),
  '/docs': textPath(
    {
      id: 'getReference',
      summary: 'Read the API reference',
      description: 'Returns a web page with this document, samples and a form to send each request.',
      mediaType: 'text/html',
      schema: text,
    },
    { 503: NOT_BUILT },
    [],
  ),
  '/console': textPath(
    {
      id: 'getConsole',
      summary: 'Open the console',
      description: 'Returns the web application for people. All paths below it belong to the console too.',
      mediaType: 'text/html',
      schema: text,
    },
    { 503: NOT_BUILT },
    [],
  ),
  '/widget.js': textPath({
    id: 'getWidget',
    summary: 'Load the search widget',
    description: 'Returns the script of the search widget. Any web page can load it.',
    mediaType: 'text/javascript',
    schema: text,
  }),
  '/widget-ask.js': textPath({
    id: 'getWidgetAsk',
    summary: 'Load the questions of the widget',
    description: 'Returns the part of the widget that answers questions. The script loads it when a page uses it.',
    mediaType: 'text/javascript',
    schema: text,
  }),
  '/branding/{id}': {
    get: {
      operationId: 'getLogo',
      tags: [OTHER_TAG],
      summary: 'Get a logo',
      description: 'Returns the logo at `logoUrl` of a branding. Pages of this installation can show it.',
      security: [],
      parameters: [
        {
          name: 'id',
          in: 'path',
          required: true,
          description: 'The last part of `logoUrl`.',
          schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{22}$' },
          example: '2Jx0bM8sQvW1kZpR7nY5tA',
        },
      ],
      responses: {
        200: {
          description: 'OK',
          headers: requestIdHeader,
          content: Object.fromEntries(LOGO_TYPES.map((type) => [type, { schema: BINARY }])),
        },
        404: { $ref: '#/components/responses/NotFound' },
        500: FAILURE,
      },
    },
  },
  ...signInPaths(errorHeaders),
  ...oauthPaths(errorHeaders),
  '/mcp': mcpPath(errorHeaders),
  ...openAiPaths(errorHeaders),
};

const OPENAPI_DOCUMENT: JsonSchema = {
  type: 'object',
  description: 'An OpenAPI 3.1 document.',
  required: ['openapi', 'info', 'paths'],
  additionalProperties: true,
};

/** The paths that the gateway serves in addition to the API's operations, and their schemas. */
export const OTHERS: {
  readonly paths: typeof PATHS;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
} = {
  paths: PATHS,
  schemas: {
    OpenApiDocument: OPENAPI_DOCUMENT,
    ...MCP_SCHEMAS,
    ...OPENAI_SCHEMAS,
    ...SIGN_IN_SCHEMAS,
    ...OAUTH_SCHEMAS,
  },
};
