import { z } from 'zod';

/** The gateway setting that limits the size of a JSON body, in bytes. */
export type JsonLimit = 'MAX_SMALL_JSON_BYTES' | 'MAX_JSON_BYTES' | 'MAX_DOCUMENT_BYTES';

export interface EmptyBody {
  readonly kind: 'none';
  readonly mediaType: null;
  readonly required: false;
  readonly schema: null;
  readonly limit: null;
}

/** A JSON body. If an optional body is missing, it counts as `{}`. */
export interface JsonBody<T extends z.ZodType = z.ZodType> {
  readonly kind: 'json';
  readonly mediaType: 'application/json';
  readonly required: boolean;
  readonly schema: T;
  /** Set if a service checks more than `schema`: the schema for the document. */
  readonly documented?: z.ZodType;
  readonly limit: JsonLimit;
}

/** A JSON body with one item or a list of items. */
export interface ItemsBody<T extends z.ZodType = z.ZodType> {
  readonly kind: 'items';
  readonly mediaType: 'application/json';
  readonly required: true;
  readonly schema: z.ZodType;
  readonly item: T;
  readonly list: z.ZodArray<T>;
  readonly limit: JsonLimit;
}

/** A JSON body with a list of items that are validated one by one: an invalid one fails alone. */
export interface BatchBody<T extends z.ZodType = z.ZodType> {
  readonly kind: 'batch';
  readonly mediaType: 'application/json';
  readonly required: true;
  readonly schema: z.ZodType;
  /** The field that contains the list. */
  readonly field: string;
  readonly item: T;
  readonly maxItems: number;
  readonly limit: JsonLimit;
}

/**
 * A JSON body that changes fields of a record. It can also be the whole record as GET returns it.
 */
export interface RecordBody<T extends z.ZodObject = z.ZodObject> {
  readonly kind: 'record';
  readonly mediaType: 'application/json';
  readonly required: true;
  /** The fields that can be changed. */
  readonly schema: T;
  /**
   * Everything that is accepted: the fields above, and the read-only fields if they are unchanged.
   */
  readonly accepted: z.ZodObject;
  /** The record as responses show it. */
  readonly record: z.ZodObject;
  /** Read-only fields that can change between two requests of the client. */
  readonly volatile: readonly string[];
  readonly limit: JsonLimit;
}

/** Files, and one JSON object of metadata for all of them. */
export interface MultipartBody {
  readonly kind: 'multipart';
  readonly mediaType: 'multipart/form-data';
  readonly required: true;
  readonly schema: z.ZodType;
  /** Limits each file. */
  readonly limit: 'MAX_FILE_BYTES';
}

export type BodySpec = EmptyBody | JsonBody | ItemsBody | BatchBody | RecordBody | MultipartBody;

/** For an operation without a body. A body that is sent anyway is ignored. */
export const withoutBody: EmptyBody = { kind: 'none', mediaType: null, required: false, schema: null, limit: null };

const JSON_TYPE = 'application/json';

/** Creates a required JSON body. */
export function jsonBody<T extends z.ZodType>(
  schema: T,
  limit: JsonLimit = 'MAX_SMALL_JSON_BYTES',
  documented?: z.ZodType,
): JsonBody<T> {
  return { kind: 'json', mediaType: JSON_TYPE, required: true, schema, limit, ...(documented && { documented }) };
}

/** Creates a JSON body that can be omitted. */
export function optionalJsonBody<T extends z.ZodType>(
  schema: T,
  limit: JsonLimit = 'MAX_SMALL_JSON_BYTES',
): JsonBody<T> {
  return { kind: 'json', mediaType: JSON_TYPE, required: false, schema, limit };
}

/** Creates a JSON body with one item or a list of 1 to `max` items. */
export function itemsBody<T extends z.ZodType>(item: T, max: number, examples: readonly unknown[]): ItemsBody<T> {
  const list = z.array(item).min(1).max(max);
  const schema = z.union([item, list]).meta({ examples: [...examples] });
  return { kind: 'items', mediaType: JSON_TYPE, required: true, schema, item, list, limit: 'MAX_JSON_BYTES' };
}

/** Creates a JSON body whose `field` is a list of 1 to `maxItems` items. */
export function batchBody<T extends z.ZodType>(
  item: T,
  {
    field,
    description,
    maxItems,
    limit,
  }: { readonly field: string; readonly description: string; readonly maxItems: number; readonly limit: JsonLimit },
): BatchBody<T> {
  const examples = z.globalRegistry.get(item)?.examples;
  const schema = z
    .strictObject({ [field]: z.array(item).min(1).max(maxItems).meta({ description }) })
    .meta(Array.isArray(examples) ? { examples: [{ [field]: examples }] } : {});
  return { kind: 'batch', mediaType: JSON_TYPE, required: true, schema, field, item, maxItems, limit };
}

/** Creates a JSON body that changes the given fields of a record. */
export function recordBody<T extends z.ZodObject>(
  schema: T,
  record: z.ZodObject,
  volatile: readonly string[] = [],
): RecordBody<T> {
  const readOnly = Object.keys(record.shape).filter((name) => !(name in schema.shape));
  const unchanged = readOnly.map((name) => {
    const field = z.unknown().pipe(record.shape[name] ?? z.unknown());
    return [name, field.optional().meta({ readOnly: true, description: 'Read-only. Accepted if it is unchanged.' })];
  });
  const accepted = schema.extend(Object.fromEntries(unchanged));
  return {
    kind: 'record',
    mediaType: JSON_TYPE,
    required: true,
    schema,
    accepted,
    record,
    volatile,
    limit: 'MAX_JSON_BYTES',
  };
}
