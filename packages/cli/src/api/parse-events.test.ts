import { describe, expect, it } from '@jest/globals';
import { parseEvents } from '#api/parse-events';

async function eventsOf(...chunks: readonly Uint8Array[]) {
  async function* bytes() {
    yield* chunks;
  }
  const events: unknown[] = [];
  for await (const event of parseEvents(bytes())) events.push(event);
  return events;
}

const STREAM =
  ': ping\n\nevent: content_delta\ndata: {"delta":"größer"}\n\nevent: message_end\r\ndata: {}\r\n\r\ndata: half';

describe('parseEvents', () => {
  it('reads events wherever their bytes are cut, and leaves out comments and what is cut off at the end', async () => {
    const bytes = new TextEncoder().encode(STREAM);
    const wanted = [
      { event: 'content_delta', data: '{"delta":"größer"}' },
      { event: 'message_end', data: '{}' },
    ];
    expect(await eventsOf(bytes)).toEqual(wanted);
    expect(await eventsOf(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(wanted);
  });
});
