import { type JsonSchema, refTo } from '#openapi/components';
import { RETURNED_CODES } from '#openapi/error-codes';

export const META_EXAMPLE = { requestId: 'req_01h455vb4pex5vsknk084sn02q', timestamp: '2026-11-21T10:00:00.000Z' };
const meta = {
  requestId: { type: 'string', description: 'The id of the request. Include it in reports.' },
  timestamp: { type: 'string', format: 'date-time', description: 'When the response was sent.' },
};
const integer = (description: string) => ({ type: 'integer', description });

const ENVELOPE: Readonly<Record<string, JsonSchema>> = {
  Meta: {
    type: 'object',
    description: 'Metadata of the response.',
    required: ['requestId', 'timestamp'],
    properties: meta,
    examples: [META_EXAMPLE],
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
    examples: [{ ...META_EXAMPLE, page: 1, limit: 20, total: 1, hasMore: false }],
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
  ErrorCode: { type: 'string', description: 'The code of an error, for programs.', enum: RETURNED_CODES },
  ErrorDetails: {
    type: 'object',
    description: 'Details about an error. The fields depend on the code.',
    properties: {
      issues: {
        type: 'array',
        description: 'The invalid fields, at most 20. Only for `invalid_request`.',
        items: refTo('Issue'),
      },
    },
    additionalProperties: true,
  },
};

const EXAMPLE = {
  code: 'invalid_request',
  message: 'query: is required',
  details: { issues: [{ path: 'query', message: 'is required' }] },
};

/** The schemas of an error body. One for all statuses: the description of a response names the codes of its status. */
const ERRORS: Readonly<Record<string, JsonSchema>> = {
  ApiError: {
    type: 'object',
    description: 'The error of a failed request.',
    required: ['code', 'message'],
    properties: {
      code: refTo('ErrorCode'),
      message: { type: 'string', description: 'What failed, why, and what to do, for people.' },
      details: refTo('ErrorDetails'),
    },
    examples: [EXAMPLE],
  },
  ErrorAnswer: {
    type: 'object',
    description: 'The response to a failed request.',
    required: ['error', 'meta'],
    properties: { error: refTo('ApiError'), meta: refTo('Meta') },
    examples: [{ error: EXAMPLE, meta: META_EXAMPLE }],
  },
};

/** The schemas of the envelope around every response, errors included. */
export const ENVELOPE_SCHEMAS: Readonly<Record<string, JsonSchema>> = { ...ENVELOPE, ...ERRORS };
