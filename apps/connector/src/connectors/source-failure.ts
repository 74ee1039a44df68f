import { SourceError } from '@lectern/connectors';
import { AppError } from '@lectern/service-kit';

/** What a source's failure is to the caller of the API: never their key's or our fault, in the words of the source. */
export function sourceFailure(error: unknown): unknown {
  if (!(error instanceof SourceError)) return error;
  const code = error.kind === 'rate' ? 'unavailable' : 'upstream_error';
  return new AppError(code, error.message, { cause: error, details: { reason: error.kind } });
}
