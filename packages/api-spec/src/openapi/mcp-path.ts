import { STATUS_CODES } from 'node:http';
import { type JsonSchema, refTo } from '#openapi/components';
import { CODES_BY_STATUS, describeCodes } from '#openapi/error-codes';
import { securityOf } from '#openapi/security';
import { OTHER_TAG } from '#openapi/tags';

const ID = { type: ['string', 'integer'], description: 'The id of the message.' };
const VERSION = { type: 'string', const: '2.0', description: 'The version of JSON-RPC.' };
const ERROR_FIELDS = {
  code: { type: 'integer', description: 'The error code of JSON-RPC.' },
  message: { type: 'string', description: 'What failed, why, and what to do.' },
};

/** The schemas of the messages. */
export const MCP_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  McpObject: {
    type: 'object',
    description: 'An object that the Model Context Protocol defines and this document does not.',
    additionalProperties: true,
  },
  McpMessage: {
    type: 'object',
    description: 'One JSON-RPC message.',
    required: ['jsonrpc', 'method'],
    properties: {
      jsonrpc: VERSION,
      id: ID,
      method: { type: 'string', description: 'The method, for example `tools/call`.' },
      params: refTo('McpObject'),
    },
  },
  McpError: {
    type: 'object',
    description: 'Why a message failed.',
    required: ['code', 'message'],
    properties: { ...ERROR_FIELDS, data: refTo('McpObject') },
  },
  McpResponse: {
    type: 'object',
    description: 'The response to a message: a result, or a JSON-RPC error.',
    required: ['jsonrpc', 'id'],
    properties: { jsonrpc: VERSION, id: ID, result: refTo('McpObject'), error: refTo('McpError') },
  },
  McpRejection: {
    type: 'object',
    description:
      'The response to a message that was rejected before it was read. The `data` of its error is the error of the API: `code`, `requestId` and sometimes `details`.',
    required: ['jsonrpc', 'error', 'id'],
    properties: {
      jsonrpc: VERSION,
      id: { type: 'null', description: 'Always null.' },
      error: refTo('McpError'),
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
      {
        description,
        headers: errorHeaders(status),
        content: { 'application/json': { schema: refTo('McpRejection') } },
      },
    ];
  });
  return {
    post: {
      operationId: 'mcp',
      tags: [OTHER_TAG],
      summary: 'Send a message of the Model Context Protocol',
      description:
        'MCP over streamable HTTP without sessions: each message is independent. `Accept` must contain `application/json` and `text/event-stream`. Tools: search, fetch, get_document, list_collections, ask. Documents are resources, and there are prompts. Each needs the right of the same operation: `search`, `documents:read` or `chat`. The response is a stream if the message asks for its progress. Connected apps send an access token (`/oauth/authorize`).',
      security: securityOf({ id: 'mcp', access: 'secret' }),
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
      requestBody: {
        required: true,
        content: { 'application/json': { schema: refTo('McpMessage'), example: TOOL_CALL } },
      },
      responses: {
        200: {
          description: 'The response to a request.',
          headers: errorHeaders(200),
          content: { 'application/json': { schema: refTo('McpResponse'), example: TOOL_RESULT } },
        },
        202: { description: 'A notification was accepted.', headers: errorHeaders(202) },
        ...Object.fromEntries(rejections),
      },
    },
  };
}
