import { SourceError } from '@lectern/connectors';
import { z } from 'zod';

/** Error kinds that are permanent. All others may succeed later. */
const UNREADABLE: ReadonlySet<string> = new Set(['forbidden', 'gone', 'invalid', 'too_large']);

/**
 * True if the source reported that it cannot provide this entry, or returned it in an unexpected
 * form. A retry cannot help, and the rest of the job continues.
 */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof SourceError) return UNREADABLE.has(error.kind);
  return [TypeError, RangeError, SyntaxError, z.core.$ZodError].some((kind) => error instanceof kind);
}

/** The same failure as an item's error. */
export const unreadableError = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof SourceError
    ? { code: error.kind, message: error.message }
    : {
        code: 'invalid',
        message:
          'The source returned data in an unexpected format. If this happens again, report it to the Lectern maintainers.',
      };
