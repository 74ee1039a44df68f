import { STATUS_CODES } from 'node:http';
import { CODES_BY_STATUS, describeCodes, RETURNED_CODES } from '#openapi/error-codes';
import { SECURITY } from '#openapi/security';
import { OTHER_TAG } from '#openapi/tags';

const ID = { type: ['string', 'integer'], description: 'The id of the message.' };
const VERSION = { const: '2.0', description: 'The version of JSON-RPC.' };
/** An object that the protocol defines and this document does not. */
const anyObject = (description: string) => ({ type: 'object', description, additionalProperties: true });

const REQUEST = {
  type: 'object',
  description: 'One JSON-RPC message.',
  required: ['jsonrpc', 'method'],
  properties: {
    jsonrpc: VERSION,
    id: ID,
    method: { type: 'string', description: 'The method, for example `tools/call`.' },
    params: anyObject('The parameters of the method.'),
  },
};

const ERROR = {
  type: 'object',
  description: 'The error.',
  required: ['code', 'message'],
  properties: {
    code: { type: 'integer', description: 'The error code of JSON-RPC.' },
    message: { type: 'string', description: 'What failed, why, and what to do.' },
    data: anyObject('Details about the error.'),
  },
};

/** The response to a message: a result, or a JSON-RPC error. */
const RESPONSE = {
  type: 'object',
  required: ['jsonrpc', 'id'],
  properties: { jsonrpc: VERSION, id: ID, result: anyObject('The result of the method.'), error: ERROR },
};

const REJECTION = {
  type: 'object',
  required: ['jsonrpc', 'error', 'id'],
  properties: {
    jsonrpc: VERSION,
    id: { type: 'null', description: 'Always null.' },
    error: {
      ...ERROR,
      required: ['code', 'message', 'data'],
      properties: {
        ...ERROR.properties,
        data: {
          type: 'object',
          description: 'The error of the API.',
          required: ['code', 'requestId'],
          properties: {
            code: { type: 'string', enum: RETURNED_CODES, description: 'The error code of the API.' },
            requestId: { type: 'string', description: 'The id of the request.' },
            details: anyObject('Details about the error.'),
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

/** The statuses of a message that is rejected before it is read. */
const REJECTIONS = [400, 401, 403, 406, 413, 415, 429, 500, 503];

/** The description of 406, a status that no error code of the API has. */
const NOT_ACCEPTABLE = '`invalid_request`: `Accept` must contain `application/json` and `text/event-stream`.';

/** Describes `/mcp` in OpenAPI, which can describe JSON-RPC only in part. */
export function mcpPath(errorHeaders: (status: number) => object): Readonly<Record<string, object>> {
  const rejections = REJECTIONS.map((status) => {
    const codes = CODES_BY_STATUS.get(status) ?? [];
    const description = status === 406 ? NOT_ACCEPTABLE : describeCodes(codes) || STATUS_CODES[status];
    return [
      status,
      { description, headers: errorHeaders(status), content: { 'application/json': { schema: REJECTION } } },
    ];
  });
  return {
    post: {
      operationId: 'mcp',
      tags: [OTHER_TAG],
      summary: 'Send a message of the Model Context Protocol',
      description:
        'MCP over streamable HTTP without sessions: each message is independent. `Accept` must contain `application/json` and `text/event-stream`. Tools: search, get_document, list_collections, ask.',
      security: SECURITY.secret,
      parameters: [
        {
          name: 'Mcp-Protocol-Version',
          in: 'header',
          description: 'The version of the protocol.',
          schema: { type: 'string' },
          example: '2025-06-18',
        },
        { $ref: '#/components/parameters/ServiceUser' },
      ],
      requestBody: { required: true, content: { 'application/json': { schema: REQUEST, example: TOOL_CALL } } },
      responses: {
        200: {
          description: 'The response to a request.',
          headers: errorHeaders(200),
          content: { 'application/json': { schema: RESPONSE, example: TOOL_RESULT } },
        },
        202: { description: 'A notification was accepted.', headers: errorHeaders(202) },
        ...Object.fromEntries(rejections),
      },
    },
  };
}
