import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

async function* asLines(records: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const record of records) yield `${JSON.stringify(record)}\n`;
}

/**
 * Sends records as JSON Lines, as fast as the client reads them. An error ends the response early: a
 * client recognizes that by the missing last chunk. If the client disconnects, the source is closed.
 */
export async function sendLines(response: ServerResponse, records: AsyncIterable<object>): Promise<void> {
  response.setHeader('Content-Type', 'application/x-ndjson; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  try {
    await pipeline(Readable.from(asLines(records)), response);
  } catch (error) {
    if (!response.destroyed) throw error;
  }
}
