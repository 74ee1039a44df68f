import { isDeepStrictEqual } from 'node:util';
import type { RecordBody } from '@lectern/api-spec';
import { AppError, type Issue, invalidRequest, preconditionFailed } from '@lectern/service-kit';
import type { z } from 'zod';
import { pathText } from '#http/describe-issue';
import { etagOf, type IfMatch } from '#http/if-match';
import { validate } from '#http/validate';

type Fields = Readonly<Record<string, unknown>>;

/** The current state of the record that a body changes. */
export interface CurrentRecord {
  /** The record as responses show it. */
  readonly record: object;
  /** The revision of the fields that an update can change. */
  readonly revision: string;
  /** The request's If-Match condition. */
  readonly ifMatch?: IfMatch | undefined;
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const READ_ONLY = 'is read-only and differs from the stored value: omit it, or send it unchanged';

function issuesOf(error: unknown): readonly Issue[] {
  const issues: unknown = error instanceof AppError ? error.details?.issues : undefined;
  if (!Array.isArray(issues)) throw error;
  return issues;
}

/** True for a time that the field can have had when the client read it. */
const isEarlier = (current: unknown, sent: unknown): boolean =>
  sent === null || (typeof sent === 'string' && typeof current === 'string' && sent <= current);

/**
 * Splits a body into the editable fields that differ from the record, and the names of read-only
 * fields that differ and must be rejected. With If-Match, read-only fields can have the values of
 * the record that the tag belongs to.
 */
function compare({ schema, volatile }: RecordBody, body: Fields, { record, revision, ifMatch }: CurrentRecord) {
  const changed = Object.entries(body).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(record, name)));
  const isEditable = (name: string) => name in schema.shape;
  const readOnly = changed.filter(([name]) => !isEditable(name));
  const asRead = { ...record, ...Object.fromEntries(readOnly) };
  const isAsRead = ifMatch?.tags.includes(etagOf(asRead, revision)) ?? false;
  const isAllowed = ([name, value]: readonly [string, unknown]) =>
    isAsRead || (volatile.includes(name) && isEarlier(Reflect.get(record, name), value));
  return {
    changes: Object.fromEntries(changed.filter(([name]) => isEditable(name))),
    rejected: readOnly.filter((field) => !isAllowed(field)).map(([name]) => name),
  };
}

/**
 * Validates a body that changes fields of a record. The body can be the whole record as GET returns
 * it: a field that equals the record is no change, and a read-only field that differs is rejected.
 * The record is read only if the body needs it.
 */
export async function readRecord(
  spec: RecordBody,
  value: unknown,
  current: (() => Promise<CurrentRecord>) | undefined,
): Promise<z.output<z.ZodObject>> {
  const isKnown = (name: string) => name in spec.schema.shape || name in spec.record.shape;
  const isPlain = !isObject(value) || !Object.keys(value).every(isKnown) || spec.schema.safeParse(value).success;
  if (isPlain || current === undefined) return validate(spec.schema, value, 'body');
  const now = await current();
  if (now.ifMatch !== undefined && !now.ifMatch.revisions.includes(now.revision)) throw preconditionFailed();
  const { changes, rejected } = compare(spec, value, now);
  const issues = rejected.map((name) => ({ path: pathText([name]), message: READ_ONLY }));
  try {
    const body = validate(spec.schema, changes, 'body');
    if (issues.length === 0) return body;
  } catch (error) {
    issues.push(...issuesOf(error));
  }
  throw invalidRequest(issues);
}
