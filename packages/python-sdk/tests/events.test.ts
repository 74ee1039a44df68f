import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findPython, missingPython } from '@lectern/testing/python';
import { describeIf } from '@lectern/testing/skip';
import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { type Driver, startDriver } from './support/driver.ts';

const python = findPython('httpx');

interface ParsedEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | null;
}

/** What the parser of the TypeScript SDK returns. */
function parse(chunks: readonly Uint8Array[]): readonly ParsedEvent[] {
  const events: ParsedEvent[] = [];
  const decoder = new TextDecoder();
  let lastId: string | undefined;
  const parser = createParser({
    onEvent: ({ event = 'message', data, id }) => {
      lastId = id ?? lastId;
      events.push({ event, data, id: lastId ?? null });
    },
  });
  for (const chunk of chunks) parser.feed(decoder.decode(chunk, { stream: true }));
  return events;
}

const values = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.constantFrom('', ' x', 'a: b', '{"é":"日本"}'),
);
const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });

/** Lines of a stream. An id has data, because the two parsers disagree about the id of an event without data. */
const lines = fc.oneof(
  fc.tuple(fc.constantFrom('data', 'data:', 'data: ', 'event: '), values).map(([field, value]) => [field + value]),
  fc.tuple(ids, values).map(([id, value]) => [`id: ${id}`, `data: ${value}`]),
  fc.constantFrom([''], [''], [': heartbeat'], ['retry: 10'], ['data'], ['other: 1']),
);

/** The bytes of a stream, split anywhere, with one kind of line break. */
const streams = fc
  .tuple(fc.array(lines, { maxLength: 20 }), fc.constantFrom('\n', '\r\n'), fc.array(fc.nat(200), { maxLength: 6 }))
  .map(([text, newline, cuts]) => {
    const bytes = new TextEncoder().encode(`${text.flat().join(newline)}${newline}${newline}`);
    const ends = [...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
    return ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
  });

describeIf(python !== undefined, missingPython('httpx'))('the parser of events', () => {
  let driver: Driver;
  beforeAll(() => {
    driver = startDriver(String(python), { base_url: 'http://localhost' });
  });
  afterAll(() => driver?.stop());

  it('returns what the parser of the TypeScript SDK returns, however the bytes are split', async () => {
    await fc.assert(
      fc.asyncProperty(streams, async (chunks) => {
        const result = await driver.run({ chunks: chunks.map((chunk) => Buffer.from(chunk).toString('hex')) });
        expect(result).toEqual(parse(chunks));
      }),
      { numRuns: 500 },
    );
  });

  it('accepts every line break of the standard, and a byte order mark', async () => {
    const hex = (text: string) => Buffer.from(text).toString('hex');
    const chunks = ['\u{feff}event: a\r', '\ndata: 1\r\rdata: 2\n', '\ndata: 3\r\n', '\r', '\n'].map(hex);
    expect(await driver.run({ chunks })).toEqual([
      { event: 'a', data: '1', id: null },
      { event: 'message', data: '2', id: null },
      { event: 'message', data: '3', id: null },
    ]);
  });
});
