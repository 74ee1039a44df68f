import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

async function* asLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/**
 * Sends records as JSON Lines, as fast as the client reads them. Throws the error of a source that fails
 * before the first record. A later one goes to `onError` and ends the response early: a client recognizes
 * that by the missing last chunk. If the client disconnects, the source is closed.
 */
export async function sendLines(
  response: ServerResponse,
  records: AsyncIterable<object>,
  onError: (error: unknown) => void,
): Promise<void> {
  const lines = asLines(records);
  const first = await lines.next();
  const all = async function* () {
    try {
      if (!first.done) yield first.value;
      yield* lines;
    } catch (error) {
      // Without its client, a source is cancelled.
      if (!response.destroyed) onError(error);
      throw error;
    }
  };
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  // It fails only if the source failed, which was reported, or the client disconnected.
  await pipeline(Readable.from(all()), response).catch(() => undefined);
}
