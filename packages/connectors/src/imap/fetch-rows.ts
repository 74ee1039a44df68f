import type { FetchMessageObject, FetchQueryObject } from 'imapflow';
import type { Step, StepLimits } from '#imap/open-session';
import { SourceError } from '#source-error';

/** A server also reports messages that were not requested, for example when their flags change. */
const UNREQUESTED_ROWS = 1_000;

/**
 * Fetches messages of the open folder, and reduces each one when it arrives, so that a server cannot
 * fill the memory. The query must contain headers: rows without them, for other messages or for the
 * same one again are ignored.
 */
export async function fetchRows<T>(
  step: Step,
  uids: readonly number[],
  query: FetchQueryObject & { readonly headers: string[] },
  reduce: (message: FetchMessageObject) => T,
  limits?: StepLimits,
): Promise<ReadonlyMap<number, T>> {
  const rows = new Map<number, T>();
  if (uids.length === 0) return rows;
  const wanted = new Set(uids);
  const maxRows = 2 * uids.length + UNREQUESTED_ROWS;
  await step(async (client) => {
    let count = 0;
    for await (const message of client.fetch([...uids], query, { uid: true })) {
      count += 1;
      if (count > maxRows) {
        client.close();
        throw new SourceError('too_large', 'The IMAP server sent many more messages than requested.');
      }
      const { uid, headers } = message;
      if (headers !== undefined && wanted.has(uid) && !rows.has(uid)) rows.set(uid, reduce(message));
    }
    return rows;
  }, limits);
  return rows;
}
