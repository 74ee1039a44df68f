import { ID_PREFIXES, type IdKind, idPattern, isId, toPrincipal } from '@lectern/contracts';
import { z } from 'zod';
import { FIELD_NAME, HTTP_URL, PRINCIPAL, STORABLE } from '#patterns';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 5_000;
const MAX_ID = 100;
const MAX_IDS = 1_000;
const MAX_URL = 2_048;
const MAX_AUTHOR = 1_000;

/** The largest page for which `page * limit` stays within what the services can count. */
export const MAX_PAGE = 20_000_000;
export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 20;

/** Bytes of a document's metadata as JSON. Each passage in the vector store carries a copy. */
export const MAX_METADATA_BYTES = 64 * 1024;

/** The JSON Schemas to document for schemas that parse text, for example a query parameter. */
export const wireSchemas = z.registry<{ readonly schema: Readonly<Record<string, unknown>> }>();

/** What ids identify: in paths and in responses. The links of the document are derived from it. */
export const linkedIds = z.registry<{ readonly kind: string }>();

/** Returns the example id of a kind. */
export const exampleId = (kind: IdKind): string => `${ID_PREFIXES[kind]}_01h455vb4pex5vsknk084sn02q`;

export const EXAMPLE_TIME = '2026-11-21T10:00:00.000Z';

// Requests

/** A name for people. Surrounding white space is removed. */
export const name = z.string().trim().min(1).max(MAX_NAME);

/** A description. An empty string clears it. */
export const description = z.string().max(MAX_DESCRIPTION);

/** An id in a body. The service that owns the record checks whether it exists. */
export const id = z.string().min(1).max(MAX_ID);

export const ids = z.array(id).max(MAX_IDS);

/** The name of a language model or an embedding model. */
export const modelName = z.string().min(1).max(200);

/**
 * Collections to search. An empty list is rejected: a client that computed one must not get results
 * from every collection.
 */
export const searchedCollections = ids
  .min(1, 'must name at least one collection; omit it to search everything in scope')
  .meta({
    description: 'Ids of the collections to search. Omit it to search everything in the scope of the key.',
    examples: [[exampleId('collection')]],
  });

/** A name in an object that the caller sends. */
export const fieldName = z.string().regex(new RegExp(FIELD_NAME), 'is not an allowed name');

const JSON_VALUE = { $ref: '#/components/schemas/JsonValue' };

/** A value in an object that the caller sends. The gateway checks its texts and names (`checkJson`). */
export const jsonValue = z
  .unknown()
  .register(wireSchemas, {
    schema: {
      pattern: STORABLE,
      items: JSON_VALUE,
      // Generators would read these keywords without a condition as an object.
      if: { not: { type: 'object' } },
      else: { propertyNames: { pattern: FIELD_NAME }, additionalProperties: JSON_VALUE },
    },
  })
  .meta({ id: 'JsonValue', description: 'Any JSON value, without the character U+0000 in its texts and names.' });

/** An object with names and values that the caller chooses. */
export const freeObject = z
  .record(fieldName.min(1).max(MAX_NAME), jsonValue)
  .meta({ id: 'FreeObject', description: 'An object with names and values that you choose.' });

/** A URL that a page can link to. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(MAX_URL)
  .register(wireSchemas, { schema: { type: 'string', format: 'uri', pattern: HTTP_URL, maxLength: MAX_URL } });

/** A boolean in a query. */
export const booleanText = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .register(wireSchemas, { schema: { type: 'boolean' } });

/** A user or group that can read a document. */
export const principal = z
  .string()
  .refine(
    (text) => toPrincipal(text) !== undefined,
    'must be public, user:<email>, user:<source>:<id> or group:<source>:<id>',
  )
  .register(wireSchemas, { schema: { type: 'string', pattern: PRINCIPAL, maxLength: 320 } });

/** The value of `X-Service-User`. */
export const serviceUser = z.email().max(320);

/** The id of a record in a body, checked before the service that owns the record sees it. */
export const idIn = (kind: IdKind) => z.string().regex(idPattern(kind), `must be the id of a ${kind}`);

const isSmall = (value: object): boolean => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES;

/** Metadata that a caller gives a document: any names, three of which have a type. */
export const documentMetadata = freeObject
  .refine(isSmall, `must have at most ${MAX_METADATA_BYTES} bytes as JSON`)
  .pipe(
    z.looseObject({
      author: z.string().max(MAX_AUTHOR).optional().meta({ description: 'The author of the document.' }),
      url: webUrl.optional().meta({ description: 'The http or https URL of the document.' }),
      pages: z.int().min(0).optional().meta({ description: 'The number of pages.' }),
    }),
  )
  .register(wireSchemas, {
    schema: {
      type: 'object',
      propertyNames: { type: 'string', minLength: 1, maxLength: MAX_NAME, pattern: FIELD_NAME },
      properties: {
        author: {
          type: 'string',
          maxLength: MAX_AUTHOR,
          pattern: STORABLE,
          description: 'The author of the document.',
        },
        url: {
          type: 'string',
          format: 'uri',
          pattern: HTTP_URL,
          maxLength: MAX_URL,
          description: 'The http or https URL of the document.',
        },
        pages: {
          type: 'integer',
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The number of pages.',
        },
      },
      additionalProperties: JSON_VALUE,
    },
  })
  .meta({
    id: 'NewDocumentMetadata',
    description: 'The metadata of the document, at most 64 KiB as JSON. Filters and facets can use it.',
  });

// Path and query

/** A path parameter with an id. A malformed id returns 404 like an unknown one. */
export function idParam(kind: IdKind) {
  return z
    .string()
    .refine((value) => isId(kind, value), { params: { resource: kind } })
    .register(linkedIds, { kind })
    .register(wireSchemas, { schema: { type: 'string', pattern: idPattern(kind).source } })
    .meta({ description: `The id of the ${kind.replace('_', ' ')}.`, examples: [exampleId(kind)] });
}

/** The parameters of a path with the id of one record. */
export function idParams(kind: IdKind) {
  return z.object({ id: idParam(kind) });
}

/** A whole number in a query. */
export function integerText(min: number, max: number) {
  return z
    .string('must occur exactly once')
    .regex(/^-?\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .register(wireSchemas, { schema: { type: 'integer', minimum: min, maximum: max } });
}

const PAGE = { description: 'The page of the list, counted from 1.' };
const LIMIT = { description: 'The number of items per page.' };

/** The query of a list. */
export const pageQuery = z.object({
  page: integerText(1, MAX_PAGE).default(1).meta(PAGE),
  limit: integerText(1, MAX_LIMIT).default(DEFAULT_LIMIT).meta(LIMIT),
});

/** The same fields in a body. */
export const pageFields = {
  page: z.int().min(1).max(MAX_PAGE).default(1).meta(PAGE),
  limit: z.int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT).meta(LIMIT),
};

/** A time in a query or a body: ISO 8601 with an offset. A date means its first moment in UTC. */
export const timeText = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be a time, for example 2026-01-31T12:00:00Z',
  })
  .transform((text) => new Date(text));

/** The query of a list that can be limited to a period. */
export const periodQuery = {
  from: timeText.optional().meta({ description: 'Only items at or after this time (ISO 8601, or a date in UTC).' }),
  to: timeText.optional().meta({ description: 'Only items before this time (ISO 8601, or a date in UTC).' }),
};

// Responses

/** A string in a response. */
export const text = (description: string, example?: string) =>
  z.string().meta({ description, ...(example === undefined ? {} : { examples: [example] }) });

export const integer = (description: string) => z.int().meta({ description });

export const flag = (description: string) => z.boolean().meta({ description });

/** A time in a response. */
export const timestamp = (description: string) =>
  z.iso.datetime({ precision: 3 }).meta({ description: `${description} ISO 8601 in UTC, with milliseconds.` });

export const nullableTimestamp = (description: string) =>
  z.iso
    .datetime({ precision: 3 })
    .nullable()
    .meta({ description: `${description} ISO 8601 in UTC, with milliseconds.` });

/** The id of a record in a response. Operations with such an id in their path are linked to it. */
export const recordId = (kind: IdKind, description = `The id of the ${kind.replace('_', ' ')}.`) =>
  text(description, exampleId(kind)).register(linkedIds, { kind });

/** The id of the record itself. */
export const ownId = (kind: IdKind) =>
  recordId(kind, `The id of the ${kind === 'audit' ? 'audit event' : kind.replace('_', ' ')}.`);

export const createdAt = timestamp('When the record was created.');
export const updatedAt = timestamp('When the record was last changed.');

/** An object with any names and values in a response. */
export const anyObject = z
  .record(z.string(), z.unknown())
  .meta({ id: 'JsonObject', description: 'An object with any names and values.' });

/** The length of a bucket of a report. */
export const interval = z.enum(['hour', 'day']).meta({ id: 'Interval', description: 'The length of a bucket.' });

/** A body without fields. */
export const noFields = z
  .strictObject({})
  .meta({ id: 'NoFields', description: 'An object without fields.', examples: [{}] });

/** Why something failed. */
export const failure = z
  .object({ code: text('An error code.', 'upstream_error'), message: text('What failed and what to do.') })
  .meta({ id: 'Failure', description: 'Why something failed.' });

/** The response to a DELETE. */
export const deletedRecord = z
  .object({
    id: text('The id of the deleted record.'),
    deleted: z.literal(true).meta({ description: 'Always true.' }),
  })
  .meta({
    id: 'Deleted',
    description: 'A deleted record.',
    examples: [{ id: exampleId('collection'), deleted: true }],
  });
