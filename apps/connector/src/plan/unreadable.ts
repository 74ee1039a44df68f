import { SourceError } from '@lectern/connectors';
import { z } from 'zod';

/** Failures that say that something cannot be read, in place of that it cannot be read now. */
const UNREADABLE: ReadonlySet<string> = new Set(['forbidden', 'gone', 'invalid', 'too_large']);

/**
 * True where a source said of one thing that it cannot be read, or said it in a form that nobody expected: asking again helps nothing, and whatever
 * else the job is about goes on.
 */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof SourceError) return UNREADABLE.has(error.kind);
  return [TypeError, RangeError, SyntaxError, z.core.$ZodError].some((kind) => error instanceof kind);
}

/** The same as an item's error. */
export const unreadableError = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof SourceError
    ? { code: error.kind, message: error.message }
    : { code: 'invalid', message: 'The source answered in an unknown form. Report it if it stays.' };
