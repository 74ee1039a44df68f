import type { ErrorCode } from '@lectern/contracts';
import { type JsonSchema, refTo } from '#openapi/components';
import { CODES_BY_STATUS, nameOfStatus, RETURNED_CODES } from '#openapi/error-codes';

const META_EXAMPLE = { requestId: 'req_01h455vb4pex5vsknk084sn02q', timestamp: '2026-11-21T10:00:00.000Z' };
const meta = {
  requestId: { type: 'string', description: 'The id of the request. Include it in reports.' },
  timestamp: { type: 'string', format: 'date-time', description: 'When the response was sent.' },
};
const integer = (description: string) => ({ type: 'integer', description });

/** The schemas of the envelope around every response. */
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

/** An error body: `<name>Answer` with the error `<name>Error`. */
function errorSchemas(name: string, code: JsonSchema, example: object): Readonly<Record<string, JsonSchema>> {
  const error = errorName(name);
  return {
    [error]: {
      type: 'object',
      description: 'The error of a failed request.',
      required: ['code', 'message'],
      properties: {
        code,
        message: { type: 'string', description: 'What failed, why, and what to do, for people.' },
        details: refTo('ErrorDetails'),
      },
      examples: [example],
    },
    [`${name}Answer`]: {
      type: 'object',
      description: 'The response to a failed request.',
      required: ['error', 'meta'],
      properties: { error: refTo(error), meta: refTo('Meta') },
      examples: [{ error: example, meta: META_EXAMPLE }],
    },
  };
}

/** `NotFound` becomes `NotFoundError`, `InternalServerError` stays. */
const errorName = (name: string): string => (name === 'Error' ? 'ApiError' : `${name.replace(/Error$/, '')}Error`);

const messageOf = (codes: readonly ErrorCode[]) => ({ code: codes[0], message: 'What failed, why, and what to do.' });

/** The schemas of the envelope, and those of the error bodies of each status. */
export function envelopeSchemas(): Readonly<Record<string, JsonSchema>> {
  const errors = [...CODES_BY_STATUS].map(([status, codes]) => {
    const code = { type: 'string', description: 'The error code, for programs.', enum: codes };
    return errorSchemas(nameOfStatus(status), code, codes.includes('invalid_request') ? EXAMPLE : messageOf(codes));
  });
  return Object.assign({}, ENVELOPE, errorSchemas('Error', refTo('ErrorCode'), EXAMPLE), ...errors);
}
