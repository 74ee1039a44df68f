import { createHash } from 'node:crypto';
import type { Precondition } from '@lectern/contracts';
import { AppError } from './errors/app-error.ts';

/** Characters of a digest: 96 bits. */
const DIGEST_CHARS = 16;

/** JSON with the names of objects in order: the same value is the same text. Dates and the like are written as JSON writes them. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** A short digest of a value: equal for equal values, whatever the order of their fields. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, DIGEST_CHARS);
}

/** `precondition_failed` for a record that is not as the caller last read it. */
export function preconditionFailed(): AppError {
  return new AppError(
    'precondition_failed',
    'The record was changed since you read it. Read it again, repeat your change, and send its new ETag in If-Match.',
  );
}

/**
 * Throws `precondition_failed` where a request is meant for other revisions of a record. To be called with the row locked, in the transaction that
 * changes it.
 */
export function requireRevision(precondition: Precondition | undefined, revision: string): void {
  if (precondition !== undefined && !precondition.revisions.includes(revision)) throw preconditionFailed();
}
