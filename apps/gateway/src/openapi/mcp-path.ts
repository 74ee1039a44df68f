import { STATUS_CODES } from 'node:http';
import { ANSWERED_CODES, CODES_BY_STATUS, describeCodes } from '#openapi/error-codes';
import { SECURITY } from '#openapi/security';
import { OTHER_TAG } from '#openapi/tags';

const ID = { type: ['string', 'integer'] };
const VERSION = { const: '2.0' };
/** What the protocol defines, not this document. */
const ANYTHING = { type: 'object', additionalProperties: true };

const REQUEST = {
  type: 'object',
  description: 'One JSON-RPC message',
  required: ['jsonrpc', 'method'],
  properties: { jsonrpc: VERSION, id: ID, method: { type: 'string' }, params: ANYTHING },
};

const ERROR = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' }, data: ANYTHING },
};

/** The answer to a message: what was asked for, or an error of JSON-RPC. */
const ANSWER = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: { jsonrpc: VERSION, id: ID, result: ANYTHING, error: ERROR },
};

const REFUSAL = {
  type: 'object',
  required: ['jsonrpc', 'error', 'id'],
  properties: {
    jsonrpc: VERSION,
    id: { type: 'null' },
    error: {
      ...ERROR,
      required: ['code', 'message', 'data'],
      properties: {
        ...ERROR.properties,
        data: {
          type: 'object',
          required: ['code', 'requestId'],
          properties: {
            code: { type: 'string', enum: ANSWERED_CODES },
            requestId: { type: 'string' },
            details: { type: 'object', additionalProperties: true },
          },
        },
      },
    },
  },
};

const TOOL_CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'search', arguments: { query: 'leave' } },
};
const TOOL_RESULT = {
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: 'No document matches.' }], structuredContent: { results: [], total: 0 } },
};

/** The statuses with which a message is refused before it is looked at. */
const REFUSALS = [400, 401, 403, 406, 413, 415, 429, 500, 503];

/** No code of the API's has this status by itself. */
const NOT_ACCEPTABLE = '`invalid_request`: `Accept` must name `application/json` and `text/event-stream`.';

/** `/mcp` as OpenAPI can describe it: the protocol's own words are JSON-RPC's. */
export function mcpPath(errorHeaders: (status: number) => object): Readonly<Record<string, object>> {
  const refusals = REFUSALS.map((status) => {
    const codes = CODES_BY_STATUS.get(status) ?? [];
    const description = status === 406 ? NOT_ACCEPTABLE : describeCodes(codes) || STATUS_CODES[status];
    return [
      status,
      { description, headers: errorHeaders(status), content: { 'application/json': { schema: REFUSAL } } },
    ];
  });
  return {
    post: {
      operationId: 'mcp',
      tags: [OTHER_TAG],
      summary: 'Send a message of the Model Context Protocol',
      description:
        'Streamable HTTP without sessions: each message stands for itself. `Accept` must name `application/json` and `text/event-stream`, as the protocol has it. Tools: search, get_document, list_collections, ask.',
      security: SECURITY.secret,
      parameters: [
        { name: 'Mcp-Protocol-Version', in: 'header', schema: { type: 'string' }, example: '2025-06-18' },
        { $ref: '#/components/parameters/ServiceUser' },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: REQUEST, example: TOOL_CALL } } },
      responses: {
        200: {
          description: 'The answer to a request',
          headers: errorHeaders(200),
          content: { 'application/json': { schema: ANSWER, example: TOOL_RESULT } },
        },
        202: { description: 'A notification was taken', headers: errorHeaders(202) },
        ...Object.fromEntries(refusals),
      },
    },
  };
}
