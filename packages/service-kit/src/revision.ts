import { createHash } from 'node:crypto';
import type { Precondition } from '@lectern/contracts';
import { AppError } from '#errors/app-error';

/** Characters of a digest: 96 bits. */
const DIGEST_CHARS = 16;

/**
 * Serializes JSON with sorted property names, so that equal values give equal text. Dates and
 * similar values have their JSON form.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/**
 * Returns a short digest of a value: equal for equal values, whatever the order of their fields.
 */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, DIGEST_CHARS);
}

/**
 * Returns the `precondition_failed` error for a record that has changed since the caller read it.
 */
export function preconditionFailed(): AppError {
  return new AppError(
    'precondition_failed',
    'The record has changed since you read it. Read it again, repeat your change, and send the new ETag in If-Match.',
  );
}

/**
 * Throws `precondition_failed` if the request expects other revisions of a record. Call it with the
 * row locked, in the transaction that changes the record.
 */
export function requireRevision(precondition: Precondition | undefined, revision: string): void {
  if (precondition !== undefined && !precondition.revisions.includes(revision)) throw preconditionFailed();
}
