import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readEvents } from './sse.ts';

const TEXT =
  ': ping\r\n\r\nid: 1\r\nevent: a\r\ndata: {"t":"é"}\r\n\r\ndata:x\ndata: y\n\nevent: lost\n\nevent: unfinished\ndata: 1\n';

const streamOf = (chunks: readonly Uint8Array[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

const readChunks = (chunks: readonly Uint8Array[]) => Array.fromAsync(readEvents(streamOf(chunks)));

async function readInChunks(size: number) {
  const bytes = new TextEncoder().encode(TEXT);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.slice(at, at + size));
  return readChunks(chunks);
}

const line = fc
  .string({
    unit: fc.oneof(fc.constantFrom('é', '€', '😀', ':', ' ', '{'), fc.string({ unit: 'grapheme', maxLength: 1 })),
  })
  .map((text) => text.replace(/[\r\n]/g, ''));

/** An event, and the line break with which a server writes it. */
const written = fc.record({
  name: fc.constantFrom('a', 'content_delta'),
  data: fc.array(line, { minLength: 1, maxLength: 4 }),
  hasComment: fc.boolean(),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
});

function write({
  name,
  data,
  hasComment,
  lineBreak,
}: typeof written extends fc.Arbitrary<infer T> ? T : never): string {
  const lines = [...(hasComment ? [': ping'] : []), `event: ${name}`, ...data.map((text) => `data: ${text}`), ''];
  return lines.map((text) => text + lineBreak).join('');
}

describe('readEvents', () => {
  it.each([1, 2, 3, 7, 1_000])('parses events from chunks of %i bytes', async (size) => {
    expect(await readInChunks(size)).toEqual([
      { event: 'a', data: '{"t":"é"}', id: '1' },
      { event: 'message', data: 'x\ny', id: '1' },
    ]);
  });

  it('parses the same events from any chunks, with any line breaks', async () => {
    const cuts = fc.array(fc.nat({ max: 2_000 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(written, { maxLength: 5 }), cuts, async (events, positions) => {
        const bytes = new TextEncoder().encode(events.map(write).join(''));
        const bounds = [0, ...positions.map((at) => Math.min(at, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = bounds.slice(1).map((end, index) => bytes.slice(bounds[index], end));
        expect(await readChunks(chunks)).toEqual(
          events.map(({ name, data }) => ({ event: name, data: data.join('\n'), id: undefined })),
        );
      }),
    );
  });

  it('rejects an event that is too large', async () => {
    const line = new TextEncoder().encode(`data: ${'x'.repeat(1024 * 1024)}\n`);
    const endless = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(line) });
    await expect(Array.fromAsync(readEvents(endless))).rejects.toThrow('exceeds');
  });
});

describe('an idle stream', () => {
  const ticking = (everyMs: number) => {
    let timer: ReturnType<typeof setInterval>;
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        const pings = new TextEncoder().encode(': ping\n\n');
        let remaining = 10;
        timer = setInterval(() => {
          remaining -= 1;
          if (remaining > 0) controller.enqueue(pings);
          else {
            clearInterval(timer);
            controller.close();
          }
        }, everyMs);
      },
      cancel: () => clearInterval(timer),
    });
  };

  it('times out unless it sends comments', async () => {
    const idle = Array.fromAsync(readEvents(ticking(60_000), { timeoutMs: 50 }));
    await expect(idle).rejects.toMatchObject({ name: 'LecternConnectionError', isTimeout: true });
    expect(await Array.fromAsync(readEvents(ticking(20), { timeoutMs: 150 }))).toEqual([]);
  });
});
